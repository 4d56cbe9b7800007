"""Any OpenAI-compatible endpoint: one client with short time-outs, and the one adapter for all that can go wrong.

Retries are the client's own (two, on the wire), within the time that is left; we ask once more when a connection is cut
before anything was shown, and when the endpoint does not know a field that it can do without. Nothing is sent anywhere
else: redirects are not followed.
"""

import json
import math
import re
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from store.errors import UsageError
from tools.endpoints.body import Shown, read
from tools.endpoints.completion import Completion, Fault, said_aloud, written
from tools.endpoints.patience import RETRIES, Patience
from tools.sanitize import one_line

if TYPE_CHECKING:
    import openai

TIMEOUT = 60.0
WHOLE_ANSWER = 120.0
OPTIONAL = ("temperature", "stream_options", "max_tokens")
LIMITS = ("max_tokens", "max_completion_tokens")
CARRIED = ("role", "content", "tool_calls", "tool_call_id", "name")
OURS = ("model", "messages", "tools", "response_format", "stream")
OPENAI = "https://api.openai.com/v1"

Message = Mapping[str, Any]
_CONTEXT = re.compile(r"context.?(length|window|size)|maximum context|too (long|many tokens)|exceed.{0,40}tokens", re.I)
_SHORTEST = 4
_HEADER = re.compile("[ -~]*")
_SECRET = re.compile(r"(?:sk|pk|key|gsk|hf|xai)[-_][\w*.-]{6,}|(?<=bearer )\S+|(?<=://)[^/\s@]+@", re.I)


class Endpoint:
    """One endpoint and one model: `complete` asks it; `say` is told what a person should know while waiting.

    `timeout` is how long it may be silent, in seconds (60 unless told). `extra_body` and `extra_headers` go with every
    request, as some endpoints want them; UsageError when they may not.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str | None = None,
        timeout: float | None = None,
        say: Callable[[str], None] = lambda line: None,
        extra_body: Mapping[str, Any] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        self._key = (api_key or "").strip()
        self._model = model
        self._unwelcome: set[str] = set()
        self._body = dict(extra_body or {})
        self._headers = dict(extra_headers or {})
        self.base_url = base_url
        if urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
            raise UsageError(f"the endpoint {self._redacted(base_url)!r} is no http(s) address")
        if taken := sorted(self._body.keys() & set(OURS)):
            raise UsageError(f"an extra body may not hold what Overheard itself asks with: {', '.join(taken)}")
        if not all(_HEADER.fullmatch(value) for value in (self._key, *self._headers, *self._headers.values())):
            raise UsageError("the key and extra headers may hold printable ASCII characters only, and no line breaks")
        self._patience = Patience(self.host, timeout or TIMEOUT, say)

    @property
    def host(self) -> str:
        """The host (and port) that everything is sent to."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def named(self) -> str | None:
        """The model's name as far as it is known without asking."""
        return self._model

    @property
    def extra(self) -> Mapping[str, Any]:
        """What goes with every request beyond what is asked."""
        return dict(self._body)

    @property
    def model(self) -> str:
        """The model's name: the one given, else the only one on offer; UsageError when there are more."""
        return self.look_up()

    def look_up(self, seconds: float = math.inf) -> str:
        """Give the model's name, asked for within so many seconds where it is not known."""
        if self._model is None:
            offered = self.models(seconds)
            if len(offered) != 1:
                some = ", ".join(offered[:8]) or "none"
                raise UsageError(f"{self.host} offers {len(offered)} models ({some}); name one in OPENAI_MODEL")
            self._model = offered[0]
        return self._model

    def models(self, seconds: float = math.inf) -> list[str]:
        """Give the names of the models that the endpoint offers, asked within so many seconds."""
        self._patience.deadline = time.monotonic() + seconds
        try:
            body = self._client.models.with_raw_response.list().http_response.text
            return _named(json.loads(body))
        except Exception as error:
            raise self._fault(error) from None

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        response_format: Mapping[str, Any] | None = None,
        stream: bool = False,
        on_text: Callable[[str], None] | None = None,
        seconds: float = math.inf,
        temperature: float = 0,
        max_tokens: int | None = None,
    ) -> Completion:
        """Ask the model and give its finished answer; Fault (an EndpointError) in one plain line otherwise.

        `seconds` are what it all may take, with retries and waits. A limit that `extra_body` sets goes before
        `max_tokens`.
        """
        until = time.monotonic() + seconds
        request: dict[str, Any] = {"model": self.look_up(seconds), "messages": list(messages)}
        request |= {"temperature": temperature}
        request |= {"max_tokens": max_tokens} if max_tokens and not self._body.keys() & set(LIMITS) else {}
        self._patience.deadline = until
        request |= {"tools": list(tools)} if tools else {}
        request |= {"response_format": response_format} if response_format else {}
        request |= {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
        shown = Shown(on_text)
        cut = False
        while True:
            try:
                return self._asked(self._welcome(request), shown)
            except Fault as fault:
                if not self._learned(fault, messages) and (cut or shown.anything or fault.cause != "cut"):
                    raise
                cut = cut or fault.cause == "cut"

    def write_down(self, audio: bytes, name: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send sound to `/audio/transcriptions` and give what it answers, {"text": ...} when that is no JSON.

        `name` tells the format by its ending, `asked` are the request's fields besides the model. Fault otherwise.
        """
        model = self.look_up()
        self._patience.deadline = math.inf
        create: Any = self._client.audio.transcriptions.with_raw_response.create
        try:
            answer = create(file=(name, audio), model=model, extra_body=self._body or None, **asked)
            return written(answer.http_response.text)
        except Exception as error:
            raise self._fault(error) from None

    def _welcome(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Give a request without what the endpoint has said that it does not know."""
        kept = {name: value for name, value in request.items() if name not in self._unwelcome}
        kept["messages"] = [
            {name: value for name, value in message.items() if name not in self._unwelcome or name in CARRIED}
            for message in request["messages"]
        ]
        return kept

    def _learned(self, fault: Fault, messages: Sequence[Message]) -> bool:
        """Note which of the fields that can be left out a fault names; False when it names none."""
        if fault.cause != "request":
            return False
        ours = {*OPTIONAL, *(name for message in messages for name in message if name not in CARRIED)}
        named = {field for field in ours - self._unwelcome if field in str(fault)}
        self._unwelcome |= named
        return bool(named)

    def _asked(self, request: dict[str, Any], shown: Shown) -> Completion:
        shown.text = ""
        # what may be silent for longer may take longer in all
        whole = WHOLE_ANSWER * max(1.0, self._patience.timeout / TIMEOUT)
        began, seconds = time.monotonic(), min(whole, self._patience.left)
        create = self._client.chat.completions.with_streaming_response.create
        try:
            with create(**request, extra_body=self._body or None) as response:
                return read(response.http_response, began, seconds, shown)
        except Exception as error:
            # The original may hold the key in its message, so it is not chained.
            raise self._fault(error, said_aloud(shown.text)) from None

    @cached_property
    def _client(self) -> "openai.OpenAI":
        import openai

        local = urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")
        http = openai.DefaultHttpxClient(
            event_hooks={"request": [self._patience.limit], "response": [self._patience.wait]},
            follow_redirects=False,
            trust_env=not local,
            timeout=self._patience.timeout,
        )
        weakref.finalize(self, http.close)
        return openai.OpenAI(
            base_url=self.base_url,
            api_key=self._key or "none",
            timeout=self._patience.timeout,
            max_retries=RETRIES,
            default_headers=self._headers,
            http_client=http,
        )

    def _fault(self, error: Exception, partial: str = "") -> Fault:
        import httpx2
        import openai

        if isinstance(error, Fault):
            error.args = (self._redacted(str(error)),)
            error.partial = said_aloud(error.partial) or partial
            return error
        if isinstance(error, openai.APIStatusError):
            return self._status(error)
        if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            return Fault(
                f"{self.host} did not answer within {self._patience.granted:.3g} s; is the model too slow, or stuck?",
                "endpoint_unreachable", cause="server", partial=partial,
            )  # fmt: skip
        if isinstance(error, openai.APIConnectionError):
            return Fault(f"{self.host} cannot be reached; is the endpoint running?", "endpoint_unreachable")
        if isinstance(error, httpx2.HTTPError):
            return Fault(f"{self.host} cut the connection in the middle of its answer", cause="cut", partial=partial)
        return Fault(f"{self.host} is not OpenAI-compatible: {self._redacted(str(error))[:80]}", partial=partial)

    def _status(self, error: "openai.APIStatusError") -> Fault:
        code = error.status_code
        told = self._redacted(_told(error))
        if code in (401, 403):
            return Fault(f"{self.host} refused the key ({code}): {told}", cause="key", status=code)
        if code == 429:
            return Fault(f"{self.host} limits its requests (429) and did so again: {told}", cause="limit", status=code)
        if code == 413 or (code in (400, 422, 500) and _CONTEXT.search(told)):
            return Fault(f"the question does not fit into the model's context: {told}", cause="context", status=code)
        if 400 <= code < 500:
            return Fault(f"{self.host} did not accept the request ({code}): {told}", cause="request", status=code)
        return Fault(f"{self.host} failed ({code}): {told}", cause="server", status=code)

    def _redacted(self, text: str) -> str:
        hidden = text
        for secret in (self._key, *self._headers.values()):
            hidden = hidden.replace(secret, "[key]") if secret and len(secret) >= _SHORTEST else hidden
        return " ".join(_SECRET.sub("[key]", hidden).split())


def _named(listed: Any) -> list[str]:
    """Read the models' names out of a list as endpoints give it: under `data`, or bare."""
    rows = listed.get("data") if isinstance(listed, Mapping) else listed
    found = [row.get("id") if isinstance(row, Mapping) else row for row in rows or ()]
    return [one_line(name) for name in found if isinstance(name, str) and name]


def _told(error: "openai.APIStatusError") -> str:
    body = error.body
    message = body.get("message") if isinstance(body, Mapping) else None
    text = message if isinstance(message, str) else re.sub(r"<[^>]*>", " ", str(error.message))
    return " ".join(text.split())[:200] or "no reason given"

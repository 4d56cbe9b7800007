"""Any OpenAI-compatible endpoint: one client with short time-outs, and the one adapter for all that can go wrong.

Retries are the client's own (two, on the wire); we only cap the wait an endpoint may ask for, and ask once more when a
connection is cut before anything was shown. Nothing is sent anywhere else: redirects are not followed.
"""

import json
import re
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from store.errors import UsageError
from tools.completion import Assembly, Completion, Fault, read_whole

if TYPE_CHECKING:
    import httpx2
    import openai

TIMEOUT = 60.0
WHOLE_ANSWER = 120.0
LONGEST_WAIT = 30.0
RETRIES = 2
OPTIONAL = ("temperature", "stream_options")
OPENAI = "https://api.openai.com/v1"

Message = Mapping[str, Any]
_CONTEXT = re.compile(r"context.?(length|window|size)|maximum context|too (long|many tokens)|exceed.{0,40}tokens", re.I)
_SECRET = re.compile(r"(?:sk|pk|key|gsk|hf|xai)[-_][\w*.-]{6,}|(?<=bearer )\S+|(?<=://)[^/\s@]+@", re.I)


class Endpoint:
    """One endpoint and one model: `complete` asks it; `say` is told what a person should know while waiting."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str | None = None,
        timeout: float = TIMEOUT,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._key = api_key
        self._model = model
        self._unwelcome: set[str] = set()
        self.base_url = base_url
        self.timeout = timeout
        self.say = say
        if urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
            raise UsageError(f"the endpoint {self._redacted(base_url)!r} is no http(s) address")

    @property
    def host(self) -> str:
        """The host (and port) that everything is sent to."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def model(self) -> str:
        """The model's name: the one given, else the only one on offer; UsageError when there are more."""
        if self._model is None:
            offered = self.models()
            if len(offered) != 1:
                some = ", ".join(offered[:8]) or "none"
                raise UsageError(f"{self.host} offers {len(offered)} models ({some}); name one in OPENAI_MODEL")
            self._model = offered[0]
        return self._model

    def models(self) -> list[str]:
        """Give the names of the models that the endpoint offers."""
        try:
            body = self._client.models.with_raw_response.list().http_response.text
            rows = json.loads(body).get("data") or []
            return [str(row["id"]) for row in rows]
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
    ) -> Completion:
        """Ask the model and give its finished answer; Fault (an EndpointError) in one plain line otherwise."""
        request: dict[str, Any] = {"model": self.model, "messages": list(messages), "temperature": 0}
        request |= {"tools": list(tools)} if tools else {}
        request |= {"response_format": response_format} if response_format else {}
        request |= {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
        shown = _Shown(on_text)
        cut = False
        while True:
            try:
                return self._asked({k: v for k, v in request.items() if k not in self._unwelcome}, shown)
            except Fault as fault:
                if not self._learned(fault) and (cut or shown.anything or fault.cause != "cut"):
                    raise
                cut = cut or fault.cause == "cut"

    def _learned(self, fault: Fault) -> bool:
        named = {field for field in OPTIONAL if fault.cause == "request" and field in str(fault)} - self._unwelcome
        self._unwelcome |= named
        return bool(named)

    def _asked(self, request: dict[str, Any], shown: "_Shown") -> Completion:
        shown.text = ""
        try:
            with self._client.chat.completions.with_streaming_response.create(**request) as response:
                return _read(response.http_response, time.monotonic() + WHOLE_ANSWER, shown)
        except Exception as error:
            # The original may hold the key in its message, so it is not chained.
            raise self._fault(error, shown.text) from None

    @cached_property
    def _client(self) -> "openai.OpenAI":
        import openai

        local = urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")
        http = openai.DefaultHttpxClient(
            event_hooks={"response": [_Patience(self.host, self.say).wait]},
            follow_redirects=False,
            trust_env=not local,
            timeout=self.timeout,
        )
        weakref.finalize(self, http.close)
        return openai.OpenAI(
            base_url=self.base_url,
            api_key=self._key or "none",
            timeout=self.timeout,
            max_retries=RETRIES,
            http_client=http,
        )

    def _fault(self, error: Exception, partial: str = "") -> Fault:
        import httpx2
        import openai

        if isinstance(error, Fault):
            error.args = (self._redacted(str(error)),)
            error.partial = error.partial or partial
            return error
        if isinstance(error, openai.APIStatusError):
            return self._status(error)
        if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
            return Fault(
                f"{self.host} did not answer within {self.timeout:g} s; is the model too slow, or the endpoint stuck?",
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
        hidden = text.replace(self._key, "[key]") if self._key else text
        return " ".join(_SECRET.sub("[key]", hidden).split())


@dataclass(frozen=True, slots=True)
class _Patience:
    """Caps the wait that an endpoint asks for, and tells a person about it."""

    host: str
    say: Callable[[str], None]

    def wait(self, response: "httpx2.Response") -> None:
        told = response.headers.get("retry-after")
        if response.status_code not in (429, 503) or told is None:
            return
        with suppress(ValueError):
            seconds = min(float(told), LONGEST_WAIT)
            response.headers["retry-after"] = f"{seconds:g}"
            self.say(f"{self.host} asks to wait: trying again in {seconds:g} s (Ctrl-C stops)")


class _Shown:
    """What of a stream has reached a person."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self.anything = False
        self.text = ""

    def add(self, piece: str) -> None:
        self.text += piece
        if piece and self._on_text is not None:
            self.anything = True
            self._on_text(piece)


def _read(response: "httpx2.Response", deadline: float, shown: _Shown) -> Completion:
    if "text/event-stream" not in response.headers.get("content-type", ""):
        text = b"".join(_until(deadline, response.iter_bytes())).decode("utf-8", "replace")
        try:
            return read_whole(json.loads(text))
        except ValueError:
            raise Fault(f"the endpoint is not OpenAI-compatible: {' '.join(text.split())[:80]}") from None
    assembly = Assembly()
    for event in _events(_until(deadline, response.iter_lines())):
        shown.add(assembly.add(event))
    return assembly.done()


def _until(deadline: float, pieces: "Iterator[Any]") -> Iterator[Any]:
    for piece in pieces:
        if time.monotonic() > deadline:
            raise Fault(f"the endpoint was still answering after {WHOLE_ANSWER:g} s", "truncated", cause="server")
        yield piece


def _events(lines: Iterator[str]) -> Iterator[object]:
    for line in lines:
        if not line.startswith("data:"):
            continue
        payload = line.removeprefix("data:").strip()
        if payload == "[DONE]":
            return
        try:
            yield json.loads(payload)
        except ValueError:
            raise Fault(f"the endpoint's stream is not OpenAI-compatible: {payload[:80]}") from None


def _told(error: "openai.APIStatusError") -> str:
    body = error.body
    message = body.get("message") if isinstance(body, Mapping) else None
    text = message if isinstance(message, str) else re.sub(r"<[^>]*>", " ", str(error.message))
    return " ".join(text.split())[:200] or "no reason given"

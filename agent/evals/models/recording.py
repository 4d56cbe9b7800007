"""Replies kept as they came over HTTP: a file a request, by its hash, so that asking again costs nothing.

What was kept is given without the network; the rest is fetched from the endpoint, or refused by name where there is
none. A request is kept once it is answered for good, so a run that was killed goes on where it stopped.
"""

import hashlib
import json
import os
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent.evals.models.wire import Json, Sent, refused

_PASSING = (401, 403, 408, 429)
_KEPT_HEADERS = ("retry-after",)


@dataclass(frozen=True, slots=True)
class Upstream:
    """An endpoint that is asked: its base URL, its key, how long one answer may take in seconds, what else it wants."""

    base_url: str
    key: str | None = None
    timeout: float = 60.0
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def ask(self, request: Json) -> Sent:
        """Send a request and give whatever comes back; 504 when nothing does."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.key or 'none'}"}
        headers |= self.headers
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        posted = urllib.request.Request(url, json.dumps({**self.body, **request}).encode(), headers, method="POST")
        try:
            with self._opener().open(posted, timeout=self.timeout) as response:
                return _sent(response)
        except urllib.error.HTTPError as error:
            with error:
                return _sent(error)
        except OSError as error:
            return refused(f"the endpoint did not answer: {error}", 504)

    def _opener(self) -> urllib.request.OpenerDirector:
        local = urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")
        return urllib.request.build_opener(_Stay, urllib.request.ProxyHandler({} if local else None))


class _Stay(urllib.request.HTTPRedirectHandler):
    """A redirect would carry rows and the key to a host that nobody chose."""

    def redirect_request(self, *given: Any, **more: Any) -> None:
        return None


@dataclass
class Recorder:
    """Answers from `folder`, else from `upstream`; `asked` notes by name which records each question used."""

    folder: Path
    upstream: Upstream | None = None
    asked: dict[str, list[str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def __call__(self, name: str, request: Json) -> Sent:
        """Give a request's reply, the kept one first."""
        key = digest(request)
        self.asked.setdefault(name, []).append(key)
        if (kept := load(self.folder, key)) is not None:
            self.counts["kept"] += 1
            return kept
        if self.upstream is None:
            self.counts["missing"] += 1
            return refused(f"no reply is kept for request {key} ({name}: {_last(request)[:80]!r})", 404)
        self.counts["fetched"] += 1
        response = self.upstream.ask(request)
        if response.status < 300 or (400 <= response.status < 500 and response.status not in _PASSING):
            self._keep(key, request, response)
        return response

    def _keep(self, key: str, request: Json, response: Sent) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        body = {"request": request, "status": response.status, "kind": response.kind, "body": response.body}
        text = json.dumps(body, ensure_ascii=False, indent=1)
        if self.upstream is not None and self.upstream.key:
            text = text.replace(self.upstream.key, "[key]")
        part = self.folder / f"{key}.part"
        with part.open("w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.folder / f"{key}.json")


def digest(request: Mapping[str, Any]) -> str:
    """Give the name of a request: a hash of its JSON, whatever the order of its fields."""
    written = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:20]


def load(folder: Path, key: str) -> Sent | None:
    """Give the reply that is kept for a request's name, None when there is none."""
    path = folder / f"{key}.json"
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    return Sent(kept["body"], kept["status"], kept["kind"])


def _sent(response: Any) -> Sent:
    headers = {name: value for name in _KEPT_HEADERS if (value := response.headers.get(name))}
    kind = response.headers.get("content-type") or "application/json"
    return Sent(response.read().decode("utf-8", "replace"), response.status, kind, headers)


def _last(request: Json) -> str:
    return " ".join(str(request["messages"][-1].get("content")).split("Question: ")[-1].split())

"""How long an endpoint is waited for: as long as it asks, at most half a minute, within a question's time.

The client's own retries sleep in silence; so the wait is done here and the client is told to try again at once.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from tools.endpoints.completion import Fault

if TYPE_CHECKING:
    import httpx2

LONGEST_WAIT = 30.0
RETRIES = 2
_LIMITED = (429, 503)


class Patience(threading.local):
    """The waits of one endpoint; `deadline` is in monotonic seconds, and each thread has its own."""

    def __init__(self, host: str, timeout: float, say: Callable[[str], None]) -> None:
        self.host = host
        self.timeout = timeout
        self.say = say
        self.deadline = math.inf
        self.granted = timeout

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return max(0.0, self.deadline - time.monotonic())

    def limit(self, request: "httpx2.Request") -> None:
        """Give a request no more time than is left; Fault when there is none for another try."""
        if self.left <= 0:
            raise Fault(f"{self.host} did not answer in the question's time", "endpoint_unreachable", cause="server")
        self.granted = min(self.timeout, self.left)
        limits = request.extensions.get("timeout") or {}
        request.extensions["timeout"] = {name: min(value, self.granted) for name, value in limits.items() if value}

    def wait(self, response: "httpx2.Response") -> None:
        """Wait as a limiting endpoint asks, and tell a person how long it takes."""
        if response.status_code not in _LIMITED or (told := asked(response.headers)) is None:
            return
        # A wait after the last try would be for nothing.
        last = response.request.headers.get("x-stainless-retry-count", "0") >= str(RETRIES)
        for name in ("retry-after", "retry-after-ms"):
            response.headers.pop(name, None)
        if not last:
            self._count_down(min(told, LONGEST_WAIT, self.left))
            response.headers["retry-after-ms"] = "1"

    def _count_down(self, seconds: float) -> None:
        self.say(f"{self.host} asks to wait: trying again in {seconds:.3g} s (Ctrl-C stops)")
        while seconds > 0:
            step = min(seconds, 5.0 if seconds > 5 else 1.0)
            time.sleep(step)
            seconds -= step
            if seconds > 0:
                self.say(f"trying again in {seconds:.3g} s")


def asked(headers: Mapping[str, str]) -> float | None:
    """Give the seconds that an answer's headers ask to wait, None when they ask for none: a number, or a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) / unit
            return None if math.isnan(seconds) else max(0.0, seconds)
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    return None

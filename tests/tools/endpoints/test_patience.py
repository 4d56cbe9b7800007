"""A limit is waited out as asked, with a countdown, never longer than the cap or the question's time."""

import time
from email.utils import formatdate

import pytest

from tests.sleeping import cut_short
from tests.tools.loopback import Reply as Sent
from tests.tools.loopback import message, script, serving, whole
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault
from tools.endpoints.patience import asked

ASK = [{"role": "user", "content": "How many?"}]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, float("inf")),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({}, None),
    ],
)
def test_what_an_endpoint_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert asked(headers) == seconds


def test_a_date_is_a_wait_until_then() -> None:
    assert asked({"retry-after": formatdate(time.time() + 20)}) == pytest.approx(20, abs=1.5)
    assert asked({"retry-after": formatdate(time.time() - 20)}) == 0.0


def _limited(seconds: str) -> Sent:
    return Sent('{"error": {"message": "slow down"}}', status=429, headers={"retry-after": seconds})


def test_a_long_wait_is_counted_down(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = cut_short(monkeypatch)
    told: list[str] = []
    with serving(script(_limited("12"), whole(message("Two")))) as server:
        assert Endpoint(server.url, None, "m", say=told.append).complete(ASK).text == "Two"
    assert "trying again in 12 s (Ctrl-C stops)" in told[0]
    assert [line.removeprefix("trying again in ") for line in told[1:]] == ["7 s", "2 s", "1 s"]
    assert sum(waits) == pytest.approx(12, abs=0.01)


def test_nothing_is_waited_for_after_the_last_try(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    told: list[str] = []
    with serving(script(_limited("2"))) as server, pytest.raises(Fault, match="limits its requests"):
        Endpoint(server.url, None, "m", say=told.append).complete(ASK)
    assert len([line for line in told if "asks to wait" in line]) == 2
    assert len(server.requests) == 3


def test_a_wait_ends_with_the_questions_time() -> None:
    started = time.monotonic()
    with serving(script(_limited("20"))) as server, pytest.raises(Fault, match="question's time"):
        Endpoint(server.url, None, "m").complete(ASK, seconds=0.3)
    assert time.monotonic() - started < 1.5

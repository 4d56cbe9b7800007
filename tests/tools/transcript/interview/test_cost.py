"""What it costs is told before and after, and is linear in the length."""

import pytest

from tools.transcript.interview.cost import Call, bill, estimate


@pytest.mark.parametrize(("minutes", "chunks", "billed"), [(60, 7, 63.0), (120, 13, 126.0)])
def test_an_estimate(minutes: int, chunks: int, billed: float) -> None:
    found = estimate(minutes * 60_000, 32_000)
    assert (found.chunks, found.ms / 60_000) == (chunks, billed)
    assert found.size == found.ms * 32 * 4 // 3
    assert found.told("host").startswith(f"{chunks} chunks, {billed} minutes of audio ({found.size / 1e6:.1f} MB)")


def test_a_bill() -> None:
    made = bill([Call(600_000, 19_200, 900), Call(600_000, 19_200, 8_192, again=True), Call(0, 800, 300)])
    assert (made.calls, made.minutes, made.restarts) == (3, 20.0, 1)
    assert made.told() == (
        "3 calls, 1 of them begun anew, 20.0 minutes of audio sent; 39,200 tokens read and 9,392 written"
    )
    assert estimate(8_000, 32_000).told("host").startswith("1 chunk, 0.1 minutes")
    assert bill([Call(60_000, 5, None)]).told() == "1 call, 1.0 minutes of audio sent"
    assert bill([]).told() == "0 calls, 0.0 minutes of audio sent"

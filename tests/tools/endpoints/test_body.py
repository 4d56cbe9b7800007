"""An answer is read the same however its bytes arrive, and what never ends is stopped."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.endpoints import body
from tools.endpoints.body import Shown, read
from tools.endpoints.completion import Completion, Fault

EVENTS = "text/event-stream; charset=utf-8"
TOLD = ["Grüße", " an\n", "李雷 “x”"]


@dataclass
class Response:
    pieces: Sequence[bytes]
    headers: Mapping[str, str]

    def iter_bytes(self) -> Iterator[bytes]:
        yield from self.pieces


def stream() -> bytes:
    chunks: list[dict[str, object]] = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in TOLD]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}" for chunk in chunks]
    return "\r\n\n: a comment\n".join([*lines, "data: [DONE]", "data: {never read"]).encode()


def asked(pieces: Sequence[bytes], kind: str = EVENTS, seconds: float = 9.0) -> tuple[Completion, Shown]:
    shown = Shown(None)
    return read(Response(pieces, {"content-type": kind}), time.monotonic(), seconds, shown), shown


@given(st.lists(st.integers(0, len(stream())), max_size=12))
def test_where_the_bytes_are_cut_does_not_matter(cuts: list[int]) -> None:
    whole, edges = stream(), [0, *sorted(cuts), len(stream())]
    found, shown = asked([whole[a:b] for a, b in zip(edges, edges[1:], strict=False)])
    assert found.text == shown.text == "".join(TOLD)


def test_a_whole_answer_is_read_without_events() -> None:
    told = {"choices": [{"message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}]}
    found, shown = asked([json.dumps(told).encode()], "application/json")
    assert (found.text, shown.text) == ("yes", "")


@pytest.mark.parametrize(
    ("pieces", "kind", "said"),
    [
        ([b"<html>\n  <h1>It works</h1>"], "text/html", "not OpenAI-compatible: <html> <h1>It works</h1>"),
        ([b"\xff\xfe"], "application/json", "not OpenAI-compatible"),
        ([b"data: {half\n\n"], EVENTS, "stream is not OpenAI-compatible: {half"),
    ],
)
def test_what_is_no_answer_is_told_by_its_beginning(pieces: list[bytes], kind: str, said: str) -> None:
    with pytest.raises(Fault, match=said):
        asked(pieces, kind)


def test_an_answer_that_never_ends_is_stopped_by_size_and_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "MOST_BYTES", 1_000)
    with pytest.raises(Fault, match=r"longer than 0\.001 MB") as large:
        asked([b"x" * 100] * 11)
    assert large.value.kind == "truncated"
    with pytest.raises(Fault, match="still answering after 0 s"):
        asked([b": waiting\n"] * 3, seconds=0.0)


def test_only_what_a_person_saw_counts_as_shown() -> None:
    seen: list[str] = []
    silent, shown = Shown(None), Shown(seen.append)
    for one in (silent, shown):
        one.add("")
        assert not one.anything
        one.add("word")
    assert (silent.anything, shown.anything, silent.text, seen) == (False, True, "word", ["word"])

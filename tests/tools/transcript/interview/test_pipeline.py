"""The pipeline whole, against an endpoint that really listens: what was said comes out, or a finding says where not."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from store.errors import EndpointError
from store.record import Span, Turn
from tests.tools.loopback import Reply
from tests.tools.transcript.interview.world import (
    Answer,
    Heard,
    Line,
    Listening,
    blocks,
    clock,
    listening,
    script,
    sound,
    turns,
    voiced,
)  # fmt: skip
from tools.endpoint import Endpoint
from tools.transcript.interview.ear import Ear, Memory
from tools.transcript.interview.ear import Reply as Told
from tools.transcript.interview.pipeline import Interview, interview
from tools.transcript.recognisers.llm import Llm

MS = 780_000
LINES = script(MS / 60_000, seed=5)
NAMES = {"anne": "Anne", "luc": "Luc"}
QUIET = [(a.t1, b.t0) for a, b in zip(LINES, LINES[1:], strict=False) if b.t0 - a.t1 >= 6_000]


@cache
def samples() -> NDArray[np.float32]:
    return sound(LINES, MS)


def written(
    answer: Answer = Heard.text, *, heard: bool = True, names: dict[str, str] = NAMES, fuse: Callable[[str], str] = str
) -> Interview:
    endpoint = Listening(LINES, answer, names=names, fuse=fuse)
    with listening(endpoint) as server:
        ear = Llm(Endpoint(server.url, None), formats=("wav",))
        return interview(blocks(samples()), MS, ear, Memory(), voiced, turns(LINES) if heard else None)


def words(found: Interview) -> list[str]:
    return " ".join(segment.text for segment in found.segments).split()


def who(found: Interview) -> set[tuple[str | None, str]]:
    """The pairs of labels and true voices."""

    def true(t0: int, t1: int) -> str:
        return max(LINES, key=lambda line: min(line.t1, t1) - max(line.t0, t0)).voice

    return {(segment.speaker, true(segment.t0, segment.t1)) for segment in found.segments}


TRUTH = " ".join(line.text for line in LINES).split()


def told(found: Interview) -> list[str]:
    return [finding.check for finding in found.findings]


@pytest.mark.parametrize("heard", [True, False], ids=["with turns", "without"])
def test_what_was_said_by_whom_and_when(heard: bool) -> None:
    found = written(heard=heard)
    assert words(found) == TRUTH
    assert [segment.t0 for segment in found.segments] == [line.t0 for line in LINES]
    labels = ("SPEAKER_00", "SPEAKER_01") if heard else ("Speaker_1", "Speaker_2")
    assert who(found) == {(labels[0], LINES[0].voice), (labels[1], "luc" if LINES[0].voice == "anne" else "anne")}
    assert set(found.names.values()) == {"Anne", "Luc"}
    assert (told(found), list(found.set_aside), list(found.unheard)) == ([], [], [])
    assert (found.bill.calls, found.bill.restarts, found.bill.minutes) == (2, 0, 13.5)
    assert found.bill.input_tokens == 2 * 19_200
    for segment in found.segments:
        assert [word.text for word in segment.words] == segment.text.split()
        assert segment.t0 <= segment.words[0].t0 <= segment.words[-1].t1 <= segment.t1


def fenced(heard: Heard) -> str:
    rows = "\n".join(["speaker_id\tstart\tstop\ttext", *heard.rows()])
    return f"Here is the transcript:\n```tsv\n{heard.header()}\n{rows}\n```\n"


def drifting(heard: Heard) -> str:
    slow = [replace(line, t0=int(line.t0 * 0.991), t1=int(line.t1 * 0.991)) for line in heard.lines]
    return replace(heard, lines=slow).text()


def looping_once(heard: Heard) -> str | tuple[str, str]:
    loop = "\n2\t00:05:00\t00:05:00\tOui, bien sûr, oui." * 300
    return (heard.text() + loop, "length") if heard.number == 1 and not heard.attempt else heard.text()


def minutes_only(heard: Heard) -> str:
    return heard.text().replace("\t00:", "\t")


@pytest.mark.parametrize(
    ("answer", "restarts", "note"),
    [(fenced, 0, ""), (drifting, 0, "s early, moved"), (looping_once, 1, ""), (minutes_only, 0, "")],
)
def test_faults_that_can_be_mended_leave_no_trace(answer: Answer, restarts: int, note: str) -> None:
    found = written(answer, heard=False)
    assert words(found) == TRUTH
    assert (told(found), found.bill.restarts, len(who(found))) == ([], restarts, 2)
    assert found.bill.minutes == 13.5 + 3.5 * restarts
    assert note in " ".join(found.notes)
    assert max(abs(s.t0 - line.t0) for s, line in zip(found.segments, LINES, strict=True)) < 1_500


def continuing(heard: Heard) -> str:
    return f"{heard.text()}\n1\t00:10:03\t00:10:09\tEt merci à tous de votre écoute."


def inventing(heard: Heard) -> str:
    gaps = [
        (a - heard.span.t0, b - heard.span.t0) for a, b in QUIET if heard.span.t0 + 60_000 < a < heard.span.t1 - 60_000
    ]
    rows = [f"1\t{clock(a + 2_000)}\t{clock(b - 2_000)}\tSous-titrage et merci." for a, b in gaps[:1]]
    return "\n".join([heard.text(), *rows])


def doubling(heard: Heard) -> str:
    rows = heard.rows()
    again = rows[29:30] if heard.number == 0 else []
    return "\n".join([heard.header(), *rows[:30], *again, *rows[30:]])


@pytest.mark.parametrize(
    ("answer", "check", "reason"),
    [(continuing, "beyond", "past_end"), (inventing, "invented", "no_speech"), (doubling, "doubled", None)],
)
def test_what_nobody_said_is_no_part_of_it(answer: Answer, check: str, reason: str | None) -> None:
    found = written(answer)
    assert words(found) == TRUTH
    assert told(found) == [check]
    assert {one.reason for one in found.set_aside} == ({reason} if reason else set())


def dropping(heard: Heard) -> str:
    kept = [line for line in heard.lines if heard.number != 1 or not 80_000 <= line.t0 < 140_000]
    return replace(heard, lines=kept).text()


def looping(heard: Heard) -> str | tuple[str, str]:
    if heard.number != 1:
        return heard.text()
    loop = "\n2\t00:01:40\t00:01:40\tOui, bien sûr, oui." * 300
    early = [line for line in heard.lines if line.t0 < 100_000]
    return replace(heard, lines=early).text() + loop, "length"


def broken(heard: Heard) -> str:
    rows = heard.rows()
    if heard.number < 2:
        rows[20] = rows[20].replace("\t00", "\tx0", 1)
    return "\n".join([heard.header(), *rows])


@pytest.mark.parametrize(
    ("answer", "checks", "where"),
    [
        (dropping, {"dropped"}, "10:5"),
        (looping, {"dropped", "repeated"}, "11:1"),
        (broken, {"malformed"}, "2 lines had a format problem"),
    ],
)
def test_what_is_lost_is_told_with_its_place(answer: Answer, checks: set[str], where: str) -> None:
    found = written(answer)
    assert checks <= set(told(found)) <= checks | {"dropped"}
    assert where in " ".join(finding.text for finding in found.findings)
    lost = len(TRUTH) - len([word for word in words(found) if word != "sûr,"])
    assert lost > 0
    if answer is broken:
        assert all(one.text.startswith("format problem on this line: ") for one in found.set_aside)
        assert len(found.set_aside) == 2


def swapping(heard: Heard) -> str:
    other = {"anne": "luc", "luc": "anne"}
    late = [replace(v, voice=other[v.voice]) if v.t0 > 100_000 and heard.number == 1 else v for v in heard.lines]
    return replace(heard, lines=late).text()


def misnaming(heard: Heard) -> str:
    return replace(heard, names={"anne": "Luc", "luc": "Anne"} if heard.number else NAMES).text()


def test_ids_that_swap_are_put_right_by_sound_or_by_shared_words_and_told() -> None:
    found = written(swapping)
    assert (words(found) == TRUTH, len(who(found)), told(found)) == (True, 2, ["swapped"])
    assert found.findings[0].spoilt == 0
    found = written(misnaming, heard=False)
    assert (words(found) == TRUTH, len(who(found)), told(found)) == (True, 2, ["swapped"])
    assert found.findings[0].spoilt > 0.1


def mishearing(heard: Heard) -> str:
    """The first half minute of the second chunk is heard as other words."""
    chance = random.Random(heard.number)

    def wrong(line: Line) -> Line:
        text = " ".join(f"mot{chance.randrange(999)}" for _ in line.text.split())
        return replace(line, text=text) if heard.number == 1 and line.t0 < 30_000 else line

    return replace(heard, lines=[wrong(line) for line in heard.lines]).text()


def halves(asked: str) -> tuple[list[str], list[str]]:
    first, second = asked.split("First:\n")[1].split("\n\nSecond:\n")
    return first.split("\n"), second.split("\n")


def test_only_where_words_disagree_the_model_fuses_them_and_nothing_invented_is_taken() -> None:
    def good(asked: str) -> str:
        end, begin = halves(asked)
        return "\n".join([*end, *(row for row in begin if row.split("\t")[1] >= "00:10:00")])

    found = written(mishearing, fuse=good)
    assert (words(found), found.bill.calls, found.bill.minutes, told(found)) == (TRUTH, 3, 13.5, [])

    def inventive(asked: str) -> str:
        return f"{good(asked)}\n1\t00:10:20\t00:10:24\tEt puis nous sommes rentrés."

    found = written(mishearing, fuse=inventive)
    assert "rentrés." not in words(found)
    assert "was refused, since it holds what neither side says" in " ".join(found.notes)
    assert len(words(found)) == pytest.approx(len(TRUTH), abs=12)


def filtered(heard: Heard) -> str | tuple[str, str]:
    return heard.text() if heard.number != 1 else ("", "content_filter")


def test_a_chunk_that_is_filtered_costs_itself_alone() -> None:
    found = written(filtered)
    ((span, why),) = found.unheard
    assert ((span.t0, span.t1), found.bill.restarts) == ((570_000, 780_000), 2)
    assert "content filter" in why
    assert "OVERHEARD_EXTRA_BODY" in why
    assert [s for s in found.segments if s.t1 < 570_000] != []
    assert "dropped" in told(found)


def limited(times: int) -> Answer:
    left = [times]

    def answer(heard: Heard) -> str | Reply:
        if heard.number == 1 and left[0]:
            left[0] -= 1
            return Reply('{"error": {"message": "slow down"}}', status=429, headers={"retry-after-ms": "5"})
        return heard.text()

    return answer


def test_an_endpoint_that_asks_to_wait_is_waited_for() -> None:
    assert words(written(limited(2))) == TRUTH


def test_one_that_does_not_relent_ends_it_in_one_line_and_what_is_done_is_kept() -> None:
    shelf, endpoint = Memory(), Listening(LINES, limited(3), names=NAMES)
    with listening(endpoint) as server:
        ear = Llm(Endpoint(server.url, None), formats=("wav",))
        with pytest.raises(EndpointError, match="limits its requests .*; 1 of 2 chunks are written down") as end:
            interview(blocks(samples()), MS, ear, shelf, voiced)
        assert "\n" not in str(end.value)
        before = len(endpoint.spans)
        found = interview(blocks(samples()), MS, ear, shelf, voiced)
    assert words(found) == TRUTH
    assert [span.t0 for span in endpoint.spans[before:]] == [570_000]
    assert found.bill.calls == 2


class Direct:
    """The endpoint without a wire, for long recordings."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines, self.sent = lines, list[int]()

    def hear(self, samples: NDArray[np.float32], attempt: int) -> Told:

        t0 = round(float(samples[0]) * 32_768) * 1000
        span = Span(t0, t0 + len(samples) // 16)
        self.sent.append(span.duration)
        said = [part for line in self.lines if (part := line.within(span))]
        lines = [replace(one, t0=one.t0 - t0, t1=one.t1 - t0) for one in said]
        return Told(Heard(t0 // 570_000, attempt, span, lines, {}).text())

    def fuse(self, end: str, begin: str) -> Told:
        raise AssertionError("their words agree")


def test_an_hour_is_billed_at_most_sixty_four_minutes_and_nothing_of_it_is_lost() -> None:
    lines = script(60, seed=9)
    ear: Ear = (direct := Direct(lines))
    found = interview(blocks(sound(lines, 3_600_000)), 3_600_000, ear, Memory(), voiced)
    assert " ".join(segment.text for segment in found.segments) == " ".join(line.text for line in lines)
    assert found.bill.minutes == sum(direct.sent) / 60_000 <= 64
    assert (found.bill.calls, list(found.findings)) == (7, [])


def test_silence_is_not_sent() -> None:
    direct = Direct([])
    found = interview(blocks(sound([], 700_000)), 700_000, direct, Memory(), voiced)
    assert (list(found.segments), found.bill.calls, direct.sent) == ([], 0, [])
    assert len([note for note in found.notes if "nobody is heard" in note]) == 2


def test_clocks_that_differ_by_seconds_do_not_change_the_order_of_words() -> None:
    class Early(Direct):
        def hear(self, samples: NDArray[np.float32], attempt: int) -> Told:
            reply = super().hear(samples, attempt)
            if not len(self.sent) % 2:
                return reply
            rows = []
            for voice, start, _, text in (row.split("\t") for row in reply.text.split("\n")[1:]):
                late = clock((int(start[3:5]) * 60 + int(start[6:]) + 12) * 1000)
                rows.append(f"{voice}\t{late}\t{late}\t{text}")
            return Told("\n".join(rows))

    always = [Turn(0, MS, "")]  # nothing to hold a clock against
    found = interview(blocks(samples()), MS, Early(LINES), Memory(), lambda part, start: always)
    assert words(found) == TRUTH
    starts = [segment.t0 for segment in found.segments]
    assert starts == sorted(starts)

"""The words of a stretch: in whose turns, how far at each part, and what is left of a part that fails."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from store.record import Turn, Word
from tests.tools import tones
from tools.listening.scribe import Said, Scribe
from tools.listening.stretches import Stretch, parts
from tools.media.audio import RATE
from tools.transcript.recogniser import Window

LONG = [300] * 28 + [0] * 4 + [1200] * 28


def stretch(tones_heard: Sequence[int], t0: int = 0) -> Stretch:
    time = np.arange(RATE) / RATE
    sound = [np.sin(2 * np.pi * tone * time) * (tone > 0) * 0.3 for tone in tones_heard]
    samples = np.concatenate([np.empty(0), *sound]).astype(np.float32)
    return Stretch(t0, t0 + len(tones_heard) * 1_000, samples, True)


def write(
    one: Stretch, turns: Sequence[Turn] | None, last: Word | None = None, *, words: Any = None, emotion: Any = None
) -> tuple[Said, list[int]]:
    told: list[int] = []
    with ThreadPoolExecutor(2) as hands:
        scribe = Scribe(words or tones.ToneWords(), emotion, hands.submit)
        return scribe.write(one, turns, last, told.append), told


def texts(said: Said) -> list[tuple[str | None, str]]:
    return [(segment.speaker, segment.text) for segment in said.segments]


class Broken(Exception):
    pass


class Breaks(tones.ToneWords):
    """Fails when it comes to a high tone."""

    def transcribe(self, samples: Any, start_ms: int, turns: Any) -> Iterator[Window]:
        for window in super().transcribe(samples, start_ms, turns):
            if window.words[0].text.startswith("high"):
                raise Broken("high")
            yield window


class Sulks(tones.ToneEmotions):
    def emotions(self, *given: Any) -> Any:
        raise Broken("no feelings")


@pytest.mark.parametrize("t0", [0, 25 * 3_600_000])
def test_words_go_to_the_turns_they_lie_in(t0: int) -> None:
    """Half-open turns: a word that begins where a turn ends is the next one's; hours may pass 24."""
    turns = [Turn(t0, t0 + 2_000, "A"), Turn(t0 + 2_000, t0 + 4_000, "B")]
    said, told = write(stretch([300, 300, 1200, 1200], t0), turns)
    first = t0 // 1_000
    assert texts(said) == [("A", f"low{first} low{first + 1}"), ("B", f"high{first + 2} high{first + 3}")]
    assert said.segments[0].language == "en"
    assert told == [t0 + 4_000]
    assert (said.emotions, said.failures) == ([], [])


@pytest.mark.parametrize("turns", [None, []])
def test_where_nobody_knows_who_speaks_words_are_nobodys(turns: list[Turn] | None) -> None:
    said, _ = write(stretch([300, 0, 300]), turns, emotion=tones.ToneEmotions())
    assert [speaker for speaker, _ in texts(said)] == [None] * len(said.segments)
    assert " ".join(text for _, text in texts(said)) == "low0 low2"
    assert said.emotions == []


@pytest.mark.parametrize("sound", [[], [0], [0] * 61])
def test_silence_gives_nothing_and_tells_how_far_it_is(sound: list[int]) -> None:
    said, told = write(stretch(sound), [], emotion=tones.ToneEmotions())
    assert said == Said()
    assert told[-1] == len(sound) * 1_000


def test_emotions_lie_in_the_turns_and_come_from_the_states() -> None:
    turns = [Turn(0, 1_500, "A"), Turn(1_500, 4_000, "B")]
    said, _ = write(stretch([300, 300, 1200, 1200]), turns, emotion=tones.ToneEmotions())
    felt = [(one.t0, one.t1, one.speaker, one.label) for one in said.emotions]
    assert felt == [(0, 1_500, "A", "neutral"), (1_500, 2_000, "B", "neutral"), (2_000, 4_000, "B", "happiness")]


def test_parts_are_heard_by_themselves_and_joined_in_order() -> None:
    one = stretch(LONG)
    assert len(parts(one, [])) == 2
    said, told = write(one, [Turn(0, 28_000, "A"), Turn(32_000, 60_000, "B")], emotion=tones.ToneEmotions())
    spoken = " ".join(text for _, text in texts(said)).split()
    assert spoken == [f"low{n}" for n in range(28)] + [f"high{n}" for n in range(32, 60)]
    assert {speaker: label for speaker, label in ((e.speaker, e.label) for e in said.emotions)} == {
        "A": "neutral", "B": "happiness"
    }  # fmt: skip
    assert told == sorted(told)
    assert told[-1] == 60_000


def test_a_part_that_fails_costs_its_own_rest_and_the_emotions_of_it() -> None:
    turns = [Turn(0, 28_000, "A"), Turn(32_000, 60_000, "B")]
    said, told = write(stretch(LONG), turns, words=Breaks(), emotion=tones.ToneEmotions())
    assert {speaker for speaker, _ in texts(said)} == {"A"}
    lost = [(failure.stage, failure.t1) for failure in said.failures]
    assert lost == [("transcript", 60_000), ("emotion", 60_000)]
    assert all(failure.t0 >= 30_000 and "high" in failure.why for failure in said.failures)
    assert told[-1] == 60_000


def test_emotions_that_fail_cost_no_words() -> None:
    said, _ = write(stretch([300, 1200]), [Turn(0, 2_000, "A")], emotion=Sulks())
    assert texts(said) == [("A", "low0"), ("A", "high1")]
    assert [(f.stage, f.t0, f.t1) for f in said.failures] == [("emotion", 0, 1_000), ("emotion", 1_000, 2_000)]


def test_a_stretch_goes_on_from_the_last_word_before_it() -> None:
    """What the margin before a stretch holds was written with the stretch before it."""
    whole = stretch([300] * 4)
    after = Stretch(1_500, 4_000, whole.samples[24_000:], True, whole.samples[:24_000])
    alone, _ = write(after, [Turn(0, 4_000, "A")])
    joined, _ = write(after, [Turn(0, 4_000, "A")], Word(1_000, 2_000, "low1"))
    assert [text for _, text in texts(alone)] == ["low1 low2 low3"]
    assert [text for _, text in texts(joined)] == ["low2 low3"]

"""The shipped head: what it says of acted German, of plain English, and when it cannot say anything."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from store.errors import DataError, MissingWeights
from store.record import Emotion, Turn
from tools.emotion.labels import LABELS, UNCLEAR
from tools.emotion.recogniser import NAMED_MS
from tools.emotion.recognisers.emodb import HEAD, EmodbHead, looks, pooled
from tools.media import audio
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import STATE_MS, Whisper

ACTED = {"W": "anger", "L": "boredom", "E": "disgust", "A": "fear", "F": "happiness", "T": "sadness", "N": "neutral"}


@pytest.fixture(scope="module")
def head() -> EmodbHead:
    return EmodbHead()


@pytest.fixture(scope="module")
def whisper(weights: Callable[[str], Path]) -> Whisper:
    weights("whisper-base")
    return Whisper("whisper-base", Options())


def heard(head: EmodbHead, whisper: Whisper, paths: list[Path]) -> list[Emotion]:
    """Hear clips as the turns of windows that hold two or more, as in a recording."""
    rows: list[Emotion] = []
    clips = [(path.stem, np.concatenate(list(audio.decode(path)))[: 12 * 16_000]) for path in paths]
    for at in range(0, len(clips), 2):
        samples, turns = np.zeros(0, dtype=np.float32), []
        for name, clip in clips[at : at + 2]:
            turns.append(Turn(len(samples) // 16, (len(samples) + len(clip)) // 16, name))
            samples = np.concatenate([samples, clip, np.zeros(6_400, dtype=np.float32)])
        rows += head.emotions(whisper.states(samples), 0, STATE_MS, turns)
    return rows


def test_acted_emotions_are_named_right_or_not_at_all(head: EmodbHead, whisper: Whisper, data: Path) -> None:
    clips = [path for kind in "WLTAN" for path in sorted((data / "emodb").glob(f"08???{kind}*.flac"))]
    rows = heard(head, whisper, clips)
    named = [row for row in rows if row.label != UNCLEAR]
    right = [row for row in named if row.label == ACTED[str(row.speaker)[5]]]
    assert len(named) >= len(clips) / 2
    assert len(right) / len(named) >= 0.8


def test_plain_english_reading_is_rarely_given_an_emotion(head: EmodbHead, whisper: Whisper, data: Path) -> None:
    readers = sorted(path for path in (data / "librispeech").iterdir() if path.is_dir())[::20]
    clips = [next(reader.glob("*.flac")) for reader in readers]
    counted = Counter(row.label for row in heard(head, whisper, clips))
    assert counted.total() >= len(clips)
    assert counted["neutral"] + counted[UNCLEAR] >= 0.85 * counted.total()
    assert counted["anger"] == 0


def test_a_row_holds_the_whole_distribution(head: EmodbHead) -> None:
    states = np.random.default_rng(0).standard_normal((500, 512)).astype(np.float32)
    (row,) = head.emotions(states, 60_000, 20, [Turn(61_000, 64_000, "A")])
    assert (row.t0, row.t1, row.speaker) == (61_000, 64_000, "A")
    assert set(row.scores) == set(head.labels)
    assert sum(row.scores.values()) == pytest.approx(1, abs=0.001)
    assert row.score == max(row.scores.values())
    assert row.label in (UNCLEAR, max(row.scores, key=lambda label: row.scores[label]))


def test_what_cannot_be_told_is_not_named_whatever_its_score(head: EmodbHead) -> None:
    states = np.random.default_rng(0).standard_normal((1000, 512)).astype(np.float32) * 3
    alone, short, under = Turn(0, 6_000, "A"), Turn(6_500, 8_400, "A"), Turn(9_000, 15_000, "A")
    rows = head.emotions(states, 0, 20, [alone, short, under, Turn(10_000, 18_000, "B")])
    with np.load(HEAD) as stored:
        least = dict(zip(stored["labels"].tolist(), stored["thresholds"].tolist(), strict=True))
    assert all(row.score >= least[max(head.labels, key=lambda label: row.scores[label])] for row in rows)
    assert [row.label == UNCLEAR for row in rows] == [False, True, True, True]


@pytest.mark.parametrize(
    ("seconds", "halves", "label"),
    [
        (3.9, (8, -3), "anger"),
        (4.1, (8, -3), UNCLEAR),
        (4.1, (-3, 8), UNCLEAR),
        (6.0, (3, 2), "anger"),
        (14.0, (9, -4), UNCLEAR),
        (6.0, (2, -8), "neutral"),
    ],
)
def test_an_emotion_of_one_half_alone_is_not_named_where_halves_can_be_heard(
    tmp_path: Path, seconds: float, halves: tuple[int, int], label: str
) -> None:
    path = tmp_path / "head.npz"
    weights = np.zeros((2, 1024), dtype=np.float32)
    weights[0, 0] = 1
    np.savez(
        path,
        version=np.array("0"),
        labels=np.array(["anger", "neutral"]),
        weights=weights,
        bias=np.zeros(2, np.float32),
        thresholds=np.full(2, 0.6, np.float32),
        health=np.float32(1),
    )
    states = np.zeros((round(seconds * 50), 512), dtype=np.float32)
    states[: len(states) // 2, 0], states[len(states) // 2 :, 0] = halves
    (row,) = EmodbHead(path).emotions(states, 0, 20, [Turn(0, round(seconds * 1000), "A")])
    assert row.score >= 0.9
    assert row.label == label


def test_only_a_turn_of_two_turns_that_could_be_named_has_halves() -> None:
    assert looks(Turn(1_000, 2 * NAMED_MS + 999, "A")) == [(1_000, 2 * NAMED_MS + 999)]
    assert looks(Turn(1_000, 6_000, "A")) == [(1_000, 6_000), (1_000, 3_500), (3_500, 6_000)]


def test_it_says_which_emotions_it_can_name_and_how_far_it_is_to_be_trusted(head: EmodbHead) -> None:
    assert set(head.labels) == set(ACTED.values()) < set(LABELS)
    assert 0.5 < head.health < 1


def test_prosody_of_a_turn_that_is_heard_well_is_kept_beside_its_scores(head: EmodbHead) -> None:
    states = np.random.default_rng(0).standard_normal((500, 512)).astype(np.float32)
    t = np.arange(160_000) / 16_000
    voice = (0.1 * np.sign(np.sin(2 * np.pi * 150 * t)) * (1 - np.cos(2 * np.pi * 4 * t))).astype(np.float32)
    long, short = head.emotions(states, 60_000, 20, [Turn(61_000, 66_000, "A"), Turn(67_000, 68_000, "A")], voice)
    assert set(long.scores) == {*head.labels, "energy_db", "pitch_hz", "rate_hz"}
    assert long.scores["pitch_hz"] == pytest.approx(150, rel=0.03)
    assert set(short.scores) == set(head.labels)


def test_turns_outside_the_states_get_no_row(head: EmodbHead) -> None:
    states = np.zeros((500, 512), dtype=np.float32)
    assert head.emotions(states, 0, 20, [Turn(20_000, 30_000, "A"), Turn(0, 700, "B")]) == []


@pytest.mark.parametrize("shape", [(500, 384), (512,), (0, 768)])
def test_states_of_another_model_are_refused_in_one_line(head: EmodbHead, shape: tuple[int, ...]) -> None:
    with pytest.raises(DataError, match="whisper-base") as refused:
        head.emotions(np.zeros(shape, dtype=np.float32), 0, 20, [Turn(0, 5_000, "A")])
    assert "\n" not in str(refused.value)


def test_a_head_that_was_left_out_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(MissingWeights, match="emotion stream is missing"):
        EmodbHead(tmp_path / "emodb_head.npz")


def test_pooling_takes_mean_and_spread_of_the_turn_alone() -> None:
    states = np.zeros((100, 2), dtype=np.float32)
    states[50:60] = [[1, 3]]
    states[50:60:2] = [[3, 3]]
    assert pooled(states, 1_000, 1_200, 20).tolist() == [2, 3, 1, 0]

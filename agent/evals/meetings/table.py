"""Figures of made meetings with their intervals, where points were lost, and how well each meeting was heard."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from agent.evals.meetings.asking import Answered
from agent.evals.meetings.perception import Found, Perception
from agent.evals.statistics.decomposition import decompose
from agent.evals.statistics.intervals import bootstrap, wilson
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import DECIDED, grouped

BARS = {"count, exact": 0.85, "order, Spearman": 0.80, "RS(10)": 70.0}
LOUDNESS = (0, 3, 6, 10)
Score = Callable[[Record], float | None]


def figures(records: Sequence[Record]) -> Iterator[str]:
    """Give each figure by length and over all, with the bootstrap's interval over meetings."""
    for name, score in SCORES.items():
        told = [f"{minutes:g} min {_interval(some, score)}" for minutes, some in _lengths(records)]
        bar = f", bar {BARS[name]:g}" if name in BARS else ""
        if whole := _interval(records, score):
            yield f"{name:26} {whole}{bar}; {'; '.join(told)}"


def losses(answered: Sequence[Answered]) -> Iterator[str]:
    """Give where the points of each task went, and to which stream those lost to hearing."""
    for task in DECIDED:
        some = [one for one in answered if one.record.task == task]
        if some:
            blamed = Counter(one.blamed for one in some if one.blamed is not None)
            yield f"{task}:"
            yield from (f"  {line}" for line in decompose([one.lost for one in some]).lines())
            yield f"  heard wrongly: {', '.join(f'{name} {n}' for name, n in sorted(blamed.items())) or 'nothing'}"


def hearing(found: Sequence[tuple[str, Perception]]) -> Iterator[str]:
    """Give each meeting's voices and sounds, then sounds by loudness, by place and by kind."""
    for name, one in found:
        error = "-" if one.error is None else f"{one.error:.3f}"
        hits = sum(sound.found for sound in one.sounds)
        yield (
            f"{name:16} voices {one.heard} of {one.voices}, error {error} (confused {one.confused:.3f}), "
            f"sounds {hits} of {len(one.sounds)}, false {_counted(one.false)}"
        )
    sounds = [sound for _, one in found for sound in one.sounds]
    for low, high in zip(LOUDNESS, LOUDNESS[1:], strict=False):
        for place, over in (("in gaps", False), ("over speech", True)):
            some = [s for s in sounds if low <= s.sound.snr_db < high + (high == 10) and _over(s) == over]
            yield f"{low} to {high} dB, {place:12} {_share(some)}"
    yield f"fainter, {'':17}{_share([s for s in sounds if s.sound.snr_db < 0])}"
    for kind, some in sorted(grouped_kinds(sounds).items()):
        missed = Counter(label for s in some if not s.found for label in s.heard_as or ("nothing",))
        yield f"{kind:16} {_share(some)}, missed ones heard as: {_counted(missed.elements()) or '-'}"


def grouped_kinds(sounds: Iterable[Found]) -> dict[str, list[Found]]:
    """Give sounds by kind."""
    found: dict[str, list[Found]] = {}
    for sound in sounds:
        found.setdefault(sound.sound.kind, []).append(sound)
    return found


def _over(sound: Found) -> bool:
    return sound.sound.over_speech > 0


def _share(sounds: Sequence[Found]) -> str:
    hits = sum(sound.found for sound in sounds)
    low, high = wilson(hits, len(sounds))
    return f"{hits} of {len(sounds)} found [{low:.2f}, {high:.2f}]"


def _counted(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(Counter(names).items()))


def _lengths(records: Sequence[Record]) -> list[tuple[float, list[Record]]]:
    return sorted(grouped(records, "minutes").items())


def _interval(records: Sequence[Record], score: Score) -> str:
    pairs = [(points, (one.minutes, one.seed)) for one in records if (points := score(one)) is not None]
    if not pairs:
        return ""
    return f"{bootstrap([points for points, _ in pairs], [group for _, group in pairs])} of {len(pairs)}"


def _of(task: str, score: Callable[[Record], float | None], kind: str | None = None) -> Score:
    def points(one: Record) -> float | None:
        return score(one) if one.task == task and kind in (None, one.kind) else None

    return points


def _right(one: Record) -> float:
    return float(one.right)


def _metric(name: str) -> Score:
    return lambda one: one.metrics.get(name)


def _rs(one: Record) -> float | None:
    return 100 * one.mark.points() if one.task in DECIDED else None


def _abstained(answerable: bool) -> Score:
    return lambda one: float(one.abstained) if one.answerable == answerable else None


SCORES: dict[str, Score] = {
    "count, exact": _of("count", _right),
    "count, of the file": _of("count", _right, "file"),
    "count, of a span": _of("count", _right, "span"),
    "count, long talkers": _of("count", _right, "long talkers"),
    "count, mean error": _of("count", _metric("error")),
    "order, Spearman": _of("order", _metric("spearman")),
    "order, exact": _of("order", _metric("exact")),
    "heard, laid": _of("heard", _right, "laid"),
    "heard, absent": _of("heard", _right, "absent"),
    "beside, who spoke": _of("beside", _right, "voices"),
    "beside, shares of voices": _of("beside", _metric("fact_recall"), "voices"),
    "when, segment F1": _of("events", _metric("segment_f1")),
    "abstention": _abstained(False),
    "false refusal": _abstained(True),
    "RS(10)": _rs,
}

"""The specification's bars for worlds whose rows are given, each with its figure over records."""

from collections.abc import Iterator, Sequence
from statistics import median

from agent.evals.report.found import Check
from agent.evals.report.pairing import gain, pairs
from agent.evals.statistics import scoring
from agent.evals.tasks.item import Task
from agent.evals.tasks.record import Record, digest
from agent.evals.tasks.scores import DECIDED, grouped, rs, slope

EXACT: tuple[Task, ...] = ("count", "order")
# What presets ask of abstention and false refusal.
ABSTAINING = {"clean": (0.99, 0.01), "paper": (0.95, 0.05)}
RS_10, SLOPE, CONTEXT = 90.0, 2.0, 900.0
AT_MINUTES = 60
# "Flat" in figures: the longest may read so much more than the shortest.
FLAT = 1.1


def bars(records: Sequence[Record]) -> Iterator[Check]:
    """Give the bars that the agent's own records are held against; presets that were not asked have none."""
    yield Check("parse failures", float(sum(not one.parsed for one in records)), "at most", 0.0, _of(records))
    presets = grouped(records, "preset")
    yield from _exact(presets.get("clean", []))
    for preset, (abstention, refusal) in ABSTAINING.items():
        if found := presets.get(preset):
            yield from _abstaining(preset, found, abstention, refusal)
            for what, tasks in (("", DECIDED), (", speaker-constrained", ("constrained",))):
                if decided := [one for one in found if one.task in tasks]:
                    note = f"{_of(decided)} that are right or wrong"
                    yield Check(f"RS(10), {preset}{what}", rs(decided, 10), "at least", RS_10, note)
    proofs = [one for one in records if one.proven is not None]
    broken = [one for one in proofs if not one.proven]
    misheard = sum(one.intact is False for one in broken)
    note = f"of {len(proofs)}; {misheard} deny a sentence that was heard with other words or another voice"
    yield Check("refusals without a valid proof", float(len(broken)), "at most", 0.0, note)
    yield from _slope(presets.get("clean", []))


def more(name: str, ours: Sequence[Record], theirs: Sequence[Record]) -> Iterator[Check]:
    """Give how much more the agent scores than a baseline at each length: the low end of the difference's interval."""
    for minutes, mine in _lengths(ours):
        if both := pairs(mine, theirs):
            difference = gain(both)
            note = f"difference {difference} over {len(both)} items, low end"
            yield Check(f"above {name}, {minutes:g} min", difference.low, "above", 0.0, note)


def repeated(records: Sequence[Record], again: Sequence[Record]) -> Check:
    """Hold records against those of another run, as far as that asked the same."""
    asked = {(one.id, one.preset) for one in again}
    same = digest([one for one in records if (one.id, one.preset) in asked]) == digest(again)
    return Check("re-run in another process equal", float(same), "at least", 1.0, f"{len(again)} items, all but times")


def reading(records: Sequence[Record]) -> Iterator[Check]:
    """Hold what a model would read against its bar: at an hour, and how it grows."""
    by_length = {minutes: median(one.tokens_in for one in found) for minutes, found in _lengths(records)}
    if AT_MINUTES in by_length:
        note = "tokens of the recording's rows in the requests to a model"
        yield Check("median context at 60 min, tokens", float(by_length[AT_MINUTES]), "at most", CONTEXT, note)
    lengths = list(by_length)
    for name, start in (("shortest", lengths[0] if lengths else 0), (f"{AT_MINUTES} min", AT_MINUTES)):
        if start in by_length and lengths[-1] > start:
            first, last = by_length[start], by_length[lengths[-1]]
            note = f"{last:g} at {lengths[-1]:g} min, {first:g} at {start:g} min"
            yield Check(f"median context, longest / {name}", last / first if first else 1.0, "at most", FLAT, note)


def _exact(records: Sequence[Record]) -> Iterator[Check]:
    for task in EXACT:
        lengths = grouped([one for one in records if one.task == task], "minutes")
        if lengths:
            worst, minutes = min((sum(r.score for r in found) / len(found), m) for m, found in lengths.items())
            note = f"lowest of {len(lengths)} lengths, at {minutes:g} min"
            yield Check(f"{task}, clean, every length", worst, "at least", 0.98, note)


def _abstaining(preset: str, records: Sequence[Record], abstention: float, refusal: float) -> Iterator[Check]:
    limited = [one.mark for one in records if one.task == "constrained"]
    if limited:
        named, told = f"{preset}, speaker-constrained", f"{len(limited)} items"
        yield Check(f"abstention, {named}", scoring.abstention(limited), "at least", abstention, told)
        yield Check(f"false refusal, {named}", scoring.false_refusal(limited), "at most", refusal, told)
    able = [one.mark for one in records]
    yield Check(f"false refusal, {preset}, all tasks", scoring.false_refusal(able), "at most", refusal, _of(records))
    yield from _by_hearing(preset, [one for one in records if one.answerable])


def _by_hearing(preset: str, records: Sequence[Record]) -> Iterator[Check]:
    """Tell false refusals apart by what was heard, where anything was misheard."""
    if all(one.intact is not False for one in records):
        return
    for what, sound in (("as it was said", True), ("otherwise", False)):
        if marks := [one.mark for one in records if one.intact is sound]:
            note = f"{len(marks)} items whose sentence was heard {what} (its voice, the words of its facts)"
            yield Check(f"false refusal, {preset}, heard {what}", scoring.false_refusal(marks), "at most", None, note)


def _slope(records: Sequence[Record]) -> Iterator[Check]:
    falls = {task: slope(found) for task, found in grouped(records, "task").items()}
    known = {task: fall for task, fall in falls.items() if fall is not None}
    if known:
        worst = max(known, key=lambda task: known[task])
        lengths = sorted({one.minutes for one in records})
        note = f"mean of tasks, {lengths[0]:g} to {lengths[-1]:g} min, clean; worst {worst} {known[worst]:+.1f}"
        mean = sum(known.values()) / len(known)
        yield Check("points lost with length", mean, "at most", SLOPE, note)


def _lengths(records: Sequence[Record]) -> list[tuple[float, list[Record]]]:
    return sorted(grouped(records, "minutes").items())


def _of(records: Sequence[Record]) -> str:
    return f"{len(records)} items"

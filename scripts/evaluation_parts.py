"""The parts of the evaluation, each with its column and command, in three sizes.

`floors` is what every change can afford (under a minute), `quick` fits three minutes on two cores, `full` has all
lengths and at least a hundred items a task.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.evals.report.part import Column, Part

Size = Literal["floors", "quick", "full"]
PLANS = "tests/data/plans"
BANKS: Mapping[str, str] = {
    "heldout": "held-out wordings, eight a meaning",
    "heldout2": "held-out wordings, four a meaning",
    "bank": "wordings that the tables were made with",
}
BROKEN = tuple(f"broken-{stream}" for stream in ("transcript", "speaker", "emotion", "events"))
ABSENT = tuple(f"{name}-absent" for name in BROKEN)
HEADS = {f"B1-{n}k-simulated": f"B1 {n}k (simulated)" for n in (8, 32, 128)}
TITLES: Mapping[str, str] = {
    "B0-refuse": "B0 refuse-all",
    "B0-answer": "B0 answer-all",
    "B2": "B2 vectors",
    "B2s": "B2s vectors, speakers",
    "B3": "B3 the paper's method",
    "B3-shared": "B3 with shared boundaries",
    **HEADS,
}
READING = ("B2", "B2s")
WORDED = ("count", "order", "emotion", "events", "diarization", "summary")
SPEND = ("mcqa", "constrained", "qa", "summary")
VECTORS = ("minilm",)
LISTENING = ("whisper-base", "yamnet", "minilm")
LATER = "takes longer than a quick evaluation has; the full one measures it"
GIVEN = (
    "The diarization is what people wrote down, so nothing is heard: the paper's speaker counting, which hears, is not "
    "comparable. Right values come from pyannote.core over the files."
)
QMSUM = "Rows are the meetings' transcripts; nothing is heard. Recall is of the gold spans' words within a budget"
SWAPS = "OpenTranscribe's questions limited to a speaker succeed in 4 of 11; its questions are others"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of each part is asked: options of its command, by what it is for."""

    minutes: Sequence[int]
    worlds: int
    most: int
    presets: Sequence[str]
    broken: Sequence[str]
    others: Sequence[str]
    others_worlds: int
    banks: Sequence[str]
    spend: tuple[int, int]
    faults: int
    losses: tuple[int, int]
    timelines: tuple[str, ...]
    transcripts: tuple[str, ...]
    long: bool


QUICK = Scale(
    minutes=(10, 60), worlds=2, most=4, presets=("clean", "paper"), broken=("field", *BROKEN),
    others=("B0-refuse", "B0-answer", "B3"), others_worlds=1,
    banks=tuple(BANKS)[:1], spend=(1, 2), faults=10, losses=(10, 1), timelines=("--files", "2"),
    transcripts=("--meetings", "1"), long=False,
)  # fmt: skip
FULL = Scale(
    minutes=(10, 30, 60, 300, 540), worlds=5, most=5, presets=("clean", "paper", "field"), broken=(*BROKEN, *ABSENT),
    others=tuple(name for name in TITLES if name not in READING), others_worlds=5, banks=tuple(BANKS), spend=(2, 5),
    faults=30, losses=(60, 3), timelines=(), transcripts=(), long=True,
)  # fmt: skip
FLOORS = Scale((10,), 1, 4, ("clean",), (), (), 0, (), (0, 0), 0, (0, 0), (), (), False)


def parts(size: Size) -> list[Part]:
    """Give the parts of a size; the longest begin first when two run at once."""
    if size == "floors":
        return [_tasks(FLOORS)]
    scale = QUICK if size == "quick" else FULL
    return [*_given(scale), *_made(scale), *_real(scale)]


def _if_long(part: Part, scale: Scale) -> Part:
    """Leave a part to the full evaluation, and say so in a smaller one."""
    return part if scale.long else replace(part, never=LATER)


def _given(scale: Scale) -> Iterator[Part]:
    column: Column = "rows given"
    yield _tasks(scale)
    again = _asked(scale.minutes[:1], 1, scale.most, scale.presets if scale.long else scale.presets[:1])
    yield Part("again", column, "The same asked again", again, "again")
    broken = _asked(scale.minutes[:2] if scale.long else scale.minutes[:1], 1 + scale.long, 2, scale.broken)
    yield Part("broken", column, "Damaged and missing streams", broken, "broken")
    yield from _beside(scale)
    yield from _worded(scale)
    yield from _statistics(scale)


def _beside(scale: Scale) -> Iterator[Part]:
    column: Column = "rows given"
    asked = _asked(scale.minutes, scale.others_worlds, scale.most, ("clean",))
    yield Part("baselines", column, "Baselines", (*asked, "--who", *scale.others), "baselines")
    lengths = scale.minutes if scale.long else scale.minutes[:1]
    asked = _asked(lengths, scale.others_worlds, scale.most, ("clean",))
    title = "Baselines that read what is nearest in meaning"
    yield Part("nearest", column, title, (*asked, "--who", *READING), "baselines", weights=VECTORS)
    reason = "needs a model that reads, or writes SQL; without one B1 is simulated, in the full evaluation"
    yield Part("models", column, "B1 and B4 with a model", (), never=reason)


def _worded(scale: Scale) -> Iterator[Part]:
    column: Column = "rows given"
    for name in scale.banks:
        worlds = scale.worlds if scale.long else 1
        command = (*_asked(scale.minutes[:1], worlds, scale.most, ("clean",)), "--tasks", *WORDED)
        title = f"In other people's words: {BANKS[name]}"
        yield Part(name, column, title, (*command, "--wordings", f"{PLANS}/{name}.en.toml"), "wordings")
    worlds, most = scale.spend
    asked = (*_asked(scale.minutes, worlds, most, ("clean",)), "--tasks", *SPEND, "--who")
    yield Part("context", column, "What a model would read: rows", (*asked, "context"), "context")
    tokens = Part("tokens", column, "What a model would read: all of it", (*asked, "estimated"), "tokens")
    yield _if_long(tokens, scale)


def _statistics(scale: Scale) -> Iterator[Part]:
    column: Column = "rows given"
    minutes, worlds = scale.losses
    sabotage = ("scripts.measure_sabotage", "--minutes", str(scale.faults))
    yield _if_long(Part("sabotage", column, "Planted faults", sabotage), scale)
    ambiguities = ("scripts.measure_ambiguities", "--minutes", *map(str, scale.minutes), "--worlds", str(scale.worlds))
    yield Part("ambiguities", column, "Near-duplicates and ties in the worlds", ambiguities)
    plans = ("scripts.measure_plans", *(f"{PLANS}/{name}.en.toml" for name in scale.banks))
    yield Part("plans", column, "Plans held against gold plans", plans)
    losses = ("scripts.measure_losses", "--minutes", str(minutes), "--worlds", str(worlds))
    yield _if_long(Part("losses", column, "Where points are lost", losses, weights=VECTORS), scale)
    injection = Part("injection", column, "Instructions planted in a recording", ("scripts.measure_injection",))
    yield _if_long(injection, scale)


def _made(scale: Scale) -> Iterator[Part]:
    yield Part("sample", "made audio", "The shipped sample", ("scripts.measure_sample",), weights=LISTENING)
    meetings = ("scripts.measure_meetings",)
    yield _if_long(Part("meetings", "made audio", "Made meetings", meetings, "audio", "librispeech", LISTENING), scale)


def _real(scale: Scale) -> Iterator[Part]:
    column: Column = "real audio or real diarization"
    timelines = ("scripts.measure_timelines", *scale.timelines)
    yield Part("timelines", column, "Real diarizations (VoxConverse, AMI)", timelines, data="voxconverse", note=GIVEN)
    speakers = ("scripts.measure_speakers", "--kind", "ami")
    yield Part("speakers", column, "Voices of real meetings (AMI)", speakers, data="ami")
    command = ("scripts.measure_qmsum", "--split", "val", *scale.transcripts)
    yield Part(
        "qmsum", column, "Open questions of real meetings (QMSum)", command, note=QMSUM, data="qmsum", weights=VECTORS
    )
    swaps = ("scripts.measure_swaps", "--split", "val")  # few questions name a person: two meetings have none
    yield _if_long(
        Part("swaps", column, "Asked about somebody else", swaps, note=SWAPS, data="qmsum", weights=VECTORS), scale
    )


def _tasks(scale: Scale) -> Part:
    command = _asked(scale.minutes, scale.worlds, scale.most, scale.presets)
    return Part("tasks", "rows given", "The nine tasks", command, "tasks")


def _asked(minutes: Sequence[int], worlds: int, most: int, presets: Sequence[str]) -> tuple[str, ...]:
    sizes = ("--worlds", str(worlds), "--most", str(most))
    return ("scripts.measure_tasks", "--minutes", *map(str, minutes), *sizes, "--presets", *presets)

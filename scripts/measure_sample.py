"""Measure what Overheard hears in its own sample, against the truth that was fixed before anything was tuned.

Prints the word error rate (speech that no other voice overlaps; OpenAI's English normaliser for Whisper), the number
of voices, the diarization error (collar 0), every planted event, and every question of the exam. Exit 1 when a bar is
missed and no FILE is written, whose reader judges.

    python -m scripts.measure_sample [--json FILE]
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.brains.rules.brain import RulesBrain
from agent.evals import sample
from agent.evals.report.found import Check, Found, Row, Table, write
from agent.evals.suites.agent import Own
from agent.evals.suites.judging import judged
from agent.evals.suites.places import Place
from agent.evals.suites.suite import Suite
from agent.library import Library
from scripts.measure_words import normaliser, pairs, read_truth, wer
from store import rows, streams
from store.clock import clock, end_ms, start_ms
from store.database import Database
from store.record import Event, Span, Turn
from store.recordings import Recording
from tools.again.ear import second_listen
from tools.embedding import embed, remember
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, load
from tools.transcript.recogniser import Window

NEAR_MS = 1_000
TRUTH = sample.FOLDER / "truth.json"


@dataclass(frozen=True, slots=True)
class Planted:
    """A planted event and the heard one of its family that fits it best; None when none of its family touches it."""

    label: str
    span: Span
    heard: Event | None

    @property
    def off_ms(self) -> int | None:
        """How far the farther end of the heard event lies from the truth."""
        if self.heard is None:
            return None
        return max(abs(self.heard.t0 - self.span.t0), abs(self.heard.t1 - self.span.t1))

    @property
    def right(self) -> bool:
        """Whether it was heard within a second."""
        return self.off_ms is not None and self.off_ms <= NEAR_MS


def hear(folder: Path) -> tuple[Library, Recording]:
    """Hear the sample into an empty library, its voices unnamed."""
    database = Database.open(folder)
    recording = ingest(database, sample.RECORDING, load(Choice()), title=sample.TITLE).recording
    remember(database, recording.id)
    return Library(folder), recording


def word_error_rate(library: Library, recording: Recording) -> float:
    """Give the error rate of the words in speech that nobody overlaps."""
    with library.database.reader() as connection:
        heard = rows.segments(connection, streams.active(connection, recording.id)["transcript"])
        words = tuple(word for segment in heard for word in segment.words)
    return wer(
        *pairs(read_truth(TRUTH), [Window(0, recording.duration_ms, words)], overlapped=False), normaliser("english")
    )


def voices(library: Library, recording: Recording) -> list[Turn]:
    """Give the turns as they were heard."""
    with library.database.reader() as connection:
        return rows.turns(connection, streams.active(connection, recording.id)["speaker"])


def diarization_error(turns: list[Turn]) -> float:
    """Give the diarization error rate with no collar."""
    from pyannote.core import Annotation, Segment
    from pyannote.metrics.diarization import DiarizationErrorRate

    truth, heard = Annotation(), Annotation()
    for place, turn in enumerate(json.loads(TRUTH.read_text(encoding="utf-8"))["turns"]):
        truth[Segment(turn["start"], turn["end"]), place] = turn["speaker"]
    for place, one in enumerate(turns):
        heard[Segment(one.t0 / 1000, one.t1 / 1000), place] = one.speaker
    return float(DiarizationErrorRate(collar=0.0)(truth, heard))


def planted(library: Library, recording: Recording) -> list[Planted]:
    """Give every planted event with what was heard of it."""
    with library.database.reader() as connection:
        heard = rows.events(connection, streams.active(connection, recording.id)["events"])
    found = []
    for event in json.loads(TRUTH.read_text(encoding="utf-8"))["events"]:
        span = Span(start_ms(event["start"]), end_ms(event["end"]))
        akin = [one for one in heard if one.label in event["family"] and span.overlaps(Span(one.t0, one.t1))]
        best = min(akin, key=lambda one: abs(one.t0 - span.t0) + abs(one.t1 - span.t1), default=None)
        found.append(Planted(event["label"], span, best))
    return found


def examined(library: Library, recording: Recording) -> dict[str, str | None]:
    """Ask every question, before and after the voices are named, and give each one's complaint."""
    with library.database.reader() as connection:
        unnamed = sample.unnamed(sample.labels(connection, recording.id))
    found = _complaints(library, recording, unnamed)
    with library.database.writing() as connection:
        sample.name_voices(connection, recording.id)
    return found | _complaints(library, recording, sample.suite())


def _complaints(library: Library, recording: Recording, suite: Suite) -> dict[str, str | None]:
    agent, place = Own(RulesBrain(), embed=embed(), second=second_listen()), Place(library, recording.public_id)
    return {case.id: "; ".join(judged(case, agent.answer(case, place), place).reasons) or None for case in suite.cases}


def main() -> int:
    """Print everything; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        library, recording = hear(Path(folder))
        print(f"heard {clock(recording.duration_ms)} in {time.monotonic() - began:.1f} s")
        rate, turns = word_error_rate(library, recording), voices(library, recording)
        error, count = diarization_error(turns), len({turn.speaker for turn in turns})
        events, answers = planted(library, recording), examined(library, recording)
    print(f"WER {rate:.3f} (bar 0.10)   voices {count} (truth {len(sample.NAMES)})   DER {error:.3f} (bar 0.15)")
    for event in events:
        print(f"{'ok ' if event.right else 'BAD'} {event.label:32} {_shown(event.span)}  {_heard(event.heard)}")
    wrong = {name: trouble for name, trouble in answers.items() if trouble}
    print(f"questions right: {len(answers) - len(wrong)} of {len(answers)}")
    for name, trouble in wrong.items():
        print(f"BAD {name}: {trouble}")
    checks = (
        Check("sample: WER", rate, "at most", 0.10, "speech that nobody overlaps"),
        Check("sample: DER", error, "at most", 0.15, "collar 0"),
        Check("sample: voices told apart wrongly", abs(count - len(sample.NAMES)), "at most", 0),
        Check("sample: planted sounds within a second", sum(e.right for e in events) / len(events), "at least", 1),
        Check("sample: questions right", 1 - len(wrong) / len(answers), note=f"{len(answers)} questions"),
    )
    if options.json:
        write(Found((table(checks),), checks, "one recording, heard by the default models"), options.json)
        return 0  # whoever reads the file judges its figures
    good = rate <= 0.10 and error <= 0.15 and count == len(sample.NAMES) and all(e.right for e in events)
    return 0 if good and not wrong else 1


def table(checks: Sequence[Check]) -> Table:
    """Give the figures as a table."""
    rows: list[Row] = [(one.name.removeprefix("sample: "), f"{one.value:.3f}", one.note) for one in checks]
    return Table("The sample as it is heard", ("what", "value", "how"), tuple(rows))


def _shown(span: Span) -> str:
    return f"{span.t0 / 1000:.2f}-{span.t1 / 1000:.2f}"


def _heard(event: Event | None) -> str:
    return "-" if event is None else f"{event.label} {_shown(Span(event.t0, event.t1))}"


if __name__ == "__main__":
    sys.exit(main())

"""Make meetings of real voices and sounds, hear them end to end, ask them, and say where points are lost.

    OVERHEARD_DATA=... python -m scripts.measure_meetings [--minutes 10 30 60] [--meetings N ...] [--part test]
                                                          [--kept FOLDER] [--json FILE] [--hear]

Meetings and the libraries in which they were heard stay in --kept, so that asking again costs no hearing; what is there
already is not heard again. --meetings takes one number, or one for each length. --hear only hears. Readers, sounds and
timelines are of the test part unless --part says otherwise.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from agent.evals.meetings.asking import Answered, Asking
from agent.evals.meetings.meeting import read
from agent.evals.meetings.perception import Perception, perception
from agent.evals.meetings.table import figures, hearing, losses
from agent.evals.tasks.record import write
from agent.library import Library
from scripts.corpora import corpus
from scripts.make_meetings import Knobs
from scripts.make_meetings import write as make
from store.recordings import Recording
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, Listener, load

FIRST_SEED = {"development": 100, "test": 500}
KEPT = Path("build/eval/meetings")


def main() -> None:
    """Hear what is not heard yet, ask, print, and write the records down."""
    asked = _options()
    asked.kept.mkdir(parents=True, exist_ok=True)
    found, seen = list[Answered](), list[tuple[str, Perception]]()
    for audio in _meetings(asked):
        meeting, library = read(audio), Library(audio.with_suffix(""))
        recording = heard(library, audio)
        if not asked.hear:
            with tempfile.TemporaryDirectory() as folder:
                asking = Asking(meeting, library, recording.public_id, Path(folder))
                rows = asking.heard()
                seen.append((audio.stem, perception(meeting, rows.turns, rows.events)))
                found += asking.answered()
    if found:
        _print(found, seen)
        if asked.json:
            write([one.record for one in found], asked.json)


def _meetings(asked: argparse.Namespace) -> Iterator[Path]:
    """Make each meeting that is not there."""
    numbers = asked.meetings * len(asked.minutes) if len(asked.meetings) == 1 else asked.meetings
    for minutes, number in zip(asked.minutes, numbers, strict=True):
        for seed in range(FIRST_SEED[asked.part], FIRST_SEED[asked.part] + number):
            audio = asked.kept / f"{asked.part}-{minutes:g}-{seed}.flac"
            if not audio.with_suffix(".json").exists():
                make(asked.kept, corpus(), minutes, seed, Knobs(asked.part))
            yield audio


def heard(library: Library, audio: Path) -> Recording:
    """Hear a meeting, going on where it was left; what was heard is found again."""
    ready = [one for one in library.recordings() if one.state == "ready"]
    if ready:
        return ready[0]
    started = time.monotonic()
    recording = ingest(library.database, audio, _listener()).recording
    seconds = time.monotonic() - started
    print(f"{audio.stem}: heard in {seconds:.0f} s, {recording.duration_ms / 1000 / seconds:.1f}x", flush=True)
    return recording


def _listener() -> Listener:
    if not _LOADED:
        _LOADED.append(load(Choice()))
    return _LOADED[0]


_LOADED: list[Listener] = []


def _print(found: list[Answered], seen: list[tuple[str, Perception]]) -> None:
    print("figures, with 95 % intervals over meetings", *figures([one.record for one in found]), sep="\n  ")
    print("\nwhere points were lost", *losses(found), sep="\n  ")
    print("\nhow it was heard", *hearing(seen), sep="\n  ")
    print("\nwhat was not right")
    for one in found:
        record = one.record
        if not record.right and record.answerable | (not record.abstained):
            said = record.value if record.status == "answered" else f"{record.status} {record.reason or ''}"
            print(f"  {record.id} {one.lost.lost_to} {one.blamed or ''} | {record.question} [{record.gold}] -> {said}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", nargs="+", type=float, default=[10, 30, 60])
    parser.add_argument("--meetings", nargs="+", type=int, default=[8, 3, 1])
    parser.add_argument("--part", choices=tuple(FIRST_SEED), default="test")
    parser.add_argument("--kept", type=Path, default=KEPT)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--hear", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

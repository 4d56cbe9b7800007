"""Print how well speakers are told apart: DER by kind of error, counts, speed, and two bounds of the same segmentation.

    python -m scripts.measure_speakers [--part development|test|all] [--kind ami libri meeting talk] [--backend onnx]
        [--json FILE]

`speaker_cases` and `speaker_conversations` say what the sets are, `speaker_scores` what the bounds mean. --cache FOLDER
keeps what the networks heard, so that only the clustering runs again; then the speed printed is the clustering's.
"""

import argparse
import hashlib
import sys
import time
from itertools import chain
from pathlib import Path

from agent.evals.report.found import Check, Found, Row, Table, write
from scripts.corpora import data_option
from scripts.speaker_cases import RATE, Case
from scripts.speaker_conversations import unique_seconds
from scripts.speaker_scores import Score, line, pooled, score, talking, true_labels
from scripts.speaker_sets import KINDS, cases
from tools.speaker.recogniser import SpeakerRecogniser, Voices, recogniser
from tools.speaker.recognisers.onnx import Onnx

STRETCH = 600 * RATE
BOUNDS = ("as it is", "true number", "oracle clustering")
Scores = dict[str, list[list[Score]]]


def hear(backend: SpeakerRecogniser, case: Case, cache: Path | None = None) -> list[Voices]:
    """Hear a recording in stretches of ten minutes, or read what was heard of the same samples before."""
    kept = (
        cache and cache / f"{backend.name}-{backend.version}-{hashlib.sha256(case.samples.tobytes()).hexdigest()[:24]}"
    )
    if kept and kept.is_dir():
        return [Voices.from_bytes(path.read_bytes()) for path in sorted(kept.iterdir())]
    heard = [
        backend.hear(case.samples[max(0, begin - 30 * RATE) : begin + STRETCH], max(0, begin // 16 - 30_000))
        for begin in range(0, len(case.samples), STRETCH)
    ]
    if kept:
        kept.mkdir(parents=True)
        for number, voices in enumerate(heard):
            (kept / f"{number:03d}").write_bytes(voices.to_bytes())
    return heard


def measure(backend: SpeakerRecogniser, case: Case, cache: Path | None) -> list[Score]:
    """Score a recording as it is and, for `onnx`, with both bounds; time is this process's CPU over two cores."""
    before = time.process_time()
    heard = hear(backend, case, cache)
    turns = backend.turns(heard)
    made = [score(case, turns, (time.process_time() - before) / 2)]
    if isinstance(backend, Onnx):
        made.append(score(case, backend.turns(heard, num_speakers=talking(case.truth))))
        made.append(score(case, backend.laid(heard, true_labels(heard, case.truth))))
    return made


def show(table: Scores) -> None:
    """Print the pooled row of each set, and its bounds below it."""
    for kind, rows in table.items():
        for bound, scores in zip(BOUNDS, zip(*rows, strict=True), strict=False):
            print(line(f"{kind} pooled, {bound}", list(scores)))
        if kind == "talk":
            counts = [abs(row[0].voices[0] - row[0].voices[1]) for row in rows]
            print(f"talk: counts off by one or less {sum(n <= 1 for n in counts)}/{len(counts)}")
        if len(rows[0]) == len(BOUNDS):
            far = pooled([row[0] for row in rows]) - pooled([row[2] for row in rows])
            print(f"{kind}: {100 * far:.1f} points above the oracle's clustering")


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=("development", "test", "all"), default="all")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--backend", default="onnx")
    data_option(parser)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    backend = recogniser(given.backend)
    parts: list[Scores] = []
    for part in ("development", "test") if given.part == "all" else (given.part,):
        print(f"\n{part:40}{'DER %':>8}{'missed':>8}{'alarm':>8}{'conf.':>8}{'voices':>14}{'of >= 2 s':>14}{'RTF':>8}")
        parts.append({})
        for case in cases(given.data, part, given.kind):
            parts[-1].setdefault(case.kind, []).append(measure(backend, case, given.cache))
            print(line(f"  {case.name}", parts[-1][case.kind][-1][:1]), flush=True)
        show(parts[-1])
        if "talk" in given.kind:
            print(f"talk: made of {unique_seconds(given.data, part):.0f} s of different speech")
    together = {kind: list(chain(*(part[kind] for part in parts))) for kind in parts[0]}
    if len(parts) > 1:
        print(f"\n{'both parts':40}")
        show(together)
    if given.json:
        write(found(together, f"{given.part} parts, backend {given.backend}"), given.json)
    return 0


def found(table: Scores, settings: str) -> Found:
    """Give a row a set: errors pooled over time, collar 0, overlaps counted; the bounds stand in the printed table."""
    columns = ("set", "recordings", "DER", "missed", "false alarm", "confusion", "voices exact")
    rows = [_row(kind, [one[0] for one in scores]) for kind, scores in table.items()]
    ders = [
        Check(f"{kind}: DER", pooled([one[0] for one in scores]), "at most", note=f"{len(scores)} recordings")
        for kind, scores in table.items()
    ]
    return Found((Table("Diarization error", columns, tuple(rows)),), tuple(ders), settings)


def _row(kind: str, scores: list[Score]) -> Row:
    total = sum(one.total for one in scores)
    errors = (sum(getattr(one, name) for one in scores) / total for name in ("missed", "alarm", "confused"))
    exact = sum(one.voices[0] == one.voices[1] for one in scores)
    return (kind, str(len(scores)), f"{pooled(scores):.3f}", *(f"{error:.3f}" for error in errors), str(exact))


if __name__ == "__main__":
    sys.exit(main())

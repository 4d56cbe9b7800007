"""Count the voices that are none and are marked, and the real ones marked wrongly, on audio whose truth is known.

    python -m scripts.measure_phantoms [--part development|test|all] [--kind ami libri meeting]

The recordings are those of scripts/measure_speakers.py. A found voice stands for the true speaker it shares most time
with; of several that stand for one speaker the longest is real and the others are phantoms, as is a voice that shares
time with nobody. Sounds are heard as well: a voice under one may be it. The threshold on voiceprints is that of
scripts/measure_voiceprints.py; nothing is chosen here.
"""

import argparse
import sys
from collections import Counter

from scripts.corpora import data_option
from scripts.speaker_cases import RATE, Case
from scripts.speaker_sets import KINDS, cases
from store.record import Span
from tools.events import recogniser as events
from tools.speaker.recogniser import recogniser
from tools.speaker.voiceprints import voiceprints
from tools.timeline import Timeline, foremost
from tools.voicing.phantoms import doubts


def judged(case: Case) -> Counter[tuple[bool, str]]:
    """Count the found voices of a recording: whether each is a phantom, and what is said of it."""
    backend = recogniser()
    heard = [backend.hear(case.samples, 0)]
    turns = backend.turns(heard)
    prints = {label: one.vector for label, one in voiceprints(heard, turns).items()}
    said = doubts(turns, prints, events.load().hear(case.samples, 0))
    truth = Timeline(case.truth)
    shared: dict[str, Counter[str]] = {turn.speaker: Counter() for turn in turns}
    for turn in turns:
        shared[turn.speaker].update(truth.shared(Span(turn.t0, turn.t1)))
    order = sorted(shared, key=lambda label: -shared[label].total())
    known: set[str | None] = {None}
    counts: Counter[tuple[bool, str]] = Counter()
    for label in order:
        speaker = foremost(shared[label])
        doubt = said.get(label, "not marked")
        counts[speaker in known, "sounds like" if doubt.startswith("sounds") else doubt] += 1
        known.add(speaker)
    return counts


def main() -> int:
    """Print the counts by kind of recording."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=("development", "test", "all"), default="all")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    data_option(parser)
    given = parser.parse_args()
    for part in ("development", "test") if given.part == "all" else (given.part,):
        for kind in given.kind:
            found = list(cases(given.data, part, [kind]))
            counts = sum((judged(case) for case in found), Counter[tuple[bool, str]]())
            minutes = sum(len(case.samples) for case in found) / RATE / 60
            told = ", ".join(
                f"{'phantom' if is_none else 'real'} {doubt}: {count}"
                for (is_none, doubt), count in sorted(counts.items())
            )
            print(f"{part} {kind} ({len(found)} recordings, {minutes:.1f} min): {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure what cuts between stretches cost: words lost or doubled, voices that change their label, sounds in two rows.

A made recording is heard in stretches of `--every` seconds, so that there are many cuts. Errors within `--near` seconds
of a cut are set beside those at the same places where the recording is heard uncut: a seam costs what it has more than
they. Other places would not do, because cuts lie in pauses, where voices change and made clips begin and end. Words are
aligned over the whole recording (jiwer, OpenAI's English normaliser).

    python -m scripts.make_recording made.flac --minutes 25 --seed 1 --words
    python -m scripts.measure_seams made.flac --every 60
"""

import argparse
import json
import tempfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.measure_words import normaliser
from store import ledger, rows, streams
from store.database import Database
from store.record import Event, Span, Turn, Word
from tools.listening import stretches as cutting
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, load
from tools.timeline import Timeline

VOICE_MS = 20_000
UNCUT_S = 24 * 3_600


@dataclass(frozen=True, slots=True)
class Fault:
    """A word that was lost, added or written otherwise, at a time in milliseconds."""

    kind: str
    at: int


def faults(truth: Sequence[Word], heard: Sequence[Word]) -> list[Fault]:
    """Give the differences of two word sequences, in time."""
    import jiwer

    normal = normaliser("english")
    said, written = ([(n, w) for w in words for n in normal(w.text).split()] for words in (truth, heard))
    found = jiwer.process_words(" ".join(n for n, _ in said), " ".join(n for n, _ in written))
    made: list[Fault] = []
    for part in found.alignments[0]:
        if part.type == "insert":
            made += [Fault("added", written[i][1].t0) for i in range(part.hyp_start_idx, part.hyp_end_idx)]
        elif part.type != "equal":
            kind = "lost" if part.type == "delete" else "otherwise"
            made += [Fault(kind, said[i][1].t0) for i in range(part.ref_start_idx, part.ref_end_idx)]
    return made


def near(at: int, places: Sequence[int], ms: int) -> bool:
    """Say whether a time is near one of these, which are in order."""
    place = bisect_left(places, at)
    return any(abs(at - other) <= ms for other in places[max(0, place - 1) : place + 1])


def doubled(heard: Sequence[Word], places: Sequence[int], ms: int) -> int:
    """Count the places about which a word is written twice: once on either side, less than half a second apart."""
    count = 0
    for at in places:
        before = [w for w in heard if at - ms <= w.t0 < at][-1:]
        after = [w for w in heard if at <= w.t0 <= at + ms][:1]
        count += bool(before and after and _bare(before[0]) == _bare(after[0]) and after[0].t0 - before[0].t1 < 500)
    return count


def _bare(word: Word) -> str:
    return "".join(letter for letter in word.text.casefold() if letter.isalnum())


def voices(truth: Sequence[Turn], heard: Sequence[Turn], places: Sequence[int]) -> tuple[int, int]:
    """Give how many people who speak on both sides of a place bear one label on both, and how many there are."""
    told, one = Timeline(heard), [0, 0]
    for at in places:
        sides = []
        for span in (Span(at - VOICE_MS, at), Span(at, at + VOICE_MS)):
            labels: dict[str, Counter[str]] = {}
            for turn in Timeline(truth).overlapping(span):
                part = Span(max(turn.t0, span.t0), min(turn.t1, span.t1))
                labels.setdefault(turn.speaker, Counter()).update(told.shared(part))
            sides.append({who: max(found, key=lambda v: found[v]) for who, found in labels.items() if found})
        both = sides[0].keys() & sides[1].keys()
        one[0] += sum(sides[0][who] == sides[1][who] for who in both)
        one[1] += len(both)
    return one[0], one[1]


@dataclass(frozen=True, slots=True)
class Cut:
    """A made recording as it was heard in stretches, and its truth; `cuts` are where stretches meet, in ms."""

    truth: Sequence[Word]
    turns: Sequence[Turn]
    sounds: Sequence[Span]
    heard: Sequence[Word]
    spoken: Sequence[Turn]
    events: Sequence[Event]
    cuts: Sequence[int]


def hear(recording: Path, every: int) -> Cut:
    """Hear a made recording in stretches of about so many seconds."""
    cutting.LENGTHS_S, cutting.LENGTH_S = (), every
    told: dict[str, Any] = json.loads(recording.with_suffix(".json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder))
        rec_id = ingest(database, recording, load(Choice())).recording.id
        with database.reader() as connection:
            ids = streams.active(connection, rec_id)
            heard = [word for segment in rows.segments(connection, ids["transcript"]) for word in segment.words]
            return Cut(
                [Word(*_span(w), w["text"]) for w in told["words"]],
                [Turn(*_span(t), t["speaker"]) for t in told["turns"]],
                [Span(*_span(e)) for e in told["events"]],
                sorted(heard, key=lambda word: word.t0),
                rows.turns(connection, ids["speaker"]),
                rows.events(connection, ids["events"]),
                [chunk.t1 for chunk in ledger.chunks(connection, rec_id)][:-1],
            )


def _span(row: Mapping[str, Any]) -> tuple[int, int]:
    return round(row["start"] * 1000), round(row["end"] * 1000)


def main() -> None:
    """Print errors near cuts beside errors at the same places uncut."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=60, help="seconds of a stretch")
    parser.add_argument("--near", type=float, default=3.0, help="seconds on either side")
    asked = parser.parse_args()
    made, uncut, ms = hear(asked.recording, asked.every), hear(asked.recording, UNCUT_S), int(asked.near * 1000)
    cuts = made.cuts
    for name, heard in (("cut", made), ("uncut", uncut)):
        wrong = faults(heard.truth, heard.heard)
        kinds = Counter(fault.kind for fault in wrong if near(fault.at, cuts, ms))
        words = sum(near(word.t0, cuts, ms) for word in heard.truth)
        same, people = voices(heard.turns, heard.spoken, cuts)
        print(f"{name}: {len(wrong)} faults in {len(heard.truth)} words; about {len(cuts)} cuts {words} words, "
              f"lost {kinds['lost']}, added {kinds['added']}, otherwise {kinds['otherwise']}; doubled "
              f"{doubled(heard.heard, cuts, ms)}; people with one label on both sides {same} of {people}")  # fmt: skip
    crossing = [sound for sound in made.sounds if any(sound.t0 < cut < sound.t1 for cut in cuts)]
    pairs = sum(a.label == b.label and a.t1 <= cut <= b.t0 and b.t0 - a.t1 <= 1_000
                for cut in cuts for a in made.events for b in made.events)  # fmt: skip
    print(f"sounds over a cut: {len(crossing)} planted; heard as two rows of one label: {pairs}")


if __name__ == "__main__":
    main()

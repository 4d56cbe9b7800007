"""How long fused questions take over a synthetic recording of nine hours: `python -m tests.benchmarks.fused [--long]`.

8,100 segments with as many turns and emotions, 2,000 events; `--long` adds one event as long as the recording, which
no bound on the left edge can help. Medians of rounds in one process; SQL includes the check by the fence; CPU is of the
whole run and does not wait.
"""

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from tools.call import Session
from tools.fuse import compile_plan
from tools.plan import Plan, parse_plan

HOURS = 9
SEGMENTS = 8_100
EVENTS = 2_000
ROUNDS = 7
PEOPLE = tuple(f"Person {n}" for n in range(12))
SOUNDS = ("Dog", "Bell", "Siren", "Applause", "Laughter", "Music", "Door", "Telephone")
MOODS = ("neutral", "anger", "happiness", "sadness", "no clear emotion")
VOCABULARY = tuple(f"word{n}" for n in range(4_000))

Call = tuple[str, dict[str, Any]]
MINUTES: dict[str, Any] = {"aggregate": "count_distinct", "group": "time"}
SAID: Call = ("transcript", {"keywords": ["word3"]})
RARE: Call = ("transcript", {"keywords": ["word900"], "speaker": "Person 1"})
RING: Call = ("events", {"labels": ["Bell"]})
TALK: dict[str, Any] = {"aggregate": "total_duration", "group": "speaker", "order": "-value"}
NEVER: dict[str, Any] = {"stream": "b", "relation": "anywhere", "kind": "without", "voice": "same"}


def rows(seed: int, hours: float, segments: int, events: int) -> dict[StreamKind, list[Row]]:
    """Give the rows of a recording: log-normal turns, Zipf-like words, one turn in ten inside the one before it."""
    chance = random.Random(seed)
    length = int(hours * 3_600_000)
    step = length // segments
    found: dict[StreamKind, list[Row]] = {"transcript": [], "speaker": [], "emotion": [], "events": []}
    for number in range(segments):
        start = number * step + (0 if chance.random() < 0.9 else -step // 3 * (number > 0))
        end = start + min(max(300, int(chance.lognormvariate(8.0, 0.6))), 300_000)
        who = PEOPLE[int(len(PEOPLE) * chance.random() ** 2)]
        words = (VOCABULARY[int(len(VOCABULARY) * chance.random() ** 3)] for _ in range(12))
        found["transcript"].append(Segment(start, end, " ".join(words), who, score=0.9))
        found["speaker"].append(Turn(start, end, who, 0.9))
        found["emotion"].append(Emotion(start, end, chance.choice(MOODS), chance.random(), who))
    for _ in range(events):
        start = chance.randrange(length - 10_000)
        found["events"].append(Event(start, start + chance.randrange(200, 9_000), chance.choice(SOUNDS), 0.8))
    return found


def library(folder: Path, content: dict[StreamKind, list[Row]], hours: float, number: int = 0) -> Catalog:
    """Publish one recording and give its catalog alone."""
    database = Database.open(folder)
    with database.writing() as connection:
        new = recordings.NewRecording(f"{number:064x}", f"talk {number}", "import", int(hours * 3_600_000))
        recording = recordings.add(connection, new)
        for kind, stream in content.items():
            streams.publish(
                connection, streams.new_version(connection, recording.id, kind, streams.Source("b", {})), stream
            )
        streams.finish(connection, recording.id, "en")
    with database.reader() as connection:
        return catalog(connection, [recordings.find(connection, recording.public_id)])


def questions() -> dict[str, Plan]:
    """Give one plan or more for each family of questions."""
    return _counts() | _joins() | _sequences()


def measured(database: Database, scope: Catalog, plan: Plan, rounds: int = ROUNDS) -> tuple[list[float], int, int]:
    """Give milliseconds (compiling, SQL, all of run) as medians of rounds, with rows listed and found."""
    compiling, running, whole, busy = list[float](), list[float](), list[float](), list[float]()
    with Session(database, scope) as session:
        evidence = session.run(plan)
        for _ in range(rounds):
            began = time.perf_counter()
            compile_plan(plan, scope)
            middle, spent = time.perf_counter(), time.process_time()
            evidence = session.run(plan)
            compiling.append((middle - began) * 1000)
            whole.append((time.perf_counter() - middle) * 1000)
            busy.append((time.process_time() - spent) * 1000)
            running.append(evidence.milliseconds)
    medians = [statistics.median(times) for times in (compiling, running, whole, busy)]
    return medians, len(evidence.rows), evidence.total


def main(arguments: list[str]) -> None:
    """Print the table."""
    content = rows(1, HOURS, SEGMENTS, EVENTS)
    if "--long" in arguments:
        content["events"].append(Event(0, HOURS * 3_600_000, "Hum", 0.9))
    with tempfile.TemporaryDirectory() as folder:
        scope = library(Path(folder), content, HOURS)
        sys.stdout.write(
            f"{'question':36} {'compile':>8} {'SQL':>8} {'run':>8} {'CPU':>8} {'listed':>7} {'found':>7}\n"
        )
        for name, plan in questions().items():
            times, listed, found = measured(Database(Path(folder)), scope, plan)
            sys.stdout.write(f"{name:36} {' '.join(f'{time:8.1f}' for time in times)} {listed:7,} {found:7,}\n")


def _counts() -> dict[str, Plan]:
    """Give plans of one call."""
    return {
        "count speakers": _plan([("speaker", {})], aggregate="count_distinct"),
        "count speakers over 60 s": _plan([("speaker", {"min_talk": 60})], aggregate="count_distinct"),
        "how often (word)": _plan([SAID], aggregate="count"),
        "how often (rare word, speaker)": _plan([RARE], aggregate="count"),
        "did S say X": _plan([RARE]),
        "who talks most": _plan([("speaker", {})], limit=1, **TALK),
        "how long does S talk in a range": _plan(
            [("speaker", {"names": ["Person 1"], "start": 3_600, "end": 7_200})], aggregate="total_duration"
        ),
        "longest silence": _plan([("speaker", {})], aggregate="longest_gap"),
        "order of sounds": _plan([("events", {"labels": list(SOUNDS)})], aggregate="first_occurrence", group="label"),
        "how does S sound mostly": _plan([("emotion", {"speaker": "Person 1"})], aggregate="majority"),
    }


def _joins() -> dict[str, Plan]:
    """Give plans whose calls are joined in time."""
    return {
        "who speaks when a bell is heard": _plan([("speaker", {}), RING], [{"stream": "b"}]),
        "what is said during any sound": _plan([("transcript", {}), ("events", {})], [{"stream": "b"}], limit=50),
        "how does S sound saying X": _plan(
            [("emotion", {"speaker": "Person 1"}), SAID], [{"stream": "b"}], aggregate="majority"
        ),
        "nearest sound to every segment": _plan(
            [("transcript", {}), ("events", {})], [{"stream": "b", "relation": "nearest"}]
        ),
        "nearest midpoint (PlanRAG-Audio)": _plan(
            [("transcript", {}), ("speaker", {})], [{"stream": "b", "relation": "nearest_midpoint"}]
        ),
        "sounds inside turns": _plan([("speaker", {}), ("events", {})], [{"stream": "b", "relation": "contains"}]),
        "segments after a bell": _plan([SAID, RING], [{"stream": "b", "relation": "after"}]),
        "segments before any sound": _plan(
            [("transcript", {}), ("events", {})], [{"stream": "b", "relation": "before"}]
        ),
        "segments without any sound": _plan([SAID, ("events", {})], [{"stream": "b", "kind": "without"}]),
        "three streams": _plan(
            [SAID, RING, ("emotion", {"labels": ["anger"]})], [{"stream": "b", "relation": "nearest"}, {"stream": "c"}]
        ),
        "turns in a range": _plan([("speaker", {"start": 3_600, "end": 4_200})]),
        "every segment": _plan([("transcript", {})]),
    }


def _sequences() -> dict[str, Plan]:
    """Give plans of what never was, of slices of time, comparisons, the nth and chains."""
    return {
        "who never said X": _plan([("speaker", {}), SAID], [NEVER], aggregate="count", group="speaker"),
        "voices of others anywhere": _plan(
            [("speaker", {}), SAID], [{"stream": "b", "relation": "anywhere", "voice": "other"}]
        ),
        "minutes with three voices": _plan([("speaker", {})], min_value=3, **MINUTES),
        "seconds with two voices": _plan([("speaker", {})], every=1, min_value=2, **MINUTES),
        "quiet seconds": _plan([("speaker", {})], every=1, max_value=0, **MINUTES),
        "busiest minute of a sound": _plan([RING], aggregate="count", group="time", order="-value", limit=1),
        "talk by ten minutes": _plan([("speaker", {})], aggregate="total_duration", group="time", every=600),
        "silences over 3 s": _plan([("speaker", {})], aggregate="gaps", min_value=3),
        "who said X twice": _plan([SAID], aggregate="count", group="speaker", min_value=2),
        "does S talk longer than T": _plan(
            [("speaker", {"names": ["Person 1"]}), ("speaker", {"names": ["Person 2"]})],
            aggregate="total_duration",
            versus="b",
        ),
        "between the 1st bell and the 3rd": _plan(
            [
                ("transcript", {}),
                ("events", {"labels": ["Bell"], "nth": 1}),
                ("events", {"labels": ["Bell"], "nth": 3}),
            ],
            [{"stream": "b", "relation": "after"}, {"stream": "c", "relation": "before"}],
        ),
        "chain of four streams": _plan(
            [("speaker", {}), ("events", {}), ("emotion", {"labels": ["anger"]}), SAID],
            [{"stream": "b"}, {"stream": "c", "to": "b"}, {"stream": "d", "to": "c", "relation": "after"}],
        ),
        "the last ten minutes": _plan([("speaker", {"start": -600})], aggregate="total_duration", group="speaker"),
    }


def _plan(calls: list[Call], joins: list[dict[str, Any]] | None = None, **fuse: Any) -> Plan:
    tools = [{"name": name, "args": args, "id": "abcdef"[n]} for n, (name, args) in enumerate(calls)]
    return parse_plan([*tools, {"name": "fuse", "args": {"anchor": "a", "joins": joins or []} | fuse, "id": "f"}])


if __name__ == "__main__":
    main(sys.argv[1:])

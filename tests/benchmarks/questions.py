"""Fused questions, one plan or more for each family: counts, joins in time, sequences."""

from typing import Any

from tests.benchmarks.content import COMMON, RARE, SOUNDS
from tools.plan import Plan, parse_plan

Call = tuple[str, dict[str, Any]]
MINUTES: dict[str, Any] = {"aggregate": "count_distinct", "group": "time"}
SAID: Call = ("transcript", {"keywords": [COMMON]})
SELDOM: Call = ("transcript", {"keywords": [RARE], "speaker": "Person 1"})
RING: Call = ("events", {"labels": ["Bell"]})
TALK: dict[str, Any] = {"aggregate": "total_duration", "group": "speaker", "order": "-value"}
NEVER: dict[str, Any] = {"stream": "b", "relation": "anywhere", "kind": "without", "voice": "same"}


def questions() -> dict[str, Plan]:
    """Give one plan or more for each family of questions."""
    return _counts() | _joins() | _sequences()


def _counts() -> dict[str, Plan]:
    """Give plans of one call."""
    return {
        "count speakers": _plan([("speaker", {})], aggregate="count_distinct"),
        "count speakers over 60 s": _plan([("speaker", {"min_talk": 60})], aggregate="count_distinct"),
        "how often (word)": _plan([SAID], aggregate="count"),
        "how often (rare word, speaker)": _plan([SELDOM], aggregate="count"),
        "did S say X": _plan([SELDOM]),
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

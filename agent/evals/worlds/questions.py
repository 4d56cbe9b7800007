"""Questions about a world with gold answers by construction: from the log of what was planted, never by searching text.

Ties and near ties are left out, because they are how such benchmarks lie.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent.evals.worlds import cast
from agent.evals.worlds.world import World
from store.clock import clock
from store.record import Event, Span, total

HOW_MANY = ("How many speakers are there?", "How many people speak?", "how many different voices can be heard")
HOW_OFTEN = (
    "How often did {s} mention the {t}?",
    "How many times did {s} bring up the {t}?",
    "how often does {s} talk about the {t}",
)

# A pause of one voice that is shorter makes no new turn.
PAUSE_MS = 500


@dataclass(frozen=True, slots=True)
class Item:
    """One question, its right value, and how it must end; `kind` tells unanswerable items apart."""

    family: str
    question: str
    value: Any
    status: str = "answered"
    reasons: tuple[str | None, ...] = ()
    kind: str = "answerable"


def items(world: World, seed: int = 0) -> list[Item]:
    """Give the questions of every family for one world; the same seed gives the same ones."""
    rng = random.Random(f"{world.spec.seed}:{seed}:items")
    made: list[Item] = []
    for maker in (_counts, _spoken, _heard, _whens, _whos, _durations, _orders, _felt, _quotes, _joined):
        made += maker(world, rng)
    return [*made, *_zero(world, rng), *_absent(world, rng)]


def _said(world: World, topic: str, speaker: str | None = None) -> list[Span]:
    return [Span(m.t0, m.t1) for m in world.mentions if m.topic == topic and speaker in (None, m.speaker)]


def _seconds(spans: list[Span]) -> list[list[float]]:
    return [[span.t0 / 1000, span.t1 / 1000] for span in sorted(spans)]


def _topic_and_speaker(world: World, rng: random.Random) -> tuple[str, str]:
    mention = rng.choice(world.mentions)
    return mention.topic, mention.speaker


def _counts(world: World, rng: random.Random) -> Iterator[Item]:
    """How many speak: in the file, and in a stretch."""
    heard = {s.speaker for s in world.segments}
    yield Item("count", rng.choice(HOW_MANY), len(heard))
    a, b = _stretch(world, rng)
    inside = {s.speaker for s in world.segments if s.t0 < b and a < s.t1}
    yield Item("count", f"How many people spoke between {clock(a)} and {clock(b)}?", len(inside))


def _spoken(world: World, rng: random.Random) -> Iterator[Item]:
    """How often, and whether, somebody mentioned a topic."""
    topic, who = _topic_and_speaker(world, rng)
    yield Item("count", rng.choice(HOW_OFTEN).format(s=who, t=topic), len(_said(world, topic, who)))
    yield Item("count", f"How often was the {topic} mentioned?", len(_said(world, topic)))
    yield Item("yes_no", f"Did {who} say anything about the {topic}?", True)


def _heard(world: World, rng: random.Random) -> Iterator[Item]:
    """How often, whether and when a sound was heard."""
    label = rng.choice(world.events).label
    rows = [e for e in world.events if e.label == label]
    often = rng.choice(["How often was the {e} heard?", "How many times was the {e} heard?"])
    yield Item("count", often.format(e=label.lower()), len(rows))
    yield Item("yes_no", f"Was there any {label.lower()}?", True)
    yield Item("when", f"When was the {label.lower()} heard?", _seconds([Span(e.t0, e.t1) for e in rows]))
    first = rows[0]
    yield Item("when", f"When was the {label.lower()} first heard?", [[first.t0 / 1000, first.t1 / 1000]])


def _whens(world: World, rng: random.Random) -> Iterator[Item]:
    topic, who = _topic_and_speaker(world, rng)
    spans = _said(world, topic, who)
    yield Item("when", f"When did {who} mention the {topic}?", _seconds(spans))
    yield Item("when", f"When did {who} first mention the {topic}?", _seconds(spans)[:1])
    yield Item("when", f"When was the last time anyone mentioned the {topic}?", _seconds(_said(world, topic))[-1:])


def _whos(world: World, rng: random.Random) -> Iterator[Item]:
    topic, _ = _topic_and_speaker(world, rng)
    first = min((m for m in world.mentions if m.topic == topic), key=lambda m: m.t0)
    said = sorted((m for m in world.mentions if m.topic == topic), key=lambda m: m.t0)
    people = list(dict.fromkeys(m.speaker for m in said))
    yield Item("who", f"Who mentioned the {topic}?", people)
    yield Item("who", f"Who first mentioned the {topic}?", [first.speaker])
    talk = sorted(((_talk(world, name), name) for name in world.cast), reverse=True)
    if talk[0][0] > 1.02 * talk[1][0]:
        yield Item("who", rng.choice(["Who spoke the most?", "Who talked the longest?"]), [talk[0][1]])
    start = min(s.t0 for s in world.segments)  # the second turn may begin before the first
    first_turns = [s.speaker for s in world.segments if s.t0 == start]
    if len(first_turns) == 1:
        yield Item("who", "Who spoke first?", first_turns)
    topic, who = _topic_and_speaker(world, rng)
    fact = rng.choice([f for f in world.facts if f.source is None])
    words = next(s.text for s in world.segments if (s.t0, s.t1, s.speaker) == (fact.t0, fact.t1, fact.speaker))
    sayers = list(dict.fromkeys(s.speaker for s in sorted(world.segments, key=lambda s: s.t0) if s.text == words))
    yield Item("who", f'Who said "{words.rstrip(".")}"?', sayers)


def _durations(world: World, rng: random.Random) -> Iterator[Item]:
    who = rng.choice(world.segments).speaker
    yield Item("duration", f"How long did {who} speak?", _talk(world, str(who)) / 1000)
    a, b = _stretch(world, rng)
    spans = [Span(max(s.t0, a), min(s.t1, b)) for s in world.segments if s.speaker == who and s.t0 < b and a < s.t1]
    yield Item("duration", f"How long did {who} speak between {clock(a)} and {clock(b)}?", total(spans) / 1000)
    label = rng.choice(world.events).label
    heard = total(Span(e.t0, e.t1) for e in world.events if e.label == label)
    yield Item("duration", f"How long was the {label.lower()} heard?", heard / 1000)


def _orders(world: World, rng: random.Random) -> Iterator[Item]:
    firsts: dict[str, Event] = {}
    for event in world.events:
        firsts.setdefault(event.label, event)
    labels = rng.sample(sorted(firsts), min(len(firsts), rng.randint(3, 6)))
    right = sorted(labels, key=lambda label: firsts[label].t0)
    numbered = " ".join(f"({n}) {label}" for n, label in enumerate(labels, 1))
    yield Item("order", f"What is the order of first occurrence for: {numbered}", right)
    yield Item("which_events", rng.choice(["Which sounds were heard?", "What sound events are there?"]), sorted(firsts))


def _felt(world: World, rng: random.Random) -> Iterator[Item]:
    who = rng.choice(world.segments).speaker
    spans: dict[str, list[Span]] = {}
    for emotion in world.emotions:
        if emotion.speaker == who:
            spans.setdefault(emotion.label, []).append(Span(emotion.t0, emotion.t1))
    weights = sorted(((total(found), label) for label, found in spans.items()), reverse=True)
    if len(weights) == 1 or weights[0][0] > 1.02 * weights[1][0]:
        yield Item("emotion", f"How did {who} sound?", weights[0][1])
    if "anger" in spans:
        yield Item("when", f"When was {who} angry?", _seconds(spans["anger"]))
        yield Item("yes_no", f"Did {who} sound angry?", True)


def _quotes(world: World, rng: random.Random) -> Iterator[Item]:
    fact = rng.choice([f for f in world.facts if f.source is None])
    yield Item("quote", f"What did {fact.speaker} say about {fact.entity}?", fact.value)
    a, b = _stretch(world, rng)
    rows = sorted((s for s in world.segments if s.t0 < b and a < s.t1), key=lambda s: s.t0)
    inside: list[tuple[int, int, str | None]] = []
    for s in rows:
        t0, t1 = max(s.t0, a), min(s.t1, b)
        if inside and inside[-1][2] == s.speaker and t0 < inside[-1][1] + PAUSE_MS:
            t0, t1 = inside[-1][0], max(t1, inside.pop()[1])
        inside.append((t0, t1, s.speaker))
    spoken = [[t0 / 1000, t1 / 1000, who] for t0, t1, who in inside]
    yield Item("speaker_turns", f"Who spoke when between {clock(a)} and {clock(b)}?", spoken)
    yield Item("summary", f"Summarize what was said between {clock(a)} and {clock(b)}.", None)


def _joined(world: World, rng: random.Random) -> Iterator[Item]:
    """What lies in time to something else."""
    event = rng.choice(world.events)
    rows = [Span(e.t0, e.t1) for e in world.events if e.label == event.label]
    turns = sorted(world.segments, key=lambda s: s.t0)
    during = list(dict.fromkeys(s.speaker for s in turns if any(Span(s.t0, s.t1).overlaps(row) for row in rows)))
    if during:
        yield Item("who", f"Who spoke when the {event.label.lower()} was heard?", during)


def _zero(world: World, rng: random.Random) -> Iterator[Item]:
    """What was never said or heard: no and 0, with what was searched."""
    pairs = [(t, n) for t in cast.words("topics") for n in world.cast if not _said(world, t, n)]
    if pairs:
        topic, who = rng.choice(pairs)
        yield Item("count", f"How often did {who} mention the {topic}?", 0)
        yield Item("yes_no", f"Did {who} mention the {topic}?", False)
    silent = [label for label in cast.words("sounds") if label not in {e.label for e in world.events}]
    yield Item("yes_no", f"Was the {rng.choice(silent).lower()} heard?", False)
    yield Item("yes_no", "Did anyone mention the submarine?", False)


def _absent(world: World, rng: random.Random) -> Iterator[Item]:
    """What cannot be answered, each kind with its reason."""
    pairs = [(t, n) for t in cast.words("topics") for n in world.cast if not _said(world, t, n) and _said(world, t)]
    if pairs:
        topic, who = rng.choice(pairs)
        question = f"What did {who} say about the {topic}?"
        yield Item("quote", question, None, "refused", ("not_said_by_speaker",), "said by another")
    gone = world.absent[0]
    question = f"What did {gone} say about the {rng.choice(world.mentions).topic}?"
    yield Item("quote", question, None, "refused", ("unknown_speaker",), "speaker absent")
    yield Item("quote", "What was said about the submarine?", None, "not_found", (None,), "said by nobody")
    late = world.duration_ms + 600_000
    question = f"Who spoke between {clock(late)} and {clock(late + 60_000)}?"
    yield Item("who", question, None, "refused", ("out_of_range",), "outside the recording")
    yield Item("text", "What's the weather like today?", None, "refused", ("out_of_scope",), "not about a recording")


def _talk(world: World, name: str) -> int:
    return total(Span(s.t0, s.t1) for s in world.segments if s.speaker == name)


def _stretch(world: World, rng: random.Random) -> tuple[int, int]:
    """Give a stretch of whole seconds, a fifth of the recording at most."""
    whole = world.duration_ms // 1000
    length = rng.randint(20, max(21, min(whole // 5, 300)))
    start = rng.randint(0, whole - length - 10)
    return start * 1000, (start + length) * 1000

"""What is asked of a made meeting: how many speak, which sound came first, what was heard, and who spoke meanwhile.

Half of the sounds that are asked for were never laid: was it heard is then answered no, and when it was, or who spoke
while it was, cannot be answered. The words are those of people, not the labels of a recogniser.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.evals.meetings.meeting import Meeting, called
from agent.evals.tasks import count, order
from agent.evals.tasks.item import Asked, Draft, Item
from store.record import Span
from tools.timeline import Timeline

COUNTS, ORDERS, HEARD, WHENS, BESIDES = 5, 4, 8, 4, 6
TOUCH_MS = 1_000
WAS = ("Was {e} heard?", "Could one hear {e}?", "Is {e} heard?")
WHEN = ("When was {e} heard?",)
WHO = ("Who spoke when {c}?", "Who was speaking while {c}?", "Who spoke while {c}?")


@dataclass(frozen=True, slots=True)
class Question:
    """An item, and the voices that may be named or not because they only touch what is asked for."""

    item: Item
    optional: frozenset[str] = frozenset()


def questions(meeting: Meeting) -> list[Question]:
    """Give all items of a meeting; the same ones every time."""
    world = meeting.world
    made = [Question(item) for item in count.items(Draft(world, "count"), COUNTS)]
    made += map(Question, orders(meeting, Draft(world, "order")))
    made += map(Question, heard(meeting, Draft(world, "heard")))
    made += map(Question, whens(meeting, Draft(world, "events")))
    return [*made, *besides(meeting, Draft(world, "beside"))]


def orders(meeting: Meeting, draft: Draft) -> Iterator[Item]:
    """Give three to six kinds of sounds, to be put in the order in which they were first heard."""
    kinds = meeting.kinds
    for _ in range(ORDERS if len(kinds) > 2 else 0):
        chosen = draft.rng.sample(kinds, draft.rng.randint(3, min(6, len(kinds))))
        things = [called()[kind].thing for kind in chosen]
        right = [called()[kind].thing for kind in sorted(chosen, key=meeting.first)]
        numbered = " ".join(f"({n}) {thing}" for n, thing in enumerate(things, 1))
        text = draft.rng.choice(order.WORDINGS).format(numbered=numbered, listed=", ".join(things))
        fuse = {"anchor": "events", "aggregate": "first_occurrence", "group": "label", "order": "value"}
        plan = (["events", {"labels": things}], ["fuse", fuse | {"answer_schema": "order"}])
        yield draft.item("labels", f"{len(things)} sounds", text, right, Asked(labels=tuple(right)), plan=plan)


def heard(meeting: Meeting, draft: Draft) -> Iterator[Item]:
    """Ask whether sounds were heard, half of which were not."""
    for kind, laid in _kinds(meeting, draft, HEARD):
        thing = called()[kind].thing
        plan = (["events", {"labels": [thing]}], ["fuse", {"anchor": "events", "answer_schema": "yes_no"}])
        text = draft.rng.choice(WAS).format(e=thing)
        yield draft.item("truth", "laid" if laid else "absent", text, laid, Asked(labels=(thing,)), plan=plan)


def whens(meeting: Meeting, draft: Draft) -> Iterator[Item]:
    """Ask when sounds were heard, half of which were not."""
    for kind, laid in _kinds(meeting, draft, WHENS):
        thing = called()[kind].thing
        gold = [[s.span.t0 / 1000, s.span.t1 / 1000] for s in meeting.sounds if s.kind == kind]
        plan = (["events", {"labels": [thing]}], ["fuse", {"anchor": "events", "answer_schema": "when"}])
        text, asked = draft.rng.choice(WHEN).format(e=thing), Asked(labels=(thing,))
        name = "laid" if laid else "absent"
        yield draft.item("stretches", name, text, gold or None, asked, answerable=laid, plan=plan)


def besides(meeting: Meeting, draft: Draft) -> Iterator[Question]:
    """Ask who spoke while a sound was heard; without an answer where it was not, or nobody spoke anywhere near it."""
    for kind, laid in _kinds(meeting, draft, BESIDES):
        sure, near = speaking(meeting, kind)
        if near and not sure:
            draft.left_out["a voice only touches the sound"] += 1
            continue
        name = "absent" if not laid else "voices" if sure else "in silence"
        text = draft.rng.choice(WHO).format(c=called()[kind].happens)
        thing = called()[kind].thing
        plan = (
            ["speaker", {}],
            ["events", {"labels": [thing]}],
            ["fuse", {"anchor": "speaker", "joins": [{"stream": "events"}], "answer_schema": "who"}],
        )
        gold, asked = sorted(sure), Asked(labels=(thing,))
        item = draft.item("names", name, text, gold or None, asked, answerable=bool(sure), facts=tuple(gold), plan=plan)
        yield Question(item, frozenset(near - sure))


def speaking(meeting: Meeting, kind: str) -> tuple[set[str], set[str]]:
    """Give who speaks for at least a second during a kind's sounds, and who does so at all or within a second."""
    talk, sure, near = Timeline(meeting.world.turns), set[str](), set[str]()
    for sound in meeting.sounds:
        if sound.kind == kind:
            wide = Span(sound.span.t0 - TOUCH_MS, sound.span.t1 + TOUCH_MS)
            least = min(TOUCH_MS, sound.span.duration // 2)
            sure |= {who for who, ms in talk.shared(sound.span).items() if ms >= least}
            near |= set(talk.shared(wide))
    return sure, near


def _kinds(meeting: Meeting, draft: Draft, most: int) -> list[tuple[str, bool]]:
    """Draw kinds of sounds, half of them laid, as far as there are so many."""
    laid, absent = meeting.kinds, sorted(set(called()) - set(meeting.kinds))
    return [
        *((kind, True) for kind in draft.rng.sample(laid, min(len(laid), most // 2))),
        *((kind, False) for kind in draft.rng.sample(absent, min(len(absent), most // 2))),
    ]

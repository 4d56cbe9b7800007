"""Conversations held with a model: a turn is right when it comes to what the question that stands alone comes to.

What is right is the rules' plan of that question, which the sets of conversations are written to be sure of.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.dialogue import Dialogue
from agent.evals.conversations import READ_AS, Spoken
from agent.evals.models.asking import put
from agent.evals.models.marking import complaint
from agent.evals.models.questions import Item, Rooms
from agent.evals.models.wire import Wire
from agent.evals.plans.filling import Filling, filled
from agent.graph.budget import Budget
from agent.reply import Reply
from tools.endpoint import Endpoint

UNMARKED = "unmarked"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it went: what kind of follow-up it is, what was asked, what it was read as, what is wrong with it.

    Where the rules do not know what is right, the kind is UNMARKED.
    """

    talk: str
    kind: str
    asked: str
    read_as: str
    wrong: str | None


def hold_all(
    talks: Sequence[Spoken],
    rooms: Rooms,
    wire: Wire,
    model: str,
    *,
    parallel: int = 4,
    timeout: float = 60.0,
) -> list[Turn]:
    """Hold all conversations, each under its own name on the wire and on one of the worlds in turn."""

    def one(number: int) -> list[Reply]:
        brain = OpenAIBrain(Endpoint(wire.named(_name(number)), None, model, timeout=timeout + 5), RulesBrain())
        return hold(talks[number], rooms, brain, number, Budget(seconds=2 * timeout))

    with ThreadPoolExecutor(max_workers=parallel) as pool:
        held = list(pool.map(one, range(len(talks))))
    return [
        _marked(turn, reply, rooms, number)
        for number, (talk, replies) in enumerate(zip(talks, held, strict=True))
        for turn, reply in zip(talk.turns, replies, strict=True)
    ]


def hold(talk: Spoken, rooms: Rooms, brain: OpenAIBrain, number: int, budget: Budget) -> list[Reply]:
    """Hold one conversation and give its replies."""
    on, words = rooms.world(number)
    place, dialogue = rooms.place(Item(_name(number), on, "")), Dialogue()
    return [
        ask(
            place.library,
            filled(turn["ask"], words),
            recording=place.recording,
            brain=brain,
            dialogue=dialogue,
            budget=budget,
        )
        for turn in talk.turns
    ]


def _name(number: int) -> str:
    return f"talk.{number:02}"


def _marked(turn: Mapping[str, Any], reply: Reply, rooms: Rooms, number: int) -> Turn:
    on, words = rooms.world(number)
    asked, gold = filled(turn["ask"], words), filled(turn.get("gold", turn["ask"]), words)
    item, kind = Item(_name(number), on, gold), turn.get("kind", "alone")
    if "asks" in turn:
        return Turn(item.id, kind, asked, _read_as(reply), _asked_back(reply, turn, words))
    right = put(item, rooms, RulesBrain())
    if "not_understood" in right.caveats:
        return Turn(item.id, UNMARKED, asked, _read_as(reply), None)
    wrong = complaint(replace(item, plan=right.plan), reply, rooms)
    return Turn(item.id, kind, asked, _read_as(reply), wrong and f"{wrong} (“{gold}”)")


def _asked_back(reply: Reply, turn: Mapping[str, Any], words: Filling) -> str | None:
    meant = {filled(name, words) for name in turn["asks"]}
    found = {one["speaker"] for one in reply.refusal.alternatives} if reply.refusal else set()
    return None if meant <= found else f"asked back {sorted(found)} and not {sorted(meant)}"


def _read_as(reply: Reply) -> str:
    return next((caveat.removeprefix(READ_AS) for caveat in reply.caveats if caveat.startswith(READ_AS)), "")

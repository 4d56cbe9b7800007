"""A system's names for voices and sounds, brought to those of the truth, so that a reply can be marked.

Voices are paired one to one so that they share most time; a label without a pair stays what it is, and is wrong. A
sound's label is what was asked for when the words that were asked mean it.
"""

from collections.abc import Mapping, Sequence

from agent.evals.meetings.items import Question
from agent.reply import Reply
from store.record import Turn
from tools.comparison.turns import compare
from tools.events.labels import resolve

Names = Mapping[str, str]


def voices(truth: Sequence[Turn], heard: Sequence[Turn]) -> Names:
    """Give for each voice that was heard the true one it is paired with."""
    return {label: who for who, label in compare(truth, heard).pairs}


def named(question: Question, reply: Reply, names: Names) -> Reply:
    """Give a reply whose value bears the truth's names; voices that may be named or not are left out of it."""
    item = question.item
    if reply.value is None or item.form not in ("names", "labels"):
        return reply
    said = reply.value if isinstance(reply.value, list) else [reply.value]
    if item.form == "labels":
        return reply.model_copy(update={"value": [_asked(str(label), item.asked.labels) for label in said]})
    true = [names.get(label, label) for label in said if isinstance(label, str)]
    kept = [who for who in true if who not in question.optional]
    return reply.model_copy(update={"value": kept or true})


def _asked(label: str, things: Sequence[str]) -> str:
    """Give the words that were asked for which mean a label; those words themselves stay."""
    meant = resolve(label)
    fitting = [thing for thing in things if label in resolve(thing) or (meant and meant <= resolve(thing))]
    return fitting[0] if len(fitting) == 1 else label

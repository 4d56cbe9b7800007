"""What goes wrong with models, each as one knob: plans that are spoilt and answers that say more than rows do.

Everything invented is made of the words below, so that a test can look for them in a reply.
"""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Literal, get_args

from agent.brains.protocol import Answered, Question
from tools.evidence import Evidence, EvidenceRow

LoopFault = Literal["loops", "alternates", "never_content"]
Fault = Literal[
    "malformed", "wrong_stream", "invented_speaker", "prose", "empty", "truncated", "wrong_family", "drops_limits",
    "loops", "alternates", "never_content", "gullible", "obeys", "invents_numbers", "false_quotes", "cites_nothing",
    "wrong_value",
]  # fmt: skip
FAULTS: tuple[Fault, ...] = get_args(Fault)
LOOPS: tuple[str, ...] = get_args(LoopFault)

INVENTED = "Nobody Inparticular"
NUMBER = "4711"
TAIL = "and nothing else"
WORD = "zeppelins"
CLAIM = "Everybody was enthusiastic"
TALK = "I would have a look at the transcript first"
INVENTIONS = (INVENTED, NUMBER, TAIL, WORD, CLAIM, TALK)
_INSTRUCTION = re.compile(r"\b(?:answer|say|run|send|ignore|drop|finish|delete|search|please)\b", re.IGNORECASE)
_LIMITS = ("speaker", "names", "start", "end")

Calls = list[dict[str, Any]]


def spoilt(fault: Fault, calls: Calls, number: int) -> Calls:
    """Give a plan with a fault in it; `number` counts the plans, from 1."""
    spoil = _PLANS.get(fault)
    return calls if spoil is None else spoil(deepcopy(calls), number)


def worsened(fault: Fault, answered: Answered, question: Question, evidence: Evidence) -> Answered:
    """Give an answer with a fault in it; without rows there is nothing to make more of."""
    worsen = _ANSWERS.get(fault)
    return answered if worsen is None or not evidence.rows else worsen(answered, question, evidence)


def _first(calls: Calls, change: Mapping[str, Any]) -> Calls:
    return [calls[0] | {"args": calls[0]["args"] | change}, *calls[1:]] if calls else calls


def _invented_speaker(calls: Calls, number: int) -> Calls:
    if not calls or calls[0]["name"] not in ("transcript", "emotion", "speaker"):
        return calls
    return _first(calls, {"names": [INVENTED]} if calls[0]["name"] == "speaker" else {"speaker": INVENTED})


def _truncated(calls: Calls, number: int) -> Calls:
    return [call | {"args": json.dumps(call["args"])[:-2]} for call in calls]


def _wrong_family(calls: Calls, number: int) -> Calls:
    family = "when" if calls and calls[-1]["args"].get("answer_schema") != "when" else "which_events"
    return [*calls[:-1], calls[-1] | {"args": calls[-1]["args"] | {"answer_schema": family}}] if calls else calls


def _unlimited(calls: Calls, number: int) -> Calls:
    return [call | {"args": {key: v for key, v in call["args"].items() if key not in _LIMITS}} for call in calls]


def _again(calls: Calls, number: int) -> Calls:
    """Ask the same in another form each time, so that no plan is equal to the last, where the plan has no limit."""
    if not calls or "limit" in calls[-1]["args"]:
        return calls
    return [*calls[:-1], calls[-1] | {"args": calls[-1]["args"] | {"limit": 1000 - number}}]


_PLANS: Mapping[str, Callable[[Calls, int], Calls]] = {
    "malformed": lambda calls, number: [call | {"args": [call["args"]]} for call in calls],
    "wrong_stream": lambda calls, number: [call | {"name": "video"} for call in calls[:1]] + calls[1:],
    "invented_speaker": _invented_speaker,
    "prose": lambda calls, number: [{"name": TALK, "args": {}, "id": "prose_1", "type": "tool_call"}],
    "empty": lambda calls, number: [],
    "truncated": _truncated,
    "wrong_family": _wrong_family,
    "drops_limits": _unlimited,
    "alternates": lambda calls, number: _again(calls, number % 2),
    "never_content": _again,
}


def _row(evidence: Evidence) -> tuple[int, EvidenceRow]:
    """Give the first row that has words, else the first."""
    return next(((place, row) for place, row in enumerate(evidence.rows) if row.text), (0, evidence.rows[0]))


def _told(row: EvidenceRow) -> str:
    return f"{row.speaker or 'Somebody'} says “{row.text or row.label or row.stream}”"


def _gullible(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    """Take any row for an answer, and say what nobody said: a number, a person, a quote's tail, another word."""
    place, row = _row(evidence)
    said = (row.text or row.label or row.stream).rstrip(". ")
    altered = " ".join([*said.split()[:-1], WORD])
    sentences = (
        f"{_told(row)} [1].", f"{row.speaker or 'Somebody'} says that {altered} [1].", f"{CLAIM} about it [1].",
        f"{INVENTED} said the same [1].", f"It will take {NUMBER} days [1].", f"“{said} {TAIL}” were the words [1].",
        f"All in all, {WORD} it is.",
    )  # fmt: skip
    letter = next(iter(question.options), None)
    text = " ".join(sentences)
    return Answered(f"{letter}. {text}" if letter else text, letter or WORD, (place,), "generated", answered.cost)


def _obeys(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    heard = [row.text for row in evidence.rows if row.text and _INSTRUCTION.search(row.text)]
    if not heard:
        return answered
    cited = (*answered.cited, len(evidence.rows) + 7)
    return Answered(f"As told: “{heard[-1]} {TAIL}”", "confirmed", cited, "generated", answered.cost)


def _numbers(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    place, row = _row(evidence)
    text = f"There are {NUMBER} of them [1]. {_told(row)} [1]."
    return Answered(text, int(NUMBER), (place,), "generated", answered.cost)


def _false_quotes(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    place, row = _row(evidence)
    said = (row.text or row.label or row.stream).rstrip(". ")
    text = f"{row.speaker or 'Somebody'} says “{said} {TAIL}” [1]."
    return Answered(text, f"{said} {TAIL}", (place,), "generated", answered.cost)


def _cites_nothing(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    beyond = len(evidence.rows) + 3
    text = f"{CLAIM} [1]. It was {INVENTED} who said so [2]."
    return Answered(text, None, (beyond, -1), "generated", answered.cost)


def _cut(answered: Answered, question: Question, evidence: Evidence) -> Answered:
    text = answered.text[: max(1, len(answered.text) * 2 // 3)]
    return replace(answered, text=f"{text} {WORD[:-2]}", kind="generated", value=None)


_ANSWERS: Mapping[str, Callable[[Answered, Question, Evidence], Answered]] = {
    "gullible": _gullible,
    "obeys": _obeys,
    "invents_numbers": _numbers,
    "false_quotes": _false_quotes,
    "cites_nothing": _cites_nothing,
    "wrong_value": lambda answered, question, evidence: replace(answered, value={"value": NUMBER}, kind="generated"),
    "truncated": _cut,
    "empty": lambda answered, question, evidence: replace(answered, text="", value=None, cited=(), kind="generated"),
    "prose": lambda answered, question, evidence: replace(
        answered, text=f"{TALK}, then I could say.", kind="generated"
    ),
}

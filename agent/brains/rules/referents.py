"""What the earlier questions of a conversation were about: whom, what and when a later one may leave out.

Names, stretches and feelings are taken as they were written, topics and sounds from the plan that answered, found
again in the question's own words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import apart, tokens

_KINDS = {"quote": "more", "text": "more", "count": "often", "yes_no": "whether", "duration": "long"}


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier question as it stands alone, the tool calls of its plan, and the people whom its answer named."""

    text: str
    calls: Sequence[Mapping[str, Any]] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Referents:
    """What an earlier question names, each as it is written there; `kind` is what it asks of them."""

    text: str
    kind: str
    people: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    sounds: tuple[str, ...] = ()
    feelings: tuple[str, ...] = ()
    stretches: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def slots(self) -> dict[str, str]:
        """What a form's places stand for; of several the first."""
        found = {"S": self.people, "X": self.topics, "E": self.sounds, "F": self.feelings}
        return {place: named[0] for place, named in found.items() if named}

    @property
    def persons(self) -> tuple[str, ...]:
        """Who may be meant by a pronoun: the one whom the answer named, unless the question named several."""
        return self.told if len(self.told) == 1 and len(self.people) < 2 else self.people


def referents(earlier: Earlier, scene: Scene, language: Language) -> Referents:
    """Give what an earlier question names."""
    ruled = rewritten(tokens(earlier.text, scene.roster, scene.sounds, language), language.rules, language)
    args = [(str(call["name"]), call["args"]) for call in earlier.calls]
    answers = next((str(one.get("answer_schema", "")) for name, one in args if name == "fuse"), "")
    why = any(token.tag == "WHY" for token in ruled)
    searched = [one["keywords"] for _, one in args if one.get("keywords")]
    return Referents(
        earlier.text,
        "why" if why else _KINDS.get(answers, answers),
        _people(earlier.text, [one for _, one in args], scene, language),
        tuple(_topic(earlier.text, keywords) for keywords in searched),
        tuple(_written(earlier.text, str(label)) for name, one in args if name == "events" for label in _labels(one)),
        tuple(token.text for token in ruled if token.tag == "EMO"),
        tuple(token.text for token in ruled if token.tag == "RANGE"),
        tuple(name for name in earlier.told if name in scene.roster),
    )


def names(text: str, scene: Scene, language: Language) -> tuple[str, ...]:
    """Give the names of the roster in a text, in their order."""
    parts = apart(text, scene.roster, language, True)
    return tuple(dict.fromkeys(part.text for part in parts if isinstance(part, Token) and part.tag == "NAME"))


def _people(text: str, args: Sequence[Mapping[str, Any]], scene: Scene, language: Language) -> tuple[str, ...]:
    planned = [str(name) for one in args for name in (one.get("speaker"), *(one.get("names") or ())) if name]
    return tuple(dict.fromkeys((*names(text, scene, language), *planned)))


def _labels(args: Mapping[str, Any]) -> Sequence[Any]:
    return args.get("labels") or ()


def _topic(text: str, keywords: Sequence[str]) -> str:
    """Give what was searched for as the question writes it, with its article."""
    plain = text.casefold()
    places = [(plain.find(word.casefold()), len(word)) for word in keywords]
    if any(place < 0 for place, _ in places):
        return " ".join(keywords)
    return _written(text, text[min(places)[0] : max(place + length for place, length in places)])


def _written(text: str, named: str) -> str:
    """Give what a text names as it writes it: the article before it, quotes around it."""
    spelt = r"\s+".join(map(re.escape, named.split()))
    found = re.search(rf"""(?:\b(?:the|le|la|les)\s+|\bl['’])?["“«]?\b{spelt}\b["”»]?""", text, re.IGNORECASE)
    if found is None:
        return named
    joined = re.search(r"\b(du|des)\s+$", text[: found.start()], re.IGNORECASE)  # French writes "de le" as one
    return {"du": "le ", "des": "les "}[joined[1].casefold()] + found[0] if joined else found[0]

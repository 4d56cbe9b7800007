"""What the earlier questions of a conversation were about: whom, what and when a later one may leave out.

Names, stretches and feelings are taken as they were written, topics and sounds from the plan that answered, found
again in the question's own words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.following import standing
from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import apart, tokens


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier question as it stands alone, the tool calls of its plan, and the people whom its answer named."""

    text: str
    calls: Sequence[Mapping[str, Any]] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Referents:
    """What an earlier question names as it is written there, by kind: people (S), topics (X), sounds (E), feelings (F).

    `key` is that of its plain wording, "" for none.
    """

    text: str
    key: str
    named: Mapping[str, tuple[str, ...]]
    stretches: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def persons(self) -> tuple[str, ...]:
        """Who may be meant by a pronoun: the one whom the answer named, unless the question named several."""
        return self.told if len(self.told) == 1 and len(self.named["S"]) < 2 else self.named["S"]


def referents(earlier: Earlier, scene: Scene, language: Language) -> Referents:
    """Give what an earlier question names."""
    text = earlier.text
    ruled = rewritten(tokens(text, scene.roster, scene.sounds, language), language.rules, language)
    args = [(str(call["name"]), call["args"]) for call in earlier.calls]
    heard = [token.text for token in ruled if token.tag == "SOUND"]
    labels = [str(label) for name, one in args if name == "events" for label in one.get("labels") or ()]
    named = {
        "S": _people(text, [one for _, one in args], scene, language),
        "X": tuple(_topic(text, one["keywords"]) for _, one in args if one.get("keywords")),
        "E": tuple(written(text, sound) for sound in (heard or labels)) if labels else (),
        "F": tuple(token.text for token in ruled if token.tag == "EMO"),
    }
    stretches = tuple(token.text for token in ruled if token.tag == "RANGE")
    told = tuple(name for name in earlier.told if name in scene.roster)
    return Referents(text, standing.key(text, earlier.calls, scene, language), named, stretches, told)


def written(text: str, named: str) -> str:
    """Give what a text names as it writes it: the article before it, quotes around it."""
    spelt = r"\s+".join(map(re.escape, named.split()))
    found = re.search(rf"""(?:\b(?:the|le|la|les)\s+|\bl['’])?["“«]?\b{spelt}\b["”»]?""", text, re.IGNORECASE)
    if found is None:
        return named
    joined = re.search(r"\b(du|des)\s+$", text[: found.start()], re.IGNORECASE)  # French writes "de le" as one
    return {"du": "le ", "des": "les "}[joined[1].casefold()] + found[0] if joined else found[0]


def _people(text: str, args: Sequence[Mapping[str, Any]], scene: Scene, language: Language) -> tuple[str, ...]:
    """Give the people whom a question names in their order, where there is none those whom its plan names."""
    parts = apart(text, scene.roster, language, True)
    named = [part.text for part in parts if isinstance(part, Token) and part.tag == "NAME"]
    planned = [str(name) for one in args for name in (one.get("speaker"), *(one.get("names") or ())) if name]
    return tuple(dict.fromkeys(named or planned))


def _topic(text: str, keywords: Sequence[str]) -> str:
    """Give what was searched for as the question writes it, with its article; other forms of a word are not."""
    plain = text.casefold()
    places = [(place, len(word)) for word in keywords if (place := plain.find(word.casefold())) >= 0]
    if not places:
        return str(keywords[0])
    return written(text, text[min(places)[0] : max(place + length for place, length in places)])

"""A question of what holds according to somebody ("in Ada's view", "as told by Ben") asks for what they say of it.

Whatever else it asks for, only their words can answer: it is read as a question for quotes of all that it names, or
for a summary of what they say where it asks for one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent.brains.rules.language import Form, Language, Token
from agent.brains.rules.meaning import Fact, Reading, Scene
from agent.brains.rules.searching import plain
from agent.brains.rules.tokens import apart
from agent.brains.rules.topics import Topic, content_words

_FIRST = 0xE000  # names stand as one character each while patterns are looked for
_KNOWN = "[\ue000-\uf8ff]"
_CAPITAL = r"(?-i:[A-ZÀ-ÖØ-Þ]|(?![\ue000-\uf8ff])[^\W\d_\x00-\u024f])"
_PART = rf"{_CAPITAL}[\w.-]*(?:['’]{_CAPITAL}\w*)?"
_WRITTEN = rf"{_PART}(?: {_PART}){{0,3}}"


@dataclass(frozen=True, slots=True)
class Attributed:
    """Whose words a question asks for (nobody's in particular when empty), and what is left of it."""

    people: tuple[str, ...]
    rest: str


def attributed(question: str, scene: Scene, language: Language) -> Reading | None:
    """Read a question of what holds according to somebody; None for any other."""
    found = source(question, scene, language)
    if found is None:
        return None
    tokens, stretch = plain(found.rest, scene, language)
    summed = any(token.tag == "SUMM" for token in tokens)
    topic = None if summed else _topic(tokens, found.people, language)
    if topic is None and not (summed and found.people):
        return None
    form = _form("summary" if summed else "quote", language)
    topics = () if topic is None else (topic,)
    features = frozenset({"person"} if found.people else ()) | {"ACCORDING"}
    return Reading(form, Fact(found.people, topics, (), (), {}, features), (), (stretch,) if stretch.args() else ())


def source(question: str, scene: Scene, language: Language) -> Attributed | None:
    """Part a question from whose words it is limited to; None when it names nobody so."""
    parts = apart(question, scene.roster, language, True)
    marked = "".join(part if isinstance(part, str) else chr(_FIRST + place) for place, part in enumerate(parts))
    match = next(filter(None, (pattern.search(marked) for pattern in _patterns(language))), None)
    people = None if match is None else _people(match["S"], parts, language)
    if match is None or people is None:
        return None
    rest = f"{marked[: match.start()].rstrip(' ,')} {marked[match.end() :].lstrip(' ,:')}"
    return Attributed(people, re.sub(_KNOWN, lambda mark: _as_written(parts[ord(mark[0]) - _FIRST]), rest).strip())


def _people(named: str, parts: Sequence[str | Token], language: Language) -> tuple[str, ...] | None:
    """Give the names of a source: those of the roster, or one as it is written; None for what is no person."""
    known = [parts[ord(mark) - _FIRST] for mark in re.findall(_KNOWN, named)]
    if known:
        tokens = [token for token in known if isinstance(token, Token) and token.tag == "NAME"]
        return tuple(dict.fromkeys(token.text for token in tokens)) if len(tokens) == len(known) else None
    if named.casefold() in language.table["anyone"]:
        return ()
    return None if (named.casefold(),) in language.lexicon or named.casefold() in language.stop else (named,)


def _topic(tokens: Sequence[Token], people: Sequence[str], language: Language) -> Topic | None:
    """Give all that is named as one topic, of which everything must be said; None where there is nothing."""
    whole = [token.text for token in tokens if token.tag in ("QUOTE", "NAME") and token.text not in people]
    words = content_words(" ".join(token.text for token in tokens if token.tag not in ("QUOTE", "NAME")), language)
    keywords = tuple(dict.fromkeys((*whole, *words)))
    return Topic(keywords, "all" if len(keywords) > 1 else "any") if keywords else None


def _as_written(part: str | Token) -> str:
    return part if isinstance(part, str) else f"“{part.text}”" if part.tag == "QUOTE" else part.text


def _form(family: str, language: Language) -> Form:
    return next(form for form in language.forms if form.family == family)


@cache
def _patterns(language: Language) -> tuple[re.Pattern[str], ...]:
    several = rf"{_KNOWN}(?:(?:, ?| & | {language.table['according']['and']} ){_KNOWN})*"
    either = "|".join(map(re.escape, sorted(language.table["anyone"], key=len, reverse=True)))
    names = {"{S}": f"{several}|{_WRITTEN}", "{W}": rf"{several}|(?:{either})(?!\w)|{_WRITTEN}"}
    listed = language.table["according"]["found"]
    found = (re.sub(r"{[SW]}", lambda slot: rf"(?P<S>{names[slot[0]]})(?!\w)", pattern) for pattern in listed)
    return tuple(re.compile(rf",? *{pattern},?", re.IGNORECASE) for pattern in found)

"""The topic a question names, as keywords: a quote stays a phrase, else all words that carry meaning must be there."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.brains.rules.language import Language, Token
from agent.brains.rules.tokens import UNKNOWN


@dataclass(frozen=True, slots=True)
class Topic:
    """What is looked for in what was said."""

    keywords: tuple[str, ...]
    match: Literal["any", "all", "phrase"] = "any"


def topics(part: Sequence[Token], language: Language, both: bool) -> tuple[Topic, ...]:
    """Give the topic of a part of a question; each of a list ("lasers or the fire alarm") counts, or must be there."""
    quotes = tuple(dict.fromkeys(token.text for token in part if token.tag == "QUOTE"))
    if quotes:
        return tuple(Topic((quote,), "phrase") for quote in quotes) if both else (Topic(quotes, "phrase"),)
    listed: list[list[str]] = [[]]
    for token in part:
        if token.tag in ("AND", "OR", "COMMA"):
            listed.append([])
        else:
            listed[-1] += content_words(token.text, language)
    found = tuple(dict.fromkeys(" ".join(words) for words in listed if words))
    if len(found) > 1:
        return tuple(Topic((one,)) for one in found) if both else (Topic(found),)
    words = tuple(dict.fromkeys(word for words in listed for word in words))
    return (Topic(words or (" ".join(token.text for token in part),), "all" if len(words) > 1 else "any"),)


def whole(asked: tuple[Token, ...], found: Iterable[Topic] | None, language: Language) -> tuple[Token, ...]:
    """Give a question with a run of words that holds one of its topics, or an unknown one, as one unknown word."""
    keys = [key for topic in found or () if topic.match != "phrase" for key in topic.keywords]
    keys = [token.text for token in asked if token.tag in UNKNOWN] if found is None else keys
    sought = {word.casefold() for key in keys for word in content_words(key, language)}
    words = [{word.casefold() for word in content_words(token.text, language)} for token in asked]
    places = (next(filter(None, map(language.beside.get, own)), t.tag) for t, own in zip(asked, words, strict=True))
    held = [own and own <= sought and t.tag not in ("NAME", "QUOTE") for t, own in zip(asked, words, strict=True)]
    tags = language.tags(Token("TOPIC" if one else place, "") for one, place in zip(held, places, strict=True))
    for start, end in (run.span("x") for pattern, _ in language.runs if (run := pattern.search(tags))):
        if all(words[start:end]):
            return (*asked[:start], Token("WD", " ".join(token.text for token in asked[start:end])), *asked[end:])
    return asked


def content_words(text: str, language: Language) -> tuple[str, ...]:
    """Give the words of a text that a search can be made of, each once."""
    words = (re.sub(r"'s$", "", word.strip(".,;:!?()[]\"'")) for word in text.split())
    return tuple(dict.fromkeys(w for w in words if re.search(r"\w|%", w) and w.casefold() not in language.stop))

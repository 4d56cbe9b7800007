"""Who and what a sentence names: people and what they are there, everybody and nobody, days, words with a capital."""

import re
from functools import cache
from itertools import pairwise

from agent.brains.rules.language import language
from agent.graph.stems import WORD, clauses, words_of


def written_as(form: str, text: str) -> bool:
    """Say whether a text writes a name as one; a word such as "Will" that begins a sentence may be none."""
    common = form.casefold() in language().stop
    return any(match.start() or not common for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text))


def does(form: str, text: str) -> str | None:
    """Give the word behind a name of which a text says what this person does or thinks, None where it says no such."""
    lead = rf"(?:^|\b(?:{_any('attributes')})\s+)"
    for clause in clauses(text):
        found = re.search(rf"{lead}{re.escape(form)}(?:\s+(\w+)|$)", clause)
        if found and (found[1] or clause != form or text.strip().startswith(form)):
            return found[1] or ""
    return None


def says(form: str, text: str) -> bool:
    """Say whether a text tells that a person says something."""
    return does(form, text) in words_of("says")


def speaks_of_all(text: str) -> bool:
    """Say whether a sentence is of everybody or of nobody."""
    return _universal().search(text) is not None


def knows_of_all(text: str) -> bool:
    """Say whether a row's words are of all, of any or of none."""
    return any(word.casefold() in words_of("anyhow") for word in WORD.findall(text))


def dates(text: str) -> frozenset[str]:
    """Give the days and months of a text, in small letters; "May" and "March" only with their capital."""
    inner = {word.casefold() for word in capitals(text)} & {"may", "march"}
    return frozenset({word.casefold() for word in _plain(text)} & words_of("dates")) | inner


def capitals(text: str) -> list[str]:
    """Give the words with a capital that begin no sentence."""
    words = list(WORD.finditer(text))
    within = [b for a, b in pairwise(words) if not re.search(r"[.!?:]", text[a.end() : b.start()])]
    return [match[0] for match in within if match[0][:1].isupper() and match[0] != "I" and "'" not in match[0]]


def _plain(text: str) -> list[str]:
    return [re.sub(r"['’]s$", "", word) for word in WORD.findall(text)]


def _any(name: str) -> str:
    return "|".join(sorted(map(re.escape, words_of(name)), key=len, reverse=True))


@cache
def _universal() -> re.Pattern[str]:
    some = rf"(?<!\w)(?:{_any('universal')})(?!\w)"
    start = rf"(?:^|[,;:.]\s*|\b(?:they|we|that|and|but|because)\s+)(?:{_any('all')})\b(?!\s+(?:right|in all))"
    return re.compile(f"{some}|{start}", re.IGNORECASE)

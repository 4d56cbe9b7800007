"""Words that nobody says as they were asked, and what the transcripts hold instead: the same letters with other
accents, or the same sound. Nothing is shown that is not found among the question's own recordings."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from agent.graph.state import Desk
from store.vocabulary import words as vocabulary
from tools.likeness import SHORTEST, plain, sounds_like, spellings
from tools.sql import QuerySql

MOST = 20
_NEAREST = 3
_BEGIN = {
    "c": "ckqs", "k": "ckq", "q": "qkc", "f": "fp", "p": "pf", "g": "gj", "j": "jgy", "y": "yj", "s": "scz",
    "z": "zsx", "x": "xzs", "n": "nkgp", "w": "wv", "v": "vw", "r": "rw",
}  # fmt: skip


def accented(asked: Iterable[str], desk: Desk) -> Mapping[str, tuple[str, ...]]:
    """Give for each word the words that are the same but for their accents (cafe: café)."""
    return _heard(asked, desk, lambda word, other: bool(spellings(word) & spellings(other)), _first)


def sounding(asked: Iterable[str], desk: Desk) -> Mapping[str, tuple[str, ...]]:
    """Give for each word that nobody says the words that sound like it (Kowalsky: Kowalski)."""
    silent = [word for word in asked if len(word) >= SHORTEST]
    there = counts(silent, desk)
    return _heard((word for word in silent if word not in there), desk, sounds_like, _begins)


def counts(words: Sequence[str], desk: Desk) -> dict[str, int]:
    """Count the segments of the question's recordings that hold each word; words in none are left out."""
    wanted = list(dict.fromkeys(words))[:MOST]
    if not wanted:
        return {}
    terms = ", ".join("'" + word.replace("'", "''") + "'" for word in wanted)
    sql = f"SELECT k.term, COUNT(*) FROM keyword_hit k WHERE k.term IN ({terms}) GROUP BY k.term"
    result = desk.session.query_sql(QuerySql(sql=sql, keywords=wanted))
    return {str(term): int(count) for term, count in result.rows}


def _heard(
    asked: Iterable[str], desk: Desk, alike: Callable[[str, str], bool], begins: Callable[[str], str]
) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    single = [word for word in dict.fromkeys(asked) if word and not any(mark in word for mark in " '’-")]
    if not single:
        return found
    with desk.database.reader() as connection:
        for word in single[:MOST]:
            letters = set(begins(plain(word)))
            own = plain(word)
            every = vocabulary(connection, letters)
            near = [o for o in every if abs(len(o) - len(own)) <= 2 and o != word.casefold() and alike(word, o)]
            found[word] = tuple(_cased(other, word) for other in near[:MOST])
    there = counts([other for others in found.values() for other in others[:_NEAREST]], desk)
    kept = {word: tuple(other for other in others if other in there) for word, others in found.items()}
    return {word: others for word, others in kept.items() if others}


def _cased(word: str, like: str) -> str:
    """Write a word of the index, which has small letters alone, as the asked one begins."""
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _first(word: str) -> str:
    return word[:1]


def _begins(word: str) -> str:
    return _BEGIN.get(word[:1], word[:1])

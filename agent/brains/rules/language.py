"""A language is a table (TOML), not code: its words with their tags, and rules over the tags of a question.

While rules run a tag is one character, so that a rule is a regular expression over tags and its spans are tokens.
The families belong to no language: which tags and slots a question needs, which it may have, and its plan.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
MOST_FAMILIES = 20
_TAG, _MACRO = re.compile(r"[A-Z]{2,}"), re.compile(r"\{([a-z]+)\}")


Rule = tuple[re.Pattern[str], str]


class Token(NamedTuple):
    """A word or phrase of a question, or what rules made of several; `value` is a number, a label, a name."""

    tag: str
    text: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask of a family: what it needs (one of each set), what it may have, and its plan template."""

    family: str
    need: tuple[frozenset[str], ...]
    allowed: frozenset[str]
    plan: Mapping[str, Any]

    def fits(self, features: frozenset[str]) -> bool:
        """Say whether a question with these tags and slots is asked this way: all needed there, nothing unexplained."""
        return features <= self.allowed and all(features & either for either in self.need)


@dataclass(frozen=True, eq=False)
class Language:
    """One language's table and the families; `code` as in "en"."""

    code: str
    table: Mapping[str, Any]
    families: Mapping[str, Any]

    @cached_property
    def stop(self) -> frozenset[str]:
        """Words that no search is made of."""
        return frozenset(self.table["stop"].split())

    @cached_property
    def lexicon(self) -> dict[tuple[str, ...], Token]:
        """The tokens of words and phrases, in small letters."""
        plain = [(tag, None, words) for tag, words in self.table["lexicon"].items()]
        valued = [(tag, v, words) for tag, values in self.table["values"].items() for v, words in values.items()]
        entries = ((phrase, tag, v) for tag, v, words in [*valued, *plain] for phrase in _written(words))
        return {phrase: Token(tag, " ".join(phrase), _value(v)) for phrase, tag, v in entries}

    @cached_property
    def numbers(self) -> Mapping[str, float]:
        """Words for numbers."""
        return {token.text: token.value for token in self.lexicon.values() if token.tag in ("NUM", "ORD")}

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """What is made of tags that stand together, in order."""
        return self._rules("rules")

    @cached_property
    def slots(self) -> tuple[Rule, ...]:
        """Where topics and people stand, whatever their words."""
        return self._rules("slots")

    @cached_property
    def late(self) -> tuple[Rule, ...]:
        """Where topics, people and sounds stand among the words that nothing else explains."""
        return self._rules("late")

    @cached_property
    def runs(self) -> tuple[Rule, ...]:
        """Where words of the lexicon stand beside a topic as part of it."""
        return self._rules("runs")

    @cached_property
    def beside(self) -> Mapping[str, str]:
        """Words that describe (ADJ) or name (WD) something where they stand beside a topic."""
        return {word: tag for tag, words in self.table.get("beside", {}).items() for word in words.split()}

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """The forms of all families in the order in which they are tried."""
        rows = ((row, form) for row in self.families["family"] for form in row["form"])
        return tuple(
            self._form(row["name"], {key: v for key, v in row.items() if key != "form"} | f) for row, f in rows
        )

    @cached_property
    def loose(self) -> tuple[Form, ...]:
        """The same forms, with words that mean nothing more where the slots say what is asked."""
        soft = frozenset(self.families["soft"].split())
        return tuple(replace(form, allowed=form.allowed | soft) for form in self.forms)

    @cached_property
    def clauses(self) -> tuple[Form, ...]:
        """What a clause of relation may be."""
        return tuple(self._form("clause", form) for form in self.families["clause"])

    @cached_property
    def contractions(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """What is written out first, compiled: there are more than `re` keeps."""
        return tuple((re.compile(found, re.IGNORECASE), written) for found, written in self.table["contractions"])

    @cached_property
    def marks(self) -> Mapping[str, re.Pattern[str]]:
        """The words that no form may skip, by mark."""
        return {tag: self._plain(pattern) for tag, pattern in self.table["marks"]["found"].items()}

    @cached_property
    def idle(self) -> tuple[re.Pattern[str], ...]:
        """Phrases with such words that say nothing more."""
        return tuple(map(self._plain, self.table["marks"]["plain"]))

    def _plain(self, pattern: str) -> re.Pattern[str]:
        return re.compile(re.sub(r"<(\w+)>", lambda match: self.table["marks"][match[1]], pattern), re.IGNORECASE)

    @cached_property
    def cuts(self) -> Mapping[str, frozenset[str]]:
        """The longer words of the lexicon by themselves without one letter each."""
        words = {word for phrase in self.lexicon for word in phrase if len(word) > 3}
        found: dict[str, set[str]] = {}
        for word in words:
            for cut in cuts(word):
                found.setdefault(cut, set()).add(word)
        return {cut: frozenset(words) for cut, words in found.items()}

    def tags(self, tokens: Iterable[Token]) -> str:
        """Write tokens as one character each, as rules see them."""
        return "".join(map(self._code, (token.tag for token in tokens)))

    @cached_property
    def _codes(self) -> dict[str, str]:
        return {}

    def _code(self, tag: str) -> str:
        return self._codes.setdefault(tag, chr(0x4E00 + len(self._codes)))

    def _rules(self, name: str) -> tuple[Rule, ...]:
        return tuple((self._compiled(pattern), made) for pattern, made in self.table["grammar"][name])

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        while (written := _MACRO.sub(lambda match: self.table["classes"][match[1]], pattern)) != pattern:
            pattern = written
        return re.compile(_TAG.sub(lambda match: self._code(match[0]), pattern).replace(" ", ""))

    def _form(self, family: str, row: Mapping[str, Any]) -> Form:
        need = tuple(frozenset(either.split("|")) for either in row["need"].split())
        free = f"{row.get('may', '')} {self.families['noise']}".split()
        return Form(family, need, frozenset(free).union(*need), row)


def _written(words: str) -> Iterator[tuple[str, ...]]:
    """Give the phrases of "talk{,s,ing}_about", each as its words."""
    for word in words.split():
        parts = re.split(r"[{}]", word)
        for chosen in product(*(part.split(",") if i % 2 else [part] for i, part in enumerate(parts))):
            yield tuple(filter(None, "".join(chosen).split("_")))


def cuts(word: str) -> set[str]:
    """Give a word and what it is without one of its letters; two words with one in common differ by a slip."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _value(written: str | None) -> float | str | None:
    return float(written) if written and re.fullmatch(r"-?[\d.]+", written) else written


@lru_cache(maxsize=8)
def language(code: str = "en") -> Language:
    """Load the table of one language, and the families."""
    tables = (tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")) for name in (code, "families"))
    return Language(code, *tables)

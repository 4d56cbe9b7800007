"""Scorers of the answer's words. Case, width, blanks and accents' spelling count for nothing; words are whole words.

What must not be said is looked for inside words too, so that a doubt fails a case and never passes it.
"""

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import Field, field_validator

from agent.evals.suites.scorers.scorer import RIGHT, Mark, OneOrMore, Scorer, Seen, Words, instead, several, shown
from store.keywords import holds, normalise


class Exact(Scorer):
    """The whole answer is (one of) the target; blanks, case, and stops and quotation marks at its ends aside."""

    target: OneOrMore

    def mark(self, seen: Seen) -> Mark:
        """Compare the whole answer."""
        said = bare(seen.reply.answer)
        return RIGHT if any(said == bare(text) for text in several(self.target)) else instead(said, self.target)


class Includes(Scorer):
    """The answer holds (one of) the target."""

    target: OneOrMore

    def mark(self, seen: Seen) -> Mark:
        """Look for one of them."""
        return RIGHT if _any(seen, several(self.target)) else Mark(0.0, _lacks(self.target, seen))


class Match(Scorer):
    """The answer begins or ends with (one of) the target, or holds it anywhere."""

    target: OneOrMore
    location: Literal["begin", "end", "any"] = "end"

    def mark(self, seen: Seen) -> Mark:
        """Look where it belongs."""
        if any(self._placed(bare(seen.reply.answer), bare(text)) for text in several(self.target)):
            return RIGHT
        where = {"begin": "does not begin with", "end": "does not end with", "any": "does not hold"}[self.location]
        return Mark(0.0, f"{shown(seen.reply.answer)} {where} {shown(self.target)}")

    def _placed(self, said: str, text: str) -> bool:
        form = _whole(text)
        anchored = {"begin": rf"\A{form}", "end": rf"{form}\Z", "any": form}[self.location]
        return re.search(anchored, said) is not None


class Regex(Scorer):
    """(One of) the target, a regular expression, is found in the answer; letters count as written, `(?i)` does not."""

    target: OneOrMore

    @field_validator("target")
    @classmethod
    def _finds_something(cls, target: str | list[str]) -> str | list[str]:
        for text in several(target):
            try:
                form = re.compile(text)
            except re.error as error:
                raise ValueError(f"{text!r} is no regular expression: {error}") from error
            if form.search("") is not None:
                raise ValueError(f"{text!r} is found in any answer, so it asserts nothing")
        return target

    def mark(self, seen: Seen) -> Mark:
        """Search for one of them."""
        found = any(re.search(text, seen.reply.answer) for text in several(self.target))
        return RIGHT if found else Mark(0.0, f"{shown(self.target)} is not found in {shown(seen.reply.answer)}")


class MustInclude(Scorer):
    """The answer holds all of the target; of a list inside it, any."""

    target: Words | Annotated[list[Words | Annotated[list[Words], Field(min_length=1)]], Field(min_length=1)]

    def mark(self, seen: Seen) -> Mark:
        """Look for each."""
        wanted = [self.target] if isinstance(self.target, str) else self.target
        missing = [words for words in wanted if not _any(seen, several(words))]
        share = 1 - len(missing) / len(wanted)
        return Mark(share, "; ".join(_lacks(words, seen) for words in missing))


class MustNotInclude(Scorer):
    """The answer holds none of the target, not even inside a word."""

    target: OneOrMore

    def mark(self, seen: Seen) -> Mark:
        """Look for each."""
        said = normalise(seen.reply.answer)
        found = [text for text in several(self.target) if normalise(text) in said]
        return Mark(0.0, f"the answer says {', '.join(map(shown, found))}") if found else RIGHT


def bare(text: str) -> str:
    """Give a text folded, on one line, without what is no word at its ends, signs and currencies kept."""
    folded = normalise(text)
    start, end = 0, len(folded)
    while start < end and _mark(folded[start]):
        start += 1
    while end > start and _mark(folded[end - 1]):
        end -= 1
    return folded[start:end].strip()


def _mark(letter: str) -> bool:
    """Say whether a character is a stop, a quotation mark or a bracket: of these no number is made."""
    return letter.isspace() or (unicodedata.category(letter)[0] == "P" and letter not in "-%#@&")


def _any(seen: Seen, texts: list[str]) -> bool:
    said = normalise(seen.reply.answer)
    return any(_held(said, normalise(text)) for text in texts)


def _held(said: str, text: str) -> bool:
    """Say whether words are held as they are searched for, and a number as a whole: 40 is not in 40,000."""
    figures = text[0].isdigit() or text[-1].isdigit()
    return holds(said, text) and (not figures or re.search(_whole(text), said) is not None)


def _whole(text: str) -> str:
    return rf"(?<!\w)(?<!\d[.,]){re.escape(text)}(?!\w)(?![.,]\d)"


def _lacks(words: str | list[str], seen: Seen) -> str:
    return f"{' or '.join(map(repr, several(words)))} is not in {shown(seen.reply.answer)}"

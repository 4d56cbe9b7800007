"""A language is only a table: its tags are all known, no word is two things, and the interpreter stays short."""

import re
from pathlib import Path

import pytest

import agent.brains.rules
from agent.brains.rules.language import MOST_FAMILIES, Language, _written, language

CODES = ("en", "fr")
FOLDER = Path(agent.brains.rules.__file__).parent
INTERPRETER = ("reading.py", "rewriting.py", "plans.py")
# What else turns a question into a reading: it may only become less.
AROUND = (
    "tokens.py",
    "ranges.py",
    "topics.py",
    "meaning.py",
    "spelling.py",
    "asides.py",
    "marks.py",
    "clauses.py",
    "calls.py",
)
LINES_AROUND = 491
GRAMMAR = ("rules", "slots", "late", "runs")
MADE = {"WD", "CAP", "NAME", "QUOTE", "CLOCK", "DASH", "TOPIC", "QMARK"}
SLOTS = {"person", "pair", "crowd", "sound", "sounds", "sounds3", "topic", "topics", "felt", "clause", "halves"}


def known(spoken: Language) -> set[str]:
    """Give the tags of the lexicon, and those that rules make."""
    made = {
        made.split()[0]
        for name in ("rules", "slots", "late", "runs")
        for _, made in spoken.table["grammar"][name]
        if made
    }
    marks = set(spoken.table["marks"]["found"])
    made |= set(spoken.beside.values())
    return {token.tag for token in spoken.lexicon.values()} | made | marks | MADE | {"COMMA", "NUM", "ORD"}


def test_the_interpreter_is_at_most_three_hundred_lines_and_there_are_at_most_twenty_families() -> None:
    assert sum(len((FOLDER / name).read_text(encoding="utf-8").splitlines()) for name in INTERPRETER) <= 300
    assert len(language().families["family"]) <= MOST_FAMILIES


def test_what_stands_around_the_interpreter_does_not_grow() -> None:
    assert sum(len((FOLDER / name).read_text(encoding="utf-8").splitlines()) for name in AROUND) <= LINES_AROUND


@pytest.mark.parametrize("code", CODES)
def test_no_word_or_phrase_is_two_things(code: str) -> None:
    table = language(code).table
    listed = [words for words in table["lexicon"].values()]
    listed += [words for values in table["values"].values() for words in values.values()]
    phrases = [phrase for words in listed for phrase in set(_written(words))]
    assert [phrase for phrase in set(phrases) if phrases.count(phrase) > 1] == []


@pytest.mark.parametrize("code", CODES)
def test_rules_speak_only_of_tags_that_there_are(code: str) -> None:
    spoken = language(code)
    patterns = [pattern for name in GRAMMAR for pattern, _ in spoken.table["grammar"][name]]
    written = " ".join([*patterns, *spoken.table["classes"].values()])
    assert set(re.findall(r"[A-Z]{2,}", written)) - set().union(*map(known, map(language, CODES))) == set()


def test_families_speak_only_of_tags_and_slots_that_there_are() -> None:
    tags = set().union(*map(known, map(language, CODES))) | SLOTS
    for form in (*language().forms, *language().clauses):
        asked = set(" ".join((form.plan["need"], form.plan.get("may", ""))).replace("|", " ").split())
        assert asked - tags == set(), form.plan

"""The rows from which it is learned how a question of a conversation leans on the one before it.

Pairs of questions and conversations, each by a writer of its own, with what they mean in plain wordings; wordings that
stand alone, as they are and with pronouns in the place of what they name.
"""

import csv
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from agent.brains.rules.following.followup import options
from agent.brains.rules.following.leaning import ALONE, DROP, KEEP, SAME, SAY, TURN, Leaning
from agent.brains.rules.following.referents import Earlier, Referents, referents
from agent.brains.rules.following.standing import example, forms
from agent.brains.rules.following.standing import places as named_places
from agent.brains.rules.following.thread import KINDS, Thread
from agent.brains.rules.language import Language
from agent.brains.rules.masking import PLACE
from agent.brains.rules.plans import tool_calls
from agent.brains.rules.reading import read
from scripts.train_intents import PLANS, Wordings

DATA = PLANS.parent
WRITERS = DATA / "followups"
OWN = ("conversations", "conversations2")
BANK_WEIGHS, PRONOUNS_WEIGH = 0.08, 0.12
UNREAD = 0.15  # so often a question before is learned from as one of no plain wording as well
AS_SOUND = 0.5  # so often a new topic may be a sound
OFTEN = 0.75  # so often a place is left to a pronoun
PERSONS = (("he", "him", "his"), ("she", "her", "her"), ("they", "them", "their"))
THINGS = ("it", "it", "it", "that", "this")
BEFORE_SUBJECT = "did|does|do|was|is|has|had|would|can|could|when|often|times|if|that|while|whether"
BEFORE_THING = r"(?:\b(?:the (?:word|term|topic|subject|name|sound|noise)(?: of)?|the|a|an|any|some) )?"
MEANINGS = {
    "who.said": "who said X", "who.said.first": "who said X first", "who.said.most": "who said X most",
    "who.spoke.during": "who spoke E during", "who_not.said": "who said X never", "when.said": "when said X",
    "when.said.by.first": "when said S X first", "when.said.last": "when said X last",
    "when.said.second": "when said X second", "when.heard": "when heard E", "when.heard.first": "when heard E first",
    "when.felt": "when felt S F", "count.said": "often said X", "count.said.by": "often said S X",
    "count.heard": "often heard E", "count.felt": "often felt S F", "count.turns": "often spoke S",
    "duration.spoke": "long spoke S", "duration.heard": "long heard E", "yes.said": "whether said X",
    "yes.said.by": "whether said S X", "yes.heard": "whether heard E", "yes.felt": "whether felt S F",
    "compare.said.who": "who said X more S S2", "longest.dur": "long spoke S turn", "quote.by": "what said S X",
    "quote.all": "what said X", "quote.after": "what said E after",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One question to learn from: the ways to take it with the meanings that each may have, the right ones of the right
    ways, what becomes of the stretch of time."""

    ways: tuple[tuple[Leaning, tuple[str, ...]], ...]
    right: frozenset[tuple[int, str]]
    stretch: str = ""
    weight: float = 1.0


def pairs(code: str, left_out: Sequence[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Give questions with the one before them and what they mean; "" where they stand alone."""
    for path in sorted(WRITERS.glob(f"*.{code}.*")):
        if path.name.partition(".")[0] in left_out:
            continue
        if path.suffix == ".tsv":
            with path.open(encoding="utf-8") as file:
                yield from (
                    (r["before"], r["asked"], r["means"])
                    for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                )
        else:
            yield from _turns(path, code)
    for name in OWN:
        yield from _turns(DATA / f"{name}.toml", code)


def _turns(path: Path, code: str) -> Iterator[tuple[str, str, str]]:
    """Give the turns of conversations; those set aside, and those that are asked back, are not learned from."""
    for talk in tomllib.loads(path.read_text(encoding="utf-8"))["conversation"]:
        if talk.get("language", "en") == code and not talk.get("aside") and "people" not in talk:
            for before, turn in zip(talk["turns"], talk["turns"][1:], strict=False):
                if "asks" not in turn and "asks" not in before:
                    yield before.get("gold", before["ask"]), turn["ask"], turn.get("gold", "")


class Teacher:
    """Makes rows of one language, each with topics of its own, so that none of them is learned."""

    def __init__(self, spoken: Language, known: frozenset[str], chance: random.Random) -> None:
        self._spoken, self._known, self._chance = spoken, known, chance
        self._plain = {wording: name for name, wording in forms(spoken.code).items()}

    @cache  # noqa: B019
    def before(self, text: str, topics: Sequence[str] = ("zebra", "quilt")) -> Referents:
        """Give what a question before is about."""
        asked, scene = example(text, self._spoken, topics)
        reading = read(asked, scene, self._spoken)
        calls = tool_calls(reading, self._spoken) if reading else None
        return referents(Earlier(asked, calls or ()), scene, self._spoken)

    def rows(self, found: Iterable[tuple[str, str, str]]) -> Iterator[Row]:
        """Give the rows of what writers wrote."""
        for before, asked, means in found:
            if name := self.meant(means) if means else ALONE:
                right, becomes = self.right(before, asked, means, name), self._becomes(before, asked, means)
                yield from self.row(before, asked, right, becomes)
                if self._chance.random() < UNREAD:
                    same = SAME if name == self.before(before).key and means else name
                    yield from self.row(before, asked, (same, *right[1:]), becomes, unread=True)

    def row(
        self,
        before: str,
        asked: str,
        right: Sequence[str],
        becomes: str = "",
        weight: float = 1.0,
        unread: bool = False,
    ) -> Iterator[Row]:
        """Give the row of a question, none where no way to take it names what it names."""
        topics = (self._topic(), self._topic())
        heard = topics[1:] if self._chance.random() < AS_SOUND else ()
        text, scene = example(asked, self._spoken, topics, heard)
        last = self.before(before, topics)
        thread = Thread(text, (replace(last, key="" if unread else last.key),), scene, self._spoken)
        named = Counter(place[1] for place in set(PLACE.findall(asked)) if place[1] in KINDS)
        able = list(options(thread, self._known))
        good = [place for place, one in enumerate(able) if {k: len(v) for k, v in one.way.named.items()} == named]
        found = {(place, one) for place in good for one in right if one in able[place].keys}
        found |= {(place, ALONE) for place in range(len(able)) if found and ALONE in right}
        if found:
            yield Row(tuple((one.leaning, one.keys) for one in able), frozenset(found), becomes, weight)

    def _topic(self) -> str:
        """Make up a word."""
        return "".join(self._chance.choice(part) for part in ("bdfgklmnprstv", "aeiou") * self._chance.choice((2, 3)))

    def meant(self, means: str) -> str:
        """Give the key of what a question means, without its stretch of time."""
        plain = means
        for stretch in self.before(means).stretches:
            plain = plain.replace(" " + stretch.replace("2:00", "{T1}").replace("4:00", "{T2}"), "")
        return self._plain.get(re.sub(r"\bthe (?=\{)", "", plain), "") or self.before(means).key

    def _becomes(self, before: str, asked: str, means: str) -> str:
        """Say what becomes of the stretch of time of the question before."""
        was, now, said = (self.before(text).stretches for text in (before, means, asked))
        if not means or not was:
            return ""
        return DROP if not now else SAY if said else KEEP if now == was else TURN if len(now) == 1 else ""

    def right(self, before: str, asked: str, means: str, name: str) -> tuple[str, ...]:
        """Give the right meanings: what names all that it means may stand alone, and does where it leaves a stretch."""
        if not means or not set(PLACE.findall(means)) <= set(PLACE.findall(asked)):
            return (name,)
        was, now, said = (self.before(text) for text in (before, means, asked))
        if was.key.split()[:2] == name.split()[:2] or now.stretches != said.stretches:
            return (name,)
        return (ALONE,) if was.stretches else (name, ALONE)


def stand_alone(found: Wordings, teacher: Teacher, befores: Sequence[str], chance: random.Random) -> Iterator[Row]:
    """Give the rows of wordings that stand alone after any question, of whom and what that spoke of or not."""
    for text, _ in found:
        asked = re.sub(r"\{([SXE])\}", lambda place: chance.choice((place[0], f"{{{place[1]}2}}")), text)
        yield from teacher.row(chance.choice(befores), asked, (ALONE,), "", BANK_WEIGHS, chance.random() < UNREAD)


def leaning(found: Wordings, teacher: Teacher, befores: Sequence[str], chance: random.Random) -> Iterator[Row]:
    """Give the rows of the same wordings with pronouns in the place of what they name."""
    for text, meaning in found:
        name = MEANINGS.get(meaning)
        asked = name and pronouned(text, chance)
        if asked and name:
            need = {place[0] for place in named_places(forms("en")[name])} - {
                place[1] for place in PLACE.findall(asked)
            }
            able = [before for before in befores if need <= {place[1] for place in PLACE.findall(before)}]
            yield from teacher.row(chance.choice(able), asked, (name,), weight=PRONOUNS_WEIGH)


def pronouned(text: str, chance: random.Random) -> str | None:
    """Put pronouns in the place of some of what a wording names; None where it names nothing, or two people."""
    kinds = sorted({place[1] for place in PLACE.findall(text)} & set("SXE"))
    kinds = kinds if "2}" not in text else [kind for kind in kinds if kind == "X"]
    for kind in (gone := [one for one in kinds if chance.random() < OFTEN] or kinds[:1]):
        he = chance.choice(PERSONS)
        if kind == "S":
            text = re.sub(r"\{S\}['’]s", he[2], text)
            text = re.sub(rf"(^|\b(?:{BEFORE_SUBJECT}) )\{{S\}}", rf"\g<1>{he[0]}", text, flags=re.I)
        it = he[1] if kind == "S" else chance.choice(THINGS)
        text = re.sub(rf"{BEFORE_THING if kind != 'S' else ''}[\"“']?\{{{kind}\}}[\"”']?", it, text)
    return text if gone else None

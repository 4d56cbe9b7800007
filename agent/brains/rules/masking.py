"""A question with what it names put aside (people, topics, sounds, feelings, times): what stays is how it asks.

A word may stand for more than one thing ("music" a sound or a topic), so each way to take it is given.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, permutations, product

from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.ranges import measure
from agent.brains.rules.spelling import nearest
from agent.brains.rules.tokens import apart
from store.clock import clock_time

PLACE = re.compile(r"\{[A-Z]\d?\}")
MOST_WAYS, LONGEST = 96, 5
LONG = 4  # letters of a word that may name something
EDGES = ("FIRST", "LAST")
SWAPPED = ("S", "E")  # two of these may be meant in either order
_PIECE = re.compile(
    r"\{[A-Z]\d?\}|\d{1,3}(?::\d{2}){1,2}(?:\.\d+)?|\d+(?:\.\d+)?"
    r"|[^\W\d_]+(?:['\u2019-](?=[A-Z])[^\W\d_]+)*|[?:,;]"
)
_CLOCK = re.compile(r"\d+:\d\d.*")


@dataclass(frozen=True, slots=True)
class Masked:
    """One way to take a question: its words in small letters with {S} and the like, what each of those stands for, and
    how many words that no question is made of have no such place."""

    words: tuple[str, ...]
    slots: Mapping[str, str]
    left: int = 0


@dataclass(frozen=True, slots=True)
class _Part:
    """A word, or what is named; `kinds` are the slots it may fill, "" where it may be no more than a word,
    `plain` the word of the lexicon that it may be a slip of."""

    text: str
    kinds: tuple[str, ...] = ("",)
    plain: str = ""

    @property
    def is_word(self) -> bool:
        """Whether it is a word that nothing is made of yet."""
        return self.kinds == ("",) and self.text[0].isalpha()

    @property
    def names(self) -> bool:
        """Whether it surely names something when it is no slip."""
        return self.kinds[0] != "" and not self.plain and len(self.text) >= LONG


@dataclass(frozen=True, slots=True)
class _Mind:
    """What words are held against: `known` are those that questions are made of."""

    scene: Scene
    language: Language
    known: frozenset[str]

    def kinds(self, run: Sequence[_Part]) -> tuple[str, ...]:
        """Say what a run of words may name: a sound (or a topic), a feeling, or nothing."""
        plain = tuple(part.text.casefold() for part in run)
        if not all(part.is_word for part in run):
            return ()
        if (meant := self.language.lexicon.get(plain)) and meant.tag == "EMO":
            return ("F", "")
        edged = bool({plain[0], plain[-1]} & (self.known | self.language.stop))
        heard = plain in self.scene.sounds or (not edged and self.scene.is_sound(" ".join(plain)))
        return ("E", "X") if heard else ()

    def strange(self, part: _Part) -> bool:
        """Say whether no question is made of a word."""
        word = part.text.casefold()
        return part.is_word and word not in self.known and (word,) not in self.language.lexicon

    def ordinary(self, part: _Part) -> bool:
        """Say whether a word of questions carries a meaning of its own, and no tag."""
        word = part.text.casefold()
        return part.is_word and word not in self.language.stop and (word,) not in self.language.lexicon


def words(text: str, language: Language) -> tuple[str, ...]:
    """Give the words of a wording, lengths of time as {L}; placeholders stay."""
    return _plain([part.text if part.kinds == ("",) else "{L}" for part in _lengths(_cut(text), language)])


def masked(question: str, scene: Scene, language: Language, known: frozenset[str]) -> Iterator[Masked]:
    """Give every way to take a question; `known` are the words that questions are made of, all others name things."""
    mind = _Mind(scene, language, known)
    for pieces in dict.fromkeys(tuple(apart(question, scene.roster, language, bold)) for bold in (True, False)):
        parts = [part for piece in pieces for part in _parts(piece, mind)]
        for kinds in islice(product(*(part.kinds for part in parts)), MOST_WAYS):
            taken = list(zip(parts, kinds, strict=True))
            left = sum(part.names and not kind for part, kind in taken)
            yield from _ordered([(part.text if kind else part.plain or part.text, kind) for part, kind in taken], left)


def _parts(piece: str | Token, mind: _Mind) -> Iterable[_Part]:
    if isinstance(piece, str):
        return _topics(_things(_lengths(_cut(piece), mind.language), mind), mind)
    if piece.tag == "NAME":
        return [_Part(piece.text, ("S",))]
    return [_Part(f'"{piece.text}"', ("X", "E") if mind.scene.is_sound(piece.text) else ("X",))]


def _cut(text: str) -> list[_Part]:
    return [_Part(piece, ("T",) if _CLOCK.fullmatch(piece) else ("",)) for piece in _PIECE.findall(text)]


def _lengths(parts: list[_Part], language: Language) -> list[_Part]:
    """Take a number with a unit of time for a length in seconds ("five-minute", "cinq dernières minutes")."""
    made: list[_Part] = []
    for part in parts:
        unit = language.lexicon.get((part.text.casefold(),), Token("", ""))
        edge = made[-1:] if made and language.lexicon.get((made[-1].text.casefold(),), unit).tag in EDGES else []
        number = _number(made[: len(made) - len(edge)], language) if unit.tag in ("UNIT", "SECS") else None
        if number is not None:
            seconds = measure([Token("NUM", "", number), unit])
            made[-1 - len(edge) :] = [*edge, _Part(f"{seconds:g}", ("L",))]
        else:
            made.append(part)
    return made


def _number(parts: list[_Part], language: Language) -> float | None:
    word = parts[-1].text.casefold() if parts and parts[-1].kinds == ("",) else ""
    if re.fullmatch(r"\d+(?:\.\d+)?", word):
        return float(word)
    return 1.0 if word in ("a", "an") else language.numbers.get(word)


def _things(parts: Sequence[_Part], mind: _Mind) -> Iterator[_Part]:
    """Take the longest runs of words that name a sound or a feeling for one thing."""
    place = 0
    while place < len(parts):
        runs = (parts[place : place + size] for size in range(LONGEST, 0, -1))
        run, kinds = next(((run, kinds) for run in runs if (kinds := mind.kinds(run))), (parts[place : place + 1], ()))
        yield _Part(" ".join(part.text for part in run), kinds) if kinds else run[0]
        place += len(run)


def _topics(parts: Iterable[_Part], mind: _Mind) -> Iterator[_Part]:
    """Take runs of words that no question is made of for a topic, or for a name where they are written like one.

    An ordinary word beside such a run may be of the topic too ("climate change").
    """
    runs = [(strange, list(run)) for strange, run in groupby(enumerate(parts), lambda placed: mind.strange(placed[1]))]
    for place, (strange, run) in enumerate(runs):
        if strange:
            yield _topic([part.text for _, part in run], run[0][0] > 0, mind.language)
            continue
        edges = ([0] if place else []) + ([len(run) - 1] if place < len(runs) - 1 else [])
        near = [i for i in edges if mind.ordinary(run[i][1])]
        yield from (_Part(part.text, ("", "X")) if i in near else part for i, (_, part) in enumerate(run))


def _topic(texts: Sequence[str], inside: bool, language: Language) -> _Part:
    slip = (nearest(texts[0], language) or "") if len(texts) == 1 else ""
    kinds = ("X", "S", "") if inside and texts[0][0].isupper() else ("X", "")
    return _Part(" ".join(texts), kinds, slip)


def _ordered(parts: Sequence[tuple[str, str]], left: int) -> Iterator[Masked]:
    """Number what is named, each thing once: times by the clock, two people or sounds in either order."""
    parts = list(_joined(parts))
    named = {kind: list(dict.fromkeys(text for text, own in parts if own == kind)) for _, kind in parts if kind}
    named |= {kind: sorted(own, key=clock_time) for kind, own in named.items() if kind == "T"}
    ways = [permutations(own) if kind in SWAPPED and len(own) == 2 else [own] for kind, own in named.items()]
    for way in product(*ways):
        numbered = ((kind, *one) for kind, own in zip(named, way, strict=True) for one in enumerate(own, 1))
        places = {(text, kind): _place(kind, number) for kind, number, text in numbered}
        told = [places[part] if part[1] else part[0] for part in parts]
        yield Masked(_plain(told), {place: text for (text, _), place in places.items()}, left)


def _joined(parts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Make one topic of the parts of it that stand together ("fire" that is a sound too, and "insurance")."""
    for kind, run in groupby(parts, lambda part: part[1]):
        found = list(run)
        yield from [(" ".join(text for text, _ in found), kind)] if kind == "X" else found


def _place(kind: str, number: int) -> str:
    return f"{{{kind}{number if number > 1 or kind == 'T' else ''}}}"


def _plain(found: Sequence[str]) -> tuple[str, ...]:
    return tuple(word if word.startswith("{") else word.casefold() for word in found)

"""Names as a document writes them: those of the roster, and others by their capitals where speech is attributed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.check.words import all_words
from store.catalog import RecordingCatalog
from store.keywords import normalise
from store.record import is_generic
from tools.speaker.names import folded, resolve

_CAPITALS = re.compile(r"(?<![\w'’])[^\W\d_][\w'’-]*\.?(?: (?:[^\W\d_][\w'’-]*\.?|\d{1,3}(?![\w:])))*")
_WORD = re.compile(r"\S+")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "hon", "sir", "herr", "frau", "mme", "st", "right"})
_LONGEST = 6
_JOINED = re.compile(r"\s*(?:,|&|and|und|et|,\s*and)\s*(?:the\s+)?")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text."""

    text: str
    start: int
    end: int


class Roster:
    """The names of one recording, found in text."""

    def __init__(self, entry: RecordingCatalog) -> None:
        self.entry = entry
        self._known_names: dict[str, bool] = {}
        self._whole = {folded(form) for form in _forms(entry)}
        forms = sorted({*_forms(entry), *_parts(entry)}, key=len, reverse=True)
        spelt = "|".join(re.escape(form).replace(r"\ ", r"[ \u00a0]") for form in forms)
        self._spellings = re.compile(rf"(?<!\w)(?:{spelt})(?![^\W\d_])", re.IGNORECASE) if forms else None
        self._common = frozenset().union(*(words.common for words in all_words()))

    def names(self, text: str) -> list[Name]:
        """Give the names in a text in order, the longest where they overlap."""
        found: list[Name] = []
        for name in sorted([*self._in_capitals(text), *self._spelt(text)], key=lambda n: (n.start, -n.end)):
            if not found or name.start >= found[-1].end:
                found.append(name)
            elif name.end > found[-1].end and self.knows(name.text):
                found[-1] = name
        return found

    def knows(self, name: str) -> bool:
        """Say whether a voice has this name."""
        if name not in self._known_names:
            self._known_names[name] = bool(resolve(self.entry, name))
        return self._known_names[name]

    def _spelt(self, text: str) -> Iterator[Name]:
        """Find the roster's own forms: a name of one word needs a capital or an article, and a part of one a capital.

        "The minister" is a role that several may have, though one voice is called Minister Smith.
        """
        for match in self._spellings.finditer(text) if self._spellings else ():
            form = match[0]
            article = text[: match.start()].casefold().endswith("the ")
            small = form[:1].islower() and " " not in form and not article
            if not small and (folded(form) in self._whole or not (article or form[:1].islower())):
                yield Name(form, match.start(), match.end())

    def _in_capitals(self, text: str) -> Iterator[Name]:
        """Find runs of words with capitals; of a run that begins a sentence only the part that is a name counts."""
        for match in _CAPITALS.finditer(text):
            run: list[re.Match[str]] = []
            for word in _WORD.finditer(match[0]):
                capital = word[0][:1].isupper() or (bool(run) and word[0].isdigit())
                if capital:
                    run.append(word)
                ended = word[0].endswith(".") and len(word[0]) > 2 and normalise(word[0][:-1]) not in _TITLES
                if not capital or ended:
                    yield from self._named(run, match.start())
                    run = []
            yield from self._named(run, match.start())

    def _named(self, run: list[re.Match[str]], offset: int) -> Iterator[Name]:
        article = False
        while 0 < len(run) <= _LONGEST and folded(_joined(run)) not in self._whole:
            first = normalise(_bare(run[0][0]))
            if first not in self._common:
                break
            run, article = run[1:], first == "the"
        if not 0 < len(run) <= _LONGEST or (article and folded(_joined(run)) not in self._whole):
            return
        chosen = next((run[i:] for i in range(min(2, len(run))) if self.knows(_joined(run[i:]))), run)
        text = _joined(chosen)
        start = offset + chosen[0].start()
        yield Name(text, start, start + chosen[-1].start() - chosen[0].start() + len(_bare(chosen[-1][0])))


def joint(names: Iterable[Name], text: str) -> list[list[Name]]:
    """Give the names with those together that are said in one breath: "Ben and Anna agreed"."""
    groups: list[list[Name]] = []
    for name in names:
        if groups and _JOINED.fullmatch(text[groups[-1][-1].end : name.start]):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _joined(run: list[re.Match[str]]) -> str:
    return " ".join([*(word[0] for word in run[:-1]), _bare(run[-1][0])])


def _bare(word: str) -> str:
    """Give a name's word without the possessive and the full stop behind it."""
    return re.sub(r"(?:['’]s|['’])?\.?$", "", word) or word


def _forms(entry: RecordingCatalog) -> Iterator[str]:
    for voice in entry.voices:
        yield from filter(None, (voice.name, voice.label, *voice.aliases))


def _parts(entry: RecordingCatalog) -> Iterator[str]:
    common = frozenset().union(*(words.common for words in all_words()))
    for form in _forms(entry):
        for part in form.split() if " " in form and not is_generic(form) else ():
            if len(part) > 2 and normalise(part) not in common and resolve(entry, part):
                yield part

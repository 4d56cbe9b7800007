"""A generated answer as sentences with their marks: "Kim wants to wait [2]." A quote is never cut in two."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MARK = re.compile(r"\s?\[(\d{1,4})\]")
QUOTE = re.compile("“([^”]*)”")
_STRAIGHT = re.compile('"([^"\n]+)"')
_END = re.compile(r"(?:[.!?]+[)”’']*|[。！？]+[”’）]*)(?:\s*\[\d{1,4}\])*\.?(?=\s|$|[^\W\d_a-zA-Z])|\n+")
_SHORT = re.compile(r"(?:^|[\s(“])(?:[A-Za-z]|[Mm]rs?|[Dd]r|[Pp]rof|[Ss]t|[Nn]o|vs|etc|e\.g|i\.e|approx|ca)\.$")
_INNER = str.maketrans(".!?\n", "    ")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, with its marks."""

    raw: str

    @property
    def text(self) -> str:
        """The sentence without its marks."""
        plain = re.sub(r"\s+([.!?,;])", r"\1", bare(self.raw))
        return re.sub(r"([.!?]”)[.]$", r"\1", plain)

    @property
    def marks(self) -> tuple[int, ...]:
        """The numbers of the rows it cites."""
        return tuple(dict.fromkeys(int(mark[1]) for mark in MARK.finditer(self.raw)))

    @property
    def finished(self) -> bool:
        """Whether it came to its end: a full stop, a mark, or a quote's end."""
        return bool(re.search(r"(?:[.!?。！？…][)”’']*|[\]”])$", self.raw.strip()))

    def marked(self, *notes: str) -> "Sentence":
        """Give it with notes or marks before its full stop."""
        stop = re.search(r"(?<![.!?]”)[.!?。！？]*$", self.raw)
        place = stop.start() if stop else len(self.raw)
        return Sentence(f"{self.raw[:place]}{''.join(f' {note}' for note in notes)}{self.raw[place:]}")


def sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text into its sentences; straight quotation marks become curly ones, accents one with their letters."""
    text = _STRAIGHT.sub("“\\1”", unicodedata.normalize("NFC", text)).strip()
    masked = QUOTE.sub(lambda match: "“" + match[1].translate(_INNER) + "”", text)
    found: list[Sentence] = []
    start = 0
    for end in _ends(masked):
        piece = text[start:end].strip()
        if re.search(r"\w", MARK.sub("", piece)):
            found.append(Sentence(piece))
        start = end
    return tuple(found)


def bare(text: str) -> str:
    """Give a text without its marks."""
    return " ".join(MARK.sub("", text).split())


def renumbered(text: str, places: Mapping[int, int]) -> str:
    """Give a text whose marks have other numbers; a mark without a new number goes."""
    return MARK.sub(lambda mark: f" [{places[int(mark[1])]}]" if int(mark[1]) in places else "", text)


def _ends(masked: str) -> Iterable[int]:
    for match in _END.finditer(masked):
        if not _SHORT.search(masked[: match.start() + 1]):
            yield match.end()
    yield len(masked)

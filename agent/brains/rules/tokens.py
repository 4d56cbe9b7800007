"""A question as tokens: what is quoted and the names of the roster whole, every other word or phrase with its tag.

Quotes and names are put aside first, so that no word of the lexicon can cut into them ("Will", "O'Brien; --", "50%").
"""

import re
import unicodedata
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce

from agent.brains.rules.language import Language, Token
from store.clock import clock_time
from store.figures import one_word

LONGEST_QUESTION, MOST_WORDS = 600, 64  # letters and words of what is read as a question
LONGEST_PHRASE = 7
UNKNOWN = ("WD", "CAP")
_QUOTED = re.compile(
    '["\u201c\u00ab\u201e]([^"\u201d\u00bb\u201c]+)["\u201d\u00bb\u201c]'
    "|(?<!\\w)['\u2018]([^'\u2019]+(?:'\\w[^'\u2019]*)*)['\u2019](?!\\w)"
)
_WORD = re.compile(
    r"(?P<CLOCK>\d{1,3}(?::\d{2}){1,2}(?:\.\d+)?)|(?P<NUM>\d+(?:\.\d+)?(?![\w%/]))|(?P<COMMA>[,;:])"
    r"|(?P<DASH>[-–—](?=[\s\d]))|(?P<WD>'s?(?!\w)|[$€£¥₹][\d.,]*\d|\w[^\s,;:?!()\"“”…]*|%)"
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_Sounds = Mapping[tuple[str, ...], Token]


def tokens(
    question: str, roster: Iterable[str], sounds: _Sounds, language: Language, bold: bool = False
) -> tuple[Token, ...]:
    """Cut a question into tokens; `roster` are names and labels of voices, `sounds` the events' labels as tokens.

    A name that is also a word counts where it opens the question only when `bold`.
    """
    parts = apart(question, roster, language, bold)
    words = [word for part in parts for word in ([part] if isinstance(part, Token) else _words(part, language))]
    end = [Token("QMARK", "")] if question.rstrip().endswith("?") else []
    return (*_phrases(words, ChainMap({**sounds}, language.lexicon), language.table["common"]), *end)


def apart(question: str, roster: Iterable[str], language: Language, bold: bool) -> list[str | Token]:
    """Give a question with its quotes and the names of the roster put aside as tokens."""
    parts = _apart([unicodedata.normalize("NFC", question)], _QUOTED, "QUOTE", None)
    whole = unicodedata.normalize("NFC", question).translate(_APOSTROPHES).casefold()
    for name in sorted({n for n in roster if n}, key=lambda n: (-len(n), n)):
        plain = unicodedata.normalize("NFC", name).translate(_APOSTROPHES)
        if plain.casefold() in whole and (re.search(r"[^\W\d_]", plain) or not re.search(r"\w", plain)):
            parts = _apart(parts, _name(plain, language, bold), "NAME", name)
    return parts


def _apart(parts: Iterable[str | Token], pattern: re.Pattern[str], tag: str, name: str | None) -> list[str | Token]:
    """Put what a pattern finds aside as tokens."""
    cut: list[str | Token] = []
    for part in parts:
        end = 0
        for found in pattern.finditer(part) if isinstance(part, str) else ():
            text = name or next(filter(None, found.groups())).strip(" ,.?!")
            if not text:
                continue
            cut += [found.string[end : found.start()].translate(_APOSTROPHES), Token(tag, text, text)]
            end = found.end()
        cut.append(part[end:].translate(_APOSTROPHES) if isinstance(part, str) else part)
    return cut


def _name(name: str, language: Language, bold: bool) -> re.Pattern[str]:
    """Find a name; a word such as "Will" or "Order" only where it is written as the name and opens nothing."""
    plain = re.fullmatch(r"[^\W\d_]+", name) is not None
    common = plain and (name.casefold() in language.stop or name.casefold() in language.table["common"])
    edge = r"(?![^\W_])" if name[-1].isalnum() else ""
    return re.compile(
        rf"{'(?<!^)' if common and not bold else ''}(?<![^\W_]){re.escape(name)}{edge}", 0 if common else re.I
    )


@lru_cache(maxsize=64)
def _written_out(text: str, language: Language) -> str:
    """Write contractions out; one question is cut into tokens several times, and most of its text is the same."""
    return reduce(lambda said, rule: rule[0].sub(rule[1], said), language.contractions, one_word(text))


def _words(text: str, language: Language) -> Iterator[Token]:
    for found in _WORD.finditer(_written_out(text, language) if text.strip() else ""):
        word, tag = found[0].rstrip("."), str(found.lastgroup)
        if tag == "WD" and (ordinal := re.fullmatch(language.table["ordinal"], word, re.IGNORECASE)):
            yield Token("ORD", word, float(ordinal[1]))
        elif tag in ("CLOCK", "NUM"):
            yield Token(tag, word, float(clock_time(word) if tag == "CLOCK" else word))
        else:
            yield Token("CAP" if tag == "WD" and word[0].isupper() else tag, word)


def _phrases(words: Sequence[Token], known: _Sounds, names: Sequence[str]) -> Iterator[Token]:
    """Give the longest phrase of the lexicon at each word, as written; "Will" inside a question is a name.

    What is quoted right after a word for sounds is a sound where it is known for one.
    """
    plain = [word.text.casefold() if word.value is None else "" for word in words]
    for i, word in enumerate(words[1:], 1):
        quoted = known.get(tuple(word.text.casefold().split())) if word.tag == "QUOTE" else None
        noise = [known[key] for n in (2, 1) if (key := tuple(plain[max(0, i - n) : i])) in known][:1]
        if quoted and quoted.tag == "SOUND" and any(token.tag in ("NOISE", "SOUNDV") for token in noise):
            words = [*words[:i], quoted, *words[i + 1 :]]
    place = 0
    while place < len(words):
        sizes = range(min(LONGEST_PHRASE, len(words) - place), 0, -1)
        size = next((n for n in sizes if tuple(plain[place : place + n]) in known), 0)
        if size and not (size == 1 and place and words[place].tag == "CAP" and plain[place] in names):
            meant = known[tuple(plain[place : place + size])]
            yield meant._replace(text=" ".join(word.text for word in words[place : place + size]))
        else:
            yield words[place]
        place += max(size, 1)

"""Four options: the one that rows support, or none; an option that no row holds is never chosen.

A row supports an option when it holds all its words (amounts however they are written), not negated and not merely
asked, and when it speaks of what the question asks about: its names, or else most of its words, the rare ones first.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.brains.rules.forms import inflections
from agent.brains.rules.language import Language
from store.figures import in_figures
from store.keywords import normalise
from store.numbers import figure
from tools.evidence import EvidenceRow

ENOUGH_OF_STEM = 0.5
READ_EACH = 2  # rows of each option that are worth reading, and as many more of the first ones when it has fewer
CLEAR_LEAD = 0.02
SECOND_HAND = 0.5
_MARK = re.compile(r"(?:^|[\s,;])\(?([A-Z])[).:]\s+", re.MULTILINE)
_COUNTED = re.compile(r" (?:people|persons?|speakers?|voices?|times?)$")
# A verb in "-s" has a third person for its subject; what the speaker says is no report.
_REPORTED = re.compile(
    r"\b(?:told (?:me|us|them)|says|claims|reckons|insists|reports|according to"
    r"|(?:i|we) (?:heard|hear|read|(?:was|were) told)|(?<!\bi )(?<!\bwe )(?:said|claimed|insisted) that)\b"
)
_DENIAL = re.compile(
    r"\b(?:untrue|false|incorrect|wrong|mistaken|nonsense|a lie|not (?:true|so|right|correct|the case)"
    r"|(?:is|was)n't (?:true|so|right|correct|the case)|den(?:y|ies|ied)|doubt(?:s|ed)?|dispute[sd]?"
    r"|(?:do|does|did)(?: not|n't) (?:think|believe|say|claim|agree))(?: \w+){0,2} that\b[^.?!]*$"
)
_Scores = dict[str, list[tuple[float, int]]]  # by option, how well each row supports it
_NEGATION = re.compile(r"\b(?:not|never|no|n't|nobody|nothing|neither|nor|without)\b|n't\b")


@dataclass(frozen=True, slots=True)
class Supported:
    """The rows of the option that is supported best, or of several that are supported alike; by letter."""

    rows: Mapping[str, tuple[int, ...]]
    support: float


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Cut options "(A) ... (B) ..." off a question; no options when there are not at least two in order."""
    marks = list(_MARK.finditer(text))
    letters = [mark[1] for mark in marks]
    if len(marks) < 2 or letters != [chr(ord("A") + i) for i in range(len(letters))]:
        return text, {}
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    options = {mark[1]: text[mark.end() : end].strip(" ,;\n") for mark, end in zip(marks, ends, strict=True)}
    return text[: marks[0].start()].strip(), options


def best_option(
    options: Mapping[str, str], stem: Sequence[str], rows: Sequence[EvidenceRow], language: Language, own: bool = False
) -> Supported | None:
    """Give the option that the rows support best, several where different rows support them alike, or None.

    `own` is for what one person is asked to have said: what they ask or report of others counts only where they say
    nothing of it themselves.
    """
    held = [_words(normalise(f"{row.speaker or ''} {row.text or ''}"), language) for row in rows]
    said = [in_figures(normalise(row.said)) for row in rows]
    about = Stem.of(stem, held, language)
    scores: _Scores = {letter: [] for letter in options}
    for index, (text, words) in enumerate(zip(said, held, strict=True)):
        relevance = about.share(words)
        for letter, option in options.items() if relevance else ():
            share = _held(option, text, words, language)
            if share > 0:
                scores[letter].append((share * relevance, index))
    scores = _at_first_hand(scores, said) if own else scores
    support = max((score for found in scores.values() for score, _ in found), default=0.0)
    near = {letter: [row for score, row in found if support - score < CLEAR_LEAD] for letter, found in scores.items()}
    best = {letter: tuple(sorted(found)) for letter, found in near.items() if found}
    held_by = [row for found in best.values() for row in found]
    # A row that holds two options does not tell which of them is meant.
    return Supported(best, support) if best and len(held_by) == len(set(held_by)) else None


def worth_reading(
    options: Mapping[str, str], stem: Sequence[str], rows: Sequence[EvidenceRow], language: Language
) -> tuple[int, ...]:
    """Give the indices of the rows that tell options apart by their words: each option's best, then the first ones.

    What the question names comes first. All rows where none holds most words of an option beside most of the
    question's: only reading can tell then.
    """
    held = [_words(normalise(f"{row.speaker or ''} {row.text or ''}"), language) for row in rows]
    about = Stem.of(stem, held, language)
    parts = [about.part(words) for words in held]
    first = sorted(range(len(rows)), key=lambda index: not about.named(held[index]))
    kept: dict[int, None] = {}
    for option in options.values():
        wanted = [_forms(word, language) for word in _content(option, language)]
        counts = [sum(bool(forms & words) for forms in wanted) for words in held]
        able = [index for index in first if 2 * counts[index] > len(wanted)]
        best = sorted(able, key=lambda index: (not about.named(held[index]), -counts[index] * parts[index]))
        kept.update(dict.fromkeys(best[:READ_EACH]))
    if all(parts[index] < ENOUGH_OF_STEM for index in kept):
        return tuple(range(len(rows)))
    return tuple(sorted(list(dict.fromkeys([*kept, *first]))[: READ_EACH * len(options)]))


@dataclass(frozen=True, slots=True)
class Stem:
    """What the question asks about: its words in all forms, each with a weight that falls with how common it is."""

    weights: tuple[tuple[frozenset[str], float], ...]
    names: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, stem: Sequence[str], held: Sequence[frozenset[str]], language: Language) -> "Stem":
        """Weigh the words of a question by how many of the rows hold them."""
        forms = [(_forms(word, language), word) for word in stem]
        weights = [(form, 1 / math.log(2 + sum(bool(form & words) for words in held))) for form, _ in forms]
        names = [form for form, word in forms if word[:1].isupper() or any(char.isdigit() for char in word)]
        return cls(tuple(weights), tuple(names))

    def share(self, words: frozenset[str]) -> float:
        """Give how much of the question a row speaks of; 0 when it lacks a name or most of the weight."""
        if not self.named(words):
            return 0.0
        share = self.part(words)
        return share if self.names or share >= ENOUGH_OF_STEM else 0.0

    def named(self, words: frozenset[str]) -> bool:
        """Say whether a row holds every name of the question."""
        return all(name & words for name in self.names)

    def part(self, words: frozenset[str]) -> float:
        """Give the share of the weight that a row holds, whatever it lacks; 1 of a question without words."""
        whole = sum(weight for _, weight in self.weights)
        return sum(weight for form, weight in self.weights if form & words) / whole if self.weights else 1.0


def relevant(stem: Sequence[str], rows: Sequence[EvidenceRow], language: Language) -> tuple[int, ...]:
    """Give the indices of the rows that speak of most of the words asked for, the rare ones first."""
    held = [_words(normalise(row.said), language) for row in rows]
    about = Stem.of([word.casefold() for word in stem], held, language)
    return tuple(index for index, words in enumerate(held) if about.share(words) > 0)


def matching(options: Mapping[str, str], value: object, numbers: Mapping[str, float]) -> str | None:
    """Give the option that says a computed value, also with a number in words; None when none or several do."""
    wanted = _plain(value, numbers)
    found = [letter for letter, option in options.items() if wanted is not None and _plain(option, numbers) == wanted]
    return found[0] if len(found) == 1 else None


def _plain(value: object, numbers: Mapping[str, float]) -> str | None:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return figure(value)
        case [str(), *_]:
            return " ".join(normalise(str(item)) for item in value)
        case str():
            text = re.sub(r"[,;>]|->|\bthen\b|\band\b|[.]$", " ", normalise(value))
            text = " ".join(text.split())
            counted = _COUNTED.sub("", text)
            return figure(numbers[counted]) if counted in numbers else _figure(counted) or text
    return None


def _figure(text: str) -> str | None:
    return figure(float(text)) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None


def _held(option: str, text: str, words: frozenset[str], language: Language) -> float:
    """Give how much of an option a row holds: 1 all of it as written, a little less in other forms, else 0."""
    phrase, wanted = in_figures(normalise(option)).strip(" ."), _content(option, language)
    if not wanted or not all(_forms(word, language) & words for word in wanted):
        return 0.0
    if _negated(wanted[0], text):
        return 0.0
    share = 1.0 if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) else 0.9
    return share * SECOND_HAND if _second_hand(text) else share


def _content(option: str, language: Language) -> list[str]:
    """Give the words of an option that tell it from others, amounts as figures."""
    phrase = in_figures(normalise(option)).strip(" .")
    return [word for word in re.findall(r"[\w%']+", phrase) if word not in language.stop] or phrase.split()


def _second_hand(text: str) -> bool:
    return text.endswith("?") or _REPORTED.search(text) is not None


def _at_first_hand(scores: _Scores, said: Sequence[str]) -> _Scores:
    """Leave out the rows that only report or ask, unless all do."""
    first = {letter: [one for one in found if not _second_hand(said[one[1]])] for letter, found in scores.items()}
    return first if any(first.values()) else scores


def _negated(word: str, text: str) -> bool:
    """Say whether a word is denied: by one of the three words before it, or by what its whole clause hangs on."""
    place = re.search(rf"(?<!\w){re.escape(word)}", text)
    before = text[: place.start()] if place else ""
    return bool(_NEGATION.search(" ".join(before.split()[-3:])) or _DENIAL.search(before))


def _forms(word: str, language: Language) -> frozenset[str]:
    plain = normalise(word)
    number = language.numbers.get(plain)
    amount = {figure(number)} if number is not None else in_figures(plain).split()[:1]
    return frozenset({plain, *inflections(plain), *amount})


def _words(text: str, language: Language) -> frozenset[str]:
    words = {re.sub(r"'s$", "", word) for word in re.findall(r"[\w%']+", in_figures(text))}
    numbers = language.numbers
    return frozenset(words | {figure(numbers[word]) for word in words & numbers.keys()})

"""A name as asked finds voices: whole names and aliases first, generic labels by number, then one part of a name, and
only then the same letters without accents (Zoe finds Zoë when nobody else is meant), at last a title that somebody
bears (the professor).

Names are compared in one form (NFKC, casefolded, single blanks), so that NFC and NFD, wide and narrow letters and
typographic apostrophes are equal. A result of several voices means that the name is ambiguous; a name that only
resembles another is `near`, and is proposed, never taken.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

from store.catalog import RecordingCatalog, Voice
from store.record import is_generic
from tools.likeness import plain, resembles, spellings
from tools.speaker.titles import contradict, titles, untitled

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_NUMBER = re.compile(r"(\d+)$")
_NEAR = 0.6


def resolve(entry: RecordingCatalog, name: str) -> tuple[Voice, ...]:
    """Give the voices that a name means: none when it is unknown, several when it is ambiguous."""
    wanted = folded(name)
    if not wanted:
        return ()
    for matches in (_is_named, _is_numbered, _is_part, _is_spelt, _is_part_spelt, _is_titled):
        found = tuple(voice for voice in entry.voices if matches(voice, wanted))
        if found:
            return found
    return ()


def near(entry: RecordingCatalog, name: str, most: int = 3) -> tuple[Voice, ...]:
    """Give the voices whose names look or sound most like an unknown one, best first."""
    wanted = folded(name)
    if not wanted or is_generic(wanted):
        return ()
    bare = " ".join(untitled(wanted)) or wanted
    rated = [(max((_likeness(form, bare) for form in _forms(voice)), default=0.0), voice) for voice in entry.voices]
    best = sorted((pair for pair in rated if pair[0] >= _NEAR), key=lambda pair: (-pair[0], -pair[1].talk_ms))
    return tuple(voice for _, voice in best)[:most]


def folded(name: str) -> str:
    """Give the form in which names are compared."""
    text = unicodedata.normalize("NFKC", name.translate(_APOSTROPHES)).casefold()
    return " ".join(unicodedata.normalize("NFC", text).split())


def _likeness(form: str, wanted: str) -> float:
    """Rate the whole name, and each part of it against a name of one part; a part counts a little less."""
    if is_generic(form):
        return 0.0
    parts = untitled(form) if " " not in wanted else []
    return max([resembles(wanted, form), *(0.98 * resembles(wanted, part) for part in parts)])


def _forms(voice: Voice) -> Iterable[str]:
    given = [voice.name] if voice.name else []
    return dict.fromkeys(folded(form) for form in (*given, voice.label, *voice.aliases))


def _is_named(voice: Voice, wanted: str) -> bool:
    return wanted in _forms(voice)


def _is_numbered(voice: Voice, wanted: str) -> bool:
    """Say whether both are generic labels of the same number: `speaker 1` is SPEAKER_01."""
    if not (is_generic(wanted) and is_generic(voice.label)):
        return False
    asked, given = _NUMBER.search(wanted), _NUMBER.search(folded(voice.label))
    return asked is not None and given is not None and int(asked[1]) == int(given[1])


def _is_part(voice: Voice, wanted: str, same: Callable[[str], str] = str) -> bool:
    """Say whether a voice's name has all the parts asked for, titles aside."""
    if is_generic(wanted):
        return False
    parts = untitled(wanted)
    if not parts or (max(map(len, parts)) < 2 and not _UNSPACED.fullmatch(parts[0])):
        return False
    return any(
        not contradict(wanted, form)
        and ({same(part) for part in parts} <= {same(part) for part in untitled(form)} or _begins(form, parts))
        for form in _forms(voice)
    )


def _is_spelt(voice: Voice, wanted: str) -> bool:
    """Say whether a whole name is the same but for its accents."""
    return any(spellings(wanted) & spellings(form) for form in _forms(voice))


def _is_part_spelt(voice: Voice, wanted: str) -> bool:
    return _is_part(voice, wanted, plain) or _is_part(voice, wanted, _typed)


def _is_titled(voice: Voice, wanted: str) -> bool:
    """Say whether a name that is nothing but titles is borne by a voice."""
    asked = set(titles(wanted))
    return not untitled(wanted) and bool(asked) and any(asked <= set(titles(form)) for form in _forms(voice))


def _typed(part: str) -> str:
    """Give the longest way to type a part without accents: mueller."""
    return max(spellings(part), key=len)


def _begins(form: str, parts: list[str]) -> bool:
    """Say whether a name written without blanks (CJK) begins or ends with the one asked."""
    wanted = parts[0]
    if len(parts) > 1 or not _UNSPACED.fullmatch(wanted):
        return False
    own = "".join(untitled(form))
    return own.startswith(wanted) or own.endswith(wanted)

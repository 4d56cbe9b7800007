"""A name as asked finds voices: whole names and aliases first, generic labels by number, then one part of a name.

Names are compared in one form (NFKC, casefolded, single blanks), so that NFC and NFD, wide and narrow letters and
typographic apostrophes are equal. A result of several voices means that the name is ambiguous.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from store.catalog import RecordingCatalog, Voice
from store.record import is_generic

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "doctor", "sir", "herr", "frau", "mme", "m"})
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_NUMBER = re.compile(r"(\d+)$")


def resolve(entry: RecordingCatalog, name: str) -> tuple[Voice, ...]:
    """Give the voices that a name means: none when it is unknown, several when it is ambiguous."""
    wanted = folded(name)
    if not wanted:
        return ()
    for matches in (_is_named, _is_numbered, _is_part):
        found = tuple(voice for voice in entry.voices if matches(voice, wanted))
        if found:
            return found
    return ()


def near(entry: RecordingCatalog, name: str, most: int = 3) -> tuple[Voice, ...]:
    """Give the voices whose names look most like an unknown one, best first."""
    spoken = {form: voice for voice in entry.voices for form in _forms(voice)}
    parts = {part: voice for form, voice in spoken.items() for part in form.split()}
    close = difflib.get_close_matches(folded(name), [*spoken, *parts], n=2 * most, cutoff=0.7)
    return tuple(dict.fromkeys({**parts, **spoken}[form] for form in close))[:most]


def folded(name: str) -> str:
    """Give the form in which names are compared."""
    text = unicodedata.normalize("NFKC", name.translate(_APOSTROPHES)).casefold()
    return " ".join(unicodedata.normalize("NFC", text).split())


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


def _is_part(voice: Voice, wanted: str) -> bool:
    if is_generic(wanted):
        return False
    parts = [part for part in _parts(wanted) if part not in _TITLES]
    if not parts or max(map(len, parts)) < 2:
        return False
    return any(set(parts) <= set(_parts(form)) or _begins(form, wanted) for form in _forms(voice))


def _parts(form: str) -> list[str]:
    return [part.strip(".,") for part in form.split()]


def _begins(form: str, wanted: str) -> bool:
    """Say whether a name written without blanks (CJK) begins or ends with the one asked."""
    return bool(_UNSPACED.fullmatch(wanted)) and (form.startswith(wanted) or form.endswith(wanted))

"""Questions that stand alone, made of a form and what is known, or of another question with one thing changed."""

import re
from collections.abc import Mapping, Sequence


def formed(forms: Sequence[str], slots: Mapping[str, str], stretches: Sequence[str]) -> str:
    """Give the first form whose places are all known, in the stretches asked about; "" where there is none."""
    text = next((form for form in (filled(form, slots) for form in forms) if form), "")
    for stretch in stretches if text else ():
        text = ended(text, stretch)
    return text


def filled(form: str, slots: Mapping[str, str]) -> str:
    """Fill a form's places, or give nothing where one is not known."""
    places = re.findall(r"\{(\w+)\}", form)
    return re.sub(r"\{(\w+)\}", lambda place: slots[place[1]], form) if all(p in slots for p in places) else ""


def put(text: str, old: str, new: str) -> str:
    """Put new words in the place of the first old ones."""
    spelt = r"\s+".join(map(re.escape, old.split()))
    return re.sub(rf"(?<!\w){spelt}(?!\w)", lambda _: new, text, count=1, flags=re.IGNORECASE)


def without(text: str, stretches: Sequence[str]) -> str:
    """Take stretches of time out of a question."""
    for stretch in stretches:
        text = re.sub(r"\s+(?=[?.!,]|$)", "", put(text, stretch, ""))
    return text


def ended(text: str, more: str) -> str:
    """Put more at a question's end, before its mark."""
    bare = re.sub(r"[\s?.!,]+$", "", text)
    return f"{bare} {more}{text[len(bare) :].strip() and text[len(bare) :]}"


def tidy(text: str) -> str:
    """Write a question as a sentence."""
    text = re.sub(r"\bde le\b", "du", re.sub(r"\bde les\b", "des", re.sub(r"[ \t]+", " ", text))).strip()
    return text[:1].upper() + text[1:]

"""A numbered list in a question ("(1) the budget (2) the museum") is a list like any other: its marks become commas."""

import re

_LETTERS = "abcdefgh"
_MARKS = tuple(
    re.compile(rf"\s*[,;:]?\s*(?<!\w){mark}\s+(?=\S)")
    for mark in (rf"[(\[](\d|[{_LETTERS}])[)\]]", rf"(\d|[{_LETTERS}])\)", r"(\d)\.")
)


def unnumbered(question: str) -> str:
    """Give a question with the marks of a numbered list as commas; marks that do not count up from the first stay."""
    for mark in _MARKS:
        found = [match[1].casefold() for match in mark.finditer(question)]
        if len(found) > 1 and found in ([str(n + 1) for n in range(len(found))], list(_LETTERS[: len(found)])):
            return mark.sub(", ", question)
    return question

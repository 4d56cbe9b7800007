"""Whether a reply has the form that was asked for, and what it says in that form; None where it has not.

A value is read first. Without one, the answer's own words are read as far as they say something plainly, so that
whoever only writes text can be marked too.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from agent.evals.tasks.item import Form, Item
from agent.reply import Reply

ABSTAINED = ("refused", "not_found")
# A bare letter before other words may be an article.
_LETTER = re.compile(
    r"^\W*(?:(?i:(?:the )?(?:answer|option)(?: is)?):? *\(?([A-D])\b|\(([A-D])\)|([A-D])(?=[).:,]|\s*$))"
)
NOT_UNDERSTOOD = "not_understood"
_BETWEEN = re.compile(r"(?<![\d:.])(\d+)(?: ?[-–] ?| to | and )(\d+) (?:people|persons|speakers|voices)")
_NUMBER = re.compile(r"(?<![\d.:])\d+(?![\d.:]*\d)")


def abstained(reply: Reply) -> bool:
    """Say whether a reply gives no answer and says so."""
    return reply.status in ABSTAINED


def parsed(item: Item, reply: Reply) -> Any:
    """Give what a reply says in the item's form; None where it says nothing of that form, or was not understood."""
    if reply.status != "answered" or NOT_UNDERSTOOD in reply.caveats:
        return None
    return _READERS[item.form](reply)


def interval(reply: Reply, said: int) -> tuple[int, int]:
    """Give between which numbers a count lies, as its answer words it ("4 to 6 people"); one number is its own."""
    found = _BETWEEN.search(reply.answer)
    return (int(found[1]), int(found[2])) if found else (said, said)


def _text(reply: Reply) -> str | None:
    text = reply.value if isinstance(reply.value, str) else reply.answer
    return text.strip() or None


def _letter(reply: Reply) -> str | None:
    said = reply.value if reply.value is not None else reply.answer
    found = _LETTER.match(said) if isinstance(said, str) else None
    return next(filter(None, found.groups())) if found else None


def _label(reply: Reply) -> str | None:
    return reply.value.strip().casefold() or None if isinstance(reply.value, str) else None


def _number(reply: Reply) -> int | None:
    if isinstance(reply.value, int) and not isinstance(reply.value, bool):
        return reply.value
    found = _NUMBER.findall(reply.answer) if reply.value is None else []
    return int(found[0]) if len(found) == 1 else None


def _names(reply: Reply) -> list[str] | None:
    value = [reply.value] if isinstance(reply.value, str) else reply.value
    return value if isinstance(value, list) and value and all(isinstance(one, str) for one in value) else None


def _truth(reply: Reply) -> bool | None:
    return reply.value if isinstance(reply.value, bool) else None


def _stretches(reply: Reply) -> list[tuple[float, float]] | None:
    if not isinstance(reply.value, list):
        return None
    fitting = [one for one in reply.value if _is_stretch(one)]
    return [(float(one[0]), float(one[1])) for one in fitting] if len(fitting) == len(reply.value) else None


def _turns(reply: Reply) -> list[tuple[float, float, str]] | None:
    if not isinstance(reply.value, list):
        return None
    fitting = [one for one in reply.value if _is_stretch(one) and len(one) == 3]
    if len(fitting) != len(reply.value):
        return None
    return [(float(one[0]), float(one[1]), "" if one[2] is None else str(one[2])) for one in fitting]


def _is_stretch(one: Any) -> bool:
    return (
        isinstance(one, list | tuple) and len(one) >= 2 and _is_time(one[0]) and _is_time(one[1]) and one[0] <= one[1]
    )


def _is_time(one: Any) -> bool:
    return isinstance(one, int | float) and not isinstance(one, bool)


_READERS: Mapping[Form, Callable[[Reply], Any]] = {
    "text": _text,
    "letter": _letter,
    "label": _label,
    "number": _number,
    "names": _names,
    "labels": _names,
    "stretches": _stretches,
    "turns": _turns,
    "truth": _truth,
}

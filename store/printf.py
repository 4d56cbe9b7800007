"""printf for the fence: SQLite's own fills 900 MB in one step that nothing can stop, this one has two-digit widths."""

import math
import re
from typing import Any

_DIRECTIVE = re.compile(r"%(?:%|[-+ 0]*\d{0,2}(?:\.\d{1,2})?[disfeEgGxXuc])")
_INTEGERS = "diuxX"
_TEXTS = "sc"


def printf(template: str | None, *values: Any) -> str | None:
    """Format as SQLite's printf does, for widths up to 99; ValueError for a directive it does not know."""
    if template is None:
        return None
    left = iter(values)
    text = _DIRECTIVE.sub(lambda match: _written(match.group(), left), str(template))
    if "%" in _DIRECTIVE.sub("", str(template)):
        raise ValueError("printf knows %d %i %u %x %s %c %f %e %g %%, with widths up to 99")
    return text


def _written(directive: str, left: Any) -> str:
    kind = directive[-1]
    if kind == "%":
        return "%"
    value = next(left, None)
    if kind in _TEXTS:
        text = _text(value)
        return f"{directive[:-1]}s" % (text[:1] if kind == "c" else text)
    number = _number(value)
    return directive.replace("u", "d") % (_whole(number) if kind in _INTEGERS else number)


def _text(value: Any) -> str:
    """Write a value as SQLite does: fifteen digits of a fraction, and a point in each."""
    if not isinstance(value, float):
        return "" if value is None else str(value)
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    digits, power, exponent = f"{value + 0.0:.15g}".partition("e")
    return f"{digits if '.' in digits else digits + '.0'}{power}{exponent}"


def _whole(number: float) -> int:
    """Cut a number to a whole one of 64 bits, which infinity has as well."""
    return int(min(max(number, -(2**63)), 2**63 - 1))


def _number(value: Any) -> float:
    try:
        return value if isinstance(value, int | float) else float(value)
    except (TypeError, ValueError):
        return 0.0

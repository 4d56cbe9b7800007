"""Times as files have them: clocks and seconds, read as decimals and never as floats."""

import re
from decimal import Decimal, InvalidOperation

_CLOCK = re.compile(r"(-?)(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6})(?:[.,](\d{1,20})(?:\.(\d{1,20}))?)?", re.ASCII)


def clock_time(text: str) -> Decimal:
    """Read `0:0:4,8`, `00:00:0,500`, `32:54:04.120` or `00:00:01,249.0999999`; ValueError when it is no time.

    The part after the comma is a decimal fraction of a second, however many digits it has.
    """
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no time")
    sign, hours, minutes, seconds, fraction, rest = match.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return Decimal(f"{sign}{whole}.{fraction or '0'}{rest or ''}")


def seconds(value: object) -> Decimal:
    """Read a clock time or plain seconds (with a point or a comma) exactly; ValueError when it is neither."""
    text = str(value).strip()
    if _CLOCK.fullmatch(text):
        return clock_time(text)
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:
        raise ValueError(f"{text!r} is no time") from None
    if not number.is_finite():
        raise ValueError(f"{text!r} is no time")
    return number

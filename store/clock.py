"""One rule for time: integer milliseconds from the start, half-open, floored at the start and ceiled at the end.

Times in files are decimals and are parsed as decimals; a float is first rounded to one microsecond, so that
a whole millisecond that went through a float comes back unchanged.
"""

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation

_CLOCK = re.compile(r"(-?)(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6})(?:[.,](\d{1,20})(?:\.(\d{1,20}))?)?")


def start_ms(seconds: float | str | Decimal) -> int:
    """Give the millisecond in which a time in seconds lies (floored); ValueError when it is no number."""
    return int((_exact(seconds) * 1000).to_integral_value(ROUND_FLOOR))


def end_ms(seconds: float | str | Decimal) -> int:
    """Give the first millisecond at or after a time in seconds (ceiled); ValueError when it is no number."""
    return int((_exact(seconds) * 1000).to_integral_value(ROUND_CEILING))


def seconds(ms: int) -> float:
    """Give milliseconds as seconds."""
    return ms / 1000


def clock(ms: int) -> str:
    """Write milliseconds as people read them: 12:34, or 32:54:04 from one hour on."""
    total = ms // 1000
    hours, minutes, secs = total // 3600, total // 60 % 60, total % 60
    return f"{hours}:{minutes:02}:{secs:02}" if hours else f"{minutes}:{secs:02}"


def clock_time(text: str) -> Decimal:
    """Read `0:0:4,8`, `00:00:0,500`, `32:54:04.120` or `00:00:01,249.0999999`; ValueError when it is no clock time.

    The part after the comma is a decimal fraction of a second, however many digits it has.
    """
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no time")
    sign, hours, minutes, secs, fraction, rest = match.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(secs)
    return Decimal(f"{sign}{whole}.{fraction or '0'}{rest or ''}")


def parse_time(value: object) -> Decimal:
    """Read a clock time or plain seconds (with a point or a comma) exactly; ValueError when it is neither."""
    text = str(value).strip()
    return clock_time(text) if _CLOCK.fullmatch(text) else _exact(text.replace(",", "."))


def _exact(value: float | str | Decimal) -> Decimal:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no time")
        return Decimal(repr(round(value, 6)))
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError(f"{value!r} is no time") from None
    if not number.is_finite():
        raise ValueError(f"{value!r} is no time")
    return number

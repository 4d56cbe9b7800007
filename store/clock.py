"""One rule for time: integer milliseconds from the start, half-open, floored at the start and ceiled at the end.

Times in files are decimals and are parsed as decimals; a float is first rounded to one microsecond, so that
a whole millisecond that went through a float comes back unchanged.
"""

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation

_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+)(?:[.,](\d+))?")


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


def parse_clock(text: str) -> Decimal:
    """Read `12:34`, `1:02:03.5`, `00:00:01,249` or plain seconds as exact seconds; ValueError otherwise."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return _exact(text.strip())
    hours, minutes, secs, fraction = match.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(secs)
    return Decimal(f"{whole}.{fraction or 0}")


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

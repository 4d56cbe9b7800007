"""Numbers in few bytes, none of them changed: whole ones as varints of seven bits a byte, floats by their digits.

A float that was rounded once, as scores are, becomes its digits and the place of its point; any other keeps its bits.
"""

import math
import struct
from collections.abc import Iterable

_PLACES = 4  # of a number that takes the fewest bytes
_MOST_PLACES = 7
_LONG, _NOTHING, _BITS = 5, 6, 7
_POWERS: tuple[int, ...] = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def pack(numbers: Iterable[int]) -> bytes:
    """Write whole numbers, none of them negative."""
    packed = bytearray()
    for number in numbers:
        while number > 0x7F:
            packed.append(number & 0x7F | 0x80)
            number >>= 7
        packed.append(number)
    return bytes(packed)


def unpack(packed: bytes) -> list[int]:
    """Read the numbers that `pack` wrote."""
    found: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(number)
            number = shift = 0
    return found


def folded(number: int) -> int:
    """Give a whole number that is not negative for one that may be; small ones stay small."""
    return number << 1 if number >= 0 else ~(number << 1)


def unfolded(number: int) -> int:
    """Undo `folded`."""
    return ~(number >> 1) if number & 1 else number >> 1


def coded(value: float | None) -> int:
    """Give a whole number for a float or for none; its lowest three bits say which of the four forms it has."""
    if value is None:
        return _NOTHING
    whole, _, part = repr(abs(float(value))).partition(".")
    digits, places = whole + part.rstrip("0"), len(part.rstrip("0"))
    if not (digits.isdecimal() and places <= _MOST_PLACES):
        return int.from_bytes(struct.pack("<d", value), "little") << 3 | _BITS
    negative = math.copysign(1, value) < 0
    if places <= _PLACES and not negative:
        return int(digits) << 3 | places
    return ((int(digits) << 3 | places) << 1 | negative) << 3 | _LONG


def decoded(number: int) -> float | None:
    """Undo `coded`."""
    form, rest = number & 7, number >> 3
    if form <= _PLACES:
        return rest / _POWERS[form]
    if form == _NOTHING:
        return None
    if form == _BITS:
        (value,) = struct.unpack("<d", rest.to_bytes(8, "little"))
        return float(value)
    size = (rest >> 4) / _POWERS[rest >> 1 & 7]
    return -size if rest & 1 else size

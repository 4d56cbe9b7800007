"""A number as it is claimed, and as it is said: rounded, in parts, with its unit."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from agent.check.claims import Claim
from agent.check.heard import Heard
from agent.check.numerals import CURRENCIES
from agent.check.words import Words

SIGNS = CURRENCIES | {"%"}


def rounded(claim: Claim, said: Decimal | None, words: Words) -> bool:
    """Say whether a number is what was said, rounded: with fewer decimals, or "about" it within a tenth."""
    if said is None or claim.value is None:
        return False
    if claim.beside[0] in words.hedges and abs(said - claim.value) <= abs(said) / 10:
        return True
    exact = Decimal(1).scaleb(min(0, int(claim.value.as_tuple().exponent)))
    ways = (said.quantize(exact, way) for way in (ROUND_HALF_UP, ROUND_DOWN)) if abs(said) < 10**15 else ()
    return said != said.to_integral_value() and claim.value in ways


def as_said(heard: Heard, token: int) -> str:
    """Give a number as it is said, with the unit behind it."""
    line = heard.line_of
    united = token + 1 < len(line) and line[token + 1] == line[token] and heard.texts[heard.track[token + 1]] in SIGNS
    return heard.line(token).text[int(heard.starts[token]) : int(heard.ends[token + united])].strip(" .,;:!?")


def readings(value: Decimal | None) -> tuple[Decimal, ...]:
    """Give a number and, of a price such as 12.50, the part that is said first ("twelve fifty")."""
    if value is None:
        return ()
    priced = value != value.to_integral_value() and value.as_tuple().exponent in (-1, -2)
    return (value, value.to_integral_value(ROUND_DOWN)) if priced else (value,)

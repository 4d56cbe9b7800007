"""Rules over tags: what stands together becomes one token, a stretch of time, a limit, a slot; or goes."""

from agent.brains.rules.language import Language, Rule, Token
from agent.brains.rules.ranges import measure

MOST_TIMES = 12


def rewritten(tokens: tuple[Token, ...], rules: tuple[Rule, ...], language: Language) -> tuple[Token, ...]:
    """Apply each rule as often as it fits; `x` is the part of a pattern that is replaced."""
    for pattern, made in rules:
        for _ in range(MOST_TIMES):
            found = pattern.search(language.tags(tokens))
            if found is None:
                break
            start, end = found.span("x" if "x" in pattern.groupindex else 0)
            tokens = tokens[:start] + _made(made, tokens[start:end]) + tokens[end:]
    return tokens


def _made(rule: str, part: tuple[Token, ...]) -> tuple[Token, ...]:
    """Make a rule's token of the part of a question that it found."""
    tag, _, how = rule.partition(" ")
    text = " ".join(token.text for token in part)
    match tag:
        case "":
            return ()
        case "RANGE":
            return (Token(tag, text, (how, part)),)
        case "LENGTH" | "TIME":
            return (Token(tag, text, measure(part)),)
        case "NAME" | "SOUND":
            return (Token(tag, text, text),)
        case "TOPIC":
            return (Token(tag, text, part),)
        case "MANYTIMES" | "MANYPEOPLE" | "MANYSECONDS":
            return (Token(tag, text, _limit(part, 0 if tag == "MANYSECONDS" else 1)),)
    return (Token(tag, text, float(how) if how else next((t.value for t in part if t.value is not None), None)),)


def _limit(part: tuple[Token, ...], step: int) -> dict[str, float]:
    """Give the least and the most that a limit allows; whole numbers are more or less by one."""
    number, tags = measure(part), {token.tag for token in part}
    least = number + step if tags & {"OVER", "MORE"} else number
    most = number - step if tags & {"UNDER", "LESS"} else number
    limits = {}
    if not tags & {"UNDER", "LESS", "ATMOST"}:
        limits["min_value"] = least
    if tags & {"UNDER", "LESS", "ATMOST", "EXACT"}:
        limits["max_value"] = most
    return limits

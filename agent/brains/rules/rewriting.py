"""Rules over tags: what stands together becomes one token, a stretch of time, a limit, a slot; or goes."""

from agent.brains.rules.language import Language, Rule, Token
from agent.brains.rules.ranges import limits, measure

Tokens = tuple[Token, ...]
MOST_TIMES = 12


def rewritten(tokens: Tokens, rules: tuple[Rule, ...], language: Language) -> Tokens:
    """Apply each rule as often as it fits; `x` is the part of a pattern that is replaced."""
    tags = language.tags(tokens)
    for pattern, made in rules:
        for _ in range(MOST_TIMES):
            if (found := pattern.search(tags)) is None:
                break
            start, end = found.span("x" if "x" in pattern.groupindex else 0)
            tokens = tokens[:start] + _made(made, tokens[start:end]) + tokens[end:]
            tags = language.tags(tokens)
    return tokens


def _made(rule: str, part: Tokens) -> Tokens:
    """Make a rule's token of the part of a question that it found."""
    tag, _, how = rule.partition(" ")
    text = " ".join(token.text for token in part)
    match tag:
        case "":
            return ()
        case "RANGE":
            value: object = (how, part)
        case "LENGTH" | "TIME":
            value = measure(part)
        case "NAME" | "SOUND":
            value = text
        case "TOPIC":
            value = part
        case "MANYTIMES" | "MANYPEOPLE" | "MANYSECONDS":
            value = limits(part, 0 if tag == "MANYSECONDS" else 1)
        case _:
            value = float(how) if how else next((t.value for t in part if isinstance(t.value, float | str)), None)
    return (Token(tag, text, value),)

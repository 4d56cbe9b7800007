"""Where a question may be parted from clauses that limit it ("after the siren", "between the bell and the bark")."""

from collections.abc import Iterator

from agent.brains.rules.language import Language, Token
from agent.brains.rules.rewriting import Tokens


def splits(part: Tokens, language: Language, most: int) -> Iterator[tuple[Tokens, tuple[tuple[Token, Tokens], ...]]]:
    """Give a question without each clause that it may end or open with, or that a comma ends; then as it is."""
    words = {"BETWEEN", *language.families["relation"]}
    for place in [i for i, token in enumerate(part) if token.tag in words][:most]:
        word, before, after = part[place], part[:place], part[place + 1 :]
        if word.tag == "BETWEEN":
            middle = next((i for i, token in enumerate(after) if token.tag == "AND"), len(after))
            yield before, ((Token("AFTER", ""), after[:middle]), (Token("BEFORE", ""), after[middle + 1 :]))
            continue
        yield before, ((word, after),)
        opens = all(token.tag in ("FN", "COMMA", "AND") for token in before)
        starts = [i for i, t in enumerate(after) if t.tag in (language.families["opening"] if opens else ["COMMA"])]
        for start in sorted(starts[:most], key=lambda i: after[i].tag != "COMMA"):
            yield before + after[start:], ((word, after[:start]),)
    yield part, ()

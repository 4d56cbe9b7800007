"""What is plainly not about a recording: the weather, our opinion, a command."""

import re

from agent.brains.rules.language import Language
from agent.brains.rules.words import LONGEST_QUESTION


def outside(question: str, language: Language) -> bool:
    """Say whether a question, without its polite opening, is whole one that asks for something else."""
    if len(question) > LONGEST_QUESTION:
        return False
    plain = re.sub(r"\s+", " ", question.replace("\u2019", "'")).strip(" ?!.,")
    for pattern, written in language.contractions:
        plain = pattern.sub(written, plain)
    scope = language.table["scope"]
    forms = {plain, re.sub(rf"^(?:(?:{scope['opening']})[, ]+)+", "", plain, flags=re.IGNORECASE)}
    return any(re.fullmatch(pattern, form, re.IGNORECASE) for pattern in scope["outside"] for form in forms)

"""Text that others wrote as data for a prompt, and how much of a model's context a text takes."""

import re

from tools.sanitize import one_line

_PIECE = re.compile("[\u2e80-\U0010ffff]|[^\\W\\d_]{1,6}|\\d{1,3}|[^\\w\\s]|_")


def fenced(text: str) -> str:
    """Give text as data for a prompt: one line, nothing that could be read as a tag."""
    return one_line(text).replace("<", "‹").replace(">", "›")


def tokens(text: str) -> int:
    """Estimate a text's tokens, in general from above: six letters, three digits or one other character a token."""
    return len(_PIECE.findall(text)) + 2

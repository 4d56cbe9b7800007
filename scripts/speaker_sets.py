"""All recordings on which voices are measured, by kind and part."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.speaker_cases import Case, ami, concatenations, meetings
from scripts.speaker_conversations import conversations

MADE = {"ami": ami, "libri": concatenations, "meeting": meetings, "talk": conversations}
KINDS = tuple(MADE)


def cases(data: Path, part: str, kinds: Sequence[str] = KINDS) -> Iterator[Case]:
    """Give the recordings of a part, of some kinds; each always has the same samples."""
    for kind in kinds:
        yield from MADE[kind](data, part)

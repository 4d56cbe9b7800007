"""How the transcript is asked: words, meaning, a speaker, a range."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from store.record import StreamKind
from tools.stream import StreamQuery

LONGEST = 200  # characters of a keyword
Keyword = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST)]


class TranscriptQuery(StreamQuery):
    """Find what was said: segments of transcript by words, by meaning, by speaker, in a range."""

    stream: ClassVar[StreamKind] = "transcript"

    keywords: list[Keyword] = Field(
        default_factory=list, max_length=24, description="words or phrases, taken literally"
    )
    match: Literal["any", "all", "phrase"] = Field(default="any", description="how the keywords combine")
    semantic: str | None = Field(default=None, description="a meaning to search for, in a sentence")
    speaker: str | None = Field(default=None, description="only what this person says")

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
    passages: int | None = Field(
        default=None, ge=50, le=16_000, description="an open question: the best passages, up to so many tokens"
    )
    around: bool = Field(default=False, description="passages: also what is said around, by others too")

    @property
    def sought(self) -> str | None:
        """The term whose hits are this query's rows by meaning or passages, None where neither is asked for."""
        if self._weighed:
            return f"~{self.model_dump_json(exclude_defaults=True)}"
        return None if self.semantic is None else f"~{self.semantic}"

    @property
    def spoken_by(self) -> str | None:
        """Whom each row must be spoken by: the speaker, nobody where passages hold others' words too."""
        return None if self._weighed and self.around else self.speaker

    @property
    def _weighed(self) -> bool:
        return self.passages is not None and bool(self.keywords or self.semantic)

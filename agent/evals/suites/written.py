"""A suite as people write it: the keys there are, and what stands under each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

_FILES = ("transcript", "speakers", "events", "emotions", "audio")
Name = Annotated[str, Field(min_length=1)]


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Message(_Written):
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    content: Name


class Files(_Written):
    """The files of one recording by what they are, as `import` takes them; it is imported for this run alone."""

    transcript: Name | None = None
    speakers: Name | None = None
    events: Name | None = None
    emotions: Name | None = None
    audio: Name | None = None
    title: str | None = None
    names: Literal["open", "closed"] | None = None

    @model_validator(mode="after")
    def _holds_rows(self) -> Self:
        if not any(getattr(self, name) for name in _FILES[:-1]):
            raise ValueError("no file that holds rows (audio alone: `overheard ingest` it, and name it as `recording`)")
        return self

    def paths(self) -> list[Path]:
        """Give the files there are."""
        return [Path(getattr(self, name)) for name in _FILES if getattr(self, name)]

    def beside(self, folder: Path) -> "Files":
        """Give them as paths, looked for beside the suite."""
        found = {name: str((folder / getattr(self, name)).resolve()) for name in _FILES if getattr(self, name)}
        return self.model_copy(update=found)


class WrittenCase(_Written):
    """One case."""

    id: Name | int
    input: Name | None = None
    messages: Annotated[list[Message], Field(min_length=1)] | None = None
    choices: Annotated[list[Name], Field(min_length=2, max_length=26)] | None = None
    target: Any = None
    scorer: Name | None = None
    expect: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)
    recording: Name | None = None
    files: Files | None = None
    skip: Name | None = None

    @field_validator("input")
    @classmethod
    def _asks(cls, given: str | None) -> str | None:
        if given is not None and not given.strip():
            raise ValueError("nothing is asked")
        return given

    @field_validator("id")
    @classmethod
    def _named(cls, given: str | int) -> str | int:
        if isinstance(given, str) and not given.strip():
            raise ValueError("an id is a name")
        return given

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.input is None) == (self.messages is None):
            raise ValueError("a case asks by `input` or by `messages`, and by one of them")
        if self.messages is not None and (self.messages[-1].role != "user" or self.choices):
            raise ValueError("`messages` end with what the user asks, its choices written in it")
        if self.recording is not None and self.files is not None:
            raise ValueError("a case is about a `recording` of the library or about `files`, and about one of them")
        return self

    def asked(self) -> tuple[Message, ...]:
        """Give all turns; options stand behind the question, lettered."""
        if self.messages is not None:
            return tuple(self.messages)
        options = [f"{chr(ord('A') + at)}) {choice}" for at, choice in enumerate(self.choices or ())]
        return (Message(role="user", content=" ".join([self.input or "", *options])),)


class WrittenSuite(_Written):
    """A whole suite; what stands here holds for each case that says nothing else."""

    name: str | None = None
    recording: Name | None = None
    files: Files | None = None
    scorer: Name | None = None
    cases: list[Any]

    @model_validator(mode="before")
    @classmethod
    def _has_cases(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            raise ValueError("a suite is `cases:` with a list below, or one case a line (.jsonl)")
        return given

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.recording is not None and self.files is not None:
            raise ValueError("a suite is about a `recording` of the library or about `files`, and about one of them")
        return self


def roles(files: Files) -> Sequence[tuple[Literal["transcript", "speaker", "events", "emotion"], Path]]:
    """Give the files that hold rows, by the stream they are for."""
    named: list[tuple[Literal["transcript", "speaker", "events", "emotion"], str | None]] = [
        ("transcript", files.transcript),
        ("speaker", files.speakers),
        ("events", files.events),
        ("emotion", files.emotions),
    ]
    return [(role, Path(path)) for role, path in named if path]

"""A suite as it is run: every case checked when it is read, so that nothing is asked of a suite that is not sound.

Names are Inspect's (`id`, `input`, `messages`, `choices`, `target`, `metadata`, `files`); `expect` says what is right,
a scorer's name each. What would pass any reply is refused here: a case or an expectation that asserts nothing, an id
that stands twice, a key or a scorer that nobody knows. Each is one line that names the file's line and the case.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agent.evals.suites.reading import Place, Text, is_file, read
from agent.evals.suites.scorers import ENDINGS, SCORERS
from agent.evals.suites.scorers.endings import Status
from agent.evals.suites.scorers.scorer import Scorer
from agent.evals.suites.written import Files, Message, WrittenCase, WrittenSuite
from store.errors import DataError
from tools.canonical import to_json
from tools.sanitize import one_line

_CLEAR = ("value_error", "extra_forbidden")
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what is asked, where, and what is right; `line` is where it stands, `where` names both."""

    id: str
    where: str
    messages: tuple[Message, ...]
    expect: tuple[tuple[str, Scorer], ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    recording: str | None = None
    files: Files | None = None
    skip: str | None = None

    @property
    def question(self) -> str:
        """What is asked last."""
        return self.messages[-1].content

    @property
    def group(self) -> str | None:
        """The name of the wordings that ask the same as this one."""
        name = self.metadata.get("group")
        return None if name is None else str(name)

    @property
    def fingerprint(self) -> str:
        """What the case is, in twelve hex digits: another wording or expectation gives others."""
        expected = {name: scorer.model_dump(mode="json") for name, scorer in self.expect}
        told = [[one.role, one.content] for one in self.messages]
        files = None if self.files is None else [path.name for path in self.files.paths()]
        return hashlib.sha256(to_json([told, expected, self.recording, files]).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases in their order, with the suite's name and its file."""

    name: str
    path: Path
    cases: tuple[Case, ...]


def load(path: Path) -> Suite:
    """Read a suite; DataError says what is not sound in it, with the line and the case."""
    return checked(read(path), path)


def checked(text: Text, path: Path) -> Suite:
    """Check a suite's text; `path` is where it stands, for its name and for the files it names."""
    try:
        return _suite(text, path)
    except _Unsound as error:
        raise DataError(f"{path}, {error}") from error


def _suite(text: Text, path: Path) -> Suite:
    whole = _valid(WrittenSuite, text.data, text, ())
    if not whole.cases:
        raise _Unsound("there is no case in it, so nothing would be asked")
    name = one_line(whole.name or "") or path.stem
    cases = tuple(_case(given, whole, text, at, path) for at, given in enumerate(whole.cases))
    _told_apart(cases)
    return Suite(name, path, cases)


class _Unsound(Exception):
    """Something in a suite that cannot be run, with its place."""


def _case(given: Any, whole: WrittenSuite, text: Text, at: int, path: Path) -> Case:
    place: Place = ("cases", at)
    told = given.get("id") if isinstance(given, dict) else None
    where = f"line {text.line(place)}" + (f", case {told!r}" if isinstance(told, str | int) else "")
    case = _valid(WrittenCase, given, text, place, where)
    expect = _expectations(case, whole, text, place, where)
    files = case.files or (None if case.recording else whole.files)
    if files is not None:
        files = files.beside(path.parent)
        if missing := [str(one) for one in files.paths() if not is_file(one)]:
            raise _Unsound(f"{where}: there is no file {missing[0]}")
    name = one_line(str(case.id))
    if not name:
        raise _Unsound(f"{where}: an id is a name that can be shown")
    return Case(
        id=name,
        where=where,
        messages=case.asked(),
        expect=expect,
        metadata=case.metadata,
        recording=case.recording or (None if files else whole.recording),
        files=files,
        skip=case.skip,
    )


def _expectations(
    case: WrittenCase, whole: WrittenSuite, text: Text, place: Place, where: str
) -> tuple[tuple[str, Scorer], ...]:
    wanted: dict[str, Any] = dict(case.expect)
    scorer = case.scorer or whole.scorer
    if case.target is not None:
        if scorer is None:
            raise _Unsound(f"{where}: a `target` needs a `scorer`, here or for the whole suite")
        if scorer in wanted:
            raise _Unsound(f"{where}: {scorer!r} is expected twice, by `target` and by `expect`")
        wanted[scorer] = case.target
    elif case.scorer is not None:
        raise _Unsound(f"{where}: a `scorer` needs a `target`")
    if not wanted:
        raise _Unsound(f"{where}: nothing is expected, so any reply would pass")
    found = tuple((name, _scorer(name, given, text, place, where)) for name, given in wanted.items())
    implied = () if set(ENDINGS) & wanted.keys() else (("status", Status(target="answered")),)
    last = "model_graded"
    return (*implied, *sorted(found, key=lambda one: one[0] == last))


def _scorer(name: str, given: Any, text: Text, place: Place, where: str) -> Scorer:
    if name not in SCORERS:
        raise _Unsound(f"{where}: there is no scorer {name!r}; there are {', '.join(SCORERS)}")
    return _valid(SCORERS[name], given, text, (*place, "expect", name), where)


def _told_apart(cases: Sequence[Case]) -> None:
    """Refuse an id that stands twice, and wordings of one question of which there is one."""
    first: dict[str, Case] = {}
    for case in cases:
        if case.id in first:
            raise _Unsound(f"{case.where}: this id stands there already, in {first[case.id].where.partition(',')[0]}")
        first[case.id] = case
    alone = Counter(case.group for case in cases if case.group is not None)
    for case in cases:
        if case.group is not None and alone[case.group] == 1:
            raise _Unsound(f"{case.where}: the group {case.group!r} has this one case, so it holds no other wording")


def _valid(model: type[Model], given: Any, text: Text, place: Place, where: str = "") -> Model:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        # of the ways to read a value the one that came furthest says best what is wrong
        told = max(error.errors(), key=lambda one: (one["type"] in _CLEAR, len(one["loc"])))
        at = (*place, *told["loc"])
        head = f"line {text.line(at)}" + (f",{where.partition(',')[2]}" if "," in where else "")
        raise _Unsound(f"{head}: {_told(told, place, model)}") from error


def _told(error: Any, place: Place, model: type[BaseModel]) -> str:
    loc = [str(part) for part in error["loc"] if isinstance(part, int) or part.isidentifier() and part.islower()]
    named = f"`{'.'.join(loc)}`" if loc else "`" + str(place[-1] if place else "suite") + "`"
    if error["type"] == "extra_forbidden":
        there = ", ".join(model.model_fields) if len(loc) == 1 else ""
        return f"{named} is no key of a suite" + (f"; there are {there}" if there else "")
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{named}: {message[:1].lower()}{message[1:]}"

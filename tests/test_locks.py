"""What is locked is all that is needed, and is installed as it is locked, whatever is published later."""

import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEFAULT = TOLD["project"]["dependencies"]
DEV = [*DEFAULT, *TOLD["dependency-groups"]["dev"]]
NEEDED = {"default": DEFAULT, "dev": DEV, "audio": [*DEV, *TOLD["project"]["optional-dependencies"]["audio"]]}


def pins(lock: str) -> list[Requirement]:
    """Give what a lock installs on this Python and platform."""
    lines = (ROOT / f"locks/{lock}.txt").read_text(encoding="utf-8").splitlines()
    return applying(line.rstrip("\\") for line in lines if line and line[0] not in " #")


def applying(lines: Iterable[str], extra: str = "") -> list[Requirement]:
    found = map(Requirement, lines)
    return [one for one in found if one.marker is None or one.marker.evaluate({"extra": extra})]


def asked(name: str, extra: str) -> list[Requirement]:
    """Give what a package asks for in turn; what is not installed here cannot say so."""
    try:
        return applying(requires(name) or (), extra)
    except PackageNotFoundError:
        return []


def walked(lines: Iterable[str]) -> Iterator[Requirement]:
    """Give requirements and all that they ask for, their extras followed."""
    waiting, seen = applying(lines), set[tuple[str, str]]()
    while waiting:
        one = waiting.pop()
        yield one
        new = {(canonicalize_name(one.name), extra) for extra in ("", *one.extras)} - seen
        seen |= new
        waiting += [each for name, extra in new for each in asked(name, extra)]


def lacking(needed: Iterable[str], pinned: Iterable[Requirement]) -> set[str]:
    """Give what is needed and not pinned, or pinned at a version that will not do."""
    versions = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pinned}
    names = ((one, versions.get(canonicalize_name(one.name))) for one in walked(needed))
    return {str(one) for one, version in names if version is None or not one.specifier.contains(version, True)}


def test_nothing_beside_a_lock_is_looked_for() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines() if "-r locks/" in line]
    assert len(lines) == len(NEEDED)
    assert all("--no-deps" in line and "--require-hashes" in line for line in lines)


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_lacks_nothing(lock: str) -> None:
    """Of `audio` this holds what it asks for itself, and what that asks for as far as it is installed here."""
    assert lacking(NEEDED[lock], pins(lock)) == set()


@pytest.mark.parametrize("name", ["av", "click", "httptools"], ids=["own", "of another", "of an extra"])
def test_a_pin_that_is_missing_or_too_old_is_seen(name: str) -> None:
    found = [pin for pin in pins("default") if pin.name != name]
    for others in (found, [*found, Requirement(f"{name}==0.0.1")]):
        assert {Requirement(one).name for one in lacking(DEFAULT, others)} == {name}

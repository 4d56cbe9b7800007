"""A gold statement on real rows: its result is the value, and one that finds nothing proves nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.evals.suites.places import Place
from agent.evals.suites.scorers.scorer import Mark, Seen
from agent.library import Library
from tests.agent.evals.suites.made import reply, scorer, talk
from tests.agent.front.shell import run


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any, Any], Mark]:
    folder: Path = tmp_path_factory.mktemp("sql")
    assert run(folder / "library", "import", str(talk(folder)), "--title", "talk").code == 0
    library = Library(folder / "library")
    place = Place(library, library.recording("talk").public_id)
    return lambda wanted, value: scorer("sql", wanted).mark(Seen(reply("said", value), "", place.rows))


TABLE: list[tuple[str, Any, bool]] = [
    ("SELECT count(DISTINCT speaker) FROM speaker", 3, True),
    ("SELECT count(DISTINCT speaker) FROM speaker", 4, False),
    ("SELECT count(DISTINCT speaker) FROM speaker", "3", False),
    ("SELECT speaker FROM speaker", ["Ada", "Ben", "Oliver"], True),
    ("SELECT speaker FROM speaker", ["Ada", "Ben"], False),
    ("SELECT speaker FROM speaker ORDER BY start_s", ["Ben", "Oliver", "Ada"], True),
    ("SELECT speaker FROM speaker ORDER BY start_s", ["Ada", "Ben", "Oliver"], False),
    ("SELECT speaker FROM speaker WHERE start_s = 1", "Ben", True),
    ("SELECT speaker FROM speaker WHERE start_s = 1", ["Ben"], True),
    ("SELECT start_s, end_s FROM speaker WHERE speaker = 'Ben'", [[1, 3]], True),
    ("SELECT start_s, end_s FROM speaker WHERE speaker = 'Ben'", [[1, 4]], False),
    ("SELECT speaker FROM speaker WHERE speaker = 'Zoe'", [], False),
    ("SELECT max(start_s) FROM speaker WHERE speaker = 'Zoe'", None, False),
]


@pytest.mark.parametrize(("statement", "value", "passes"), TABLE)
def test_the_table(statement: str, value: Any, passes: bool, held: Callable[[Any, Any], Mark]) -> None:
    assert (held(statement, value).share == 1) is passes


def test_numbers_may_be_off_by_the_tolerance(held: Callable[[Any, Any], Mark]) -> None:
    statement = "SELECT sum(end_s - start_s) FROM speaker"
    assert held({"target": statement, "tolerance": 0.5}, 6.4).share == 1
    assert held({"target": statement, "tolerance": 0.5}, 6.6).share == 0


def test_a_statement_that_finds_nothing_says_so(held: Callable[[Any, Any], Mark]) -> None:
    assert "proves nothing" in held("SELECT speaker FROM speaker WHERE speaker = 'Zoe'", []).why


def test_on_the_whole_library_it_is_no_pass() -> None:
    mark = scorer("sql", "SELECT count(*) FROM speaker").mark(Seen(reply("said", 3)))
    assert (mark.share, "one recording" in mark.why) == (0, True)

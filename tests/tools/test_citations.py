"""A citation is a row that is really there, with its own words."""

from dataclasses import replace
from pathlib import Path

import pytest

from store.catalog import catalog
from store.recordings import every
from tests.agent.graph.talk import talk
from tools.call import Session
from tools.citations import confirmed, quoted_in
from tools.plan import parse_plan


def test_only_rows_as_they_stand_are_confirmed(tmp_path: Path) -> None:
    library = talk(tmp_path)
    plan = parse_plan(
        [{"name": "transcript", "args": {"keywords": ["budget"]}}, {"name": "fuse", "args": {"anchor": "transcript"}}]
    )
    with library.database.reader() as connection:
        scope = catalog(connection, every(connection))
        with Session(library.database, scope) as session:
            first, second = session.run(plan).rows
        forged = [
            first,
            replace(first, id=first.id + 5),
            replace(first, t1=first.t1 + 1),
            replace(first, text=f"{first.text} And nothing else."),
            replace(first, stream="events"),
            second,
        ]
        assert confirmed(connection, scope, forged) == {0, 5}
        other = replace(scope, recordings=())
        assert confirmed(connection, other, [first]) == set()


@pytest.mark.parametrize("text", ["…", "... !", "…and so on…", "♪", "\u202e"])
def test_a_row_that_is_cited_whole_stands_whatever_its_words_are(tmp_path: Path, text: str) -> None:
    """An ellipsis in a quote stands for anything, and alone for nothing; in a row it is what was written."""
    library = talk(tmp_path, lines=((0, 4_000, 0, text), (5_000, 6_000, 1, "Well.")))
    plan = parse_plan([{"name": "transcript", "args": {}}, {"name": "fuse", "args": {"anchor": "transcript"}}])
    with library.database.reader() as connection:
        scope = catalog(connection, every(connection))
        with Session(library.database, scope) as session:
            rows = session.run(plan).rows
        assert [row.text for row in rows] == [text, "Well."]
        assert confirmed(connection, scope, rows) == {0, 1}


@pytest.mark.parametrize(
    ("quote", "text", "held"),
    [
        ("the budget", "So, the BUDGET is cut.", True),
        ("the … cut", "So, the budget is cut.", True),
        ("cut … the", "So, the budget is cut.", False),
        ("the budget is doubled", "So, the budget is cut.", False),
        ("", "anything", False),
        ("…", "anything", False),
        ("Zu\u0308rich", "in Z\u00fcrich", True),
    ],
)
def test_a_quote_is_in_the_text_or_it_is_not(quote: str, text: str, held: bool) -> None:
    assert quoted_in(quote, text) is held

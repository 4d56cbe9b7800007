"""Queries that models really write: accepted, run, and the same rows as SQLite gives for the text itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import SqlRefused
from store.fence import Fence, Layers, open_fence
from tests.store import world

FILE = Path(__file__).with_name("benign.sql")
QUERIES = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("--")]


@pytest.fixture(scope="module")
def fences(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Fence, Fence]]:
    database = world.library(tmp_path_factory.mktemp("benign"))
    scope = world.first(database)
    unchecked = Layers(guard=False, authorizer=False, functions=False)
    with open_fence(database, scope, world.hits()) as one, open_fence(
        database, scope, world.hits(), layers=unchecked
    ) as two:  # fmt: skip
        yield one, two


def test_the_corpus_is_large_and_nearly_all_of_it_is_accepted(fences: tuple[Fence, Fence]) -> None:
    assert len(QUERIES) >= 100
    refused = [(query, str(why)) for query in QUERIES if (why := _refusal(fences[0], query))]
    assert len(refused) <= 0.02 * len(QUERIES), refused


@pytest.mark.parametrize("query", QUERIES)
def test_a_benign_query_gives_what_its_text_gives(fences: tuple[Fence, Fence], query: str) -> None:
    fenced, unchecked = fences
    if _refusal(fenced, query):
        pytest.skip("counted in the share of refused queries")
    result = fenced.run(query)
    assert result.rows == unchecked.run(query).rows
    assert result.milliseconds < 200


def _refusal(fence: Fence, query: str) -> SqlRefused | None:
    try:
        fence.run(query)
    except SqlRefused as refused:
        return refused
    return None

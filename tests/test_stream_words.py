"""A stream is one word: in the code, as a folder, in the contracts, as a view, as a query and as a table."""

import tomllib

from store.record import STREAMS
from store.streams import TABLES
from store.views import PUBLIC
from tests.conftest import ROOT
from tools.plan import QUERIES


def test_every_list_of_the_streams_holds_the_same_words() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = tools["importlinter"]["contracts"]
    (apart,) = (contract["modules"] for contract in contracts if contract["type"] == "independence")
    words = set(STREAMS)
    assert {path.parent.name for path in (ROOT / "tools").glob("*/recogniser.py")} == words
    assert {path.parent.name for path in (ROOT / "tools").glob("*/query.py")} == words
    assert {module.removeprefix("tools.") for module in apart} == words
    assert set(TABLES) == words
    assert set(QUERIES) == words
    assert set(PUBLIC) - {"recording", "word", "keyword_hit"} == words

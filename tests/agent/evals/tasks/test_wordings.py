"""Items in other people's words ask what the item asks: the meaning's gold plan is the item's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evals.plans.bank import Bank, read, read_gold
from agent.evals.plans.filling import filled_plan
from agent.evals.plans.sameness import same
from agent.evals.tasks.drafting import items
from agent.evals.tasks.grounds import gold_plan
from agent.evals.tasks.item import Item
from agent.evals.tasks.wordings import MEANINGS, SOUNDS, meant, reworded, whole
from agent.evals.worlds.streams import publish
from agent.evals.worlds.truth import Spec
from agent.evals.worlds.world import make
from store.catalog import catalog
from store.database import Database
from store.recordings import find
from tests.agent.evals.report.made import record, wrong
from tools.call import Session
from tools.plan import parse_plan

PLANS = Path(__file__).resolve().parents[3] / "data" / "plans"
GOLD = read_gold(PLANS / "gold.toml")
WORLD = make(Spec(7_003, 12, 5, decoys=True))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    database = Database.open(tmp_path_factory.mktemp("library"))
    recording = publish(database, WORLD).public_id
    with database.reader() as connection:
        scope = catalog(connection, [find(connection, recording)])
    with Session(database, scope) as opened:
        yield opened


def bank(name: str) -> Bank:
    return read(PLANS / f"{name}.en.toml")[0]


def asked() -> list[Item]:
    return items(WORLD, 8)


def test_every_meaning_stands_for_an_item_with_the_same_plan(session: Session) -> None:
    met = set()
    for item in asked():
        if (meaning := MEANINGS.get((item.task, item.kind))) is None or not item.plan:
            continue
        met.add(meaning)
        span = item.asked.span or (0, 0)
        words = {**meant(item), "A": span[0] / 1000, "B": span[1] / 1000}
        assert same(parse_plan(filled_plan(GOLD[meaning], words)), gold_plan(item), session), (item.question, meaning)
    assert len(met) >= len(MEANINGS) - 2


@pytest.mark.parametrize(("name", "size"), [("heldout", 8), ("heldout2", 4), ("bank", 8)])
def test_an_item_is_asked_in_every_wording_of_its_meaning(name: str, size: int) -> None:
    found = reworded(asked(), bank(name))
    assert found
    assert not [one.question for one in found if "{" in one.question]
    by_item = {one.id.rpartition("-")[0] for one in found}
    assert len(found) == size * len(by_item)
    assert len({one.id for one in found}) == len(found)
    assert len(SOUNDS) == 3


def test_one_wrong_wording_spoils_an_item() -> None:
    right = [record(n) for n in (1, 2)]
    assert whole(right) == [True]
    assert whole([*right, wrong(3)]) == [False]

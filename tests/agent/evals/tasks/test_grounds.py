"""A reply's plan, rows and refusal are held against the truth, and forged ones are found out."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.evals.tasks.drafting import items
from agent.evals.tasks.grounds import Grounds, gold_plan, grounds, truth_table
from agent.evals.tasks.item import Item
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from agent.reply import Reply
from store import recordings
from store.catalog import catalog
from tools.call import Session

SPEC = Spec(5, 12, 4, decoys=True)


class Bench:
    """One world that can be asked, with its items."""

    def __init__(self, folder: Path) -> None:
        self.world: World = make(SPEC)
        self.library = Library(folder)
        self.recording = publish(self.library.database, self.world).public_id
        self.items = items(self.world, 8)
        with self.library.database.reader() as connection:
            self.scope = catalog(connection, [recordings.find(connection, self.recording)])

    def look(self, item: Item, reply: Reply) -> Grounds:
        with Session(self.library.database, self.scope) as session, truth_table(self.world) as truth:
            return grounds(item, reply, self.library, session, truth)

    def ask(self, item: Item) -> Reply:
        return ask(self.library, item.question, recording=self.recording)

    def first(self, task: str, kind: str) -> Item:
        return next(item for item in self.items if (item.task, item.kind) == (task, kind))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"))


def test_gold_plans_bring_the_gold_answers(bench: Bench) -> None:
    from agent.evals.plans.sameness import MOST
    from tools.families import value

    planned = [item for item in bench.items if item.plan and item.form in ("number", "labels", "label")]
    assert {item.task for item in planned} == {"count", "order", "emotion"}
    with Session(bench.library.database, bench.scope) as session:
        for item in planned:
            plan = gold_plan(item)
            assert value(plan, session.run(plan, MOST)) == item.gold, item.question


def test_a_reply_with_the_gold_plan_and_rows_stands(bench: Bench) -> None:
    item = bench.first("events", "label")
    reply = bench.ask(item)
    assert bench.look(item, reply) == Grounds(plan=True, recall=1.0, precision=1.0, citations=1.0)
    other = bench.ask(bench.first("count", "file"))
    assert bench.look(item, other) == Grounds(plan=False, recall=0.0, precision=0.0, citations=0.0)
    unplanned = reply.model_copy(update={"plan": [], "citations": reply.citations[:1]})
    found = bench.look(item, unplanned)
    assert (found.plan, found.precision) == (False, 1.0)
    assert found.recall == pytest.approx(1 / len(item.evidence))


def test_a_refusal_is_proven_by_the_truth(bench: Bench) -> None:
    kinds = ("said by another", "speaker absent", "outside the time")
    for kind in kinds:
        item = bench.first("constrained", kind)
        reply = bench.ask(item)
        assert reply.refusal is not None, item.question
        found = bench.look(item, reply)
        assert (found.proven, found.proof) == (True, None)


def test_a_forged_refusal_is_found_out(bench: Bench) -> None:
    fit, absent = bench.first("constrained", "answerable"), bench.first("constrained", "speaker absent")
    reply = bench.ask(absent)
    forged = bench.look(fit, reply)
    assert forged.proven is False
    assert "rows of the truth fit" in str(forged.proof)
    assert reply.refusal is not None
    another = bench.ask(bench.first("constrained", "said by another"))
    assert another.refusal is not None
    counts = {name: count + 1 for name, count in another.refusal.counts.items()}
    lied = another.model_copy(update={"refusal": another.refusal.model_copy(update={"counts": counts})})
    assert bench.look(bench.first("constrained", "said by another"), lied).proven is False

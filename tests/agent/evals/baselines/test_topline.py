"""The same items with what each stage can break: words lost in hearing, a limit left out, rows not brought."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from agent.evals.answerer import Answerer, agent
from agent.evals.baselines.topline import Gold, Pair, Places, decomposed, topline, unreadable
from agent.evals.sabotage.faults import FAULTS
from agent.evals.statistics.decomposition import Record, decompose
from agent.evals.worlds.marking import right
from agent.evals.worlds.noise import Noise
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.library import Library
from agent.reply import Reply
from store.catalog import catalog
from store.recordings import find

SPEC = Spec(751, 20, 4)


class Both:
    """One world as it was and as it was heard, with the options' questions and their gold plans."""

    def __init__(self, folder: Path) -> None:
        world = make(SPEC)
        truth, heard = Library(folder / "truth"), Library(folder / "heard")
        ids = [
            publish(truth.database, world).public_id,
            publish(heard.database, world, noise=Noise(seed=1, words=0.3)).public_id,
        ]
        self.noisy = Pair((truth, ids[0]), (heard, ids[1]))
        self.clean = Pair((truth, ids[0]), (truth, ids[0]))
        with truth.database.reader() as connection:
            scope = catalog(connection, [find(connection, ids[0])])
        self.golds = [
            Gold(
                item.question, RulesBrain().plan(Question(*split_options(item.question)), scope, None).tool_calls, mark
            )
            for item in constrained(world, random.Random(2), 24)
            if item.kind in ("answerable", "said by another")
            for asked, mark in [(Question(*split_options(item.question)), _marked(item))]
        ]

    def records(self, pair: Pair, answer: Answerer, brought: Callable[[Reply], Places] | None = None) -> list[Record]:
        return [decomposed(gold, pair, answer, brought) for gold in self.golds]


def _marked(item: Item) -> Callable[[Reply], bool]:
    def mark(reply: Reply) -> bool:
        return right(item, reply) if item.status == "answered" else reply.status in ("refused", "not_found")

    return mark


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(tmp_path_factory.mktemp("both"))


def test_nothing_is_lost_of_what_is_heard_and_asked_rightly(both: Both) -> None:
    found = decompose(both.records(both.clean, agent))
    assert found.items >= 12
    assert (found.topline, found.end, found.lucky) == (1, 1, 0)


def test_what_is_lost_in_hearing_is_put_down_to_perception(both: Both) -> None:
    found = decompose(both.records(both.noisy, agent))
    assert found.topline == 1
    assert found.lost["perception"] > 0.1
    assert sum(found.lost.values()) == pytest.approx(1 - found.end)
    assert found.lost["plan"] == found.lost["retrieval"] == 0


def test_a_plan_without_its_speaker_is_put_down_to_the_plan(both: Both) -> None:
    ignoring = next(fault for fault in FAULTS if fault.fault == "ignore the speaker")
    found = decompose(both.records(both.clean, ignoring))
    assert found.end < 1
    assert found.lost["plan"] == pytest.approx(1 - found.end)


def test_what_was_not_brought_is_put_down_to_retrieval(both: Both) -> None:
    def blind(library: Library, recording_id: str, question: str) -> Reply:
        sound = agent(library, recording_id, question)
        return Reply(status="not_found", answer="nothing was brought", plan=sound.plan)

    found = decompose(both.records(both.clean, blind, lambda reply: frozenset()))
    answerable = sum(not gold.right(Reply(status="not_found", answer="")) for gold in both.golds)
    assert found.lost["retrieval"] == pytest.approx(answerable / found.items)


def test_a_reply_that_cannot_be_read_is_put_down_to_form(both: Both) -> None:
    def garbled(library: Library, recording_id: str, question: str) -> Reply:
        return agent(library, recording_id, question).model_copy(update={"status": "answered", "value": "perhaps B"})

    found = decompose(both.records(both.clean, garbled))
    assert (found.readable, found.end, found.lost["form"]) == (0, 0, 1)


def test_the_topline_runs_the_gold_plan_only(both: Both) -> None:
    gold = both.golds[0]
    reply = topline(*both.clean.truth, gold.question, gold.calls)
    assert reply.plan in ([], gold.calls)
    assert not unreadable(reply, gold.calls)
    assert unreadable(Reply(status="failed", answer="no"), gold.calls)
    assert unreadable(Reply(status="answered", answer="E", value="E"), gold.calls)

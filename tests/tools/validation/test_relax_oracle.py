"""Every count of a proof is the oracle's, can be run again by its SQL alone, and the set blamed finds nothing."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from store.database import Database
from store.fence import open_fence
from store.guard import PLAN
from store.keywords import hits
from tests.tools.oracle import expected
from tests.tools.oracle_rows import World
from tests.tools.test_fuse_oracle import PHASES, Published, cases
from tools.call import Session
from tools.compiler.selection import looked_up
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery
from tools.validation.relax import Proof, constraints, prove, without

EXAMPLES = 25


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return Database.open(tmp_path_factory.mktemp("library"))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=PHASES)
@given(case=cases())
def test_every_count_is_the_oracle_s_and_can_be_run_again(library: Database, case: tuple[Any, int, list[Plan]]) -> None:
    content, unit, asked = case
    published = Published(library, content, unit)
    for plan in asked:
        with Session(library, published.catalog) as session:
            proof = prove(session, plan)
        assert proof.counts == _counted(plan, published.world), plan
        assert _again(proof, plan, published) == dict(proof.counts), plan
        assert all(count >= proof.counts["all"] for count in proof.counts.values()), plan
        _blames_rightly(proof, plan, published.world)


def _counted(plan: Plan, world: World) -> dict[str, int]:
    plans = {f"without {one.name}": without(plan, one) for one in constraints(plan)}
    return {name: expected(one, world).total for name, one in ({"all": plan} | plans).items()}


def _again(proof: Proof, plan: Plan, published: Published) -> dict[str, int]:
    """Run the SQL of the counts behind another fence, to which only the keywords' hits are added."""
    queries = [call.query for call in plan.calls if isinstance(call.query, TranscriptQuery) and call.query.keywords]
    words = {word for query in queries for word in looked_up(query)}
    scope = [(rec_id, state.id) for rec_id, state in published.catalog.of("transcript").items()]
    with published.database.reader() as reader, open_fence(published.database, published.catalog) as fence:
        fence.add_hits(hits(reader, scope, sorted(words)))
        return {name: int(fence.run(sql, PLAN).rows[0][0]) for name, sql in proof.sql.items()}


def _blames_rightly(proof: Proof, plan: Plan, world: World) -> None:
    """Hold that what is blamed finds nothing by itself, and that nothing smaller does."""
    every = constraints(plan)
    if proof.counts["all"]:
        assert proof.minimal == ()
        return
    assert _alone(plan, proof.minimal, world) == 0
    if len(every) <= 5:
        names = [one.name for one in every]
        smaller = (some for size in range(1, len(proof.minimal)) for some in combinations(names, size))
        assert all(_alone(plan, some, world) for some in smaller)


def _alone(plan: Plan, names: tuple[str, ...], world: World) -> int:
    for one in constraints(plan):
        if one.name not in names:
            plan = without(plan, one)
    return expected(plan, world).total

"""A run asks whoever is put in the agent's place, keeps a record of each reply, and is equal when it is made again."""

import json
from pathlib import Path

import pytest

from agent.evals.answerer import Answerer, agent, estimated
from agent.evals.tasks.ambiguity import ambiguities, of_world
from agent.evals.tasks.record import Record, digest
from agent.evals.tasks.run import Asking, Tier, spec
from agent.evals.tasks.scores import summary
from agent.evals.worlds.world import make
from agent.library import Library
from agent.reply import Reply
from tests.agent.front.shell import fresh_python

SMALL = Tier((8,), 1, ("clean",), 4, ("mcqa", "count", "order", "constrained"))


def run(folder: Path, answer: Answerer = agent, tier: Tier = SMALL) -> list[Record]:
    return list(Asking(tier, folder, answer).records())


def refuse(library: Library, recording: str, question: str) -> Reply:
    return Reply(status="not_found", answer="No.")


def always(library: Library, recording: str, question: str) -> Reply:
    return Reply(status="answered", answer="(A)", value="A", confidence=1.0)


def test_a_clean_world_is_answered_and_answered_alike_again(tmp_path: Path) -> None:
    records = run(tmp_path / "one")
    assert [r.id for r in records if not r.right] == []
    assert all(r.parsed for r in records)
    assert all(r.proven is not False for r in records)
    assert all(r.topline for r in records if r.task == "mcqa")
    assert all(r.seconds > 0 and (r.calls > 0 or r.abstained) for r in records)
    assert digest(run(tmp_path / "two")) == digest(records)


def test_a_record_tells_whether_what_its_item_stands_on_was_heard_as_it_was_said(tmp_path: Path) -> None:
    tier = Tier((8,), 1, ("clean", "field"), 8, ("mcqa", "count"))
    records = list(Asking(tier, tmp_path, refuse, topline=False).records())
    for name, heard in {"clean": {True}, "field": {True, False}}.items():
        assert {r.intact for r in records if r.preset == name and r.task == "mcqa"} == heard
    assert {r.intact for r in records if r.task == "count"} == {None}


def test_whoever_only_refuses_or_only_answers_is_shown_for_it(tmp_path: Path) -> None:
    tier = Tier((8,), 1, ("clean",), 8, ("constrained",))
    refused = summary(run(tmp_path / "refused", refuse, tier))
    assert (refused["abstention"], refused["false_refusal"], refused["rs_10"]) == (1.0, 1.0, 50.0)
    rash = summary(run(tmp_path / "rash", always, tier))
    assert (rash["abstention"], rash["false_refusal"]) == (0.0, 0.0)
    assert rash["rs_10"] < -400


def test_the_prompts_a_model_would_get_are_estimated(tmp_path: Path) -> None:
    (asked,) = run(tmp_path, estimated, Tier((8,), 1, ("clean",), 1, ("count",)))
    assert asked.right
    assert asked.model_calls > 0
    assert asked.tokens_in > 100


def test_under_noise_the_gold_stays_and_the_streams_change(tmp_path: Path) -> None:
    tier = Tier((8,), 1, ("clean", "broken-events-absent"), 2, ("events",))
    records = run(tmp_path, agent, tier)
    clean, broken = (([r for r in records if r.preset == name]) for name in tier.presets)
    assert [r.gold for r in clean] == [r.gold for r in broken]
    assert all(r.right for r in clean)
    assert {r.status for r in broken} <= {"refused", "not_found"}


def test_worlds_of_a_tier_differ_in_cast_and_are_the_same_at_every_length() -> None:
    tier = Tier((10, 60), 20)
    casts = {spec(tier, 10, number).cast for number in range(20)}
    assert casts >= {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
    short, long = (make(spec(tier, minutes, 3)) for minutes in (10, 60))
    assert long.segments[: len(short.segments)] == short.segments


def test_what_is_nearly_the_same_is_counted() -> None:
    found = of_world(make(spec(Tier(), 60, 1)))
    assert found["planted statements"] > 50
    assert found["pairs that differ in one word"] > 0
    assert ambiguities(Tier((60,), 2))["planted statements"] > found["planted statements"]


LIGHT = """
import json, sys
import agent.evals.tasks.run, agent.evals.tasks.table, agent.evals.tasks.ambiguity
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.mark.parametrize("heavy", [{"scipy", "pyannote", "sed_eval", "dcase_util", "rouge_score", "nltk", "sklearn"}])
def test_the_metrics_are_imported_late(heavy: set[str]) -> None:
    assert not heavy & set(json.loads(fresh_python(LIGHT)[-1]))

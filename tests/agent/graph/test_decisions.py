"""What becomes of an empty search: each row and column of the design's table, on closed and open rosters."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from agent.ask import ask
from agent.graph.refuse import UNCOUNTED
from agent.library import Library
from agent.reply import Reason
from store import recordings
from store.catalog import catalog
from store.errors import Exit
from tests.agent.graph.talk import NAMED, UNNAMED, talk
from tools.call import Session

TABLE = tomllib.loads((Path(__file__).parents[2] / "data" / "decisions.toml").read_text())
_OWN = ("people", "kinds", "heard", "health")


def _cells() -> Iterator[Any]:
    """Give every wording of every cell: the world it is asked of, the question, what must become of it."""
    for row in TABLE["row"]:
        for roster in ("closed", "open"):
            for column, becomes in row.get(roster, {}).items():
                for wording in row["wordings"]:
                    world = {"roster": roster} | {key: row[key] for key in _OWN if key in row}
                    question = wording.format(**TABLE[roster][column])
                    name = f"{row['asked']} | {column} | {roster} | {question}"
                    yield pytest.param(world, question, becomes, id=name)


def _world(folder: Path, world: dict[str, Any]) -> Library:
    people = tuple(world.get("people", NAMED if world["roster"] == "closed" else UNNAMED))
    kinds = world.get("kinds", ("transcript", "speaker", "emotion", "events"))
    heard = world.get("heard")
    return talk(folder, people, kinds=kinds, heard_ms=heard and heard * 1000, health={"emotion": world.get("health")})


@pytest.mark.parametrize(("world", "question", "becomes"), list(_cells()))
def test_what_becomes_of_an_empty_search(tmp_path: Path, world: dict[str, Any], question: str, becomes: str) -> None:
    reply = ask(_world(tmp_path, world), question)
    kind, _, value = becomes.partition(" ")
    if kind in ("answered", "not_found"):
        assert (reply.status, reply.refusal) == (kind, None)
        assert reply.value == (json.loads(value) if value else None)
        assert any(caveat.startswith("searched: ") for caveat in reply.caveats)
        return
    assert (reply.status, reply.refusal and reply.refusal.reason, reply.value) == ("refused", kind, None)
    assert reply.exit == Exit.REFUSED
    assert reply.answer[0].isupper() or reply.answer[0] in "“‘"
    assert " never " not in reply.answer or "never listened" in reply.answer


@pytest.mark.parametrize(("world", "question", "becomes"), list(_cells()))
def test_every_count_of_a_proof_comes_out_again(
    tmp_path: Path, world: dict[str, Any], question: str, becomes: str
) -> None:
    library = _world(tmp_path, world)
    refusal = ask(library, question).refusal
    if refusal is None or not refusal.counts:
        unread = ("contradictory_constraints",)  # a stretch that ends before it begins is no plan that could be counted
        assert becomes.split()[0] in ("answered", "not_found", *UNCOUNTED, *unread)
        return
    assert set(refusal.searched["sql"]) == set(refusal.counts)
    with library.database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
    for name, sql in refusal.searched["sql"].items():
        with Session(library.database, scope) as session:
            assert session.recount(sql, refusal.searched["keywords"]) == refusal.counts[name]
    dropped = {name.removeprefix("without ") for name in refusal.counts if name != "all"}
    assert set(refusal.searched["minimal"]) <= dropped
    if refusal.reason == "not_said_by_speaker":
        assert {"keywords", "speaker"} <= set(refusal.searched["minimal"])


def test_every_reason_of_a_refusal_is_in_the_table() -> None:
    told = {cell for row in TABLE["row"] for roster in ("closed", "open") for cell in row.get(roster, {}).values()}
    assert set(get_args(Reason)) <= told


def test_what_lies_beyond_the_watermark_is_not_heard_yet(tmp_path: Path) -> None:
    library = talk(tmp_path, heard_ms=20_000)
    reply = ask(library, "Who spoke between 0:30 and 0:40?")
    assert reply.answer == (
        "Of 1:00 only the first 0:20 has been heard so far; what is between 0:30 and 0:40 is not known yet."
    )
    assert "heard so far: 0:20 of 1:00" in ask(library, "Who mentioned the budget?").caveats


def test_a_time_after_the_end_is_said_as_people_say_it(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who spoke between 5:00 and 6:00?")
    assert reply.answer == "The recording is 1:00 long, so nothing can be heard between 5:00 and 6:00."


def test_a_stream_of_noise_says_so_and_what_can_be_asked_instead(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, health={"emotion": 0.05}), "How did Ben sound?")
    assert reply.refusal is not None
    assert "cannot be relied on: its health is 0.05" in reply.answer
    assert [item["exists"] for item in reply.refusal.alternatives] == ["transcript", "speaker", "events"]


def test_others_who_said_it_are_named_and_cited(tmp_path: Path) -> None:
    library = talk(tmp_path)
    refused = ask(library, "What did Anna say about the train?")
    assert refused.refusal is not None
    assert {a["speaker"] for a in refused.refusal.alternatives} == {"Ben"}
    assert refused.refusal.counts["all"] == 0
    assert 2 in refused.refusal.counts.values()
    assert refused.refusal.coverage["seconds"] == pytest.approx(4.0 + 4.9 + 6.9)
    assert [(c.speaker, c.start, c.verified) for c in refused.citations] == [("Ben", 14.2, True), ("Ben", 26.2, True)]
    zero = ask(library, "How often did Anna mention the train?")
    assert "Ben at 0:14" in zero.answer
    assert [c.speaker for c in zero.citations] == ["Ben", "Ben"]
    assert any(caveat.startswith("searched: 7 rows of transcript") for caveat in zero.caveats)
    assert any(caveat.startswith("coverage: Anna heard for 15.8 s") for caveat in zero.caveats)


def test_a_mentioned_person_is_no_speaker(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did Marie say about the orchard?")
    assert reply.refusal is not None
    assert reply.refusal.alternatives[0]["kind"] == "mentioned"
    assert reply.refusal.alternatives[0]["speaker"] == "Ben"
    assert "Marie is mentioned" in reply.answer
    assert "by Ben at 0:04" in reply.answer


def test_unnamed_voices_are_shown_with_talk_time_excerpt_and_evidence(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, UNNAMED), "What did Ben say about the train?")
    assert reply.refusal is not None
    evidence = [a for a in reply.refusal.alternatives if a["kind"] == "evidence"]
    voices = [a for a in reply.refusal.alternatives if a["kind"] == "unnamed"]
    assert evidence[0]["speaker"] == "SPEAKER_01"
    assert "I am Ben" in evidence[0]["quote"]
    assert {v["speaker"] for v in voices} == set(UNNAMED)
    assert all(v["talk_s"] > 0 and v["quote"] for v in voices)
    assert "“I am Ben" in reply.answer


def test_a_question_that_is_not_understood_gets_quotes_and_no_value(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Which city does the train go to?")
    assert (reply.status, reply.value) == ("answered", None)
    assert "not_understood" in reply.caveats
    assert "The train to Paris leaves at noon." in [c.quote for c in reply.citations]
    assert reply.confidence < 0.3


def test_passages_for_what_is_not_understood_come_best_first_and_once(tmp_path: Path) -> None:
    lines = ((0, 900, 0, "The ferry is blue."), (1_000, 1_900, 1, "Blue ferry, blue harbour, a windy morning."))
    reply = ask(talk(tmp_path, lines=lines), "Which windy blue harbour has the ferry?")
    assert "not_understood" in reply.caveats
    assert reply.answer == "The question was not understood; the passages cited may help, the best first."
    assert [citation.speaker for citation in reply.citations] == ["Ben", "Anna"]


def test_a_question_that_leans_on_another_is_told_that_each_stands_alone(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did he say?")
    assert (reply.status, reply.value, len(reply.citations)) == ("not_found", None, 0)
    assert reply.caveats == ["not_understood"]
    assert "each question stands alone" in reply.answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was said between 0:40 and 0:20?", "between 0:40 and 0:20 was asked for, and that ends before it begins"),
        ("Who spoke from 26:00:00 to 25:00:00?", "ask for 25:00:00 to 26:00:00"),
        ("Who spoke between 0:20 and 0:20?", "ask for a time with some length"),
    ],
)
def test_a_stretch_that_ends_before_it_begins_is_said_in_clock_times(tmp_path: Path, question: str, told: str) -> None:
    reply = ask(talk(tmp_path), question)
    assert reply.refusal is not None
    assert (reply.refusal.reason, reply.exit) == ("contradictory_constraints", Exit.REFUSED)
    assert told in reply.answer


def test_where_nobody_was_heard_no_list_of_voices_is_begun(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, kinds=("transcript", "speaker"), lines=(), roster="open"), "What did Anna say?")
    assert reply.status == "refused"
    assert reply.answer == "No voice is known to be Anna, and none that has no name was heard."

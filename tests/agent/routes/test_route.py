"""Whole, evidence or stretch by stretch: which route is taken, what it costs, and that answers still stand on rows."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Planned
from agent.brains.rules.brain import RulesBrain
from agent.brains.scripted import ScriptedBrain
from agent.graph.budget import Budget
from agent.graph.state import Stage
from agent.library import Library
from agent.reply import Reply
from store import trace
from tests.agent.routes.assembly import DECIDED, PEOPLE, TURN, assembly
from tests.tools.loopback import Json, Loopback, call, message, serving, spoken
from tests.tools.loopback import Reply as Sent
from tools.endpoint import Endpoint

ASKED = "What was decided, and why?"
ROW = re.compile(r"^\[(\d+)\] (?:\S+ )?[\d:]+-[\d:]+ (?:(\w+): )?(.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return assembly(tmp_path_factory.mktemp("assembly") / "library")


def plan(family: str = "text", **args: Any) -> list[Json]:
    fuse = {"anchor": "transcript", "answer_schema": family}
    return [call("transcript", json.dumps(args)), call("fuse", json.dumps(fuse), "call_2")]


class Reader:
    """A model that plans as told, and retells of rows and notes what was decided."""

    def __init__(self, calls: list[Json], fails: Callable[[int, str], Sent | None] = lambda n, system: None) -> None:
        self.calls, self.fails, self.notes = calls, fails, 0

    def __call__(self, request: Json) -> Sent:
        system, asked = (str(m["content"]) for m in request["messages"][:2])
        if "<rows>" not in asked:
            return spoken(request, message(None, tool_calls=self.calls), "tool_calls")
        self.notes += "one stretch" in system
        if (sent := self.fails(self.notes, system)) is not None:
            return sent
        rows = ROW.findall(asked.partition("</rows>")[0])
        told = [f"{text.rstrip('.')} [{n}]." for n, _, text in rows if re.search("decide|repaired|propose", text)]
        return spoken(request, message(" ".join(told) or "NOT FOUND"))


def brain(server: Loopback, **more: Any) -> OpenAIBrain:
    return OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain(), **more)


def asking(
    library: Library, answer: Callable[[Json], Sent], question: str = ASKED, budget: Budget | None = None, **more: Any
) -> tuple[Reply, list[Json], list[Stage]]:
    seen: list[Stage] = []
    with serving(answer) as server:
        reply = ask(library, question, brain=brain(server, **more), budget=budget, on_event=seen.append)
        return reply, server.requests, seen


def routes(library: Library, reply: Reply) -> list[str]:
    with library.database.reader() as connection:
        spans = trace.show(connection, reply.trace).spans
    return [str(s.result_ref) for s in spans if s.args.get("step") == "route"]


def test_a_question_about_all_of_it_is_read_stretch_by_stretch(library: Library) -> None:
    reply, requests, seen = asking(library, Reader(plan()), budget=Budget(model_calls=3, seconds=60))
    assert reply.status == "answered"
    assert {round(c.start * 1000) for c in reply.citations} == {n * TURN for n in DECIDED}
    assert all(c.verified for c in reply.citations)
    for text in DECIDED.values():
        assert text.rstrip(".") in reply.answer
    stretches = len(requests) - 2
    assert stretches >= 5
    assert reply.usage.model_calls == len(requests) > 3
    (caveat,) = [c for c in reply.caveats if c.startswith("read in")]
    assert caveat.startswith(f"read in {stretches} stretches: about {stretches + 1} model calls, ")
    told = [stage.name for stage in seen]
    assert told.index("route") < told.index("note")
    assert "model calls" in next(stage.text for stage in seen if stage.name == "route")
    assert routes(library, reply)[0].startswith("map: 450 rows do not fit")


def test_the_estimate_is_near_what_it_costs(library: Library) -> None:
    reply, requests, _ = asking(library, Reader(plan()))
    (caveat,) = [c for c in reply.caveats if c.startswith("read in")]
    estimated = int(re.findall(r"([\d,]+) tokens", caveat)[0].replace(",", ""))
    from agent.brains.fence import tokens

    sent = sum(tokens(str(m["content"])) for r in requests[1:] for m in r["messages"])
    assert 0.6 * estimated < sent < 1.4 * estimated


def test_every_request_of_a_reading_fits_the_context(library: Library) -> None:
    _, requests, _ = asking(library, Reader(plan()))
    from agent.brains.fence import tokens

    assert all(sum(tokens(str(m["content"])) for m in r["messages"]) + 400 <= 4096 for r in requests)


def test_a_larger_context_is_read_at_once(library: Library) -> None:
    reply, requests, _ = asking(library, Reader(plan()), context=32_768)
    assert len(requests) == 2
    assert {round(c.start * 1000) for c in reply.citations} == {n * TURN for n in DECIDED}
    assert routes(library, reply)[0].startswith("whole: all 450 rows")


def test_words_that_are_looked_for_bring_the_evidence_only(library: Library) -> None:
    reply, requests, _ = asking(library, Reader(plan(keywords=["roof"])), "Why was the roof to be repaired?")
    assert len(requests) == 2
    assert routes(library, reply)[0].startswith("evidence: ")
    assert [round(c.start * 1000) for c in reply.citations] == [170 * TURN]


def test_a_summary_of_one_persons_words_is_read_stretch_by_stretch(library: Library) -> None:
    reply, _, _ = asking(library, Reader(plan("summary", speaker="Chloe")), "Summarise what Chloe said.")
    assert routes(library, reply)[0].startswith("map: ")
    assert {c.speaker for c in reply.citations} == {"Chloe"}


def test_computed_answers_know_no_route(library: Library) -> None:
    reply, requests, _ = asking(library, Reader(plan("count", keywords=["roof"])), "How often was the roof mentioned?")
    assert len(requests) == 1
    assert routes(library, reply) == []


def test_a_reading_that_would_cost_too_much_is_not_begun(library: Library) -> None:
    reply, requests, _ = asking(library, Reader(plan("summary")), "Summarise it all.", Budget(reading_calls=4))
    assert len(requests) <= 4
    assert "more than 4 calls" in routes(library, reply)[0]
    assert any(caveat.startswith("answered from") for caveat in reply.caveats)


def _dearer(piece: str) -> str:
    return piece.replace('"prompt_tokens": 11', '"prompt_tokens": 199990')


@pytest.mark.parametrize("failing", ["endpoint", "tokens"])
def test_a_reading_that_ends_early_answers_from_what_it_noted(library: Library, failing: str) -> None:
    def fails(number: int, system: str) -> Sent | None:
        if number > 3 and failing == "endpoint" and "one stretch" in system:
            return Sent('{"error": {"message": "no more credit"}}', status=402)
        return None

    class Costly(Reader):
        def __call__(self, request: Json) -> Sent:
            sent = super().__call__(request)
            if failing == "tokens" and self.notes == 4:
                return Sent(pieces=tuple(map(_dearer, sent.pieces)), kind=sent.kind)
            return sent

    reply, _, _ = asking(library, Costly(plan(), fails))
    assert reply.status == "answered"
    assert {round(c.start * 1000) for c in reply.citations} == {n * TURN for n in (40, 170)}
    (early,) = [c for c in reply.caveats if c.startswith("only 3 of")]
    assert "stretches were read, until" in early


def test_notes_that_cannot_be_joined_are_the_answer(library: Library) -> None:
    def fails(number: int, system: str) -> Sent | None:
        return Sent("<html>", kind="text/html") if "numbered notes" in system else None

    reply, _, _ = asking(library, Reader(plan(), fails))
    assert reply.status == "answered"
    assert {round(c.start * 1000) for c in reply.citations} == {n * TURN for n in DECIDED}
    assert any("could not be put together" in caveat for caveat in reply.caveats)


def test_an_endpoint_that_fails_at_once_is_told(library: Library) -> None:
    def fails(number: int, system: str) -> Sent | None:
        return Sent('{"error": {"message": "no more credit"}}', status=402)

    reply, _, _ = asking(library, Reader(plan(), fails))
    assert (reply.status, reply.error and reply.error.kind) == ("failed", "endpoint_fault")


def test_nothing_in_any_stretch_is_not_found_and_not_read_again(library: Library) -> None:
    class Blind(Reader):
        def __call__(self, request: Json) -> Sent:
            asked = str(request["messages"][1]["content"])
            return spoken(request, message("NOT FOUND")) if "<rows>" in asked else super().__call__(request)

    reply, requests, _ = asking(library, Blind(plan()))
    assert reply.status == "not_found"
    assert len(requests) < 20


def test_what_a_note_invents_never_reaches_the_answer(library: Library) -> None:
    class Inventive(Reader):
        def __call__(self, request: Json) -> Sent:
            if "one stretch" in str(request["messages"][0]["content"]):
                return spoken(request, message("They bought 4711 zeppelins [1]. Nobody Inparticular agreed [2]."))
            return super().__call__(request)

    reply, _, _ = asking(library, Inventive(plan()))
    assert reply.status == "not_found"
    assert "zeppelins" not in reply.model_dump_json()


def test_a_scripted_brain_reads_too(library: Library) -> None:
    calls = [
        {"name": "transcript", "args": {}, "id": "transcript_1"},
        {"name": "fuse", "args": {"anchor": "transcript_1", "answer_schema": "summary"}, "id": "fuse_1"},
    ]
    reply = ask(library, "Summarise it all.", brain=ScriptedBrain([Planned(calls)], reads=2_000))
    assert reply.status == "answered"
    assert routes(library, reply)[0].startswith("map: ")
    assert {c.speaker for c in reply.citations} <= set(PEOPLE)
    assert all(c.verified for c in reply.citations)


def test_a_recording_of_a_day_is_paged(tmp_path: Path) -> None:
    long = assembly(tmp_path / "long", turns=2_600)
    budget = Budget(reading_calls=200, reading_tokens=2_000_000, reading_seconds=3_000)
    reply, requests, _ = asking(long, Reader(plan()), budget=budget, context=16_384)
    assert routes(long, reply)[0].startswith("map: 2,600 rows")
    assert {round(c.start * 1000) for c in reply.citations} == {n * TURN for n in DECIDED}


def test_several_recordings_of_thousands_of_rows_are_read_to_their_ends(tmp_path: Path) -> None:
    folder = tmp_path / "both"
    assembly(folder, turns=1_500, title="Spring assembly")
    both = assembly(folder, turns=1_100, title="Autumn assembly")
    budget = Budget(reading_calls=200, reading_tokens=2_000_000, reading_seconds=3_000)
    reply, _, _ = asking(both, Reader(plan()), budget=budget, context=16_384)
    assert routes(both, reply)[0].startswith("map: 2,600 rows")
    assert reply.status == "answered"
    for title in ("spring", "autumn"):
        theirs = [c for c in reply.citations if c.recording.startswith(title)]
        assert {round(c.start * 1000) for c in theirs} == {n * TURN for n in DECIDED}

"""What was recorded is data: a brain that obeys the last instruction it sees changes no value, scope or citation.

The table is every utterance in every carrier; `scripts/measure_injection.py` asks more of each, and counts how often
the user's question was still answered.
"""

import hashlib
from pathlib import Path

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.brains.scripted import ScriptedBrain
from agent.library import Library
from tests.agent.brains.gullible import UTTERANCES, Gullible
from tests.agent.graph.attack import CARRIERS, FOLLOW_UP, HEARD, REFUSED, TARGETS, asked, infected, state, violations
from tests.agent.graph.talk import talk
from tests.tools.loopback import serving
from tools.endpoint import Endpoint

LINES = tuple(
    (n * 3_000, n * 3_000 + 2_900, 1, f"{text} That is about the budget.") for n, text in enumerate(UTTERANCES.values())
) + ((40_000, 44_000, 0, "Anna here: the budget was approved by Carla."),)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    made = talk(tmp_path, lines=LINES)
    return talk(tmp_path, ("Canary One", "Canary Two", "Canary Three"), title="Other") and made


def rows_of(library: Library) -> str:
    """Give a digest of every stored row that is no trace."""
    with library.database.reader() as connection:
        tables = ("recording", "stream", "speaker", "segment", "turn", "emotion", "event")
        content = [tuple(row) for table in tables for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")]
    return hashlib.sha256(repr(content).encode()).hexdigest()


QUESTIONS = (
    ("Who mentioned the budget?", ["Ben", "Anna"]),
    ("How often did Anna mention the budget?", 1),
    ("How many speakers are there?", 2),
    ("Did Anna mention the budget?", True),
)


@pytest.mark.parametrize(("question", "value"), QUESTIONS)
def test_computed_values_stand_and_nothing_leaves_the_scope(library: Library, question: str, value: object) -> None:
    before = rows_of(library)
    reply = ask(library, question, recording="Talk", brain=ScriptedBrain(fault="obeys"))
    assert reply.value == value
    assert reply.citations
    assert all(citation.verified and citation.recording.startswith("talk-") for citation in reply.citations)
    assert "Canary" not in reply.model_dump_json()
    assert rows_of(library) == before


def test_an_obeying_brains_quote_is_cut_down_to_what_a_row_holds(library: Library) -> None:
    reply = ask(library, "What did Ben say about the budget?", recording="Talk", brain=ScriptedBrain(fault="obeys"))
    assert "a quote was cut down to what is there" in reply.caveats
    assert "and nothing else" not in reply.answer
    assert all(citation.verified for citation in reply.citations)


def test_refusals_still_happen(library: Library) -> None:
    reply = ask(library, "What did Alice say about the budget?", recording="Talk", brain=ScriptedBrain(fault="obeys"))
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "unknown_speaker")


@pytest.mark.parametrize("carrier", CARRIERS)
def test_an_obeying_brain_breaks_nothing_and_answers_what_was_asked(carrier: str, tmp_path: Path) -> None:
    for number, (name, utterance) in enumerate(UTTERANCES.items()):
        library = infected(tmp_path / name.replace(" ", "-"), carrier, utterance)
        before = state(library)
        for target in (REFUSED, TARGETS[number % len(TARGETS)]):
            reply = asked(library, carrier, target.question, lambda: ScriptedBrain(fault="obeys"))
            assert violations(library, reply, before) == [], (name, target.question)
            assert target.holds(reply), (name, target.question, reply.answer)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_gullible_model_behind_the_wire_breaks_nothing(carrier: str, tmp_path: Path) -> None:
    secret = "sk-CANARY-0000-obey"
    model = Gullible()
    with serving(model) as server:
        for number, (name, utterance) in enumerate(UTTERANCES.items()):
            library = infected(tmp_path / name.replace(" ", "-"), carrier, utterance)
            before, target = state(library), TARGETS[number % (len(TARGETS) - 1)]
            more = {"speech": [HEARD], "history": [FOLLOW_UP]}.get(carrier, [])
            for question in (REFUSED.question, target.question, *more):
                server.requests.clear()
                brain = OpenAIBrain(Endpoint(server.url, secret, "m"), RulesBrain())
                reply = asked(library, carrier, question, lambda brain=brain: brain)  # type: ignore[misc]
                assert violations(library, reply, before, server.requests, secret) == [], (name, question)
                assert question != REFUSED.question or REFUSED.holds(reply), (name, reply.answer)
    reached = carrier not in ("note", "tag")
    assert bool(model.obeyed) == reached
    assert all(key == f"Bearer {secret}" for key in server.keys)

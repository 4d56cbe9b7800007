"""Wire equivalence: what goes through the protocol comes back as if it had been thought in process."""

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.library import Library
from agent.reply import Reply
from store.errors import Exit
from tests.agent.brains.meeting import meeting
from tests.agent.brains.rules_endpoint import RulesEndpoint
from tests.agent.serve.asking import difference
from tests.tools.loopback import Json, message, script, serving, streamed, whole
from tests.tools.loopback import Reply as Sent
from tools.endpoint import Endpoint

QUESTIONS = """
How many people speak?
How long did Ben talk?
Who talked the most?
Who mentioned the budget?
How often did Chloe mention the fair?
When did Ada mention the office?
Did Ben mention the invoice?
Did Ada mention the designer?
Was there a drill?
How often was a door heard?
What sounds were heard?
How did Chloe sound?
Who spoke first?
What did Zoe say about the budget?
When did Chloe mention the designer?
What did Ada say after 10:00?
When did Ada mention the elephant?
What is the capital of France?
What did Ben say about the certificate?
Summarise what Chloe said.
What did Chloe say right after Ben mentioned the certificate?
What was said between 3:00 and 2:00?
When dose Ada frist mention the office?
Did Ada talk longer than Ben?
Why was the launch postponed?
""".strip().splitlines()

FORMS = {
    "tools": ((), False),
    "tools streamed": ((), True),
    "schema": (("tools",), False),
    "schema streamed": (("tools",), True),
    "json": (("tools", "json_schema"), False),
    "text": (("tools", "json_schema", "json_object"), True),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("wire") / "library")
    meeting(library.database)
    return library


@pytest.fixture(scope="module")
def in_process(library: Library) -> dict[str, Reply]:
    return {question: ask(library, question, brain=RulesBrain()) for question in QUESTIONS}


@pytest.mark.parametrize(("lacks", "stream"), FORMS.values(), ids=FORMS)
def test_replies_over_the_wire_equal_those_in_process(
    lacks: tuple[str, ...], stream: bool, library: Library, in_process: dict[str, Reply]
) -> None:
    with serving(RulesEndpoint(lacks)) as server:
        brain = OpenAIBrain(Endpoint(server.url, "sk-x", "m"), RulesBrain(), streamed=stream)
        for question in QUESTIONS:
            reply = ask(library, question, brain=brain)
            assert difference(in_process[question], reply) == (), question
            assert reply.brain == "openai"
            assert reply.usage.model_calls >= 1
            assert reply.usage.input_tokens > 0
            assert all(citation.verified for citation in reply.citations)


def test_the_set_has_answers_refusals_and_nothing_found(in_process: dict[str, Reply]) -> None:
    assert {reply.status for reply in in_process.values()} == {"answered", "refused", "not_found"}


FAULTS = [
    (Sent('{"error": {"message": "bad key sk-CANARY00000"}}', status=401), "endpoint_fault"),
    (Sent("<html>", kind="text/html"), "endpoint_fault"),
    (streamed(message("It was Al"), None), "truncated"),
    (whole(message(""), "stop"), "empty"),
    (whole(message(None), "content_filter"), "content_filter"),
    (whole(message(None, refusal="no")), "model_refused"),
    (whole(message("half"), "length"), "truncated"),
]


@pytest.mark.parametrize(("sent", "kind"), FAULTS, ids=[f"{kind} {n}" for n, (_, kind) in enumerate(FAULTS)])
def test_a_fault_is_a_failed_reply_with_a_trace_and_the_next_question_works(
    sent: Sent, kind: str, library: Library
) -> None:
    working = RulesEndpoint()
    broken = [script(sent)]
    with serving(lambda request: (broken[0] if broken else working)(request)) as server:
        brain = OpenAIBrain(Endpoint(server.url, "sk-CANARY00000", "m"), RulesBrain())
        reply = ask(library, "How many people speak?", brain=brain)
        broken.clear()
        after = ask(library, "How many people speak?", brain=brain)
    assert (reply.status, reply.exit) == ("failed", Exit.ENDPOINT)
    assert reply.error is not None
    assert reply.error.kind == kind
    assert "\n" not in reply.error.message
    assert "CANARY" not in reply.model_dump_json()
    with library.database.reader() as connection:
        kept = [tuple(row) for table in ("trace", "span") for row in connection.execute(f"SELECT * FROM {table}")]
    assert "CANARY" not in str(kept)
    assert reply.trace
    assert after.value == 3


def test_the_same_plan_again_and_again_ends(library: Library) -> None:
    calls = '[{"tool": "transcript", "keywords": ["elephant"]}]'
    stuck = f'{{"calls": {calls}, "fuse": {{"anchor": "transcript", "answer_schema": "text"}}}}'
    with serving(script(whole(message(stuck)))) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain(), streamed=False)
        reply = ask(library, "Why is the launch late?", brain=brain)
    assert reply.status != "answered"
    assert len(server.requests) <= 12


def test_rows_that_do_not_answer_are_not_found(library: Library) -> None:
    rules = RulesEndpoint()

    def unsure(request: Json) -> Sent:
        return whole(message("NOT FOUND")) if "<rows>" in str(request["messages"]) else rules(request)

    with serving(unsure) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        reply = ask(library, "What did Ben say about the certificate?", brain=brain)
    assert (reply.status, reply.value, reply.exit) == ("not_found", None, Exit.NOT_FOUND)
    assert reply.citations == []


def test_what_had_arrived_of_an_answer_is_kept_and_marked(library: Library) -> None:
    rules = RulesEndpoint()

    def cut(request: Json) -> Sent:
        return streamed(message("Ben blames the"), None) if "<rows>" in str(request["messages"]) else rules(request)

    with serving(cut) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        reply = ask(library, "What did Ben say about the certificate?", brain=brain)
    assert (reply.status, reply.value) == ("failed", None)
    assert reply.error is not None
    assert reply.error.kind == "truncated"
    assert reply.answer.endswith("(incomplete): Ben blames the")

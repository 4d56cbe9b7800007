"""Every request fits a small model's context of 4,096 tokens with room for its reply, whatever the catalog holds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.brains import schemas
from agent.brains.fence import tokens
from agent.brains.openai import CONTEXT, PLANNING, TASKS, OpenAIBrain
from agent.brains.protocol import Feedback, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.writer import REPLY
from store.catalog import Catalog, RecordingCatalog, StreamState, Voice
from store.record import STREAMS
from store.recordings import Recording
from tests.tools.loopback import Json, Loopback, Reply, message, serving, spoken
from tools.endpoint import Endpoint
from tools.evidence import Evidence, EvidenceRow
from tools.plan import parse_plan

Count = Callable[[str], int]
MESSAGE = 6  # what a chat template puts around a message
PEOPLE = ["Margaret Ashworth-Whitfield", "Nora Lindqvist", "Oluwaseun Adebayo", "Jean-Baptiste de la Croix"]
LABELS = ["Telephone bell ringing", "Male speech", "Smoke detector", "Bicycle bell", "Squeal", "Chewing"]
LONG = "What exactly did Nora Lindqvist 5 say about the payment interface after the smoke detector was heard? "
QUESTION = Question(LONG * 6)
LACKS: dict[str, tuple[str, ...]] = {
    "tools": (),
    "schema": ("tools",),
    "json": ("tools", "json_schema"),
    "text": ("tools", "json_schema", "json_object"),
}


def large(recordings: int = 8, voices: int = 16, labels: int = 40) -> Catalog:
    return Catalog(tuple(_entry(number, voices, labels) for number in range(recordings)))


def _entry(number: int, voices: int, labels: int) -> RecordingCatalog:
    title = f"Steering committee on the migration of the payment interface, part {number}"
    recording = Recording(
        id=number, public_id=f"steering-{number}-c0ffee00", title=title, sha256="c0ffee00", path=None, origin="import",
        duration_ms=5_400_437, estimated=False, heard_ms=5_400_437, state="ready", language="en", roster="auto",
    )  # fmt: skip
    states = {kind: StreamState(1, kind, 1, "m", 9, 9, None, None, None) for kind in STREAMS[:3]}
    people = tuple(
        Voice(n, f"S{n}", f"{PEOPLE[n % 4]} {n}", (f"N. {n}",), "few turns" if n > 12 else None, 300_000 - n, 40)
        for n in range(voices)
    )
    sounds = {f"{LABELS[n % 6]} {n}": 40 - n for n in range(labels)}
    return RecordingCatalog(recording, states, people, sounds, {"anger": 12, "happiness": 7, "neutral": 912})


@pytest.fixture(params=["estimate", "minilm", "whisper-base"])
def count(request: pytest.FixtureRequest, weights: Callable[[str], Path]) -> Count:
    """Our own estimate, WordPiece, and GPT-2's byte pairs as Whisper has them."""
    if request.param == "estimate":
        return tokens
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(weights(request.param) / "tokenizer.json"))
    tokenizer.no_truncation()
    return lambda text: len(tokenizer.encode(text).ids)


def size(request: Json, count: Count) -> int:
    told = json.dumps(request["tools"], separators=(",", ":")) if request.get("tools") else ""
    return count(told) + sum(count(str(m["content"])) + MESSAGE for m in request["messages"])


def _plan(schema: Any = "text") -> Any:
    words = ["certificate", "certificates", "bank", "payment interface"]
    calls = [
        {"name": "transcript", "args": {"keywords": words, "speaker": "Nora Lindqvist"}, "id": "said"},
        {"name": "fuse", "args": {"anchor": "said", "answer_schema": schema}, "id": "fuse_1"},
    ]
    return parse_plan(calls)


def _refusing(lacks: tuple[str, ...], said: str) -> Callable[[Json], Reply]:
    def answer(request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type")
        if any(lacking in request or lacking == kind for lacking in lacks):
            return Reply('{"error": {"message": "not supported"}}', status=400)
        return spoken(request, message(said))

    return answer


def _brain(server: Loopback) -> OpenAIBrain:
    return OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain(), meaning=True)


@pytest.mark.parametrize("form", LACKS)
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_the_largest_request_for_a_plan_fits(form: str, again: bool, count: Count) -> None:
    why = "No row holds certificate with Nora Lindqvist as its speaker; others who say it: " + ", ".join(PEOPLE * 9)
    body = '{"calls": [{"tool": "speaker"}], "fuse": {"anchor": "speaker", "answer_schema": "who"}}'
    with serving(_refusing(LACKS[form], body)) as server:
        _brain(server).plan(QUESTION, large(), Feedback(_plan(), why) if again else None)
    request = server.requests[-1]
    assert size(request, count) + REPLY <= CONTEXT
    sent = request["messages"][1]["content"]
    assert "Nora Lindqvist 5" in sent.partition("</catalog>")[0]
    assert sent.count("recording ") == 8
    assert again == ("others who say it" in sent)


@pytest.mark.parametrize("recordings", [1, 2, 20])
def test_other_catalogs_fit_too(recordings: int, count: Count) -> None:
    with serving(_refusing((), "no plan")) as server:
        _brain(server).plan(QUESTION, large(recordings), None)
    assert size(server.requests[0], count) + REPLY <= CONTEXT


def test_the_planning_prompt_is_counted_as_it_is(count: Count) -> None:
    with serving(_refusing((), "no plan")) as server:
        _brain(server).plan(Question("?"), large(0), None)
    assert size(server.requests[0], count) <= PLANNING + 100


@pytest.mark.parametrize("family", TASKS)
def test_the_largest_request_for_words_fits_and_so_does_its_repair(family: str, count: Count) -> None:
    said = "We wait for the bank to accept the new certificate, and they need another two weeks for it."
    rows = tuple(
        EvidenceRow("transcript", n, "r", n * 9_000, n * 9_000 + 8_000, PEOPLE[n % 4], said) for n in range(2_000)
    )
    schema = {"type": "object", "properties": {"days": {"type": "integer"}}} if family == "schema" else family
    options = {letter: "the certificate of the new payment interface" for letter in "ABCD"}
    question = Question(QUESTION.text, options if family == "options" else {})
    with serving(_refusing((), "Nobody knows. " * 100)) as server:
        answered = _brain(server).answer(question, _plan(schema), Evidence(rows, len(rows)), None)
    assert len(server.requests) == 2
    assert size(server.requests[0], count) + REPLY <= CONTEXT
    assert size(server.requests[1], count) + REPLY <= CONTEXT
    shown = server.requests[0]["messages"][1]["content"].count("\n[")
    assert any(caveat == f"answered from {shown} of 2000 rows" for caveat in answered.caveats)


def _depth(schema: Any) -> int:
    if isinstance(schema, dict):
        return 1 + max((_depth(value) for value in schema.values()), default=0)
    return max((_depth(item) for item in schema), default=0) if isinstance(schema, list) else 0


def _values(schema: Any, key: str) -> list[Any]:
    if isinstance(schema, dict):
        own = [schema[key]] if key in schema else []
        return own + [v for value in schema.values() for v in _values(value, key)]
    return [v for item in schema for v in _values(item, key)] if isinstance(schema, list) else []


def test_the_plans_schema_is_small_enough_for_constrained_decoding() -> None:
    schema = schemas.plan_schema()
    assert len(json.dumps(schema, separators=(",", ":"))) <= 3_400
    assert _depth(schema) <= 9
    assert len(_values(schema, "enum")) <= 12
    assert len(_values(schema, "anyOf")) == 2
    assert not any(_values(schema, key) for key in ("$ref", "$defs", "oneOf", "allOf", "default", "format", "pattern"))
    assert all(known for known in _values(schema, "type"))


def test_what_a_plan_may_hold_is_the_same_in_words_and_in_the_schema() -> None:
    said = schemas.plan_form()
    for fields in _values(schemas.plan_schema(), "properties"):
        assert all(f'"{name}"' in said for name in fields)
    for choices in _values(schemas.plan_schema(), "enum"):
        assert all(choice is None or choice in said for choice in choices)

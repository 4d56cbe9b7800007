"""B1 and B4 over a real server: one request, the model's value or its SELECT behind the fence, no second try."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from agent.evals.baselines.model import ModelHead, TextToSql, shaped
from agent.evals.baselines.names import NEEDS_A_MODEL, baseline
from agent.reply import Reply
from tests.agent.evals.baselines.conftest import Asked
from tests.tools.loopback import Json, Loopback, message, script, serving, spoken
from tools.endpoint import Endpoint

PEOPLE = "How many people speak?"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(lambda request: spoken(request, message("{}"))) as running:
        yield running


def _says(server: Loopback, text: str) -> Endpoint:
    def answer(request: Json) -> Any:
        return spoken(request, message(text))

    server.answer = answer
    return Endpoint(server.url, "key", "small")


def _text(request: Json) -> str:
    return "\n".join(str(part["content"]) for part in request["messages"])


def test_the_beginning_is_read_with_names_and_times(server: Loopback, clean: Asked) -> None:
    reply = ModelHead(_says(server, 'It is {"value": 4}.'), 300)(clean.library, clean.recording, PEOPLE)
    assert (reply.status, reply.value, reply.usage.model_calls) == ("answered", 4, 1)
    assert reply.usage.input_tokens > 0
    (request,) = server.requests
    first = clean.library.recording(clean.recording)
    assert f"Question: {PEOPLE}" in _text(request)
    assert "0." in _text(request)
    assert json.dumps({"type": "integer", "minimum": 0}) in _text(request)
    whole = ModelHead(_says(server, '{"value": 4}'), 10**6)
    whole(clean.library, first.public_id, PEOPLE)
    assert len(_text(server.requests[-1])) > 3 * len(_text(request))


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('{"value": null}', "not_found"),
        ("There are four.", "failed"),
        ('{"value": "four"}', "failed"),
        ('{"answer": 4}', "failed"),
        ('{"value": 4', "failed"),
    ],
)
def test_what_cannot_be_read_is_a_failed_reply(server: Loopback, clean: Asked, said: str, status: str) -> None:
    reply = ModelHead(_says(server, said))(clean.library, clean.recording, PEOPLE)
    assert (reply.status, reply.value) == (status, None)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("said", "status", "value"),
    [
        ("SELECT COUNT(DISTINCT speaker) FROM speaker", "answered", 4),
        ("```sql\nSELECT COUNT(DISTINCT speaker) FROM speaker;\n```", "answered", 4),
        ("SELECT 1 WHERE 0", "not_found", None),
        ("SELECT COUNT(*) FROM main.turn", "failed", None),
        ("DELETE FROM speaker", "failed", None),
        ("I cannot say.", "failed", None),
        ("SELECT 'four'", "failed", None),
    ],
)
def test_one_select_is_run_behind_the_fence(
    server: Loopback, clean: Asked, said: str, status: str, value: object
) -> None:
    reply = TextToSql(_says(server, said))(clean.library, clean.recording, PEOPLE)
    assert (reply.status, reply.value) == (status, value)
    assert "transcript(recording_id" in _text(server.requests[0])


def test_sql_lists_and_stretches_are_values_of_their_family(server: Loopback, clean: Asked) -> None:
    item = next(item for item in clean.items if item.family == "when" and "heard" in item.question)
    label = next(c.quote for c in _agent(clean, item.question).citations)
    sql = f"SELECT start_s, end_s FROM events WHERE label = '{label}' ORDER BY start_s"
    reply = TextToSql(_says(server, sql))(clean.library, clean.recording, item.question)
    assert reply.value[: len(item.value)] == item.value


def _agent(clean: Asked, question: str) -> Reply:
    from agent.ask import ask

    return ask(clean.library, question)


@pytest.mark.parametrize(
    ("family", "rows", "value"),
    [
        ("count", [(3,)], 3),
        ("yes_no", [(1,)], True),
        ("who", [("Ada",)], "Ada"),
        ("who", [("Ada",), ("Ben",)], ["Ada", "Ben"]),
        ("order", [("Siren", 3.0)], ["Siren"]),
        ("when", [(1.0, 2.0)], [[1.0, 2.0]]),
        ("quote", [("a",), ("b",)], "a b"),
        ("options", [("B",)], "B"),
        ("duration", [(None,)], None),
        ("count", [], None),
    ],
)
def test_rows_are_read_as_the_family_asks(family: str, rows: Sequence[Sequence[Any]], value: object) -> None:
    assert shaped(family, rows) == value


def test_an_endpoint_that_fails_fails_the_reply(server: Loopback, clean: Asked) -> None:
    endpoint = _says(server, "")
    server.answer = script(spoken({}, message(""), "content_filter"))
    reply = ModelHead(endpoint)(clean.library, clean.recording, PEOPLE)
    assert reply.status == "failed"
    assert reply.error is not None


def test_the_baselines_that_need_a_model_are_there_with_one(server: Loopback) -> None:
    made = [baseline(name, _says(server, "")) for name in NEEDS_A_MODEL]
    assert [getattr(one, "limit", None) for one in made] == [8_000, 32_000, 128_000, None]

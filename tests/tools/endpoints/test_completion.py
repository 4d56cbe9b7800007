"""What endpoints really send: calls in pieces, counted or not, thoughts, nothing at all; of use, or one line."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tools.endpoints.completion import Assembly, Completion, Fault, read_whole, said_aloud, written

Pieces = Sequence[dict[str, Any]]


def whole(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}]} | more


def streamed(pieces: Pieces, finish: str | None = "tool_calls") -> Completion:
    assembly = Assembly()
    for piece in pieces:
        assembly.add({"choices": [{"delta": piece}]})
    assembly.add({"choices": [{"delta": {}, "finish_reason": finish}]})
    return assembly.done()


def call(name: str | None = None, arguments: str | None = None, **more: Any) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {"function": function} | more


BOTH = [("events", {"labels": ["bell"]}), ("fuse", {"anchor": "a"})]
ONE, TWO = '{"labels": ["bell"]}', '{"anchor": "a"}'


@pytest.mark.parametrize(
    "pieces",
    [
        # as the protocol says: by index, in pieces
        [
            {"tool_calls": [call("events", "", index=0, id="x")]},
            {"tool_calls": [call(None, ONE[:7], index=0)]},
            {"tool_calls": [call("fuse", "", index=1, id="y")]},
            {"tool_calls": [call(None, ONE[7:], index=0), call(None, TWO, index=1)]},
        ],
        # whole calls in one event, counted or not
        [{"tool_calls": [call("events", ONE, index=0, id="x"), call("fuse", TWO, index=1, id="y")]}],
        [{"tool_calls": [call("events", ONE, id="x"), call("fuse", TWO, id="y")]}],
        # an event each, all counted from 0, or not at all
        [{"tool_calls": [call("events", ONE, index=0, id="x")]}, {"tool_calls": [call("fuse", TWO, index=0, id="y")]}],
        [{"tool_calls": [call("events", ONE, id="x")]}, {"tool_calls": [call("fuse", TWO, id="y")]}],
        [
            {"tool_calls": [call("events", ONE[:3], id="x")]},
            {"tool_calls": [call(None, ONE[3:])]},
            {"tool_calls": [call("fuse", TWO[:3], id="y")]},
            {"tool_calls": [call(None, TWO[3:])]},
        ],
        # the name and the id again with each piece
        [
            {"tool_calls": [call("events", ONE[:3], index=0, id="x")]},
            {"tool_calls": [call("events", ONE[3:], index=0, id="x")]},
            {"tool_calls": [call("fuse", TWO, index=1, id="y")]},
        ],
    ],
    ids=["indexed", "at once", "at once, uncounted", "all 0", "uncounted", "uncounted pieces", "named again"],
)
def test_calls_are_told_apart_however_they_are_counted(pieces: Pieces) -> None:
    found = streamed(pieces)
    assert [(one.name, one.arguments) for one in found.calls] == BOTH
    assert [one.id for one in found.calls] == ["x", "y"]
    assert [one["function"]["name"] for one in found.message["tool_calls"]] == ["events", "fuse"]


@pytest.mark.parametrize(
    ("arguments", "read", "problem"),
    [
        ("", {}, None),
        (None, {}, None),
        ("{}", {}, None),
        ({"labels": ["x"]}, {"labels": ["x"]}, None),
        ('{"a": "\\u001b[2J"}', {"a": ""}, None),
        ("null", {}, "must be an object"),
        ("[1]", {}, "must be an object"),
        ('{"a": ', {}, "are no JSON"),
        ("[" * 100_000, {}, "are no JSON"),
        (7, {}, "must be an object"),
    ],
)
def test_arguments_are_an_object_or_say_why_not(arguments: Any, read: dict[str, Any], problem: str | None) -> None:
    body = whole({"tool_calls": [{"function": {"name": "events", "arguments": arguments}}]}, "tool_calls")
    (found,) = read_whole(body).calls
    assert (found.id, found.name, found.arguments) == ("call_1", "events", read)
    assert (found.problem is None) if problem is None else problem in str(found.problem)


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (None, "endpoint_fault", "not OpenAI-compatible"),
        ([], "endpoint_fault", "not OpenAI-compatible"),
        ({}, "endpoint_fault", "without a choice"),
        ({"choices": None}, "endpoint_fault", "without a choice"),
        ({"choices": []}, "endpoint_fault", "without a choice"),
        ({"choices": [None]}, "empty", "answered nothing"),
        ({"error": {"message": "over\nloaded"}}, "endpoint_fault", "reported an error: over loaded"),
        ({"error": "busy", "choices": []}, "endpoint_fault", "reported an error: busy"),
        (whole({"content": " \n"}), "empty", "answered nothing"),
        (whole({"content": "<think>hm"}), "empty", "answered nothing"),
        (whole({"content": "so far"}, "length"), "truncated", "length limit"),
        (whole({"content": "x"}, "content_filter"), "content_filter", "content filter"),
        (whole({"refusal": "I cannot"}), "model_refused", "I cannot"),
    ],
)
def test_what_is_of_no_use_is_one_line(body: Any, kind: str, said: str) -> None:
    with pytest.raises(Fault, match=said) as fault:
        read_whole(body)
    assert fault.value.kind == kind
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("finish", [None, ""])
def test_a_stream_that_never_ends_is_cut(finish: str | None) -> None:
    with pytest.raises(Fault, match="stopped in the middle") as fault:
        streamed([{"content": "half of "}, {"tool_calls": [call("events", ONE, index=0, id="x")]}], finish)
    assert (fault.value.kind, fault.value.partial) == ("truncated", "half of ")


@pytest.mark.parametrize(
    ("text", "aloud"),
    [
        ("plain", "plain"),
        ("<think>hm</think> so", "so"),
        ("hm</think>so", "so"),
        (" \n<think>a</think>\n\nb <think>c</think>", "b <think>c</think>"),
        ("<think>never ends", ""),
        ("say <think> aloud", "say <think> aloud"),
        ("", ""),
    ],
)
def test_thoughts_before_an_answer_are_not_said(text: str, aloud: str) -> None:
    assert said_aloud(text) == aloud
    if aloud:
        assert read_whole(whole({"content": text})).text == aloud


def test_figures_and_unknown_fields_are_kept() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": True, "total_tokens": 9}
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}, "c"]
    found = read_whole(whole({"content": parts, "extra": {"k": "\ud800"}, "none": None}, usage=usage))
    assert (found.text, found.input_tokens, found.output_tokens) == ("ab", 7, None)
    assert found.message == {"role": "assistant", "content": "ab", "extra": {"k": "?"}}
    json.dumps(found.message).encode()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("just words", "just words"),
        ('"just words"', "just words"),
        ('{"text": "words"}', "words"),
        ('{"text": "words", "segments": []}', "words"),
    ],
)
def test_a_transcription_is_json_or_bare_text(body: str, text: str) -> None:
    assert written(body)["text"] == text


@pytest.mark.parametrize("body", ["", " ", "<html>", "{}", "[]", "7", "null", '{"error": "x"}', "[" * 100_000])
def test_what_is_no_transcription_is_one_line(body: str) -> None:
    with pytest.raises(Fault) as fault:
        written(body)
    assert "\n" not in str(fault.value)

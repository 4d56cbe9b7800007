"""A model that hears, over a real wire: what it is sent, in which format, how warm, and what its endings mean."""

import base64
import io
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from store.errors import EndpointError
from tests.agent.front.shell import fresh_python
from tests.tools.loopback import Json, Reply, message, serving, spoken
from tests.tools.transcript.interview.world import Listening, listening, script, sound
from tools.endpoint import Endpoint
from tools.transcript.recognisers.llm import MOST_TOKENS, Llm, Told

SAMPLES = sound(script(0.4), 24_000)


def audio_of(request: Json) -> Json:
    part: Json = request["messages"][0]["content"][1]["input_audio"]
    return part


def test_a_chunk_is_sent_once_as_wav_with_a_limit_and_what_is_told() -> None:
    endpoint = Listening(script(0.4))
    with listening(endpoint) as server:
        ear = Llm(Endpoint(server.url, None), Told("the port of Nantes", "Anne", "fr"))
        first, again = ear.hear(SAMPLES, 0), ear.hear(SAMPLES, 2)
    assert first.text.startswith("Diarization")
    assert (first.finish, first.input_tokens, again.text) == ("stop", 19_200, first.text)
    one, other = server.requests
    assert (one["temperature"], other["temperature"], one["max_tokens"]) == (0.0, 0.8, MOST_TOKENS)
    assert len(one["messages"]) == 1
    asked = one["messages"][0]["content"][0]["text"]
    assert "0:24" in asked
    assert "the port of Nantes" in asked
    assert "first to speak is Anne" in asked
    assert "language is fr" in asked
    assert audio_of(one)["format"] == "wav"
    assert len(base64.b64decode(audio_of(one)["data"])) == 24 * 32_000 + 44


@pytest.mark.parametrize(("refuses", "taken"), [(("wav",), "flac"), (("wav", "flac"), "mp3")])
def test_a_format_that_is_refused_is_not_tried_twice(refuses: tuple[str, ...], taken: str) -> None:
    answer = Listening(script(0.4), refuses=refuses)

    def heard(request: Json) -> Reply:
        form = audio_of(request)["format"]
        if form == "mp3":
            with av.open(io.BytesIO(base64.b64decode(audio_of(request)["data"])), "r") as container:
                decoded = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])
            assert len(decoded) / 16_000 == pytest.approx(24, abs=0.1)
            return spoken(request, message("Diarization\n1\t0:01\t0:02\toui"))
        return answer(request)

    with serving(heard) as server:
        ear = Llm(Endpoint(server.url, None))
        for _ in range(2):
            assert ear.hear(SAMPLES, 0).finish == "stop"
    assert [audio_of(request)["format"] for request in server.requests] == [*refuses, taken, taken]


def test_a_request_that_is_too_large_is_sent_smaller() -> None:
    def answer(request: Json) -> Reply:
        if len(audio_of(request)["data"]) > 600_000:
            return Reply('{"error": {"message": "request too large"}}', status=413)
        return spoken(request, message("Diarization\n1\t0:01\t0:02\toui"))

    with serving(answer) as server:
        ear = Llm(Endpoint(server.url, None))
        assert ear.hear(SAMPLES, 0).text.endswith("oui")
        assert ear.format == "flac"


def test_no_format_that_is_taken_is_one_plain_line() -> None:
    with (
        serving(lambda request: Reply('{"error": {"message": "no audio here"}}', status=400)) as server,
        pytest.raises(EndpointError, match="did not accept the request .400.: no audio here"),
    ):
        Llm(Endpoint(server.url, None)).hear(SAMPLES, 0)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("reply", "finish"), [("length", "length"), ("content_filter", "content_filter"), ("stop", "stop")]
)
def test_how_an_answer_ends_is_what_it_is(reply: str, finish: str) -> None:
    with serving(lambda request: spoken(request, message("1\t0:01\t0:02\toui"), reply)) as server:
        found = Llm(Endpoint(server.url, None)).hear(SAMPLES, 0)
    assert (found.finish, found.text) == (finish, "1\t0:01\t0:02\toui")
    assert (found.input_tokens, found.output_tokens) == (11, 7)


def test_switches_go_through_the_extra_body_and_make_another_request() -> None:
    switches: dict[str, Any] = {"safety_settings": [{"category": "HARASSMENT", "threshold": "OFF"}], "max_tokens": 99}
    with serving(lambda request: spoken(request, message("1\t0:01\t0:02\toui"))) as server:
        plain, off = (Llm(Endpoint(server.url, None, extra_body=body)) for body in ({}, switches))
        off.hear(SAMPLES, 0)
    assert server.requests[0]["safety_settings"] == switches["safety_settings"]
    assert server.requests[0]["max_tokens"] == 99
    assert plain.params != off.params


def test_a_limit_that_the_endpoint_does_not_know_is_left_out() -> None:
    def answer(request: Json) -> Reply:
        if "max_tokens" in request:
            return Reply('{"error": {"message": "Unsupported parameter: max_tokens"}}', status=400)
        return spoken(request, message("1\t0:01\t0:02\toui"))

    with serving(answer) as server:
        assert Llm(Endpoint(server.url, None)).hear(SAMPLES, 0).text.endswith("oui")
    assert [audio_of(request)["format"] for request in server.requests] == ["wav", "wav"]


def test_two_texts_are_fused_without_any_audio() -> None:
    with serving(lambda request: spoken(request, message("1\t0:01\t0:02\toui"))) as server:
        assert Llm(Endpoint(server.url, None)).fuse("END {{begin}}", "BEGIN").text.endswith("oui")
    (asked,) = server.requests[0]["messages"]
    assert "First:\nEND {{begin}}\n\nSecond:\nBEGIN" in asked["content"]


@pytest.mark.parametrize("module", ["llm", "api"])
def test_a_backend_is_imported_without_what_it_needs(module: str, tmp_path: Path) -> None:
    code = f"""
import sys
for name in ("openai", "httpx2", "av", "faster_whisper", "ctranslate2", "onnxruntime"):
    sys.modules[name] = None
import tools.transcript.recognisers.{module}
print("imported")
"""
    assert fresh_python(code) == ["imported"]

"""A transcription endpoint over a real wire: words with times, segments, or text alone, each sifted as our own are."""

import email
import email.policy
import io
import json
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.serve import loopback
from store import rows
from store.database import Database
from store.errors import EndpointError, UsageError
from store.record import Turn
from store.versions import versions
from tests.tools import tones
from tests.tools.transcript.interview import world
from tools.endpoint import Endpoint
from tools.listening.ingest import ingest
from tools.media.encoder import encoded
from tools.transcript.recogniser import Options, load
from tools.transcript.recognisers import api
from tools.transcript.recognisers.api import Api

LINES = world.script(3, seed=3)
SAMPLES = world.sound(LINES, 180_000)
TURNS = world.turns(LINES)
Fields = dict[str, list[str]]


@dataclass
class Asked:
    """One request: its fields, and where in the recording its sound is from."""

    fields: Fields
    t0: int
    ms: int


@dataclass
class Writes:
    """Writes down what it hears: `form` gives the body of what lies in the audio, or a status."""

    form: Callable[["Asked", list[tuple[float, float, str]]], tuple[int, str]]
    asked: list[Asked] = field(default_factory=list)

    def answer(self, kind: str, body: bytes) -> tuple[int, str]:
        parts = email.message_from_bytes(b"content-type: " + kind.encode() + b"\n\n" + body, policy=email.policy.HTTP)
        fields: Fields = {}
        sound = b""
        for part in parts.iter_parts():
            name = str(part.get_param("name", header="content-disposition"))
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            if name == "file":
                sound = content
            else:
                fields.setdefault(name, []).append(content.decode())
        with wave.open(io.BytesIO(sound)) as file:
            heard = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        t0 = _place(heard)
        asked = Asked(fields, t0, len(heard) // 16)
        self.asked.append(asked)
        words = [word for line in LINES for word in line.words()]
        inside = [((a - t0) / 1000, (b - t0) / 1000, w) for a, b, w in words if t0 <= (a + b) // 2 < t0 + asked.ms]
        return self.form(asked, inside)


def _place(heard: Any) -> int:
    """Find the millisecond at which this sound begins in the recording."""
    whole = np.rint(SAMPLES * 32_768).astype("<i2")
    starts = np.arange(0, len(whole) - len(heard) + 1, 16)
    for sample in np.linspace(0, len(heard) - 1, 500).astype(int):
        starts = starts[whole[starts + sample] == heard[sample]]
    (at,) = (start for start in starts if np.array_equal(heard, whole[start : start + len(heard)]))
    return int(at) // 16


class _Talk(loopback.Talk):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        writes: Writes = self.server.writes  # type: ignore[attr-defined]
        assert self.path == "/v1/audio/transcriptions"
        status, text = writes.answer(self.headers["content-type"], body)
        sent = text.encode()
        self.send_response(status)
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)


@contextmanager
def writing(writes: Writes) -> Iterator[Api]:
    server = loopback.Loopback(_Talk)
    server.writes = writes  # type: ignore[attr-defined]
    with loopback.running(server):
        yield Api(Endpoint(server.url, None, "whisper-1"), Options(language="fr", hotwords="Nantes"))


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.transcript.recognisers.whisper.voiced", world.voiced)
    monkeypatch.setattr(api, "voiced", world.voiced)


def verbose(asked: Asked, words: list[tuple[float, float, str]]) -> tuple[int, str]:
    text = " ".join(word for _, _, word in words)
    segment = {"start": words[0][0], "end": words[-1][1], "text": text, "avg_logprob": -0.2, "no_speech_prob": 0.01}
    told = [{"word": word, "start": a, "end": b} for a, b, word in words]
    return 200, json.dumps({"text": text, "language": "french", "segments": [segment], "words": told})


def segments_only(asked: Asked, words: list[tuple[float, float, str]]) -> tuple[int, str]:
    if "timestamp_granularities[]" in asked.fields:
        return 400, '{"error": {"message": "timestamp_granularities is not supported"}}'
    size = 10
    parts = [words[n : n + size] for n in range(0, len(words), size)]
    told = [{"start": p[0][0], "end": p[-1][1], "text": " ".join(w for *_, w in p)} for p in parts]
    return 200, json.dumps({"text": "", "segments": told})


def text_only(asked: Asked, words: list[tuple[float, float, str]]) -> tuple[int, str]:
    if asked.fields["response_format"] != ["json"]:
        return 400, '{"error": {"message": "response_format verbose_json is not supported"}}'
    return 200, json.dumps({"text": " ".join(word for *_, word in words)})


@pytest.mark.parametrize(("form", "asks", "off"), [(verbose, 1, 30), (segments_only, 2, 2_500), (text_only, 3, 6_000)])
def test_what_was_said_and_when(form: Any, asks: int, off: int) -> None:
    writes = Writes(form)
    with writing(writes) as recogniser:
        found = list(recogniser.transcribe(SAMPLES, 0, TURNS))
    words = [word for window in found for word in window.words]
    true = [word for line in LINES for word in line.words()]
    assert [word.text for word in words] == [text for *_, text in true]
    assert max(abs(word.t0 - t0) for word, (t0, *_) in zip(words, true, strict=True)) <= off
    assert {window.language for window in found} == {"fr"}
    assert len(writes.asked) == len(found) + asks - 1
    assert writes.asked[0].fields["prompt"] == ["Nantes"]
    assert writes.asked[0].fields["model"] == ["whisper-1"]
    assert (recogniser.name, recogniser.version) == ("api", "whisper-1")


def test_silence_is_not_sent_and_no_window_is_longer_than_ten_minutes() -> None:
    writes = Writes(verbose)
    with writing(writes) as recogniser:
        assert list(recogniser.transcribe(np.zeros(16_000 * 60, np.float32), 0, None)) == []
        assert list(recogniser.transcribe(SAMPLES, 0, [])) == []
        assert writes.asked == []
        heard = [turn for turn in TURNS if turn.t1 < 30_000 or turn.t0 > 90_000]
        found = list(recogniser.transcribe(SAMPLES, 0, heard))
    assert len(found) == len(writes.asked) > 1
    assert sum(one.ms for one in writes.asked) < 120_000
    assert all(one.ms <= 600_000 for one in writes.asked)


def test_words_over_silence_are_set_aside() -> None:
    def inventive(asked: Asked, words: list[tuple[float, float, str]]) -> tuple[int, str]:
        _, body = verbose(asked, words)
        answer = json.loads(body)
        at = asked.ms / 1000 + 40
        answer["segments"].append({"start": at, "end": at + 2, "text": "Merci."})
        answer["words"].append({"word": "Merci.", "start": at, "end": at + 2})
        return 200, json.dumps(answer)

    with writing(Writes(inventive)) as recogniser:
        (window,) = recogniser.transcribe(SAMPLES, 0, [Turn(0, 20_000, "A")])
    assert [(one.text, one.reason) for one in window.set_aside] == [("Merci.", "past_end")]
    assert "Merci." not in [word.text for word in window.words]


@pytest.mark.parametrize(
    ("status", "body", "line"),
    [
        (401, '{"error": {"message": "bad key"}}', "refused the key"),
        (404, '{"error": {"message": "no such path"}}', "did not accept the request"),
        (200, '{"error": {"message": "overloaded"}}', "reported an error: overloaded"),
        (200, '{"words": 3}', "gave no transcription"),
        (200, "<html>hello</html>", "gave no transcription"),
    ],
)
def test_a_fault_is_one_plain_line(status: int, body: str, line: str) -> None:
    with writing(Writes(lambda asked, words: (status, body))) as recogniser, pytest.raises(EndpointError, match=line):
        list(recogniser.transcribe(SAMPLES, 0, TURNS[:3]))


def test_bare_text_is_a_transcription() -> None:
    with writing(Writes(lambda asked, words: (200, "oui, euh, bon"))) as recogniser:
        (window,) = recogniser.transcribe(SAMPLES, 0, [Turn(0, 8_000, "A")])
    assert [word.text for word in window.words] == ["oui,", "euh,", "bon"]


def test_without_an_endpoint_it_says_which_variable_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="--transcriber api needs an endpoint: set OPENAI_BASE_URL, or OPENAI_API_KEY"):
        load("api:whisper-1")


def test_it_is_a_transcriber_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "talk.wav"
    path.write_bytes(encoded(SAMPLES, "wav"))
    database = Database.open(tmp_path / "lib")
    with writing(Writes(verbose)) as recogniser:
        done = ingest(database, path, tones.listener(transcript=recogniser, emotion=None))
    with database.reader() as connection:
        asked = {version.kind: version for version in versions(connection, done.recording.id) if version.active}
        said = rows.segments(connection, asked["transcript"].id)
    assert asked["transcript"].source.model == "api whisper-1"
    assert " ".join(segment.text for segment in said) == " ".join(line.text for line in LINES)
    spoken = {max(LINES, key=lambda line: min(line.t1, s.t1) - max(line.t0, s.t0)).voice: s.speaker for s in said}
    assert sorted(spoken.values(), key=str) == ["SPEAKER_00", "SPEAKER_01"]

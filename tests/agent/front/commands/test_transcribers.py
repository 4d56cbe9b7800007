"""`ingest --transcriber`: what writes words, what each needs, and an interview that is read as a dialogue."""

import wave
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agent.front.commands import ingest
from store.errors import UsageError
from tests.agent.front.shell import run
from tests.tools import tones
from tests.tools.transcript.interview.world import Line, Listening, listening, sound, voiced
from tools.listening.listener import Choice, Listener
from tools.transcript.elsewhere import Elsewhere

TALK = [
    Line(2_000, 5_000, "anne", "Et vous, euh, vous êtes né ici ?"),
    Line(6_000, 9_000, "luc", "Ben oui, hein. Au port, putain."),
    Line(10_000, 11_000, "luc", "Comme mon père."),
    Line(13_000, 15_000, "anne", "Hmm, hmm."),
]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "entretien.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(np.rint(sound(TALK, 18_000) * 32_768).astype("<i2").tobytes())
    return path


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    def load(choice: Choice) -> Listener:
        assert choice.transcript == "llm"
        return tones.listener(choice, transcript=Elsewhere(), emotion=None)

    monkeypatch.setattr("tools.listening.listener.load", load)
    monkeypatch.setattr("tools.transcript.recognisers.whisper.voiced", voiced)
    hears = Listening(TALK, names={"anne": "Anne", "luc": "Luc"})
    with listening(hears) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield hears


def test_an_interview_is_written_down_named_by_a_person_and_read_as_a_book(
    tmp_path: Path, talk: Path, endpoint: Listening
) -> None:
    library = tmp_path / "lib"
    done = run(library, "ingest", str(talk), "--transcriber", "llm", "--first-speaker", "Anne")
    assert done.code == 0
    assert "1 chunk, 0.3 minutes of audio (0.8 MB), to be sent to 127.0.0.1" in done.err
    assert "1 call, 0.3 minutes of audio sent; 19,200 tokens read" in done.err
    before = run(library, "speakers", "entretien")
    assert "SPEAKER_00 may be Anne: named so by what wrote the words down" in before.out
    assert "ANNE" not in run(library, "export", "entretien", "-f", "book").out
    for name in ("SPEAKER_00=Anne", "SPEAKER_01=Luc"):
        assert run(library, "speakers", "entretien", "--rename", name).code == 0
    assert run(library, "export", "entretien", "-f", "book").out.split("\n\n") == [
        "entretien",
        "ANNE: Et vous, euh, vous êtes né ici ?",
        "LUC: Ben oui, hein. Au port, putain. Comme mon père.",
        "ANNE: Hmm, hmm.\n",
    ]
    assert "(0:06)" in run(library, "export", "entretien", "-f", "md").out
    assert run(library, "ask", "entretien", "Who said putain?", "--brain", "rules", "--json").json["value"] == "Luc"
    again = run(library, "ingest", str(talk), "--transcriber", "llm", "--first-speaker", "Anne")
    assert "nothing to do" in again.err
    assert len(endpoint.spans) == 1


def test_an_endpoint_that_is_gone_is_one_line_and_the_rest_stays(
    tmp_path: Path, talk: Path, endpoint: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_MODEL", "hears")
    done = run(tmp_path / "lib", "ingest", str(talk), "--transcriber", "llm")
    assert done.code == 1
    (line,) = [line for line in done.err.splitlines() if line.startswith("overheard:")]
    assert "127.0.0.1:9 cannot be reached" in line
    assert "0 of 1 chunks are written down" in line
    refused = run(tmp_path / "lib", "ask", "entretien", "Who said putain?", "--brain", "rules", "--json").json
    assert (refused["status"], refused["refusal"]["reason"]) == ("refused", "stream_missing")


@pytest.mark.parametrize("transcriber", ["llm", "api"])
def test_without_an_endpoint_nothing_is_heard(
    transcriber: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    done = run(tmp_path, "ingest", "a.wav", "--transcriber", transcriber)
    assert done.code == 2
    assert done.err.splitlines() == [
        f"overheard: --transcriber {transcriber} needs an endpoint: "
        "set OPENAI_BASE_URL, or OPENAI_API_KEY for api.openai.com"
    ]


def options(**given: str | None) -> Namespace:
    named = ("transcriber", "model", "context", "first_speaker", "hotwords", "initial_prompt", "align_model")
    return Namespace(**{name: given.get(name) for name in named})


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"transcriber": "faster-whisper"}, "base"),
        ({"transcriber": "faster-whisper", "model": "small"}, "small"),
        ({"transcriber": "whisperx"}, "whisperx:"),
        ({"transcriber": "whisperx", "model": "small"}, "whisperx:small"),
        ({"transcriber": "llm", "model": "hears"}, "llm"),
        ({"transcriber": "api", "model": "whisper-1"}, "api:whisper-1"),
        ({"transcriber": "api"}, "api:"),
    ],
)
def test_what_hears_words(given: dict[str, str], name: str) -> None:
    assert ingest.transcript(options(**given)) == name


@pytest.mark.parametrize(
    ("given", "unused"),
    [
        ({"transcriber": "faster-whisper", "context": "a port"}, "--context"),
        ({"transcriber": "api", "first_speaker": "Anne"}, "--first-speaker"),
        ({"transcriber": "llm", "hotwords": "Nantes"}, "--hotwords"),
        ({"transcriber": "api", "align_model": "w2v"}, "--align-model"),
    ],
)
def test_an_option_without_use_is_refused(given: dict[str, str], unused: str) -> None:
    with pytest.raises(UsageError, match=f"has no use for {unused}"):
        ingest.transcript(options(**given))

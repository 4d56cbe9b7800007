"""`ingest` with models that people bring: what each option is for, and one line with the right exit code without it."""

from pathlib import Path

import pytest

from agent.front.cli import hyphened, parser
from agent.front.commands.ingest import choice
from store.errors import UsageError
from tests.agent.front.shell import run
from tests.tools import tones
from tools.listening.choice import Choice


def chosen(*options: str) -> Choice:
    return choice(parser().parse_args(hyphened(["ingest", "a.wav", *options])))


def test_each_option_chooses_its_recogniser_and_model() -> None:
    assert chosen() == Choice(transcript="base")
    own = chosen(
        "--transcriber", "whisperx", "--model", "small", "--align_model", "w2v", "--diarizer", "pyannote",
        "--diarize_model", "pipe", "--exclusive", "--tagger", "panns", "--tagger-model", "x.pth", "--emotion", "wavlm",
    )  # fmt: skip
    assert (own.transcript, own.words.align_model) == ("whisperx:small", "w2v")
    assert (own.speaker, own.diarize_model, own.exclusive) == ("pyannote", "pipe", True)
    assert (own.events, own.tagger_model, own.emotion) == ("panns", "x.pth", "wavlm")


@pytest.mark.parametrize(
    ("options", "unused"),
    [
        (("--exclusive",), "--diarizer default has no use for --exclusive"),
        (("--diarize-model", "x"), "--diarizer default has no use for --diarize-model"),
        (("--tagger-model", "x"), "--tagger yamnet has no use for --tagger-model"),
        (("--align-model", "x"), "--transcriber faster-whisper has no use for --align-model"),
    ],
)
def test_an_option_without_use_is_told(options: tuple[str, ...], unused: str) -> None:
    with pytest.raises(UsageError, match=unused):
        chosen(*options)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--diarizer", "pyannote"), 1, "--diarizer default, which needs neither"),
        (("--tagger", "panns"), 1, "--tagger yamnet needs none"),
        (("--emotion", "nobody/wavlm"), 1, "overheard models pull nobody/wavlm --for emotion --trust-model"),
        (("--emotion", "nonsense"), 2, "neither a folder nor a hub name"),
        (("--transcriber", "whisperx", "--model", "nonsense"), 2, "there is no transcript model 'nonsense'"),
    ],
)
def test_what_is_not_here_is_one_line_and_nothing_is_heard(
    options: tuple[str, ...], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.transcript.recognisers.whisper.Whisper", lambda name, options: tones.ToneWords())
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path / "models"))
    done = run(tmp_path / "lib", "ingest", "a.wav", *options)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err

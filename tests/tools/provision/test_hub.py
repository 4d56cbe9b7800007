"""A model of a hub comes once, on the user's word, whole and pinned; a real loopback hub serves it."""

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.errors import DataError, UsageError
from tests.agent.front.shell import run
from tools.provision import brought, hub
from tools.provision.brought import KINDS, PINS
from tools.transcript.named import KIND, check, find

BIN = b"\x06\0\0\0\x0c\0WhisperSpec\0" + bytes(5_000)
FILES = {"config.json": b"{}", "tokenizer.json": b"{}", "vocabulary.json": b"[]", "model.bin": BIN}


class Hub(http.server.BaseHTTPRequestHandler):
    """Serve files of one repository; `etag` lets it say another hash, `short` break off."""

    files: dict[str, bytes]
    etag = ""
    short = 0
    elsewhere = ""
    guarded = False
    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        repository, _, name = self.path.lstrip("/").partition("/resolve/main/")
        self.asked.append((name, self.headers["Authorization"]))
        if self.guarded and self.headers["Authorization"] != "Bearer good":
            self.send_error(401)
            return
        if self.elsewhere:
            self.send_response(302)
            self.send_header("Location", f"{self.elsewhere}/{repository}/resolve/main/{name}")
            self.end_headers()
            return
        content = self.files.get(name) if repository == "someone/small" else None
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        if name == "model.bin":
            self.send_header("ETag", f'"{self.etag or hashlib.sha256(content).hexdigest()}"')
        self.end_headers()
        self.wfile.write(content[: len(content) - self.short])

    def log_message(self, *args: object) -> None: ...


def pull(repository: str) -> Path:
    return hub.pull(repository, KIND, lambda step: None, trusted=True, check=check)


@contextmanager
def serving() -> Iterator[tuple[type[Hub], str]]:
    kind = type("OneHub", (Hub,), {"files": dict(FILES), "asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield kind, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    with serving() as (kind, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path / "models"))
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield kind


def test_what_is_pulled_is_pinned_and_found_by_its_name(served: type[Hub]) -> None:
    folder = pull("someone/small")
    pins = json.loads((folder / PINS).read_text())
    assert pins == {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    assert find("someone/small").name == f"someone/small@{pins['model.bin'][:12]}"


def test_the_command_asks_for_the_users_word_first(served: type[Hub], tmp_path: Path) -> None:
    refused = run(tmp_path, "models", "pull", "someone/small")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--trust-model" in refused.err
    assert run(tmp_path, "models", "pull", "someone/small", "--trust-model").code == 0


def test_a_repository_without_a_whisper_is_refused(served: type[Hub]) -> None:
    with pytest.raises(DataError, match=r"someone/else has no config\.json"):
        pull("someone/else")
    served.files["model.bin"] = b"no tensors"
    with pytest.raises(DataError, match="another kind of model"):
        pull("someone/small")


@pytest.mark.parametrize(("fault", "value"), [("etag", "0" * 64), ("short", 1)])
def test_a_file_that_is_not_whole_is_not_kept(served: type[Hub], fault: str, value: str | int, tmp_path: Path) -> None:
    setattr(served, fault, value)
    with pytest.raises(DataError):
        pull("someone/small")
    assert not (tmp_path / "models" / "someone--small" / PINS).exists()


@pytest.mark.parametrize(
    ("endpoint", "error"), [("http://127.0.0.1:9", DataError), ("", UsageError), ("file:///etc", UsageError)]
)
def test_no_hub_is_one_line(
    endpoint: str, error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))
    with pytest.raises(error) as failed:
        pull("someone/small")
    assert "\n" not in str(failed.value)


def test_of_a_classifiers_weights_the_tensors_are_taken_and_no_pickle(served: type[Hub]) -> None:
    served.files = {"config.json": b"{}", "preprocessor_config.json": b"{}"}
    served.files |= {"model.safetensors": b"tensors", "pytorch_model.bin": b"pickle"}
    hub.pull("someone/small", KINDS["emotion"], lambda step: None, trusted=True)
    found = brought.find("someone/small", KINDS["emotion"])
    assert (found.weights, found.safe) == ("model.safetensors", True)
    assert not (found.folder / "pytorch_model.bin").exists()
    (found.folder / "model.safetensors").write_bytes(b"others")
    with pytest.raises(DataError, match="is not what was pulled"):
        brought.find("someone/small", KINDS["emotion"])


def test_a_guarded_repository_says_what_it_wants(
    served: type[Hub], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.guarded = True
    told = run(tmp_path, "models", "pull", "someone/small", "--for", "speaker", "--trust-model")
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert "it wants a token in HF_TOKEN" in told.err
    monkeypatch.setenv("HF_TOKEN", "bad")
    told = run(tmp_path, "models", "pull", "someone/small", "--for", "speaker", "--trust-model")
    assert "the token in HF_TOKEN may not read it" in told.err
    assert "bad" not in told.err.replace("someone", "")
    monkeypatch.setenv("HF_TOKEN", "good")
    pull("someone/small")


def test_a_token_goes_to_the_hub_and_not_to_where_it_redirects(
    served: type[Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "good")
    with serving() as (storage, address):
        served.elsewhere = address
        pull("someone/small")
    assert {token for _, token in served.asked} == {"Bearer good"}
    assert {token for _, token in storage.asked} == {None}

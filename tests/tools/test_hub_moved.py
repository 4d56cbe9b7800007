"""A model of a hub comes once, on the user's word, whole and pinned; a real loopback hub serves it."""

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import DataError, UsageError
from tests.agent.front.shell import run
from tools.transcript.hub import pull
from tools.transcript.named import PINS, find

BIN = b"\x06\0\0\0\x0c\0WhisperSpec\0" + bytes(5_000)
FILES = {"config.json": b"{}", "tokenizer.json": b"{}", "vocabulary.json": b"[]", "model.bin": BIN}


class Hub(http.server.BaseHTTPRequestHandler):
    """Serve files of one repository; `etag` lets it say another hash, `short` break off."""

    files: dict[str, bytes]
    etag = ""
    short = 0

    def do_GET(self) -> None:
        repository, _, name = self.path.lstrip("/").partition("/resolve/main/")
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


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    kind = type("OneHub", (Hub,), {"files": dict(FILES)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path / "models"))
    yield kind
    server.shutdown()
    server.server_close()


def test_what_is_pulled_is_pinned_and_found_by_its_name(hub: type[Hub]) -> None:
    folder = pull("someone/small", lambda step: None, trusted=True)
    pins = json.loads((folder / PINS).read_text())
    assert pins == {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
    assert find("someone/small").name == f"someone/small@{pins['model.bin'][:12]}"


def test_the_command_asks_for_the_users_word_first(hub: type[Hub], tmp_path: Path) -> None:
    refused = run(tmp_path, "models", "pull", "someone/small")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--trust-model" in refused.err
    assert run(tmp_path, "models", "pull", "someone/small", "--trust-model").code == 0


def test_a_repository_without_a_whisper_is_refused(hub: type[Hub]) -> None:
    with pytest.raises(DataError, match=r"someone/else has no config\.json"):
        pull("someone/else", lambda step: None, trusted=True)
    hub.files["model.bin"] = b"no tensors"
    with pytest.raises(DataError, match="another kind of model"):
        pull("someone/small", lambda step: None, trusted=True)


@pytest.mark.parametrize(("fault", "value"), [("etag", "0" * 64), ("short", 1)])
def test_a_file_that_is_not_whole_is_not_kept(hub: type[Hub], fault: str, value: str | int, tmp_path: Path) -> None:
    setattr(hub, fault, value)
    with pytest.raises(DataError):
        pull("someone/small", lambda step: None, trusted=True)
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
        pull("someone/small", lambda step: None, trusted=True)
    assert "\n" not in str(failed.value)

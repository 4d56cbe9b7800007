"""Bring a Whisper model that is not in the manifest from a model hub: once, on the user's word, and pinned.

Only `models pull` calls this. Nobody knows these files' hashes beforehand, so the hashes of what came are written down,
held against what the hub itself says of them where it does, and every later start compares.
"""

import hashlib
import http.client
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

from store.errors import DataError, UsageError
from tools.models import Progress
from tools.transcript.named import NEEDED, PINS, VOCABULARIES, check, hub_folder

_OPTIONAL = (*VOCABULARIES, "preprocessor_config.json")
_SECONDS = 30
_BLOCK = 1 << 20
_HASH = re.compile(r'"?([0-9a-f]{64})"?')


def pull(repository: str, progress: Callable[[Progress], None], *, trusted: bool) -> Path:
    """Fetch a repository's files into its folder, pin them, and give the folder.

    UsageError without the user's word, DataError in one line when the hub cannot be reached or what came is no Whisper.
    """
    if not trusted:
        raise UsageError(
            f"nobody vouches for the files of {repository}: their hashes are not in the manifest; add --trust-model "
            "to fetch them all the same"
        )
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    if urlsplit(hub).scheme not in ("http", "https"):
        raise UsageError(f"there is no hub to ask: HF_ENDPOINT is {hub!r}")
    folder = hub_folder(repository)
    folder.mkdir(parents=True, exist_ok=True)
    pins: dict[str, str] = {}
    for name in (*NEEDED[1:], *_OPTIONAL, NEEDED[0]):
        found = _fetch(f"{hub}/{repository}/resolve/main/{quote(name)}", folder / name, repository, progress)
        if found is not None:
            pins[name] = found
        elif name in NEEDED:
            raise DataError(f"{repository} has no {name}: it is no Whisper model for CTranslate2")
    check(folder)
    (folder / PINS).write_text(json.dumps(pins, indent=1), encoding="utf-8")
    progress(Progress(repository, f"{repository}: ready in {folder}; model.bin has SHA-256 {pins['model.bin']}"))
    return folder


def _fetch(url: str, target: Path, repository: str, progress: Callable[[Progress], None]) -> str | None:
    """Write one file and give its SHA-256; None when the hub has no such file."""
    part = target.with_name(f"{target.name}.part")
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as reply, part.open("wb") as out:
            size, digest = int(reply.headers.get("Content-Length") or 0), hashlib.sha256()
            while block := reply.read(_BLOCK):
                out.write(block)
                digest.update(block)
                progress(Progress(repository, "", target.name, out.tell(), size))
            came, said = out.tell(), _HASH.fullmatch(reply.headers.get("ETag", ""))
    except urllib.error.HTTPError as error:
        if error.code == http.client.NOT_FOUND:
            return None
        raise DataError(f"{urlsplit(url).hostname} answers {error.code} for {target.name} of {repository}") from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise DataError(
            f"{urlsplit(url).hostname} cannot be reached ({reason}); bring the folder by hand: ingest --model FOLDER"
        ) from error
    if came < size or (said and said[1] != digest.hexdigest()):
        part.unlink()
        raise DataError(f"{target.name} of {repository} did not come whole; run the command again")
    part.replace(target)
    return digest.hexdigest()

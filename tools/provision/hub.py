"""Bring a model that is not in the manifest from a model hub: once, on the user's word, and pinned.

Only `models pull` calls this. Nobody knows these files' hashes beforehand, so the hashes of what came are written down,
held against what the hub itself says of them where it does, and every later start compares. A token (HF_TOKEN) goes to
the hub alone, never to where it redirects.
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
from tools.provision.brought import PINS, Kind, hub_folder

_SECONDS = 30
_GUARDED = (http.client.UNAUTHORIZED, http.client.FORBIDDEN)
_BLOCK = 1 << 20
_HASH = re.compile(r'"?([0-9a-f]{64})"?')


def pull(
    repository: str,
    kind: Kind,
    progress: Callable[[Progress], None],
    *,
    trusted: bool,
    check: Callable[[Path], object] = lambda folder: None,
) -> Path:
    """Fetch the files that a kind of model has into the repository's folder, pin them, and give the folder.

    UsageError without the user's word; DataError in one line when the hub cannot be reached, a file that is needed is
    not there, or `check` raises it.
    """
    if not trusted:
        raise UsageError(
            f"nobody vouches for the files of {repository}: their hashes are not in the manifest; add --trust-model "
            "to fetch them all the same"
        )
    hub, folder, pins = _hub(), hub_folder(repository), dict[str, str]()
    folder.mkdir(parents=True, exist_ok=True)

    def fetch(name: str) -> bool:
        found = _fetch(f"{hub}/{repository}/resolve/main/{quote(name)}", folder / name, repository, progress)
        pins.update({name: found} if found else {})
        return found is not None

    for name in (*kind.needed, *kind.optional):
        if not fetch(name) and name in kind.needed:
            raise DataError(f"{repository} has no {name}: it is no model for {kind.option}")
    weights = next(filter(fetch, kind.weights), None)
    if weights is None:
        raise DataError(f"{repository} has no {' or '.join(kind.weights)}: it is no model for {kind.option}")
    check(folder)
    (folder / PINS).write_text(json.dumps(pins, indent=1), encoding="utf-8")
    progress(Progress(repository, f"{repository}: ready in {folder}; {weights} has SHA-256 {pins[weights]}"))
    return folder


def _hub() -> str:
    hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    if urlsplit(hub).scheme not in ("http", "https"):
        raise UsageError(f"there is no hub to ask: HF_ENDPOINT is {hub!r}")
    return hub


def _fetch(url: str, target: Path, repository: str, progress: Callable[[Progress], None]) -> str | None:
    """Write one file and give its SHA-256; None when the hub has no such file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    request = urllib.request.Request(url)
    if token := os.environ.get("HF_TOKEN"):
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply, part.open("wb") as out:
            size, digest = int(reply.headers.get("Content-Length") or 0), hashlib.sha256()
            while block := reply.read(_BLOCK):
                out.write(block)
                digest.update(block)
                progress(Progress(repository, "", target.name, out.tell(), size))
            came, said = out.tell(), _HASH.fullmatch(reply.headers.get("ETag", ""))
    except urllib.error.HTTPError as error:
        if error.code == http.client.NOT_FOUND:
            return None
        raise DataError(_refused(urlsplit(url).hostname, error.code, target.name, repository)) from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise DataError(
            f"{urlsplit(url).hostname} cannot be reached ({reason}); bring the folder by hand and name it instead"
        ) from error
    if came < size or (said and said[1] != digest.hexdigest()):
        part.unlink()
        raise DataError(f"{target.name} of {repository} did not come whole; run the command again")
    part.replace(target)
    return digest.hexdigest()


def _refused(host: str | None, code: int, file: str, repository: str) -> str:
    said = f"{host} answers {code} for {file} of {repository}"
    if code not in _GUARDED:
        return said
    token = "the token in HF_TOKEN may not read it" if os.environ.get("HF_TOKEN") else "it wants a token in HF_TOKEN"
    return f"{said}: {token}; accept its conditions on its page there, and give a token that may read it"

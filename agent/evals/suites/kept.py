"""Replies and grades kept from run to run, one file each, so that nothing that was paid for is asked again.

A file is named by what the reply hangs on: the conversation, who answers (its code too), and all that the recording is
to it (bytes, versions of streams, voices and their names). Whatever changes has another name, so no stale reply is ever
found; expectations are no part of it, because a reply may be judged anew for nothing. Only replies that came are kept:
a crash, a time-out or a failure of an endpoint is asked again.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.evals.suites.agent import Agent, Fault
from agent.evals.suites.places import Place
from agent.evals.suites.reading import strict_json
from agent.evals.suites.suite import Case
from agent.reply import Reply
from store.errors import DataError, UsageError, reason
from tools.canonical import to_json


class Kept:
    """A folder of kept replies; UsageError when it is no folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if os.path.exists(folder) and not folder.is_dir():  # noqa: PTH110 - a name too long is no folder
            raise UsageError(f"--recorded is a folder, and {folder} is none")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise DataError(f"{folder} cannot be made: {reason(error)}") from error

    def answer(self, agent: Agent, case: Case, place: Place) -> tuple[Reply | Fault, bool]:
        """Give the kept reply, or ask and keep it; and whether it was kept."""
        hangs_on = key(agent, case, place)
        known = self.find(hangs_on)
        if known is not None:
            try:
                return Reply.model_validate(known, strict=True), True
            except ValidationError:
                pass  # another shape of reply than today's: asked again
        reply = agent.answer(case, place)
        if isinstance(reply, Reply) and reply.status != "failed":
            self.keep(hangs_on, case.question, reply.model_dump(mode="json", exclude_unset=True))
        return reply, False

    def find(self, hangs_on: str) -> Mapping[str, Any] | None:
        """Give what is kept under a key; None when nothing is, or nothing that can be read."""
        try:
            found = strict_json(self._path(hangs_on).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return found["kept"] if isinstance(found, dict) and isinstance(found.get("kept"), dict) else None

    def keep(self, hangs_on: str, question: str, told: Mapping[str, Any]) -> None:
        """Keep something, whole or not at all; DataError when it cannot be written."""
        path = self._path(hangs_on)
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(json.dumps({"question": question, "kept": told}, indent=1))
            part.replace(path)
        except OSError as error:
            raise DataError(f"{path} cannot be written: {reason(error)}") from error

    def _path(self, hangs_on: str) -> Path:
        return self.folder / f"{hangs_on}.json"


def key(agent: Agent, case: Case, place: Place) -> str:
    """Give the name of a reply: what it hangs on, hashed."""
    told = [[one.role, one.content] for one in case.messages]
    return hashed([told, agent.identity, place.recording, place.state])


def hashed(parts: Any) -> str:
    """Give the hash of JSON-like parts, 32 hex digits."""
    return hashlib.sha256(to_json(parts).encode()).hexdigest()[:32]

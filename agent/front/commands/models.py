"""`models list|pull`: which weights are here, and bringing the others, the only thing that uses the network."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.front.command import Command
from agent.front.output import emit_json, say

if TYPE_CHECKING:
    from tools.models import Progress, Status


def arguments(parser: ArgumentParser) -> None:
    """Declare the two actions."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    shown = actions.add_parser("list", help="list the models, their licences and whether they are here")
    pulled = actions.add_parser("pull", help="bring models here; without names all that are used by default")
    pulled.add_argument("names", nargs="*", metavar="NAME", help="a model of `models list`, or one of a hub")
    pulled.add_argument(
        "--for", dest="kind", choices=("transcript", "align", "speaker", "emotion"), default="transcript",
        help="what a hub's model is for: a Whisper that writes words (default), a wav2vec2 that aligns them, a"
        " pyannote pipeline (a guarded one wants a token in HF_TOKEN), a classifier of emotions",
    )  # fmt: skip
    pulled.add_argument("--trust-model", action="store_true", help="fetch a hub's model that nobody vouches for")
    for action in (shown, pulled):
        action.add_argument("--json", action="store_true", help="print the result as JSON")


def run(options: Namespace) -> int:
    """List or pull."""
    from tools import models

    pulling = options.action == "pull"
    found = pull(options.names, options.kind, trusted=options.trust_model) if pulling else models.table()
    if options.json:
        emit_json([_document(status) for status in found])
    elif options.action == "list":
        from agent.front.render import table

        rows = [
            (s.model.name, s.model.stream, f"{s.model.size / 1e6:.1f} MB", s.model.kind, s.state, s.model.licence)
            for s in found
        ]
        table(("model", "stream", "size", "kind", "state", "licence"), rows)
    return 0


def pull(names: Sequence[str], kind: str = "transcript", *, trusted: bool = False) -> "list[Status]":
    """Bring models here with progress on stderr; without names those that are used by default."""
    from tools import models
    from tools.provision import brought, hub
    from tools.transcript import named

    os.environ.pop("HF_HUB_OFFLINE", None)
    known = [named.ALIASES.get(name, name) for name in names if not named.hub_name(name)]
    for repository in filter(None, map(named.hub_name, names)):
        if kind == "transcript":
            hub.pull(repository, named.KIND, _Bar(), trusted=trusted, check=named.check)
        else:
            hub.pull(repository, brought.KINDS[kind], _Bar(), trusted=trusted)
    return models.pull(known, _Bar()) if known or not names else []


def _document(status: "Status") -> dict[str, object]:
    model = status.model
    return {
        "model": model.name,
        "stream": model.stream,
        "kind": model.kind,
        "title": model.title,
        "licence": model.licence,
        "size": model.size,
        "state": status.state,
        "path": str(status.path),
    }


class _Bar:
    """Progress on stderr: messages as lines; bytes as one line that is rewritten, on a terminal alone."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._percent = -1

    def __call__(self, step: "Progress") -> None:
        if step.message:
            self._clear()
            say(step.message)
        elif self._live and step.total and (percent := step.done * 100 // step.total) != self._percent:
            self._percent = percent
            bar = "#" * (percent // 4)
            sys.stderr.write(f"\r{step.model}/{step.file} [{bar:<25}] {percent:3} %")
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._live and self._percent >= 0:
            sys.stderr.write("\r\x1b[K")
            self._percent = -1


COMMAND = Command("models", "list the models, or bring their weights here", arguments, run)

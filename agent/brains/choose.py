"""Which brain answers, and where text goes because of it: never to a host that nobody chose.

OPENAI_BASE_URL chooses its endpoint without a flag. A lone OPENAI_API_KEY is often set for other programs, so it counts
only after one yes, which the library keeps. `--brain` overrules both.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.brains.protocol import Brain
from store.errors import UsageError
from tools.endpoint import OPENAI, Endpoint

Name = Literal["rules", "openai"]
NAMES: tuple[Name, ...] = ("rules", "openai")
CONSENT = "endpoints.json"


@dataclass(frozen=True, slots=True)
class Choice:
    """The brain's name, the endpoint it needs (openai), and a line for stderr that names the host."""

    name: Name
    endpoint: Endpoint | None = None
    notice: str | None = None

    def brain(self) -> Brain:
        """Make the brain."""
        from agent.brains.rules.brain import RulesBrain

        if self.endpoint is None:
            return RulesBrain()
        from agent.brains.openai import CONTEXT, OpenAIBrain

        return OpenAIBrain(self.endpoint, RulesBrain(), context=_context() or CONTEXT)


def choose(
    library: Path,
    flag: str | None = None,
    environ: Mapping[str, str] | None = None,
    confirm: Callable[[str], bool] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Choice:
    """Choose the brain by flag, then environment; `confirm` asks a person once, None when there is nobody to ask."""
    environ = os.environ if environ is None else environ
    if flag is not None and flag not in NAMES:
        raise UsageError(f"no brain is named '{flag}'; there are: {', '.join(NAMES)}")
    base_url, key = environ.get("OPENAI_BASE_URL"), environ.get("OPENAI_API_KEY")
    if flag == "rules" or (flag is None and not base_url and not key):
        return Choice("rules")
    if flag == "openai" and not base_url and not key:
        raise UsageError("--brain openai needs an endpoint: set OPENAI_BASE_URL, or OPENAI_API_KEY for api.openai.com")
    endpoint = Endpoint(base_url or OPENAI, key, environ.get("OPENAI_MODEL"), say=say)
    if flag is None and not base_url and not _agreed(library, endpoint.host, confirm):
        return Choice("rules", notice=f"OPENAI_API_KEY is set but {endpoint.host} is not used; --brain openai uses it")
    return Choice("openai", endpoint, f"questions and the rows found for them go to {endpoint.host}")


def _agreed(library: Path, host: str, confirm: Callable[[str], bool] | None) -> bool:
    path = library / CONSENT
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if host not in kept and confirm is not None:
        question = f"OPENAI_API_KEY is set. Send questions and the rows found for them to {host}?"
        kept[host] = confirm(question)
        library.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps(kept, sort_keys=True), encoding="utf-8")
    return bool(kept.get(host, False))


def _context() -> int | None:
    told = os.environ.get("OVERHEARD_CONTEXT")
    if told is None:
        return None
    if not told.isdecimal() or int(told) < 2048:
        raise UsageError(f"OVERHEARD_CONTEXT is the model's context in tokens, at least 2048, not '{told}'")
    return int(told)

"""Which brain answers, and where text goes because of it: never to a host that nobody chose.

OPENAI_BASE_URL chooses its endpoint without a flag. A lone OPENAI_API_KEY is often set for other programs, so it counts
only after one yes, which the library keeps. `--brain` overrules both. What is known of a model is used from the start.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from agent.brains import abilities
from agent.brains.abilities import LEAST_CONTEXT, Abilities, Form
from agent.brains.protocol import Brain
from store.errors import OverheardError, UsageError
from tools.endpoint import Endpoint
from tools.endpoints.configured import configured

Name = Literal["rules", "openai"]
NAMES: tuple[Name, ...] = ("rules", "openai")
_LOOK_UP = 10.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The brain's name, the endpoint it needs (openai), and a line for stderr that names the host.

    `library` is where what is known of the endpoint is kept, `context` the tokens that a person says its model reads.
    """

    name: Name
    endpoint: Endpoint | None = None
    notice: str | None = None
    library: Path | None = None
    context: int | None = None

    def brain(self) -> Brain:
        """Make the brain."""
        from agent.brains.rules.brain import RulesBrain

        if self.endpoint is None:
            return RulesBrain()
        from agent.brains.openai import CONTEXT, OpenAIBrain
        from agent.brains.planner import Planner

        able = self._known() or Abilities()
        context = self.context or able.context or CONTEXT
        planner = Planner(able.form, partial(self._keep, able))
        return OpenAIBrain(self.endpoint, RulesBrain(), context, able.streamed, planner=planner)

    def _known(self) -> Abilities | None:
        if self.library is None or self.endpoint is None or not abilities.knows(self.library, self.endpoint.host):
            return None
        with suppress(OverheardError):
            return abilities.known(self.library, self.endpoint.host, self.endpoint.look_up(_LOOK_UP))
        return None

    def _keep(self, able: Abilities, form: Form) -> None:
        if self.library is not None and self.endpoint is not None:
            abilities.keep(self.library, self.endpoint.host, self.endpoint.model, replace(able, form=form))


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
    endpoint = configured("--brain openai", environ, say=say)
    if flag is None and not base_url and not _agreed(library, endpoint.host, confirm):
        return Choice("rules", notice=f"OPENAI_API_KEY is set but {endpoint.host} is not used; --brain openai uses it")
    notice = f"questions and the rows found for them go to {endpoint.host}"
    return Choice("openai", endpoint, notice, library, _context(environ))


def _agreed(library: Path, host: str, confirm: Callable[[str], bool] | None) -> bool:
    answer = abilities.agreed(library, host)
    if answer is None and confirm is not None:
        answer = confirm(f"OPENAI_API_KEY is set. Send questions and the rows found for them to {host}?")
        abilities.agree(library, host, answer)
    return answer is True


def _context(environ: Mapping[str, str]) -> int | None:
    told = environ.get("OVERHEARD_CONTEXT")
    if not told:
        return None
    if not told.isdecimal() or int(told) < LEAST_CONTEXT:
        needs = f"at least {LEAST_CONTEXT}, since a request and its reply take that many"
        raise UsageError(f"OVERHEARD_CONTEXT is the model's context in tokens, {needs}; it is '{told}'")
    return int(told)

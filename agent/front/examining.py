"""`doctor endpoint`: what the chosen endpoint's model can do, line by line, and what will be used because of it.

It says first what it will cost; what it finds is kept in the library, so that a form that works is asked for first.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from agent.brains import abilities
from agent.brains.abilities import FORMS, Abilities, Form
from agent.brains.choose import Choice, choose
from agent.brains.protocol import Cost
from agent.front.doctor import Check, line
from store.errors import Exit, UsageError

WORDS: Mapping[Form, str] = {
    "tools": "tool calls", "schema": "a strict JSON schema", "json": "JSON mode", "text": "plain text with repair",
}  # fmt: skip


def report(
    library: Path,
    say: Callable[[str], None],
    environ: Mapping[str, str] | None = None,
    confirm: Callable[[str], bool] | None = None,
    wait: Callable[[str], None] = lambda line: None,
) -> Exit:
    """Examine the endpoint that the environment chooses, and give the exit code: whether its model answers at all."""
    from agent.brains.examination import ROUGH_COST, Examination

    choice = choose(library, None, environ if environ is not None else os.environ, confirm, wait)
    if choice.endpoint is None:
        why = choice.notice or "OPENAI_BASE_URL chooses one, such as http://127.0.0.1:8080/v1"
        raise UsageError(f"no endpoint is chosen: {why}")
    requests, tokens = ROUGH_COST
    host, model = choice.endpoint.host, choice.endpoint.model
    say(f"about {requests} requests and {tokens:,} tokens go to {host} for {model}; nothing of the library does")
    examination = Examination(choice.endpoint)
    for probe in examination.probes():
        say(line(Check(probe.name, probe.state, f"{probe.text}{_took(probe.seconds, probe.cost)}")))
    found = examination.abilities
    if found is None:
        return Exit.ENDPOINT
    for row in _used(found, choice):
        say(row)
    kept = abilities.keep(library, host, model, found)
    say(f"{'kept' if kept else 'not kept, as the library cannot be written,'} for {model} at {host}")
    return Exit.DONE


def _took(seconds: float, cost: Cost) -> str:
    if not seconds:
        return ""
    about = "about " if cost.estimated_tokens else ""
    tokens = f", {about}{cost.input_tokens:,}+{cost.output_tokens:,} tokens" if cost.input_tokens else ""
    return f" ({seconds:.1f} s{tokens})"


def _used(found: Abilities, choice: Choice) -> list[str]:
    from agent.brains.openai import CONTEXT

    after = [WORDS[form] for form in FORMS[FORMS.index(found.form) + 1 :]]
    streamed = "streamed" if found.streamed else "not streamed"
    told = " as OVERHEARD_CONTEXT says" if choice.context else "; OVERHEARD_CONTEXT sets another"
    return [
        "will be used:",
        f"    plans    {WORDS[found.form]}, {streamed}" + (f"; else {', '.join(after)}" if after else ""),
        f"    answers  plain text, {streamed}",
        f"    context  {choice.context or found.context or CONTEXT:,} tokens{told}",
    ]

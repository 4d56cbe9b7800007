"""`eval model`: how good a model is over its endpoint, with every reply kept."""

import json
import os
import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.command import counted, folder, lasting
from agent.front.output import agreed, drawn, interactive, say
from store.errors import UsageError

if TYPE_CHECKING:
    from agent.evals.models.estimate import Price
    from agent.evals.models.recording import Upstream


NONE = "no model measured: set OPENAI_BASE_URL and OPENAI_MODEL to ask one, or name kept replies by --recorded DIR"


def arguments(parser: ArgumentParser) -> None:
    """Declare the model, the questions, and where replies are kept."""
    parser.add_argument("--model", metavar="NAME", help="the model; else OPENAI_MODEL")
    parser.add_argument(
        "--set", metavar="FILE", action="append", help="a set of questions (toml); else those that ship"
    )
    parser.add_argument("--recorded", metavar="DIR", help="where replies are kept; asking again is free")
    parser.add_argument("--limit", metavar="N", type=counted, help="ask only the first N questions")
    parser.add_argument(
        "--parallel", metavar="N", type=counted, default=4, help="so many questions at once (default 4)"
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=lasting, default=60.0, help="the longest wait for one reply (default 60)"
    )
    parser.add_argument("--price", metavar="IN,OUT", help="the price of a million tokens, in and out, for the estimate")
    parser.add_argument("--yes", action="store_true", help="do not ask before anything is sent")


def run(options: Namespace) -> int:
    """Ask all questions, and score the replies."""
    from agent.evals.models.questions import SET, read
    from agent.evals.models.running import Run
    from agent.evals.models.running import run as ask_all

    model = options.model or os.environ.get("OPENAI_MODEL")
    kept = Path(options.recorded) if options.recorded else None
    if kept is not None and os.path.exists(kept) and not kept.is_dir():  # noqa: PTH110 - a name too long is no folder
        raise UsageError(f"--recorded is a folder, and {kept} is none")
    upstream = None
    if os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY"):
        upstream, model = _endpoint(options, model)
    elif not (kept and any(kept.glob("*.json"))):
        raise UsageError(NONE)
    model = model or "model"
    kept = kept or folder(options).resolve().parent / "evals" / (re.sub(r"[^\w.-]+", "-", model))
    plan = Run(model, kept, upstream, options.parallel, options.timeout, _price(options.price))
    items = read([Path(path) for path in options.set] if options.set else SET)
    drawn(ask_all(plan, items[: options.limit], lambda told: _agreed(told, options.yes), say) + "\n")
    return 0


def _endpoint(options: Namespace, model: str | None) -> "tuple[Upstream, str]":
    """Give the endpoint that the environment names, and its model's name."""
    from agent.brains.choose import choose
    from agent.evals.models.recording import Upstream

    environ = {**os.environ} | ({"OPENAI_MODEL": model} if model else {})
    endpoint = choose(folder(options).resolve(), "openai", environ).endpoint
    assert endpoint is not None
    extra = [json.loads(environ.get(name) or "{}") for name in ("OVERHEARD_EXTRA_BODY", "OVERHEARD_EXTRA_HEADERS")]
    return Upstream(endpoint.base_url, environ.get("OPENAI_API_KEY"), options.timeout, *extra), endpoint.model


def _agreed(told: str, yes: bool) -> bool:
    say(told)
    if yes:
        return True
    if not interactive():
        raise UsageError("nobody can be asked whether to go on; --yes says so")
    return agreed("Go on?")


def _price(told: str | None) -> "Price | None":
    from agent.evals.models.estimate import Price

    if told is None:
        return None
    try:
        tokens_in, tokens_out = map(float, told.split(","))
    except ValueError as error:
        raise UsageError(f"--price is two numbers, such as 0.15,0.60, not '{told}'") from error
    return Price(tokens_in, tokens_out)

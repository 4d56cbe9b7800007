"""The endpoint that the environment names, the same for every purpose: address, key, model, and what goes with it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from store.errors import UsageError
from tools.endpoint import OPENAI, Endpoint


def configured(
    purpose: str,
    environ: Mapping[str, str],
    *,
    model: str | None = None,
    timeout: float | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Endpoint:
    """Give the endpoint of OPENAI_BASE_URL, else of a lone OPENAI_API_KEY; UsageError says what `purpose` lacks.

    `model` goes before OPENAI_MODEL; `timeout` is how long it may be silent, in seconds.
    """
    base_url, key = environ.get("OPENAI_BASE_URL"), environ.get("OPENAI_API_KEY")
    if not base_url and not key:
        raise UsageError(f"{purpose} needs an endpoint: set OPENAI_BASE_URL, or OPENAI_API_KEY for api.openai.com")
    headers = json_object(environ, "OVERHEARD_EXTRA_HEADERS")
    return Endpoint(
        base_url or OPENAI,
        key,
        model or environ.get("OPENAI_MODEL") or None,
        timeout,
        say=say,
        extra_body=json_object(environ, "OVERHEARD_EXTRA_BODY"),
        extra_headers={name: str(value) for name, value in headers.items()},
    )


def json_object(environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """Read a variable that holds a JSON object; what it holds may be secret, so a complaint does not repeat it."""
    try:
        found = json.loads(environ.get(name) or "{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f'{name} must be a JSON object, such as {{"top_k": 40}}')
    return found

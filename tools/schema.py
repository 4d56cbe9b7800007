"""A value held against the JSON Schema of its family, or against one that a model wrote.

A schema is data from outside: it may not refer to anything (a reference can be an address that is fetched), nor hold
patterns (a pattern can be made to run for ever), and it is small.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tools.families import FAMILIES

LARGEST = 8_000
DEEPEST = 24
_TOO_DEEP = "more levels than can be read"
_FORBIDDEN = frozenset(
    {"$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id", "pattern", "patternProperties", _TOO_DEEP}
)


def schema_of(answer_schema: str | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Give the JSON Schema that a plan's `answer_schema` stands for; None when it asks for none."""
    return FAMILIES.get(answer_schema) if isinstance(answer_schema, str) else answer_schema


def unusable(schema: Mapping[str, Any]) -> str | None:
    """Say why a schema cannot be used, None when it can."""
    try:
        size = len(json.dumps(schema))
    except (TypeError, ValueError, RecursionError):
        return "the schema is no JSON"
    if size > LARGEST:
        return f"the schema has {size:,} characters, of which {LARGEST:,} may be used"
    if found := sorted(_FORBIDDEN.intersection(_keys(schema))):
        return f"the schema holds {', '.join(found)}, which no answer's schema may"
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        return f"the schema is none: {error.message[:200]}"
    return None


def complaint(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Say in one line what is wrong with a value by a usable schema; None when it fits."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    # An empty registry, because the default one would fetch what a schema refers to.
    error = best_match(Draft202012Validator(dict(schema), registry=Registry()).iter_errors(value))
    if error is None:
        return None
    where = "".join(f"[{part!r}]" for part in error.absolute_path)
    return f"value{where}: {error.message[:200]}"


def _keys(schema: Any, depth: int = 0) -> Iterator[str]:
    if depth > DEEPEST:
        yield _TOO_DEEP
    elif isinstance(schema, Mapping):
        yield from map(str, schema)
        for value in schema.values():
            yield from _keys(value, depth + 1)
    elif isinstance(schema, list | tuple):
        for item in schema:
            yield from _keys(item, depth + 1)

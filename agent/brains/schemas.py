"""The plan's pydantic models as a model sees them: as tools, as one strict JSON schema, or in words.

Kept small, since small models decode under constraint and every word is paid for in tokens: what the prompt explains is
not described again. A call gets a `ref`, because the ids of tool calls are the endpoint's own. A search by `meaning` is
offered only where it works.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from store.errors import ToolError
from tools.families import FAMILIES
from tools.plan import QUERIES, Fuse
from tools.stream import Strict

OUT_OF_SCOPE = "out_of_scope"
_REF = {"type": "string"}
_LEFT_OUT = ("fields", "passages", "around", "min_score")
_MEANING = ("semantic",)
_NOISE = (
    "title", "default", "description", "minimum", "maximum", "maxItems", "minItems", "multipleOf", "minLength",
    "maxLength",
)  # fmt: skip
_RARE = ("left", "nearest_midpoint")


def tools(*, meaning: bool = True) -> list[dict[str, Any]]:
    """Give the tools of a plan in the form of the chat completions protocol."""
    hidden = _hidden(meaning)
    streams = [_tool(name, _doc(model), _object(model, {"ref": _REF}, hidden)) for name, model in QUERIES.items()]
    scope = _tool(OUT_OF_SCOPE, "The question is not about a recording.", _shape({}, []))
    return [*streams, _tool("fuse", _doc(Fuse), _object(Fuse, {})), scope]


def plan_form(*, meaning: bool = True) -> str:
    """Give a plan's keys and their values in a few lines, for a model that writes a plan as JSON."""
    calls = [_keys(model, [f'"tool": "{name}"', '"ref"'], _hidden(meaning)) for name, model in QUERIES.items()]
    streams = "\n".join(f"  {call}" for call in calls)
    fuse = _keys(Fuse, [], _LEFT_OUT)
    return f'"{OUT_OF_SCOPE}": true or false\n"calls": a list, each one of\n{streams}\n"fuse": {fuse}'


def plan_schema(*, meaning: bool = True) -> dict[str, Any]:
    """Give one strict schema of a whole plan: every key required, what is not wanted null."""
    calls = [
        _strict(_object(model, {"tool": {"type": "string", "enum": [name]}, "ref": _REF}, _hidden(meaning)))
        for name, model in QUERIES.items()
    ]
    return _shape(
        {
            OUT_OF_SCOPE: {"type": "boolean"},
            "calls": {"type": "array", "items": {"anyOf": calls}},
            "fuse": {"anyOf": [_strict(_object(Fuse, {})), {"type": "null"}]},
        },
        [OUT_OF_SCOPE, "calls", "fuse"],
    )


def read_plan(text: str) -> list[dict[str, Any]] | None:
    """Read the tool calls of a plan written as JSON, None when it says out of scope; ToolError when it is no plan."""
    body = _json(text)
    if body.get(OUT_OF_SCOPE) is True and not body.get("calls"):
        return None
    calls, fuse = body.get("calls"), body.get("fuse")
    if not isinstance(calls, list) or not isinstance(fuse, Mapping):
        raise ToolError('a plan is a JSON object with "calls", a list, and "fuse", an object')
    written = [dict(call) if isinstance(call, Mapping) else {} for call in calls]
    named = [{"name": str(call.pop("tool", None)), "args": call, "id": ""} for call in written]
    return referable([*named, {"name": "fuse", "args": dict(fuse), "id": "fuse_1"}])


def referable(calls: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give tool calls whose id is their `ref` (else stream and number), without nulls and empty lists."""
    seen: set[str] = set()
    result = []
    for number, call in enumerate(calls, 1):
        args = {key: _filled(value) for key, value in call["args"].items() if value not in (None, [])}
        wanted = str(args.pop("ref", "") or "")
        named = (wanted, *(f"{call['name']}_{n}" for n in range(number, number + len(seen) + 1)))
        call_id = next(name for name in named if name and name not in seen)
        seen.add(call_id)
        result.append({"name": call["name"], "args": args, "id": call_id, "type": "tool_call"})
    return result


def _filled(value: Any) -> Any:
    if isinstance(value, list):
        return [_filled(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _filled(item) for key, item in value.items() if item is not None}
    return value


def _json(text: str) -> dict[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    try:
        body = json.loads(text[start : end + 1])
    except (ValueError, RecursionError) as error:
        raise ToolError(f"the plan is no JSON object ({error})") from error
    if not isinstance(body, dict):
        raise ToolError("the plan is no JSON object")
    return body


def _tool(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    said = {"name": name, "description": description, "parameters": _plain(parameters)}
    return {"type": "function", "function": said}


def _plain(schema: Any) -> Any:
    """Leave out what a tool's schema need not say: what is not listed, and that nothing is required."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    said = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {key: _plain(value) for key, value in said.items() if (key, value) != ("required", [])}


def _hidden(meaning: bool) -> tuple[str, ...]:
    return _LEFT_OUT if meaning else _LEFT_OUT + _MEANING


def _doc(model: type[Strict]) -> str:
    return re.split("[:,]", " ".join((model.__doc__ or "").split()))[0]


def _object(model: type[Strict], more: Mapping[str, Any], hidden: tuple[str, ...] = _LEFT_OUT) -> dict[str, Any]:
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    shown = {name: field for name, field in schema["properties"].items() if name not in hidden}
    fields = {name: _small(field, definitions) for name, field in shown.items()}
    if "answer_schema" in fields:
        fields["answer_schema"] = {"type": "string", "enum": list(FAMILIES)}
    wanted = ("tool", "answer_schema")
    required = [*(key for key in (*more, *fields) if key in wanted), *schema.get("required", [])]
    return _shape({**more, **fields}, required)


def _keys(model: type[Strict], first: list[str], hidden: tuple[str, ...]) -> str:
    fields = _object(model, {}, hidden)["properties"]
    return "{" + ", ".join([*first, *(f'"{name}"{_written(field)}' for name, field in fields.items())]) + "}"


def _written(field: Mapping[str, Any]) -> str:
    """Give what a key may hold in words: nothing for text, as names say enough."""
    if choices := field.get("enum"):
        return f": {'|'.join(choices)}"
    if field["type"] == "array":
        inner = field["items"]
        keys = (f'"{name}"{_written(each)}' for name, each in inner.get("properties", {}).items())
        return f": [{{{', '.join(keys)}}}]" if "properties" in inner else ": [text]"
    return "" if field["type"] == "string" else f": {field['type']}"


def _shape(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _small(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Inline references, and leave out titles, defaults, bounds, rare choices and the null of what is optional."""
    if isinstance(schema, list):
        return [_small(item, definitions) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    if reference := schema.get("$ref"):
        return _small(definitions[reference.rsplit("/", 1)[-1]], definitions)
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return _small({**kinds[0], **rest}, definitions)
    fields = schema.get("properties")
    small = {k: _small(v, definitions) for k, v in schema.items() if k not in _NOISE and k != "properties"}
    if "enum" in small:
        small["enum"] = [choice for choice in small["enum"] if choice not in _RARE]
    if fields is not None:
        small["properties"] = {name: _small(field, definitions) for name, field in fields.items()}
    return small


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    result = {key: _strict(value) for key, value in schema.items() if key != "properties"}
    if "properties" in schema:
        required = schema.get("required", [])
        fields = {name: _strict(field) for name, field in schema["properties"].items()}
        result["properties"] = {name: f if name in required else _optional(f) for name, f in fields.items()}
        result["required"] = list(fields)
    return result


def _optional(field: Mapping[str, Any]) -> dict[str, Any]:
    """Let a key be null; a list that is not wanted is empty, which needs no choice."""
    if field["type"] == "array":
        return dict(field)
    choices = {"enum": [*field["enum"], None]} if "enum" in field else {}
    return {"type": [field["type"], "null"], **choices}

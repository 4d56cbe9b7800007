"""The plan's pydantic models as a model sees them: as tools, or as one strict JSON schema.

Kept small, since small models decode under constraint and every description is paid for in tokens. A call gets a `ref`,
because the ids of tool calls are the endpoint's own and a later call could not name them.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from store.errors import ToolError
from tools.families import FAMILIES
from tools.plan import QUERIES, Fuse
from tools.stream import StreamQuery, Strict

OUT_OF_SCOPE = "out_of_scope"
_REF = {"type": "string", "description": "a short name by which fuse refers to this call"}
_LEFT_OUT = ("fields", "passages", "around")
_NOISE = ("title", "default", "minimum", "maximum", "maxItems", "minItems", "multipleOf", "minLength", "maxLength")


def tools() -> list[dict[str, Any]]:
    """Give the tools of a plan in the form of the chat completions protocol."""
    streams = [_tool(name, _doc(model), _object(model, {"ref": _REF})) for name, model in QUERIES.items()]
    for tool in streams[1:]:
        _undescribed(tool["function"]["parameters"]["properties"])
    scope = _tool(OUT_OF_SCOPE, "Say that the question is not about a recording.", _shape({}, []))
    return [*streams, _tool("fuse", _doc(Fuse), _object(Fuse, {})), scope]


def plan_schema() -> dict[str, Any]:
    """Give one strict schema of a whole plan: every key required, what is not wanted null."""
    calls = [
        _strict(_object(model, {"tool": {"type": "string", "enum": [name]}, "ref": _REF}))
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
        call_id = wanted if wanted and wanted not in seen else f"{call['name']}_{number}"
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
    except ValueError as error:
        raise ToolError(f"the plan is no JSON object ({error})") from error
    if not isinstance(body, dict):
        raise ToolError("the plan is no JSON object")
    return body


def _tool(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _doc(model: type[Strict]) -> str:
    return " ".join((model.__doc__ or "").split())


def _object(model: type[Strict], more: Mapping[str, Any]) -> dict[str, Any]:
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    shown = {name: field for name, field in schema["properties"].items() if name not in _LEFT_OUT}
    fields = {name: _small(field, definitions) for name, field in shown.items()}
    if "answer_schema" in fields:
        fields["answer_schema"] = {"type": "string", "enum": list(FAMILIES), "description": "the question's family"}
    wanted = ("tool", "answer_schema")
    required = [*(key for key in (*more, *fields) if key in wanted), *schema.get("required", [])]
    return _shape({**more, **fields}, required)


def _undescribed(fields: dict[str, Any]) -> None:
    """Leave out what the first tool has said of the fields that all streams share."""
    for name in ("ref", *StreamQuery.model_fields):
        fields[name] = {key: value for key, value in fields[name].items() if key != "description"}


def _shape(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _small(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Inline references, and leave out titles, defaults, bounds and the null of what is optional."""
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
    if fields is not None:
        small.pop("description", None)
        small["properties"] = {name: _small(field, definitions) for name, field in fields.items()}
    return small


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    result = {key: _strict(value) for key, value in schema.items() if key not in ("properties", "description")}
    if "properties" in schema:
        required = schema.get("required", [])
        fields = {name: _strict(field) for name, field in schema["properties"].items()}
        result["properties"] = {name: f if name in required else _optional(f) for name, f in fields.items()}
        result["required"] = list(fields)
    return result


def _optional(field: Mapping[str, Any]) -> dict[str, Any]:
    if set(field) == {"type"}:
        return {"type": [field["type"], "null"]}
    return {"anyOf": [dict(field), {"type": "null"}]}

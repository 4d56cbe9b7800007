"""PyYAML's safe loader with the types of JSON alone: null, true, false, whole and decimal numbers, text."""

import math
import re
from typing import Any

import yaml

_NUMBERS = (
    ("tag:yaml.org,2002:null", re.compile(r"^(?:null|Null|NULL|~|)$"), ["n", "N", "~", ""]),
    ("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    ("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]*)$"), list("-0123456789")),
    (
        "tag:yaml.org,2002:float",
        re.compile(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)$"),
        list("-0123456789"),
    ),
    ("tag:yaml.org,2002:merge", re.compile(r"^<<$"), ["<"]),
)


_KINDS = ("null", "bool", "int", "float", "str", "seq", "map")


class Loader(yaml.SafeLoader):
    """Makes nothing but plain data; a number with a zero in front, or with `_` or `:`, is text as it was written."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    yaml_constructors = {
        tag: make
        for tag, make in yaml.SafeLoader.yaml_constructors.items()
        if tag is None or tag.removeprefix("tag:yaml.org,2002:") in _KINDS
    }

    def construct_number(self, node: Any) -> float:
        """Read a decimal number, also one such as 1e3 that YAML 1.1 takes for text."""
        number = float(self.construct_scalar(node))
        if not math.isfinite(number):
            raise yaml.constructor.ConstructorError(None, None, f"{node.value} is too large", node.start_mark)
        return number


for _tag, _form, _first in _NUMBERS:
    Loader.add_implicit_resolver(_tag, _form, _first)
Loader.add_constructor("tag:yaml.org,2002:float", Loader.construct_number)

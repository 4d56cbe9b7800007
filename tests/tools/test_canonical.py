"""Equal data is equal text, and the text is plain JSON."""

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tools.canonical import to_json

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
DATA = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


def rounded(value: Any) -> Any:
    """Give what is left of data that went through JSON with six decimals."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value


@given(DATA)
def test_what_is_read_back_is_what_was_written_to_six_decimals(value: Any) -> None:
    assert json.loads(to_json(value)) == rounded(value)


@given(st.dictionaries(st.text(), st.floats(-1e6, 1e6)))
def test_order_and_digits_beyond_the_sixth_do_not_matter(value: dict[str, float]) -> None:
    turned = {key: round(entry, 9) for key, entry in reversed(value.items())}
    assert to_json(turned) == to_json({key: round(entry, 6) for key, entry in turned.items()})


def test_what_is_equal_is_written_equal() -> None:
    assert to_json(-0.0) == to_json(-1e-9) == to_json(0.0) == "0.0"


def test_what_steers_a_terminal_is_escaped_and_other_scripts_are_not() -> None:
    assert to_json({"said": "\x1b[2J \u202e 我们"}) == '{"said": "\\u001b[2J \\u202e 我们"}'

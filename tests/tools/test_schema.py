"""Values fit their family's published schema; a schema from outside can fetch nothing and run for ever on nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from tools.families import FAMILIES
from tools.schema import complaint, schema_of, unusable

FITS = [
    ("count", 3), ("duration", 2.5), ("who", "Anna"), ("who", ["Anna", "Ben"]), ("when", [[1.0, 2.0]]),
    ("order", ["Siren"]), ("emotion", "anger"), ("yes_no", False), ("options", "B"), ("text", "words"),
    ("speaker_turns", [[0.0, 1.0, None]]),
]  # fmt: skip
WRONG = [
    ("count", "3"), ("count", -1), ("count", True), ("duration", "2 s"), ("who", 3), ("who", ["Anna"]),
    ("when", [[1.0]]), ("when", "0:12"), ("yes_no", "yes"), ("options", "E"), ("text", {"text": "x"}),
]  # fmt: skip


@pytest.mark.parametrize(("family", "value"), FITS)
def test_a_value_of_its_family_fits(family: str, value: Any) -> None:
    schema = schema_of(family)
    assert schema is not None
    assert complaint(value, schema) is None


@pytest.mark.parametrize(("family", "value"), WRONG)
def test_a_value_of_another_kind_is_told_in_one_line(family: str, value: Any) -> None:
    told = complaint(value, FAMILIES[family])
    assert told is not None
    assert "\n" not in told


@pytest.mark.parametrize("family", FAMILIES)
def test_every_published_schema_can_be_used(family: str) -> None:
    assert unusable(FAMILIES[family]) is None


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """Serve a schema on the loopback, and note who asks for it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/s", asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_schema_that_refers_to_an_address_is_refused_and_never_fetched() -> None:
    with listening() as (address, asked):
        assert "$ref" in str(unusable({"properties": {"a": {"$ref": address}}}))
        with pytest.raises(Exception, match="Unresolvable"):
            complaint({"a": 1}, {"properties": {"a": {"$ref": address}}})
        assert asked == []


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"items": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"pattern": "(a+)+$"}, "pattern"),
        ({"items": {"patternProperties": {"(a+)+$": {}}}}, "patternProperties"),
        ({"type": "banana"}, "none"),
        ({"enum": ["x" * 9_000]}, "characters"),
        ({"default": {1, 2}}, "no JSON"),
        (deep(60), "levels"),
        ({"allOf": [{"$dynamicRef": "#x"}]}, "dynamicRef"),
    ],
)
def test_a_schema_that_could_do_harm_is_refused(schema: dict[str, Any], why: str) -> None:
    assert why in str(unusable(schema))

"""Text of suites: JSON's types alone, every name once, and nothing that blows up; each fault with its line."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.suites.reading import MAX_BYTES, json_lines, read, strict_json, yaml_text
from store.errors import DataError

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)


def test_words_that_yaml_1_1_takes_for_something_else_are_words() -> None:
    words = [
        *["no", "yes", "on", "off", "y", "12:30", "1_000", "0x1f", "010", "2024-01-01"],
        ".5",
        "1.",
        ".inf",
        ".nan",
        "=",
    ]
    text = f"[{', '.join(words)}]"
    assert yaml_text(text).data == words


def test_what_json_has_is_read_as_json_does() -> None:
    assert yaml_text("[null, ~, true, false, 0, -3, 1.5, 1e3, -0.25, 'a', \"b\"]").data == [
        None, None, True, False, 0, -3, 1.5, 1000.0, -0.25, "a", "b",
    ]  # fmt: skip
    assert yaml_text("a: &x {k: 1}\nb: {<<: *x, m: 2}").data == {"a": {"k": 1}, "b": {"k": 1, "m": 2}}


def test_every_place_knows_its_line() -> None:
    text = yaml_text("name: x\ncases:\n  - id: a\n    expect: {value: 4}\n  - id: b\n")
    assert [text.line(("cases", 0, "expect", "value")), text.line(("cases", 1, "id"))] == [4, 5]
    assert text.line(("cases", 1, "never", "written")) == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\nb: 2\na: 3", "line 3: 'a' stands here a second time"),
        ("a:\n  b: {c: 1, c: 2}", "line 2: 'c' stands here a second time"),
        (LAUGHS, "too deep or too much"),
        ("a: &x [*x]", "too deep or too much"),
        ("a: " + "[" * 50 + "]" * 50, "too deep or too much"),
        ("a: " + "[" * 5000, "line 1: no YAML"),
        ("a: !!python/object/apply:os.system ['echo']", "line 1: no YAML (could not determine a constructor"),
        ("b: 1\na: !!timestamp 2020-01-01", "line 2: no YAML"),
        ("a: !!binary aGk=", "no YAML"),
        ("a: 1e999", "1e999 is too large"),
        ("a: 1\n---\nb: 2", "line 2: no YAML"),
        ("? [x]\n: 1", "line 1: a name that is no text"),
        ("a: *nowhere", "line 1: no YAML (found undefined alias"),
        ("a: b: c", "line 1: no YAML"),
        ("a: \x07", "no YAML"),
    ],
    ids=range(15),
)
def test_yaml_that_could_fool_somebody_is_refused_in_its_line(text: str, words: str) -> None:
    began = time.process_time()
    with pytest.raises(DataError) as error:
        yaml_text(text)
    assert words in str(error.value)
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1}\n{"a": 1, "a": 2}', "line 2: no JSON ('a' stands there twice)"),
        ('\n\n{"a": NaN}', "line 3: no JSON (NaN is no number)"),
        ('{"a": 1e999}', "1e999 is no number that can be held"),
        ('{"a": ', "line 1: no JSON"),
        ("[" * 100_000, "nested too deep"),
    ],
    ids=range(5),
)
def test_json_lines_likewise(text: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        json_lines(text)
    assert words in str(error.value)


def test_json_lines_are_cases_with_their_lines() -> None:
    text = json_lines('{"id": 1}\n\n{"id": 2}\n')
    assert text.data == {"cases": [{"id": 1}, {"id": 2}]}
    assert text.line(("cases", 1, "id")) == 3


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda s: st.lists(s, max_size=3)))
def test_json_that_is_sound_is_read_as_it_is(value: object) -> None:
    import json

    assert strict_json(json.dumps(value)) == value


def test_files_that_are_no_suite_are_one_line(tmp_path: Path) -> None:
    large, odd = tmp_path / "large.yaml", tmp_path / "odd.yaml"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    odd.write_bytes(b"a: \xff")
    cases = ((large, "is larger than 5 MB"), (odd, "is no UTF-8 text"), (tmp_path, "is no suite"))
    for path, words in (*cases, (tmp_path / "gone.yaml", "cannot be read"), (tmp_path / "s.toml", "is no suite")):
        with pytest.raises(DataError) as error:
            read(path)
        assert words in str(error.value)
        assert "\n" not in str(error.value)

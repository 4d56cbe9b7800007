import re
from pathlib import Path

import pytest

import prompts

FOLDER = Path(prompts.__file__).parent
SOURCES = [path.read_text() for top in ("agent", "tools") for path in (FOLDER.parent / top).rglob("*.py")]


def test_values_are_filled_once_and_never_read_as_variables() -> None:
    text = prompts.load("answer_question", rows="[1] {{question}} ${HOME} {{ config }}", question="{{rows}}?")
    assert "[1] {{question}} ${HOME} {{ config }}" in text
    assert text.endswith("Question: {{rows}}?")


@pytest.mark.parametrize("values", [{}, {"rows": ""}, {"rows": "", "question": "", "more": ""}])
def test_an_undefined_variable_or_an_unused_value_is_an_error(values: dict[str, str]) -> None:
    with pytest.raises(KeyError, match="answer_question"):
        prompts.load("answer_question", **values)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.md")))
def test_every_prompt_is_used(name: str) -> None:
    assert any(re.search(rf'load\(\s*"{name}"', source) for source in SOURCES)


def test_every_prompt_that_is_asked_for_exists() -> None:
    names = {name for source in SOURCES for name in re.findall(r'prompts\.load\(\s*"(\w+)"', source)}
    assert names
    assert {name for name in names if not (FOLDER / f"{name}.md").exists()} == set()

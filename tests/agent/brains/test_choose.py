from pathlib import Path

import pytest

from agent.brains.abilities import ENDPOINTS
from agent.brains.choose import choose
from store.errors import UsageError

KEY = {"OPENAI_API_KEY": "sk-CANARY0123456789"}
LOCAL = {"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}


def _nobody(question: str) -> bool:
    raise AssertionError(f"asked although there was no need: {question}")


def test_without_an_endpoint_the_rules_think(tmp_path: Path) -> None:
    choice = choose(tmp_path, None, {}, _nobody)
    assert (choice.name, choice.endpoint, choice.notice) == ("rules", None, None)
    assert not (tmp_path / ENDPOINTS).exists()


def test_an_address_chooses_its_endpoint_and_the_host_is_named(tmp_path: Path) -> None:
    choice = choose(tmp_path, None, LOCAL, _nobody)
    assert choice.name == "openai"
    assert "127.0.0.1:8080" in str(choice.notice)


@pytest.mark.parametrize("answer", [True, False])
def test_a_lone_key_counts_after_one_answer_that_is_kept(tmp_path: Path, answer: bool) -> None:
    asked: list[str] = []
    first = choose(tmp_path, None, KEY, lambda question: asked.append(question) or answer)  # type: ignore[func-returns-value]
    again = choose(tmp_path, None, KEY, _nobody)
    assert first.name == again.name == ("openai" if answer else "rules")
    assert len(asked) == 1
    assert "api.openai.com" in asked[0]
    kept = tmp_path / ENDPOINTS
    assert kept.stat().st_mode & 0o777 == 0o600
    assert KEY["OPENAI_API_KEY"] not in kept.read_text()


def test_with_nobody_to_ask_a_lone_key_is_not_used(tmp_path: Path) -> None:
    choice = choose(tmp_path, None, KEY)
    assert choice.name == "rules"
    assert "--brain openai" in str(choice.notice)
    assert not (tmp_path / ENDPOINTS).exists()


def test_the_flag_overrules_the_environment(tmp_path: Path) -> None:
    assert choose(tmp_path, "rules", LOCAL, _nobody).name == "rules"
    assert choose(tmp_path, "openai", KEY, _nobody).name == "openai"


def test_what_cannot_be_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="OPENAI_BASE_URL"):
        choose(tmp_path, "openai", {})
    with pytest.raises(UsageError, match="rules, openai"):
        choose(tmp_path, "oracle", {})
    with pytest.raises(UsageError, match="no http"):
        choose(tmp_path, None, {"OPENAI_BASE_URL": "localhost:8080"})

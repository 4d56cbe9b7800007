from pathlib import Path

import pytest

from agent.brains.abilities import ENDPOINTS, Abilities, keep, known
from agent.brains.choose import choose
from agent.brains.openai import CONTEXT, OpenAIBrain
from store.errors import UsageError
from tests.tools.loopback import message, script, serving, whole

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


MODEL = LOCAL | {"OPENAI_MODEL": "llama"}


def test_what_is_known_of_a_model_is_used_from_the_start(tmp_path: Path) -> None:
    keep(tmp_path, "127.0.0.1:8080", "llama", Abilities("json", streamed=False, context=12_000))
    brain = choose(tmp_path, None, MODEL).brain()
    assert isinstance(brain, OpenAIBrain)
    assert (brain.planner.form, brain.streamed, brain.context, brain.model) == ("json", False, 12_000, "llama")
    told = choose(tmp_path, None, MODEL | {"OVERHEARD_CONTEXT": "8192"}).brain()
    assert isinstance(told, OpenAIBrain)
    assert told.context == 8192
    other = choose(tmp_path, None, MODEL | {"OPENAI_MODEL": "other"}).brain()
    assert isinstance(other, OpenAIBrain)
    assert (other.planner.form, other.streamed, other.context) == ("tools", True, CONTEXT)


def test_a_form_that_was_found_is_known_to_the_next_process(tmp_path: Path) -> None:
    keep(tmp_path, "127.0.0.1:8080", "llama", Abilities("tools", streamed=False, context=12_000))
    brain = choose(tmp_path, None, MODEL).brain()
    assert isinstance(brain, OpenAIBrain)
    brain.planner.learned("schema")
    assert known(tmp_path, "127.0.0.1:8080", "llama") == Abilities("schema", streamed=False, context=12_000)


def test_an_unnamed_model_is_looked_up_only_where_something_is_known(tmp_path: Path) -> None:
    with serving(script(whole(message("ok"))), offers=("llama",)) as server:
        local = {"OPENAI_BASE_URL": server.url}
        choice = choose(tmp_path, None, local)
        assert choice.endpoint is not None
        choice.brain()
        assert choice.endpoint.named is None
        keep(tmp_path, choice.endpoint.host, "llama", Abilities("json"))
        brain = choose(tmp_path, None, local).brain()
        assert isinstance(brain, OpenAIBrain)
        assert (brain.planner.form, brain.model) == ("json", "llama")


@pytest.mark.parametrize("told", ["2048", "4095", "lots", "-1", "1e5"])
def test_a_context_that_is_no_size_is_a_usage_error(told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="OVERHEARD_CONTEXT .* at least 4096, since"):
        choose(tmp_path, None, LOCAL | {"OVERHEARD_CONTEXT": told})
    assert choose(tmp_path, None, LOCAL | {"OVERHEARD_CONTEXT": "4096"}).context == 4096


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines", "a\tb"])
def test_a_key_that_no_header_can_carry_is_a_usage_error(key: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="printable") as caught:
        choose(tmp_path, None, LOCAL | {"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_a_key_from_a_file_may_end_in_a_line_break(tmp_path: Path) -> None:
    with serving(script(whole(message("ok")))) as server:
        endpoint = choose(tmp_path, None, {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-abc\n"}).endpoint
        assert endpoint is not None
        endpoint.complete([{"role": "user", "content": "?"}])
    assert server.keys == ["Bearer sk-abc"]

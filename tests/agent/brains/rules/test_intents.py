"""What was learned of each language, and how sure it is."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.intents import Intents, features, intents, places
from agent.brains.rules.language import FOLDER, Token, language
from agent.brains.rules.meaning import Scene
from agent.evals.plans.bank import Bank, Worlds, measure, read_gold
from tools.events.labels import resolve

GOLD = read_gold(Path(__file__).resolve().parents[3] / "data" / "plans" / "gold.toml")
WORDINGS: dict[str, dict[str, str]] = tomllib.loads((FOLDER / "intents.toml").read_text(encoding="utf-8"))
LENGTHS = {"who.spoke.over": "60", "duration.spoke.last": "300"}
SCENE = Scene(("Ann", "Ben"), {("siren",): Token("SOUND", "Siren")}, lambda phrase: bool(resolve(phrase)), 600.0)


def learned(code: str = "en") -> Intents:
    found = intents(language(code))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    with Worlds(tmp_path_factory.mktemp("library")) as made:
        yield made


@pytest.mark.parametrize("code", sorted(WORDINGS))
def test_every_meaning_has_a_plain_wording_that_is_read_as_it(code: str, worlds: Worlds) -> None:
    assert set(WORDINGS[code]) == set(GOLD)
    plain = {meaning: [text.replace("{L}", LENGTHS.get(meaning, ""))] for meaning, text in WORDINGS[code].items()}
    assert measure(Bank(code, plain), GOLD, worlds, RulesBrain()).wrong == []


@pytest.mark.parametrize("code", sorted(WORDINGS))
def test_what_was_learned_is_of_these_meanings(code: str) -> None:
    found = learned(code)
    assert set(found.meanings) == {*GOLD, "open", "other", "outside"}
    assert len(found.weights) % len(found.meanings) == 0
    assert len(found.bias) == len(found.meanings)


def test_a_language_without_a_file_has_learned_nothing() -> None:
    spoken = language("en")
    assert intents(type(spoken)("xx", spoken.table, spoken.families)) is None


@pytest.mark.parametrize(
    ("question", "wording"),
    [
        ("Take away all those who say budget; who remains?", "Who never says budget?"),
        ("I want a figure for Ben saying budget", "How many times does Ben say budget?"),
        ("by which people is the word budget used", "Who says budget?"),
        ("is there any siren to be heard, yes or no", "Is siren heard?"),
    ],
)
def test_a_question_is_likest_a_plain_wording_with_its_own_names(question: str, wording: str) -> None:
    found = learned().likeliest(question, SCENE)
    assert found is not None
    assert found.wording == wording
    assert 0.45 <= found.probability <= 1


@pytest.mark.parametrize(
    "question", ["", "?", "asdf qwer zxcv", "budget", "Ann", "Ann Ben", "1:00", "siren siren siren siren"]
)
def test_what_says_nothing_is_like_nothing(question: str) -> None:
    assert learned().likeliest(question, SCENE) is None


def test_features_do_not_depend_on_what_is_named() -> None:
    one, other = (list(features(("who", "says", "{X}"), language())) for _ in "ab")
    assert one == other
    assert "names {X}" in one
    assert len(set(places(one, 2**14))) == len(places(one, 2**14))

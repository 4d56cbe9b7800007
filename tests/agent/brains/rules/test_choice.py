"""An option is chosen only when a row supports it."""

import pytest

from agent.brains.rules.choice import READ_EACH, Supported, best_option, matching, split_options, worth_reading
from agent.brains.rules.language import language
from tools.evidence import EvidenceRow

OPTIONS = {"A": "red", "B": "blue", "C": "12 dollars", "D": "the green door"}


def letters(found: Supported | None) -> str | None:
    return None if found is None else "".join(found.rows)


def rows(*texts: str) -> list[EvidenceRow]:
    return [EvidenceRow("transcript", i, "r", i * 1000, i * 1000 + 900, "Ben", text) for i, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The colour of the kite is red.", "A"),
        ("The kite's colour: blue, they said.", "B"),
        ("The colour of the kite costs twelve dollars", "C"),
        ("The colour of the kite is not red.", None),
        ("It is simply untrue that the colour of the kite is red.", None),
        ("It is not true that the colour of the kite is red.", None),
        ("I don't think that the colour of the kite is red.", None),
        ("Nobody denies that. The colour of the kite is red.", "A"),
        ("I was wrong before, the colour of the kite is red.", "A"),
        ("We talked about the garden and the red house", None),
        ("The colour of the kite is that of the green door", "D"),
        ("Red, or is the colour of the kite blue", None),
    ],
)
def test_support_is_in_the_words(text: str, letter: str | None) -> None:
    found = best_option(OPTIONS, ["colour", "kite"], rows(text), language())
    assert letters(found) == letter


def test_numbers_in_words_are_numbers() -> None:
    found = best_option({"A": "5 apples", "B": "6 apples"}, ["bought"], rows("I bought five apples"), language())
    assert letters(found) == "A"


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The company offered a stage for 9000 dollars", "B"),
        ("The company offered a stage for nine thousand bucks", "B"),
        ("The company offered a stage for $9k", "B"),
        ("The company offered a stage for fifteen dollars", "D"),
        ("The company offered a stage for 29,000 dollars", None),
        ("The company offered a stage for $9,000,000", None),
        ("The company offered a stage for 9000 euros", None),
        ("The company offered a stage at ten per cent off", "C"),
    ],
)
def test_an_amount_is_the_same_however_it_is_written(text: str, letter: str | None) -> None:
    options = {"A": "$12,000", "B": "$9,000", "C": "10%", "D": "$15"}
    found = best_option(options, ["company", "stage"], rows(text), language())
    assert letters(found) == letter


@pytest.mark.parametrize(
    "report",
    [
        "I heard from Grace that the colour of the kite will be blue",
        "Grace says the kite has blue as its colour",
        "According to Grace the colour of the kite is blue",
        "Grace told me that the colour of the kite is blue",
        "Ada said that the colour of the kite is blue",
        "We were told the colour of the kite is blue",
    ],
)
def test_what_somebody_else_is_reported_to_say_yields_to_ones_own_words(report: str) -> None:
    found = best_option(OPTIONS, ["colour", "kite"], rows(report, "The colour of the kite is red"), language())
    assert letters(found) == "A"
    alone = best_option(OPTIONS, ["colour", "kite"], rows(report), language())
    assert letters(alone) == "B"


@pytest.mark.parametrize(
    "report", ["According to Grace the colour of the kite is blue", "Is the colour of the kite really blue?"]
)
def test_what_a_person_reports_or_asks_yields_to_anything_they_say_of_it_themselves(report: str) -> None:
    said = rows(report, "You will know the kite by its red")
    found = best_option(OPTIONS, ["colour", "Kite"], said, language(), own=True)
    assert letters(found) == "A"
    alone = best_option(OPTIONS, ["colour", "Kite"], rows(report), language(), own=True)
    assert letters(alone) == "B"


@pytest.mark.parametrize(
    "own", ["I said that the colour of the kite is red", "We claimed that the kite's colour is red"]
)
def test_ones_own_words_are_no_report(own: str) -> None:
    said = rows("I heard that the colour of the kite is blue", own)
    found = best_option(OPTIONS, ["colour", "kite"], said, language())
    assert letters(found) == "A"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (("The colour of the kite is red", "The colour of the kite is blue"), {"A": (0,), "B": (1,)}),
        (("The kite's colour is blue", "Blue, the kite's colour", "The kite's colour: red"), {"A": (2,), "B": (0, 1)}),
        (("The colour of the kite is red or blue",), None),
    ],
)
def test_rows_that_contradict_support_an_option_each(
    said: tuple[str, ...], kept: dict[str, tuple[int, ...]] | None
) -> None:
    found = best_option(OPTIONS, ["colour", "kite"], rows(*said), language())
    assert (None if found is None else found.rows) == kept


@pytest.mark.parametrize(
    ("text", "stem", "options"),
    [
        ("What? (A) red (B) blue", "What?", {"A": "red", "B": "blue"}),
        ("What?\nA. red\nB. blue\nC. 1.5 m", "What?", {"A": "red", "B": "blue", "C": "1.5 m"}),
        ("What? A) red; B) blue", "What?", {"A": "red", "B": "blue"}),
        ("Is plan (A) good?", "Is plan (A) good?", {}),
    ],
)
def test_options_are_split_off(text: str, stem: str, options: dict[str, str]) -> None:
    assert split_options(text) == (stem, options)


@pytest.mark.parametrize(
    ("value", "letter"), [(3, "B"), (["Siren", "Dog"], "C"), ("Anna", "D"), (4, None), (True, None)]
)
def test_a_computed_value_names_its_option(value: object, letter: str | None) -> None:
    options = {"A": "2", "B": "3", "C": "siren, then dog", "D": "anna"}
    assert matching(options, value, language().numbers) == letter


@pytest.mark.parametrize(
    ("options", "value", "letter"),
    [
        (("two", "three", "four"), 3, "B"),
        (("Two people", "Three people", "Four people"), 3, "B"),
        (("2 people", "3 people."), 3, "B"),
        (("three", "3"), 3, None),
        (("none", "twelve times"), 12, "B"),
        (("1.5", "15"), 1.5, "A"),
        (("three minutes", "four"), 3, None),
        (("the third", "Anna"), 3, None),
        (("no", "yes"), True, "B"),
        (("Zoë", "Anna"), "zoe\u0308", "A"),
        (("", "x"), "", "A"),
        (("a", "b"), None, None),
        (("a", "b"), [], None),
    ],
)
def test_a_number_is_the_same_in_words(options: tuple[str, ...], value: object, letter: str | None) -> None:
    assert matching(dict(zip("ABC", options, strict=False)), value, language().numbers) == letter


def test_what_a_speaker_says_themselves_beats_what_they_report() -> None:
    said = rows("Anna told me that the colour of the kite is red", "The colour of the kite is blue")
    found = best_option(OPTIONS, ["colour", "kite"], said, language())
    assert letters(found) == "B"


ASKED = ["colour", "Kite"]
MANY = [f"The Kite, I mean number {n}, is at the shed." for n in range(40)]


@pytest.mark.parametrize(
    "told",
    [
        "The colour of the Kite is red.",
        "No, the colour of the Kite is not red.",  # a denial tells options apart as well
        "The Kite gets painted in red.",
        "The Kite costs twelve dollars, its colour included.",
    ],
)
def test_what_holds_an_option_is_read_however_late_it_was_found(told: str) -> None:
    others = ["The colour of the Boat is red.", "The colour of the Boat is blue."]
    read = worth_reading(OPTIONS, ASKED, rows(*MANY, *others, told, "The colour of the Kite is blue."), language())
    assert {42, 43} <= set(read)
    assert len(read) == READ_EACH * len(OPTIONS)


def test_where_no_words_decide_all_rows_are_read() -> None:
    told = [*MANY, "They painted it the shade of a tomato."]
    assert worth_reading(OPTIONS, ASKED, rows(*told), language()) == tuple(range(41))
    assert worth_reading(OPTIONS, ASKED, [], language()) == ()

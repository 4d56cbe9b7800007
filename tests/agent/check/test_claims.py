"""A document cut into claims: each kind, its line, whose it is, and what of its sentence is left to compare."""

from collections.abc import Callable

import pytest

from agent.check.claims import Claim, claims
from agent.check.document import document
from agent.check.naming import Roster
from agent.check.words import words
from agent.evals.minutes.meeting import published
from store import recordings
from store.catalog import catalog
from store.database import Database
from tests.agent.check.ship import meeting

Cut = Callable[[str], list[Claim]]


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Cut:
    """Cut a document about the ship's meeting."""
    database = Database.open(tmp_path_factory.mktemp("claims"))
    public_id = published(database, meeting())
    with database.reader() as connection:
        (entry,) = catalog(connection, [recordings.find(connection, public_id)]).recordings
    return lambda text: list(claims(document("x.md", text.encode()), Roster(entry), words("en")))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Ben said: "we ship on Friday".', [("quote", "we ship on Friday", 1, ("Ben",))]),
        ("Ben said that we ship on Friday.", [("attribution", "Ben", 1, ("Ben",))]),
        ("It is 23 percent over.", [("number", "23", 1, ())]),
        ("# Minutes\n\nAda asked for 12,500 dollars.", [("number", "12,500", 3, ("Ada",))]),
        ("At 12:34 Ben said that we ship.",
         [("attribution", "Ben", 1, ("Ben",)), ("time", "12:34", 1, ("Ben",))]),
        ("Nothing is claimed here.", []),
        ("Did Ben say that we ship?", []),
        ("It is in part 2 of 3.", [("number", "2", 1, ()), ("number", "3", 1, ())]),
        ("One of them left.", []),
        ("Friday was mentioned. Ben is said to be late. Several points were noted.", []),
        ("Nobody said that we ship. Everything was explained.", []),
        ("Freitag wurde erwähnt.", []),
        ("Ben was asked and answered that we ship.", [("attribution", "Ben", 1, ("Ben",))]),
        ("Ben was explaining it, and Ada added that we ship.", [("attribution", "Ada", 1, ("Ada",))]),
    ],
)  # fmt: skip
def test_kinds_lines_and_names(cut: Cut, text: str, found: list[tuple[str, str, int, tuple[str, ...]]]) -> None:
    assert [(claim.kind, claim.text, claim.line, claim.names) for claim in cut(text)] == found


def test_a_number_knows_its_value_its_neighbours_and_its_place_in_the_clause(cut: Cut) -> None:
    (number, _) = cut("Ben said that it is about 23 percent over.")
    assert (str(number.value), number.beside) == ("23", ("about", "%"))
    assert number.clause[number.offset :].startswith("23 percent over")
    assert "Ben" not in number.clause


def test_a_quote_over_two_paragraphs_is_closed_where_the_next_begins_with_its_mark(cut: Cut) -> None:
    first, second = cut('Ben said: "we ship on Friday\n\n"and not before."')
    assert (first.text, first.closed, first.names) == ("we ship on Friday", True, ("Ben",))
    assert (second.text, second.line) == ("and not before.", 3)
    (open_,) = cut('Ben said: "we ship on Friday')
    assert not open_.closed


def test_each_time_in_brackets_belongs_to_the_quote_it_leads_or_follows(cut: Cut) -> None:
    led = cut('[1:00] "we ship" and [2:00] "we do not ship".')
    assert [claim.moment and claim.moment.t0 for claim in led if claim.kind == "quote"] == [60_000, 120_000]
    followed = cut('"we ship" (1:00) and "we do not ship" (2:00).')
    assert [claim.moment and claim.moment.t0 for claim in followed if claim.kind == "quote"] == [60_000, 120_000]


def test_a_block_quote_is_whose_it_is_signed_or_introduced(cut: Cut) -> None:
    (signed,) = [claim for claim in cut("> we ship on Friday\n> — Ben, 1:02") if claim.kind == "quote"]
    assert (signed.names, signed.moment and signed.moment.t0) == (("Ben",), 62_000)
    introduced = cut("Ada said:\n\n> we ship on Friday")[-1]
    assert (introduced.kind, introduced.names, introduced.line) == ("quote", ("Ada",), 3)


def test_a_long_sentence_is_shown_cut(cut: Cut) -> None:
    (claim,) = cut(f"It is 23 {'very ' * 100}late.")
    assert claim.sentence.endswith(" …")
    assert len(claim.sentence) <= 302

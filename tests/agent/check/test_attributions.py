"""Who a document says has spoken, in the ways that people write it."""

import pytest

from agent.check.claims import claims
from agent.check.document import document
from agent.check.naming import Roster
from agent.check.words import words
from agent.evals.minutes.meeting import Meeting, published
from store import recordings
from store.catalog import RecordingCatalog, catalog
from store.database import Database
from store.record import Segment

NAMES = ("Ben", "Anna Keller", "Project Manager", "Will", "O'Brien", "李雷", "The Chair")
ATTRIBUTED = [
    ('Ben said: "yes we do"', ["Ben"]),
    ('"yes we do," said Ben.', ["Ben"]),
    ('"yes we do," Ben said.', ["Ben"]),
    ('"yes we do." Ben then asked: "no we do not?"', [None, "Ben"]),
    ('"yes we do", Ben said, "no we do not"', ["Ben", "Ben"]),
    ('Ben said "yes we do" and "no we do not"', ["Ben", "Ben"]),
    ('Ben said "yes we do", Anna said "no we do not"', ["Ben", "Anna"]),
    ('"yes we do," Ben said, and "no we do not," said Anna Keller.', ["Ben", "Anna Keller"]),
    ('According to Anna Keller, "yes we do"', ["Anna Keller"]),
    ('On Ben\'s budget, Anna said "yes we do"', ["Anna"]),
    ('Ben\'s answer was "yes we do"', ["Ben"]),
    ('"yes we do" — Ben, 12:34', ["Ben"]),
    ('"yes we do" (Ben, 12:34)', ["Ben"]),
    ('[12:34 Ben] "yes we do"', ["Ben"]),
    ('**Ben** (12:34): "yes we do"', ["Ben"]),
    ('- Ben: "yes we do"', ["Ben"]),
    ('The project manager said "yes we do"', ["project manager"]),
    ('Will said "yes we do"', ["Will"]),
    ('Then O’Brien replied: "yes we do"', ["O’Brien"]),
    ('"yes we do" was said by Ben', ["Ben"]),
    ('As Ben put it, "yes we do"', ["Ben"]),
    ('Ben told Anna "yes we do"', ["Ben"]),
    ('Yesterday Marie said "yes we do"', ["Marie"]),
    ('Ben and Anna said "yes we do"', ["Ben, Anna"]),
    ('Ben talked about Anna. "yes we do"', [None]),
    ('They said "yes we do"', [None]),
    ('It would help if Ben could say "yes we do"', [None]),
    ('Ben did not say "yes we do"', [None]),
    ('Decision: "yes we do"', [None]),
    ('The Chair asked "yes we do"', ["The Chair"]),
    ("> yes we do\n> — Ben", ["Ben"]),
    ("Anna said:\n\n> yes we do", ["Anna"]),
    ("> **Ben** (12:34): yes we do", ["Ben"]),
    ("李雷：「是的我们」", ["李雷"]),
    ('Neither Ben nor Will said "yes we do".', [None]),
    ('Will, not Ben, said "yes we do".', [None]),
    ('It was not Ben but Will who said "yes we do".', ["Will"]),
    ('If Ben had said "yes we do", all would be well.', [None]),
    ('"Yes we do." (Ben, 1:02) "No we do not." (Will, 2:03)', ["Ben", "Will"]),
    ('(Ben, 1:02) "Yes we do." (Will, 2:03) "No we do not." (Ben, 3:04) "So be it."', ["Ben", "Will", "Ben"]),
    ('"Yes we do." [Ben 1:02] "No we do not." [Will 2:03] "So be it." [Ben 3:04]', ["Ben", "Will", "Ben"]),
    ("Selon Ben, « yes we do »", ["Ben"]),
    ("Ben sagte: „yes we do“", ["Ben"]),
]


@pytest.fixture
def entry(database: Database) -> RecordingCatalog:
    rows = [Segment(1000 * n, 1000 * n + 900, "yes we do", name) for n, name in enumerate(NAMES)]
    public_id = published(database, Meeting("names", rows))
    with database.reader() as connection:
        return catalog(connection, [recordings.find(connection, public_id)]).recordings[0]


@pytest.mark.parametrize(("text", "names"), ATTRIBUTED)
def test_a_quote_is_given_to_whoever_the_sentence_names(
    text: str, names: list[str | None], entry: RecordingCatalog
) -> None:
    found = claims(document("x", text.encode()), Roster(entry), words("en"))
    assert [", ".join(c.names) or None for c in found if c.kind == "quote"] == names


def test_lines_and_times_belong_to_their_quotes(entry: RecordingCatalog) -> None:
    text = '# Minutes\n\nBen said\n"yes we do" (1:02)\nand "no we do not" (2:03).\n\n* [3:04 Will] "so be it then"'
    found = list(claims(document("x", text.encode()), Roster(entry), words("en")))
    times = [(c.line, c.moment.t0 // 1000 if c.moment else None) for c in found if c.kind == "quote"]
    assert times == [(4, 62), (5, 123), (7, 184)]


@pytest.mark.parametrize(
    "text",
    [
        '| 1:02 | Ben | "yes we do" |\n| 2:03 | Will | "no we do not" |',
        '1:02 "yes we do." Ben\n2:03 "no we do not." Will',
        '[1:02] Ben: "yes we do."\n[2:03] Will: "no we do not."',
        '"Yes we do." (Ben, 1:02) "No we do not." (Will, 2:03)',
        '(Ben, 1:02) "Yes we do." (Will, 2:03) "No we do not."',
        'At 1:02 Ben said "yes we do", at 2:03 Will said "no we do not".',
        'Ben said "yes we do" at 1:02, Will said "no we do not" at 2:03.',
    ],
)
def test_each_quote_has_the_time_beside_it(text: str, entry: RecordingCatalog) -> None:
    found = list(claims(document("x", text.encode()), Roster(entry), words("en")))
    times = [c.moment.t0 // 1000 if c.moment else None for c in found if c.kind == "quote"]
    assert times == [62, 123]

"""Every kind of claim, held against one meeting: what stands, what does not, and what cannot be said."""

import pytest

from agent.check.checking import check
from agent.check.document import document
from agent.check.verdict import Verdict
from store import streams
from store.database import Database
from store.errors import DataError
from store.record import Segment
from store.recordings import NewRecording, add
from store.streams import Source
from tests.agent.check.ship import checked, only

QUOTES: list[tuple[str, Verdict]] = [
    ('Ben said: "We ship on Friday, and I don’t agree with the budget."', "verbatim"),
    ("Ben said: “we SHIP on friday”", "verbatim"),
    ('"Well, we ship on Friday", said Ben.', "verbatim"),
    ("> we ship on Friday\n> — Ben, 0:04", "verbatim"),
    ("[0:04 Ben] “we ship on Friday”", "verbatim"),
    ('Ben: "I don\'t agree with the budget. It is 23 % over."', "verbatim"),
    ('"Good morning … the railway contract" (Ada)', "verbatim"),
    ('"Good morning, let us begin with [it]" — Ada', "verbatim"),
    ('Ben said "[w]e ship on Friday"', "verbatim"),
    ('"that is $12.5 million", Ben explained', "verbatim"),
    ('Chloé said: "another 405,000 euros by March"', "verbatim"),
    ('"I don\'t agree with the budget. Mm-hmm. It is 23% over"', "verbatim"),
    ('"We ship on Monday" — Ben', "altered"),
    ('"I do agree with the budget" — Ben', "altered"),
    ('"we agree on Friday and I don\'t ship with the budget" — Ben', "altered"),
    ('Ben said "We ship on Friday, and the whole board was very happy about it."', "altered"),
    ('Ada said: "I can promise more than that."', "altered"),
    ('Ben: "It is 32 % over."', "altered"),
    ('Chloé said: "another four hundred and six thousand euros"', "altered"),
    ('"We ship on Friday" — Ada', "other speaker"),
    ('Marie said: "We ship on Friday."', "other speaker"),
    ('"We ship on Friday", said Ben (3:20).', "other time"),
    ('At 6:40 Ben said: "We ship on Friday."', "other time"),
    ('[99:00 Ben] "We ship on Friday"', "other time"),
    ('Ben said: "The penguins have all left the building."', "not in the transcript"),
    ('Ben said: "We ship on Friday.', "not checkable"),
    ("Ben sagte: „Wir haben das nicht beschlossen, und das ist auch gut so.“", "not checkable"),
    ('This so-called "dark pattern" was discussed.', "not checkable"),
]


@pytest.mark.parametrize(("text", "verdict"), QUOTES)
def test_a_quote_is_its_words_its_speaker_and_its_time(text: str, verdict: Verdict, database: Database) -> None:
    assert only(checked(database, text)).verdict == verdict


OTHERS: list[tuple[str, str, Verdict]] = [
    ("number", "Ben said that the budget is 23 % over.", "verbatim"),
    ("number", "The pension fund needs another 405 thousand euros.", "verbatim"),
    ("number", "The pension fund needs about 400,000 euros by March.", "verbatim"),
    ("number", "Ben said that it is thirty-two percent over.", "altered"),
    ("number", "The pension fund needs another 450,000 euros by March.", "altered"),
    ("number", "The penguins cost 4711 dollars.", "not checkable"),
    ("attribution", "Chloé said that the pension fund needs another four hundred thousand euros.", "verbatim"),
    ("attribution", "Ben said that the pension fund needs another 405,000 euros by March.", "other speaker"),
    ("attribution", "Marie said that the pension fund needs another 405,000 euros by March.", "not checkable"),
    ("attribution", "Ben said that penguins are nice.", "not checkable"),
    ("time", "[0:30] The pension fund needs more euros", "verbatim"),
    ("time", "[9:30] The pension fund needs more euros", "other time"),
    ("time", "[59:30] The pension fund needs more euros", "not in the transcript"),
    ("time", "The museum opens at 9:30.", "not checkable"),
]


@pytest.mark.parametrize(("kind", "text", "verdict"), OTHERS)
def test_a_paraphrase_is_false_only_where_its_passage_says_so(
    kind: str, text: str, verdict: Verdict, database: Database
) -> None:
    assert only(checked(database, text), kind).verdict == verdict


def test_a_verdict_cites_who_said_it_when_and_in_which_words(database: Database) -> None:
    found = only(checked(database, '"We ship on Friday" — Ada, 9:00'))
    assert found.reason == "Ben said it; also: said at 0:04, not at 9:00"
    (cited,) = found.citations
    assert (cited.speaker, cited.quote, cited.stream, cited.verified) == (
        "Ben",
        "we ship on Friday",
        "transcript",
        True,
    )
    assert 4.5 < cited.start < 6 < cited.end < 9


def test_a_difference_shows_what_was_written_and_what_was_said(database: Database) -> None:
    found = only(checked(database, 'Ben said "we ship on Monday, and I agree with the budget"'))
    assert [(change.kind, change.text) for change in found.diff] == [
        ("same", "we ship on"),
        ("written", "Monday"),
        ("said", "Friday"),
        ("same", "and I"),
        ("said", "don't"),
        ("same", "agree with the budget"),
    ]


def test_an_invented_tail_is_named_as_such(database: Database) -> None:
    found = only(checked(database, 'Ben said "we ship on Friday because penguins told everyone so"'))
    assert found.verdict == "altered"
    assert found.reason == "its last 5 words are not said there"


def test_parts_from_far_apart_make_no_quote(database: Database) -> None:
    found = only(
        checked(database, 'Ada said "let us begin with the railway contract … I can\'t promise more than that"')
    )
    assert found.verdict == "altered"
    assert found.reason == "its parts stand far from each other: 0:01, 6:42"


def test_a_name_on_an_open_roster_may_be_any_voice(database: Database) -> None:
    names = {"Ben": "SPEAKER_01", "Ada": "SPEAKER_00"}
    found = only(checked(database, '"We ship on Friday" — Marie', names))
    assert found.verdict == "not checkable"
    assert "SPEAKER_01 said it" in found.reason
    assert only(checked(database, '"We ship on Friday" — Speaker 1', names)).verdict == "verbatim"
    assert only(checked(database, '"We ship on Friday" — Chloé', names)).verdict == "other speaker"


@pytest.mark.parametrize(
    "text",
    [
        'Ada: "50 % of it is late"',
        'Ada: "50% of it is late"',
        'Ada: "case_1 is in the multi agent part"',
        'Hie\u0302\u0301u said: "nobody asked me about the ORCHARD"',
        'Chloe\u0301 said: "The pension fund"',
        'ليلى: "نشحن يوم الجمعة with SAP 4"',
        "李雷：「我们星期五发货」",
    ],
)
def test_signs_scripts_and_forms_of_letters_are_compared_as_keywords_are(text: str, database: Database) -> None:
    assert only(checked(database, text)).verdict == "verbatim"


@pytest.mark.parametrize(
    "text", ['Ada: "50 dollars of it is late"', 'Ada: "caseA1 is in the multi-agent part"', "李雷：「我们星期六发货」"]
)
def test_near_forms_are_not_equal(text: str, database: Database) -> None:
    assert only(checked(database, text)).verdict == "altered"


def test_the_tolerance_is_how_far_a_time_may_be_off(database: Database) -> None:
    text = '"Nobody asked me about the orchard before" — Hiếu, 8:32'
    assert only(checked(database, text)).verdict == "other time"
    assert only(checked(database, text, tolerance=10)).verdict == "verbatim"
    assert only(checked(database, text.replace("8:32", "8:22"), tolerance=0)).verdict == "verbatim"


def test_what_is_not_heard_yet_is_not_false(database: Database) -> None:
    with database.writing() as connection:
        recording = add(connection, NewRecording("0" * 64, "live", "ingest", 3_600_000))
        version = streams.new_version(connection, recording.id, "transcript", Source("test", {}))
        streams.publish(connection, version, [Segment(0, 1000, "we have begun already", "Ada")])
    report = check(database, recording.public_id, document("x", b'Ada said: "The penguins have left the building."'))
    assert [found.verdict for found in report.claims] == ["not checkable"]
    assert report.notes == ("the recording is still being heard; what was not found may come",)


def test_a_recording_without_a_transcript_is_said(database: Database) -> None:
    with database.writing() as connection:
        recording = add(connection, NewRecording("0" * 64, "silent", "import", 1000))
        streams.finish(connection, recording.id, None)
    with pytest.raises(DataError, match="has no transcript"):
        check(database, recording.public_id, document("x", b"nothing"))

"""What a person reads: paragraphs, names, and nothing of what was said taken for markup."""

from store.record import Row, Segment
from store.speakers import Profile
from tests.tools.exports.written import made
from tools.exports.formats import FORMATS
from tools.exports.paragraphs import LONG, PAUSE_MS, paragraphs

SAID: list[Row] = [
    Segment(12_000, 14_000, "Good morning. What, um,", "SPEAKER_00"),
    Segment(14_100, 15_000, "is *it*?", "SPEAKER_00"),
    Segment(15_500, 17_000, "An engine.", "Bob"),
    Segment(17_000 + PAUSE_MS, 22_000, "It, uh, <b>weaves</b> case_1.", "Bob"),
    Segment(23_000, 24_000, "Hm."),
]
ADA = (Profile("SPEAKER_00", "Ada Lovelace"),)


def test_book_reads_like_a_printed_interview() -> None:
    assert FORMATS["book"](made(SAID, names=ADA, title="The\nEngine")) == (
        "The Engine\n\n"
        "ADA LOVELACE: Good morning. What, um, is *it*?\n\n"
        "BOB: An engine.\n\n"
        "It, uh, <b>weaves</b> case_1.\n\n"
        "UNKNOWN: Hm.\n"
    )


def test_markdown_has_times_and_no_markup_of_strangers() -> None:
    assert FORMATS["md"](made(SAID, names=ADA, title="[x](http://y)")) == (
        "# \\[x\\](http://y)\n\n"
        "**Ada Lovelace** (0:12): Good morning. What, um, is \\*it\\*?\n\n"
        "**Bob** (0:15): An engine.\n\n"
        "(0:20) It, uh, \\<b\\>weaves\\</b\\> case\\_1.\n\n"
        "**unknown** (0:23): Hm.\n"
    )


def test_a_transcript_without_voices_names_nobody() -> None:
    assert FORMATS["book"](made([Segment(0, 1000, "so"), Segment(1000, 2000, "it goes")])) == "A talk\n\nso it goes\n"
    assert FORMATS["md"](made([Segment(0, 1000, "so")])) == "# A talk\n\n(0:00) so\n"


def test_names_that_capitals_would_make_one_stay_as_they_are() -> None:
    text = FORMATS["book"](made([Segment(0, 1, "a", "Ada"), Segment(1, 2, "b", "ADA")]))
    assert text == "A talk\n\nAda: a\n\nADA: b\n"


def test_a_paragraph_ends_where_a_sentence_does() -> None:
    half = Segment(0, 1000, "x" * (LONG + 1), "Ada")
    end = Segment(1000, 2000, "and so on.", "Ada")
    far = Segment(2000 + PAUSE_MS, 9000, "New.", "Ada")
    found = paragraphs([half, end, far])
    assert [(p.t0, p.t1, p.goes_on) for p in found] == [(0, 2000, False), (2000 + PAUSE_MS, 9000, True)]


def test_scripts_without_blanks_are_joined_without_one() -> None:
    (found,) = paragraphs([Segment(0, 1, "你好。"), Segment(1, 2, "再见"), Segment(2, 3, "Bob")])
    assert found.text == "你好。再见 Bob"
    (korean,) = paragraphs([Segment(0, 1, "안녕"), Segment(1, 2, "하세요")])
    assert korean.text == "안녕 하세요"

"""A term was said when the sound bears it untold; what merely sounds alike is where to look, not what was said."""

import pytest

from tools.transcript.evidence import LEAST_UNTOLD, Evidence, mentions, sound_alikes


@pytest.mark.parametrize(
    ("text", "term", "there"),
    [
        ("It was Thistlewood, who found it.", "thistlewood", True),
        ("It was Thistle Wood.", "thistle wood", True),
        ("It was Thistlewoods.", "Thistlewood", False),
        ("Zürich, dann Bern", "zürich", True),
        ("", "x", False),
    ],
)
def test_a_term_is_mentioned_as_a_whole(text: str, term: str, there: bool) -> None:
    assert mentions(text, term) is there


def test_what_sounds_most_like_a_term_comes_first() -> None:
    words = [" please", " send", " the", " keys", " to", " Ravens", " Rock", " before", " you", " leave"]
    assert sound_alikes(words, "Ravenscroft")[0][0] == 5
    assert len(sound_alikes(words, "Ravenscroft")) == 2
    assert sound_alikes([], "Ravenscroft") == []
    assert sound_alikes([" one"], "Ravenscroft") == [(0, 1)]


@pytest.mark.parametrize(
    ("untold", "told", "heard"),
    [(0.0, 0.0, True), (LEAST_UNTOLD, 3.0, True), (LEAST_UNTOLD - 1, 9.0, False), (-2.0, -0.1, False)],
)
def test_both_weighings_must_bear_a_term(untold: float, told: float, heard: bool) -> None:
    assert Evidence("x", untold, told, "", 0, 1).heard is heard

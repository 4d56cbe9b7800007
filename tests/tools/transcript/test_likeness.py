"""What sounds alike is alike, however it was spelt and into however many words it fell."""

import pytest

from tools.transcript.likeness import likeness


@pytest.mark.parametrize(
    ("term", "closer", "further"),
    [
        ("Ravenscroft", "Ravens Rock", "before you"),
        ("Pilvoquist", "Bill Rock Wist", "paid for it"),
        ("Marisol", "Marie Sol", "maricole"),
        ("Brinnalotte", "Brinnellot", "Ben alone"),
        ("Philip", "Filip", "Wilma"),
        ("Zürich", "Zurich", "Zinnober"),
        ("Иванов", "Иваново", "Петров"),
    ],
)
def test_what_sounds_more_alike_is_more_alike(term: str, closer: str, further: str) -> None:
    assert likeness(further, term) < likeness(closer, term) <= 1


def test_it_is_the_same_both_ways_and_one_for_the_same_letters() -> None:
    assert likeness("Penny Haligan", "Penhaligon") == pytest.approx(likeness("Penhaligon", "Penny Haligan"))
    assert likeness("Pen, haligon!", "Penhaligon") == 1
    assert likeness("", "") == 1
    assert likeness("", "x") <= 0

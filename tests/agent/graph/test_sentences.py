"""An answer is cut into sentences, never inside of a quote or an abbreviation; marks stay with theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.graph.sentences import Sentence, bare, renumbered, sentences

CUT = [
    (
        'Ada said "No problem, we are done." [1]. Then Ben left [2].',
        [("Ada said “No problem, we are done.”", (1,)), ("Then Ben left.", (2,))],
    ),
    (
        "C. The first was proposed [10], then it was not. [11] He left [3][4].",
        [("C. The first was proposed, then it was not.", (10, 11)), ("He left.", (3, 4))],
    ),
    ("Dr. Smith paid 3.5 euros! [12] Nobody knew.", [("Dr. Smith paid 3.5 euros!", (12,)), ("Nobody knew.", ())]),
    ("李雷说预算。[1] 然后呢？[2]", [("李雷说预算。", (1,)), ("然后呢？", (2,))]),
    ("One line\nTwo lines [3]", [("One line", ()), ("Two lines", (3,))]),
    ("“It ends. It begins.” stays whole [1].", [("“It ends. It begins.” stays whole.", (1,))]),
    ("", []),
    ("[1]", []),
]


@pytest.mark.parametrize(("text", "found"), CUT)
def test_sentences_keep_their_marks(text: str, found: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [(sentence.text, sentence.marks) for sentence in sentences(text)] == found


@pytest.mark.parametrize(
    ("raw", "finished"),
    [("It is.", True), ("It is", False), ("It is [2]", True), ("He said “yes.”", True), ("他说。", True)],
)
def test_a_sentence_that_was_cut_off_is_not_finished(raw: str, finished: bool) -> None:
    assert Sentence(raw).finished == finished


def test_marks_get_other_numbers_and_those_without_one_go() -> None:
    assert renumbered("A [2], B [1][3].", {2: 1, 3: 2}) == "A [1], B [2]."
    assert bare("A [2], B [1][3].") == "A, B."
    assert Sentence("A is.").marked("[4]").raw == "A is [4]."


@given(st.text(alphabet='aB. ?![]“”"12\n。', max_size=60))
def test_no_word_is_lost(text: str) -> None:
    said = "".join(bare(sentence.raw) for sentence in sentences(text))
    assert [c for c in said if c in "aB"] == [c for c in text if c in "aB"]

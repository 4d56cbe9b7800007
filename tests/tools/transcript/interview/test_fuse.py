"""Two halves that heard the same half minute become the whole: no word is lost, none is there twice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.record import Span
from tests.tools.transcript.interview.world import script
from tools.transcript.interview.fuse import align, fuse
from tools.transcript.interview.table import Said
from tools.transcript.interview.words import text_of, timed_words, tokens

OVERLAP = Span(570_000, 600_000)


def heard(lines: Sequence[Said], span: Span, shift: int = 0) -> list[Said]:
    """The words of rows within a span, as rows."""
    found = []
    for row in lines:
        inside = [word for word in timed_words(row) if span.t0 <= (word.t0 + word.t1) // 2 < span.t1]
        if inside:
            text = " ".join(word.text for word in inside)
            found.append(replace(row, t0=inside[0].t0 + shift, t1=inside[-1].t1 + shift, text=text))
    return found


def regrouped(rows: Sequence[Said], size: int) -> list[Said]:
    """The same words with rows cut elsewhere: at most so many words each."""
    found = []
    for row in rows:
        words = timed_words(row)
        for at in range(0, len(words), size):
            part = words[at : at + size]
            found.append(replace(row, t0=part[0].t0, t1=part[-1].t1, text=" ".join(word.text for word in part)))
    return found


def talk(seed: int) -> list[Said]:
    lines = script(12, seed)
    return [Said(one.t0, one.t1, one.voice, one.text) for one in lines if 530_000 < one.t0 < 640_000]


def words(rows: Sequence[Said]) -> list[str]:
    return " ".join(row.text for row in rows).split()


@given(st.integers(0, 300), st.integers(-6_000, 6_000), st.integers(2, 20), st.integers(2, 20))
@settings(max_examples=60, deadline=None)
def test_what_both_heard_is_there_once(seed: int, shift: int, ours: int, theirs: int) -> None:
    truth = talk(seed)
    end = regrouped(heard(truth, Span(540_000, 600_000)), ours)
    begin = regrouped(heard(truth, Span(570_000, 630_000), shift), theirs)
    found = fuse(end, begin, OVERLAP)
    if align(end, begin, OVERLAP).least:
        assert found.how == "aligned"
    assert words(found.rows) == words(heard(truth, Span(540_000, 630_000)))
    assert all(row.t1 > row.t0 for row in found.rows)


@given(st.integers(0, 300), st.integers(0, 10))
@settings(max_examples=40, deadline=None)
def test_words_that_one_side_misheard_are_those_of_one_side(seed: int, every: int) -> None:
    truth = talk(seed)
    end, begin = heard(truth, Span(540_000, 600_000)), heard(truth, Span(570_000, 630_000))
    every += 5
    texts = [" ".join("faux" if n % every == 2 else w for n, w in enumerate(row.text.split())) for row in begin]
    wrong = [replace(row, text=text) for row, text in zip(begin, texts, strict=True)]
    found = fuse(end, wrong, OVERLAP)
    told, true = words(found.rows), words(heard(truth, Span(540_000, 630_000)))
    assert len(told) == len(true)
    assert all(a in (b, "faux") for a, b in zip(told, true, strict=True))


def test_rows_that_begin_alike_are_left_whole() -> None:
    end = [Said(560_000, 568_000, "A", "Je venais du port."), Said(571_000, 590_000, "B", "Et il y avait du monde ?")]
    begin = [Said(571_200, 590_100, "B", "Et il y avait du monde ?"), Said(601_000, 604_000, "A", "Non, personne.")]
    found = fuse(end, begin, OVERLAP)
    assert found.rows == [end[0], begin[0], begin[1]]


def test_a_sentence_cut_by_the_edge_is_one_row_again() -> None:
    end = [Said(580_000, 600_000, "A", "Quand je suis arrivé au port il y")]
    begin = [Said(580_000, 606_000, "A", "suis arrivé au port il y avait encore des bateaux.")]
    (row,) = fuse(end, begin, OVERLAP).rows
    assert (row.text, row.t0, row.t1) == (
        "Quand je suis arrivé au port il y avait encore des bateaux.",
        580_000,
        606_000,
    )


def test_the_same_words_at_another_time_are_no_overlap() -> None:
    end = [Said(541_000, 543_000, "A", "Oui, c'est ça, exactement, oui.")]
    begin = [Said(620_000, 622_000, "A", "Oui, c'est ça, exactement, oui.")]
    found = fuse(end, begin, OVERLAP)
    assert (found.how, list(found.rows)) == ("pasted", [*end, *begin])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("side", [0, 1])
def test_what_only_one_side_wrote_stays(side: int, seed: int) -> None:
    truth = talk(seed)
    sides = [heard(truth, Span(540_000, 600_000)), heard(truth, Span(570_000, 630_000))]
    whole = sides[side]
    sides[1 - side] = [row for row in sides[1 - side] if not 565_000 <= row.t0 < 605_000]
    found = fuse(sides[0], sides[1], OVERLAP)
    assert found.how in ("pasted", "aligned", "clock")
    assert not Counter(words(whole)) - Counter(words(found.rows))


def test_what_does_not_agree_is_somebody_elses_to_fuse_or_the_clocks() -> None:
    end = [
        Said(560_000, 568_000, "A", "Je venais du port ce matin"),
        Said(572_000, 592_000, "A", "un deux trois quatre"),
    ]
    begin = [Said(572_000, 592_000, "A", "five six seven eight"), Said(601_000, 604_000, "A", "et puis rien")]
    asked: list[int] = []

    def join(end: Sequence[Said], begin: Sequence[Said]) -> Sequence[Said] | None:
        asked.append(len(end) + len(begin))
        return None

    found = fuse(end, begin, OVERLAP, join)
    assert (found.how, asked) == ("clock", [4])
    assert [row.text for row in found.rows] == ["Je venais du port ce matin", "un deux trois quatre", "et puis rien"]
    assert fuse(end, begin, OVERLAP, lambda end, begin: end).how == "model"


def test_writing_without_blanks_is_fused_by_its_characters() -> None:
    end = [Said(570_000, 600_000, "A", "私は港で生まれました。父は船を")]
    begin = [Said(570_000, 606_000, "A", "港で生まれました。父は船を持っていた。")]
    (row,) = fuse(end, begin, OVERLAP).rows
    assert row.text == "私は港で生まれました。父は船を持っていた。"


def test_words_take_the_time_of_their_row_by_their_length() -> None:
    found = tokens([Said(0, 10_000, "A", "euh oui bon"), Said(20_000, 20_001, "A", "là")])
    assert [(token.key, token.t0, token.t1) for token in found][:2] == [("euh", 0, 3_333), ("oui", 3_333, 6_666)]
    assert text_of(found) == "euh oui bon là"

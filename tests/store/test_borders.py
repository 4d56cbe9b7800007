"""Phrases, and words that count together, are found over the border of two segments of one voice, and counted once."""

import pytest

from store import recordings, streams
from store.database import Database
from store.keywords import hits, together
from store.record import Segment

Lines = list[tuple[int, int, str | None, str]]
CUT: Lines = [(0, 1_000, "Ana", "We look at Machine"), (1_200, 2_000, "Ana", "learning, next.")]


def found(database: Database, lines: Lines, term: str) -> list[tuple[int, int, int | None]]:
    """Give the place of each segment that holds a term, how often, and the place of the one in which it ends."""
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("0" * 64, "talk", "import", 90_000)).id
        stream = streams.new_version(connection, rec, "transcript", streams.Source("test", {}))
        streams.publish(connection, stream, [Segment(t0, t1, text, who) for t0, t1, who, text in lines])
        every = sorted(hits(connection, [(rec, stream)], [term]), key=lambda hit: hit.segment_id)
    low = rec << 20
    return [(h.segment_id - low, h.occurrences, None if h.onward is None else h.onward - low) for h in every]


def said(*texts: str, who: str | None = "Ana", gap: int = 200) -> Lines:
    return [(n * (1_000 + gap), n * (1_000 + gap) + 1_000, who, text) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("lines", "term", "wanted"),
    [
        (CUT, "machine learning", [(0, 1, 1)]),
        (said("machine", "learning", who=None), "machine learning", [(0, 1, 1)]),
        (said("climate", "change", "report"), "climate change report", [(0, 1, 2)]),
        (said("the climate change", "report"), "climate change report", [(0, 1, 1)]),
        (said("machine learning machine", "learning"), "machine learning", [(0, 2, 1)]),
        (said("machine...", "... learning"), "machine learning", [(0, 1, 1)]),
        (said("machine,", '"learning"'), "machine learning", [(0, 1, 1)]),
        (said("預算超", "支了"), "超支", [(0, 1, 1)]),
        (said("no", "no no"), "no no", [(1, 1, None)]),
        (said("no", "no", "no"), "no no", [(0, 1, 1)]),
        (said("no", "no", "no", "no"), "no no", [(0, 1, 1), (2, 1, 3)]),
        (said("the machine.", "Learning"), "machine learning", []),
        (said("machines", "learning"), "machine learning", []),
        (said("machine", "learnings"), "machine learning", []),
        (said("machine", "is learning"), "machine learning", []),
        (said("machine", "learning", gap=1_501), "machine learning", []),
        (said("machine", "learning", gap=1_500), "machine learning", [(0, 1, 1)]),
        ([*CUT[:1], (1_200, 2_000, "Ben", "learning, next.")], "machine learning", []),
        ([*CUT[:1], (1_200, 2_000, None, "learning, next.")], "machine learning", []),
        ([CUT[0], (1_050, 1_150, "Ben", "yes"), CUT[1]], "machine learning", []),
        ([CUT[0], (900, 1_150, "Ben", "yes"), CUT[1]], "machine learning", [(0, 1, 2)]),
        ([CUT[0], (1_050, 1_300, "Ben", "yes"), CUT[1]], "machine learning", [(0, 1, 2)]),
        ([CUT[1], CUT[0]], "machine learning", [(1, 1, 0)]),
        (said("of the", "people, by the", "people"), "the people", [(0, 1, 1), (1, 1, 2)]),
    ],
)
def test_a_phrase_goes_on_over_a_border(
    database: Database, lines: Lines, term: str, wanted: list[tuple[int, int, int | None]]
) -> None:
    assert found(database, lines, term) == wanted


@pytest.mark.parametrize(
    ("lines", "terms", "wanted"),
    [
        (said("the climate", "will change"), ["climate", "change"], [(0, 1, 1)]),
        (said("it will change", "the climate."), ["climate", "change"], [(0, 1, 1)]),
        (said("climate change", "and change"), ["climate", "change"], [(0, 1, None)]),
        (said("climate", "change", "climate"), ["climate", "change"], [(0, 1, 1)]),
        (said("climate", "change", "climate", "change"), ["climate", "change"], [(0, 1, 1), (2, 1, 3)]),
        (said("climate", "will", "change"), ["climate", "change"], []),
        (said("climate", "change", gap=2_000), ["climate", "change"], []),
        (said("a climate", "change report"), ["climate change", "report"], [(0, 1, 1)]),
        (said("a climate", "report"), ["climate change", "report"], []),
        (said("a climate"), ["climate", "climate"], [(0, 1, None)]),
        ([(0, 900, "Ana", "climate"), (950, 1_800, "Ben", "change")], ["climate", "change"], []),
    ],
)
def test_words_count_together_in_two_segments_that_go_on(
    database: Database, lines: Lines, terms: list[str], wanted: list[tuple[int, int, int | None]]
) -> None:
    assert found(database, lines, together(terms)) == wanted


@pytest.mark.parametrize("term", ["&", "&[", "&more", "rock & roll"])
def test_a_term_that_only_looks_like_several_is_taken_literally(database: Database, term: str) -> None:
    assert found(database, said(f"so {term} it is"), term) == [(0, 1, None)]


def test_segments_of_an_older_version_go_on_in_nothing(database: Database) -> None:
    with database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("0" * 64, "talk", "import", 90_000)).id
        for text in ("machine", "learning"):
            stream = streams.new_version(connection, rec, "transcript", streams.Source("test", {}))
            at = 0 if text == "machine" else 1_000
            streams.publish(connection, stream, [Segment(at, at + 1_000, text, "Ana")])
        assert hits(connection, [(rec, stream)], ["machine learning"]) == []

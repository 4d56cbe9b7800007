"""Which format carries what, in one table, measured: written, read back, and looked for."""

from pathlib import Path

import pytest

from store.record import STREAMS, Emotion, Event, Row, Segment, StreamKind, Turn, Word
from tests.tools.exports.written import ENDINGS, made
from tools.exports.formats import FORMATS
from tools.imports.files import READS, read_file
from tools.imports.fit import fit

WORDS = (Word(1000, 1400, "so", 0.5), Word(1400, 2000, "it"))
ROWS: list[Row] = [
    Segment(1000, 2000, "so it", "Ada", WORDS, "fr", 0.75),
    Segment(1500, 2500, "no", "Ben", (), "de"),
    Turn(1000, 2000, "Ada", 0.5),
    Turn(1500, 2500, "Ben"),
    Emotion(1000, 2000, "anger", 0.6, "Ada", {"anger": 0.6, "neutral": 0.4}),
    Event(100, 900, "Dog", 0.7),
]
CARRIES = {
    "json": "text voices overlaps words wordscores scores languages turns turnscores emotions spreads events",
    "csv": "text voices overlaps scores languages turns turnscores emotions events",
    "rttm": "turns",
    "vtt": "text voices overlaps",
    "srt": "text voices overlaps",
    "tsv": "text overlaps",
    "whisperx": "text voices overlaps words wordscores",
    "textgrid": "text voices overlaps words",
    "aud": "text voices overlaps",
}


def carried(form: str, folder: Path) -> set[str]:
    """Give what of the rows is still there after a file was written and read."""
    path = folder / f"x.{ENDINGS.get(form, form)}"
    content = made(ROWS)
    path.write_text(FORMATS[form](content), encoding="utf-8", newline="\n")
    found: dict[StreamKind, list[Row]] = {}
    for kind in STREAMS:
        if path.suffix.casefold() in READS[kind] and (kind == "transcript" or form in ("json", "csv", "rttm")):
            found[kind] = [placed.row for placed in fit(read_file(path, kind)[0].of(kind), 9_000).rows]
    said = [row for row in found.get("transcript", []) if isinstance(row, Segment)]
    turns = [row for row in found.get("speaker", []) if isinstance(row, Turn)]
    felt = [row for row in found.get("emotion", []) if isinstance(row, Emotion)]
    words = [word for row in said for word in row.words]
    there = {
        "text": [row.text for row in said] == ["so it", "no"],
        "voices": [row.speaker for row in said] == ["Ada", "Ben"],
        "overlaps": [(row.t0, row.t1) for row in said] == [(1000, 2000), (1500, 2500)],
        "words": [(word.t0, word.t1, word.text) for word in words] == [(1000, 1400, "so"), (1400, 2000, "it")],
        "wordscores": [word.score for word in words] == [0.5, None],
        "scores": [row.score for row in said] == [0.75, None],
        "languages": [row.language for row in said] == ["fr", "de"],
        "turns": [(row.t0, row.t1, row.speaker) for row in turns] == [(1000, 2000, "Ada"), (1500, 2500, "Ben")],
        "turnscores": [row.score for row in turns] == [0.5, None],
        "emotions": [(row.t0, row.t1, row.label, row.score, row.speaker) for row in felt]
        == [(1000, 2000, "anger", 0.6, "Ada")],
        "spreads": [dict(row.scores) for row in felt] == [{"anger": 0.6, "neutral": 0.4}],
        "events": found.get("events") == [Event(100, 900, "Dog", 0.7)],
    }
    return {name for name, kept in there.items() if kept}


@pytest.mark.parametrize("form", CARRIES)
def test_a_format_carries_what_the_table_says(form: str, tmp_path: Path) -> None:
    assert carried(form, tmp_path) == set(CARRIES[form].split())


def test_every_format_is_in_the_table_or_for_reading() -> None:
    assert FORMATS.keys() - CARRIES.keys() == {"md", "book"}

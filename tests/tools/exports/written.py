"""Recordings made for a test without a library: what an export is given, and what its file says when it is read."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from store.catalog import StreamState
from store.record import Row, Segment, StreamKind
from store.recordings import Recording
from store.speakers import Profile
from tools.exports.content import Content
from tools.exports.formats import FORMATS
from tools.imports.files import read_file
from tools.imports.fit import fit
from tools.imports.parsed import KINDS, Parsed
from tools.sanitize import one_line

ENDINGS = {"whisperx": "json", "textgrid": "TextGrid"}


def made(rows: Sequence[Row], *, names: Sequence[Profile] = (), title: str = "A talk", duration: int = 0) -> Content:
    """Give the content of a recording with these rows, its voices in the order they first speak."""
    kinds: dict[StreamKind, list[Row]] = {}
    for row in rows:
        kinds.setdefault(KINDS[type(row)], []).append(row)
    last = max([duration, *(row.t1 for row in rows)], default=1)
    recording = Recording(
        1, "a-talk-00000000", title, "00" * 32, None, "ingest", last, False, last, "ready", "en", "auto"
    )
    states = {kind: StreamState(1, kind, 1, "test", len(found), 0, None, None, None) for kind, found in kinds.items()}
    labels = dict.fromkeys(voice for row in rows if (voice := getattr(row, "speaker", None)))
    given = {profile.label: profile for profile in names}
    return Content(recording, states, kinds, [given.get(label, Profile(label)) for label in labels])


def read_back(form: str, content: Content, folder: Path, kind: StreamKind = "transcript") -> tuple[list[Row], Parsed]:
    """Write a recording, read the file, and give the rows in order of time and all that was read."""
    path = folder / f"x.{ENDINGS.get(form, form)}"
    path.write_text(FORMATS[form](content), encoding="utf-8", newline="\n")
    parsed, _ = read_file(path, kind)
    return [placed.row for placed in fit(parsed.of(kind), content.recording.duration_ms).rows], parsed


TEXTS = st.text(min_size=1, max_size=24).map(one_line).filter(bool)
PLAIN = st.from_regex(r"[A-Za-z李é0-9][A-Za-z李é0-9 ,.?!'\"%&#;\\-]{0,20}", fullmatch=True).map(one_line).filter(bool)
VOICES = st.sampled_from(("Ada", "Bob", "O'Brien; --", 'the "one"', "李 雷", "SPEAKER_00", "%"))


@st.composite
def segments(draw: st.DrawFn, texts: st.SearchStrategy[str], voices: st.SearchStrategy[str | None]) -> list[Row]:
    """Draw segments in order of time, overlapping at will."""
    found = []
    for _ in range(draw(st.integers(1, 8))):
        t0 = draw(st.integers(0, 400_000_000))
        t1 = t0 + draw(st.integers(1, 20_000))
        found.append(Segment(t0, t1, draw(texts), draw(voices)))
    return list(sorted(found, key=lambda row: (row.t0, row.t1)))

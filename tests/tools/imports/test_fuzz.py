"""200 mutated files a format: read, set aside or refused in one plain line, never a crash."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from store.database import Database
from store.errors import OverheardError
from store.record import StreamKind
from tools.imports.files import read_file
from tools.imports.fit import fit
from tools.imports.recording import Given, import_recording

WORDS = [{"word": "hi", "start": 1.0, "end": 1.2, "score": 0.5}, {"word": "there"}]
JSON = json.dumps({"language": "en", "segments": [{"start": 1.0, "end": 2, "text": "hi there", "words": WORDS}] * 3})
OWN = json.dumps(
    {
        "format": "overheard",
        "version": 1,
        "recording": {"title": "t", "duration": 9.5, "roster": "open"},
        "streams": {"events": {"model": "yamnet", "labels": ["Dog"], "health": 0.5}},
        "speakers": [{"label": "SPEAKER_00", "name": "Ada", "aliases": ["A"], "doubt": None}],
        "segments": [{"start": 1.0, "end": 2, "text": "hi", "speaker": "SPEAKER_00", "words": WORDS}],
        "turns": [{"start": 1.0, "end": 2, "speaker": "SPEAKER_00"}],
        "emotions": [{"start": 1.0, "end": 2, "label": "anger", "score": 0.5, "scores": {"anger": 0.5}}],
        "events": [{"start": 1.0, "end": 2, "label": "Dog", "score": 0.5}],
    }
)
VTT = """WEBVTT

1
00:00:01.000 --> 00:00:02.500
<v Ada>Hello &amp; hi</v>

NOTE x

00:03.1 --> 00:04
Bob: x
"""
SRT = "1\n00:00:01,000 --> 00:00:02,500\nAda: hello\n\n2\n0:0:4,8 --> 0:0:5,9\nBob: 50%\n"
TSV = "Diarization Speaker_1:Ada\\Speaker_2:Bob\n1\t00:00:01\t00:00:02\toui\n2\t00:00:02\t00:00:03\tnon\n"
GRID = '''File type = "ooTextFile"
Object class = "TextGrid"
xmin = 0
xmax = 9.5
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "Ada"
        xmin = 0
        xmax = 9.5
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "he said ""hi"""
        intervals [2]:
            xmin = 1.5
            xmax = 9.5
            text = "x"
    item [2]:
        class = "TextTier"
        name = "bell"
        xmin = 0
        xmax = 9.5
        points: size = 1
        points [1]:
            number = 1.5
            mark = "ding"
'''
SEEDS: list[tuple[str, StreamKind, str]] = [
    ("a.vtt", "transcript", VTT),
    ("a.srt", "transcript", SRT),
    ("a.json", "transcript", JSON),
    ("own.json", "transcript", OWN),
    ("a.tsv", "transcript", TSV),
    ("w.tsv", "transcript", "start\tend\ttext\n0\t1000\thello\n1000\t2000\tworld\n"),
    ("a.rttm", "speaker", "SPEAKER mono vocals 1 1.0 2.0 <NA> <NA> Ada <NA> <NA>\n" * 3),
    ("a.TextGrid", "transcript", GRID),
    ("p.TextGrid", "events", GRID),
    ("a.aud", "transcript", "1.0\t2.0\t[[Ada]]hello\n2.0\t2.0\t[[Bob]]hi\n\\\t-1.0\t63.5\n3.0\tend\n"),
    ("a.csv", "events", 'start,end,label,score\n1,2,Dog,0.9\n3,4.5,"Cat, loud",1\n'),
]
IDS = [seed[0] for seed in SEEDS]
PIECES = [b"-", b"nan", b"1e999", b"\x00", b"\xff", b"\xed\xa0\x80", b"\n", b"\r", b"-->", b"<v ", b'"', b","]
PIECES += [b"9" * 30, b"\t", b"<NA>", b"{", b"]", b"null", b"\x1b[2J", "\u202e".encode(), b"00:", b"%ff", b"Infinity"]
VALUES: list[Any] = [None, -1, -0.5, 1e308, float("nan"), float("inf"), "", "x\x1b]0;y\x07", "\ud800", [], {}, True]
VALUES += [10**400, "12:34", [[[[]]]], {"start": "later"}, "\u202e", 5.0000001, 2**63]


def mutated(name: str, text: str, dice: random.Random) -> bytes:
    """Damage a file's bytes; of JSON, which few such files survive, mostly its values."""
    if name.endswith(".json") and dice.random() < 0.7:
        return json.dumps(_odd(json.loads(text), dice)).encode("utf-8", "surrogatepass")
    return _damaged(text.encode(), dice)


def _odd(node: Any, dice: random.Random) -> Any:
    if dice.random() < 0.03:
        return dice.choice(VALUES)
    if isinstance(node, dict):
        return {key: _odd(value, dice) for key, value in node.items() if dice.random() > 0.02}
    return [_odd(value, dice) for value in node] if isinstance(node, list) else node


def _damaged(raw: bytes, dice: random.Random) -> bytes:
    found = bytearray(raw)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(found) + 1)
        match dice.randrange(4):
            case 0:
                found[at:at] = dice.choice(PIECES)
            case 1:
                del found[at : at + dice.randint(1, 12)]
            case 2:
                found[at : at + 1] = bytes([dice.randrange(256)])
            case _:
                found[at:at] = found[at : at + dice.randint(1, 40)]
    return bytes(found)


@pytest.mark.parametrize(("name", "role", "text"), SEEDS, ids=IDS)
def test_mutated_files_are_read_or_refused(name: str, role: StreamKind, text: str, tmp_path: Path) -> None:
    dice = random.Random(f"{name} 1")
    read = 0
    told: list[str] = []
    for _ in range(200):
        path = tmp_path / name
        path.write_bytes(mutated(name, text, dice))
        try:
            parsed, _ = read_file(path, role)
        except OverheardError as error:
            told.append(str(error))
            continue
        fitted = fit(parsed.rows, 10_000)
        read += 1
        assert all(0 <= placed.row.t0 < placed.row.t1 <= 10_000 for placed in fitted.rows)
        assert not any(sign in repr(placed.row) for placed in fitted.rows for sign in ("\\x1b", "\\x00", "\\ud8"))
    assert read > 50
    assert not [line for line in told if "\n" in line]


@pytest.mark.parametrize(("name", "role", "text"), SEEDS, ids=IDS)
def test_mutated_files_are_stored_or_leave_nothing(
    name: str, role: StreamKind, text: str, tmp_path: Path, database: Database
) -> None:
    dice = random.Random(f"{name} 2")
    stored: set[str] = set()
    for _ in range(12):
        path = tmp_path / name
        path.write_bytes(mutated(name, text, dice))
        try:
            stored.add(import_recording(database, Given(((role, path),))).recording.public_id)
        except OverheardError:
            continue
    with database.reader() as connection:
        found = {row[0] for row in connection.execute("SELECT public_id FROM recording WHERE state = 'ready'")}
        assert connection.execute("SELECT COUNT(*) FROM recording").fetchone()[0] == len(found)
    assert found == stored != set()

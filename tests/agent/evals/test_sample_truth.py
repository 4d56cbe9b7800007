"""The sample's own truth, published as if it had been heard without a mistake, answers every question of its exam."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.ask import ask
from agent.evals.exam import Item, Key, complaint
from agent.evals.sample import FOLDER, exam, key
from agent.library import Library
from store import recordings, streams
from store.clock import end_ms, start_ms
from store.record import Event, Row, Segment, StreamKind, Turn
from store.recordings import NewRecording
from store.streams import Source
from tools.events.labels import emits


def truth_library(folder: Path, names: Callable[[str], str]) -> Library:
    """Publish the truth; `names` gives the label under which each person is heard."""
    truth = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
    segments = [
        Segment(start_ms(s["start"]), end_ms(s["end"]), s["text"], names(s["speaker"]), score=0.95)
        for s in truth["segments"]
    ]
    events = [Event(start_ms(e["start"]), end_ms(e["end"]), e["label"], 0.9) for e in truth["events"]]
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [*segments],
        "speaker": [Turn(s.t0, s.t1, s.speaker or "", 0.95) for s in segments],
        "events": [*events],
    }
    library = Library(folder)
    with library.database.writing() as connection:
        new = NewRecording("b" * 64, "Festival meeting", "ingest", end_ms(truth["duration"]))
        added = recordings.add(connection, new)
        for kind, found in rows.items():
            labels = sorted({*emits(), *(event.label for event in events)}) if kind == "events" else None
            version = streams.new_version(connection, added.id, kind, Source("truth", {}, labels))
            streams.publish(connection, version, found)
        streams.finish(connection, added.id, "en")
    return library


LABELS = {"Ada": "SPEAKER_00", "Ben": "SPEAKER_01", "Oliver": "SPEAKER_02", "Victor": "SPEAKER_03"}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return truth_library(tmp_path_factory.mktemp("named"), str)


@pytest.fixture(scope="module")
def unnamed(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return truth_library(tmp_path_factory.mktemp("unnamed"), LABELS.__getitem__)


@pytest.mark.parametrize("item", [i for i in exam().items if i.compare != "any"], ids=lambda item: item.id)
def test_the_truth_passes_its_exam(item: Item, named: Library, unnamed: Library) -> None:
    before = item.naming == "before"
    reply = ask(unnamed if before else named, item.question)
    wrong = complaint(item, reply, key(LABELS) if before else key())
    assert wrong is None, f"{wrong}: {reply.answer}"


def test_an_exam_notices_a_wrong_reply(named: Library) -> None:
    items = {item.id: item for item in exam().items}
    reply = ask(named, items["count"].question)
    assert complaint(items["most"], reply, Key()) is not None

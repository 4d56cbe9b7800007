"""The sample's own truth, published as if it had been heard without a mistake, passes every case of its suites."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.brains.rules.brain import RulesBrain
from agent.evals import sample
from agent.evals.sample import FOLDER
from agent.evals.suites.agent import Own
from agent.evals.suites.judging import Judged, judged
from agent.evals.suites.places import Place
from agent.evals.suites.suite import Case
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


UNNAMED = sample.unnamed({name: LABELS[name] for name in LABELS}).cases


def answered(case: Case, library: Library) -> Judged:
    place = Place(library, library.recording("Festival meeting").public_id)
    return judged(case, Own(RulesBrain()).answer(case, place), place)


@pytest.mark.parametrize("case", sample.suite().cases, ids=lambda case: case.id)
def test_the_truth_passes_its_suite(case: Case, named: Library) -> None:
    assert answered(case, named).reasons == ()


@pytest.mark.parametrize("case", UNNAMED, ids=lambda case: case.id)
def test_the_truth_without_names_passes_its_suite(case: Case, unnamed: Library) -> None:
    assert answered(case, unnamed).reasons == ()


def test_a_suite_notices_a_wrong_reply(named: Library) -> None:
    cases = {case.id: case for case in sample.suite().cases}
    reply = answered(cases["count-voices"], named).reply
    assert reply is not None
    assert judged(cases["most"], reply, None).outcome == "failed"

"""The questions that models are asked: all meanings of the bank, open ones whose facts are really said, refusals."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evals.models.questions import BOARD, FOLDER, Item, Rooms, read
from agent.evals.plans.bank import read as read_bank
from agent.evals.plans.bank import read_gold
from store.errors import DataError
from store.keywords import holds, normalise

PLANS = Path(__file__).resolve().parents[3] / "data" / "plans"
ITEMS = read()


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    with Rooms(tmp_path_factory.mktemp("rooms")) as made:
        yield made


def test_each_meaning_of_the_bank_is_asked_once_in_one_of_its_wordings() -> None:
    bank, gold = read_bank(PLANS / "bank.en.toml")[0], read_gold(PLANS / "gold.toml")
    asked = {item.id.removeprefix("bank."): item for item in ITEMS if item.plan}
    assert asked.keys() == gold.keys()
    assert all(item.question in bank.cases[meaning] for meaning, item in asked.items())
    assert all(item.plan == gold[meaning] for meaning, item in asked.items())
    assert set(Counter(item.on for item in asked.values()).values()) == {25}


def test_there_are_open_questions_and_ones_that_cannot_be_answered() -> None:
    families = Counter(item.family for item in ITEMS)
    assert families["open"] >= 24
    assert families["refusal"] >= 12
    assert len({item.id for item in ITEMS}) == len({item.question + item.on for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("item", [item for item in ITEMS if item.must], ids=lambda item: item.id)
def test_every_fact_of_an_open_question_is_said_in_its_recording_or_names_who_speaks(item: Item, rooms: Rooms) -> None:
    place = rooms.place(item)
    with place.library.database.reader() as connection:
        rows = connection.execute(
            "SELECT s.text FROM segment s JOIN recording r ON r.id = s.rec_id WHERE r.public_id = ?", (place.recording,)
        )
        said = normalise(" ".join(row[0] for row in rows))
    people = normalise(" ".join(voice.display for voice in place.session.catalog.recordings[0].voices))
    told = [any(holds(f"{said} {people}", normalise(word)) for word in words) for words in item.must]
    assert all(told), [words for words, known in zip(item.must, told, strict=True) if not known]


def test_the_same_questions_are_asked_of_the_same_recordings_everywhere(rooms: Rooms, tmp_path: Path) -> None:
    with Rooms(tmp_path) as others:
        for item in ITEMS[:3] + ITEMS[-3:]:
            assert rooms.place(item).recording == others.place(item).recording
            assert rooms.furnished(item) == others.furnished(item)
            assert "{" not in rooms.furnished(item).question


def test_the_meeting_is_ten_to_fifteen_minutes_of_four_voices(rooms: Rooms) -> None:
    place = rooms.place(next(item for item in ITEMS if item.on == BOARD))
    entry = place.session.catalog.recordings[0]
    assert 600_000 <= entry.recording.duration_ms <= 900_000
    assert len(entry.voices) == 4


def test_a_set_that_is_none_is_said(tmp_path: Path, rooms: Rooms) -> None:
    path = tmp_path / "set.toml"
    path.write_bytes(b"\xff\xfe[[question]]")
    with pytest.raises(DataError, match="no set of questions"):
        read([path])
    for text in ("[[question]]\nid = 3 4", "[other]", '[[question]]\nid = "a"\nnoise = 1', json.dumps({})):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="no set of questions"):
            read([path])
    with pytest.raises(DataError, match="no recording 'Mars'; there are world 101"):
        rooms.place(Item("a", "Mars", "Who?"))
    assert len(read([FOLDER / "open.toml"])) > 30

"""Vectors: the model's known similarities, a scan equal to brute force, an index equal to the scan."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from store import recordings, streams, vectors
from store.database import Database
from store.lock import hold
from store.record import Segment
from store.removal import remove
from store.vectors import WIDTH, Embedder, Near

Vectors = NDArray[np.float32]


@pytest.fixture(scope="module")
def embedder(weights: Callable[[str], Path]) -> Embedder:
    return Embedder(weights("minilm"))


def _unit(count: int, seed: int) -> Vectors:
    """Random directions around a few centres, as sentences lie."""
    dice = np.random.default_rng(seed)
    rows = dice.normal(size=(8, WIDTH))[dice.integers(0, 8, count)] + 0.7 * dice.normal(size=(count, WIDTH))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _fill(database: Database, number: int, rows: Vectors) -> int:
    """A recording of as many segments as there are vectors; gives its transcript's stream."""
    with database.writing() as connection:
        new = recordings.NewRecording(f"{number:064x}", f"meeting {number}", "import", 10_000_000)
        rec_id = recordings.add(connection, new).id
        stream_id = streams.new_version(connection, rec_id, "transcript", streams.Source("test", {}))
        said = [Segment(n * 10, n * 10 + 9, f"said {n}") for n in range(len(rows))]
        streams.publish(connection, stream_id, said)
        ids = [row[0] for row in connection.execute("SELECT id FROM segment WHERE stream_id = ?", (stream_id,))]
        vectors.save(connection, ids, rows)
    return stream_id


def _scan(database: Database, stream_ids: list[int], query: Vectors, k: int = 10) -> list[Near]:
    with database.reader() as connection:
        return vectors.nearest(connection, stream_ids, query, k)


def test_the_model_gives_its_published_similarities(embedder: Embedder) -> None:
    said = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    rows = embedder.embed(said)
    assert rows.dtype == np.float32
    assert rows.shape == (4, WIDTH)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert (rows @ rows[0])[1:] == pytest.approx([0.695, 0.943, 0.257], abs=0.001)


def test_a_batch_gives_what_each_text_gives(embedder: Embedder) -> None:
    said = [f"{'so ' * (n % 7)}the budget is {n}" for n in range(40)] + ["", "word " * 1000]
    batch = embedder.embed(said)
    alone = np.concatenate([embedder.embed([text]) for text in said])
    assert np.abs(batch - alone).max() < 1e-4
    assert embedder.embed([]).shape == (0, WIDTH)


def test_tokens_are_counted_beyond_what_is_embedded(embedder: Embedder) -> None:
    assert embedder.tokens("unbelievable budgets, aren't they?") == 8
    assert embedder.tokens("word " * 1000) == 1000


def test_what_is_missing_is_embedded_and_found(embedder: Embedder, database: Database) -> None:
    said = ["the budget is far over what we approved", "lunch was excellent today", "the dog barked all night"]
    with database.writing() as connection:
        recording = recordings.add(connection, recordings.NewRecording("a" * 64, "m", "import", 10_000))
        stream = streams.new_version(connection, recording.id, "transcript", streams.Source("test", {}))
        streams.publish(connection, stream, [Segment(n, n + 1, text) for n, text in enumerate(said)])
    assert vectors.embed_missing(database, stream, embedder, batch=2) == 3
    assert vectors.embed_missing(database, stream, embedder) == 0
    for query, place in (("money spent too much", 0), ("food", 1), ("noise of an animal", 2)):
        best = _scan(database, [stream], embedder.embed([query])[0], 1)
        assert best[0].segment_id == (1 << 20) + place


def test_the_scan_is_brute_force_within_what_int8_keeps(database: Database) -> None:
    rows = _unit(500, 1)
    stream = _fill(database, 1, rows)
    for query in _unit(20, 2):
        exact = rows @ query
        found = _scan(database, [stream], query, 500)
        similarities = np.zeros(500)
        similarities[[near.segment_id - (1 << 20) for near in found]] = [near.similarity for near in found]
        assert np.abs(similarities - exact).max() < 0.01
        assert [near.similarity for near in found] == sorted((n.similarity for n in found), reverse=True)
        assert abs(exact[found[0].segment_id - (1 << 20)] - exact.max()) < 0.01


def test_a_scan_keeps_to_its_streams_and_rows(database: Database) -> None:
    first, second = _fill(database, 1, _unit(50, 1)), _fill(database, 2, _unit(50, 1))
    query = _unit(1, 3)[0]
    assert {near.segment_id >> 20 for near in _scan(database, [first], query, 100)} == {1}
    assert {near.segment_id >> 20 for near in _scan(database, [first, second], query, 100)} == {1, 2}
    with database.reader() as connection:
        assert [n.segment_id for n in vectors.nearest(connection, [first], query, 5, {1 << 20})] == [1 << 20]
        assert vectors.nearest(connection, [], query, 5) == []


def test_the_index_finds_what_the_scan_finds_and_the_same_after_a_reload(database: Database) -> None:
    ids = [_fill(database, number, _unit(400, number)) for number in (1, 2, 3)]
    queries = _unit(8, 9)
    first = [vectors.search_library(database, query, 10) for query in queries]
    exact = [_scan(database, ids, query) for query in queries]
    recall = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(first, exact, strict=True)])
    assert recall >= 0.95
    assert [vectors.search_library(database, query, 10) for query in queries[:2]] == first[:2]
    script = (
        "import sys, json, numpy as np; from pathlib import Path; from store import vectors;"
        " from store.database import Database; database = Database.open(Path(sys.argv[1]));"
        " print(json.dumps([[n.segment_id for n in vectors.search_library(database, np.array(q, np.float32), 10)]"
        " for q in json.loads(sys.argv[2])]))"
    )
    argv = [sys.executable, "-c", script, str(database.folder), json.dumps(queries[:2].tolist())]
    again = json.loads(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)
    assert again == [[near.segment_id for near in found] for found in first[:2]]


def test_the_index_follows_the_library(database: Database) -> None:
    rows = _unit(60, 1)
    _fill(database, 1, rows)
    assert vectors.search_library(database, rows[7], 1)[0].segment_id == (1 << 20) + 7
    second = _fill(database, 2, _unit(60, 2))
    query = _unit(60, 2)[3]
    assert vectors.search_library(database, query, 1)[0].segment_id == (2 << 20) + 3
    with database.writing() as connection:
        connection.execute("UPDATE stream SET active = 0 WHERE id = ?", (second,))
    assert {near.segment_id >> 20 for near in vectors.search_library(database, query, 20)} == {1}
    with database.reader() as connection:
        recording = recordings.every(connection)[0]
    remove(database, recording)
    assert not (database.folder / "vectors").exists()
    assert vectors.search_library(database, rows[7], 5) == []


def test_a_lost_or_broken_index_is_made_again(database: Database) -> None:
    rows = _unit(60, 1)
    _fill(database, 1, rows)
    before = vectors.search_library(database, rows[7], 5)
    (database.folder / "vectors" / "state.json").write_text("{broken")
    assert vectors.search_library(database, rows[7], 5) == before
    modes = {path.stat().st_mode & 0o077 for path in (database.folder / "vectors").rglob("*")}
    assert modes == {0}


def test_while_another_process_holds_the_index_the_library_is_scanned(database: Database) -> None:
    rows = _unit(60, 1)
    stream = _fill(database, 1, rows)
    with hold(database.folder, "vectors"):
        assert vectors.search_library(database, rows[7], 5) == _scan(database, [stream], rows[7], 5)
    assert not (database.folder / "vectors").exists()


def test_only_a_large_library_is_asked_through_the_index(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _unit(60, 1)
    ids = [_fill(database, number, rows) for number in (1, 2)]
    with database.reader() as connection:
        small = vectors.across(database, connection, ids, rows[7], 2)
        assert not (database.folder / "vectors").exists()
        monkeypatch.setattr(vectors, "SCANNED", 100)
        assert vectors.across(database, connection, ids[:1], rows[7], 2)[0] == small[0]
        assert not (database.folder / "vectors").exists()
        assert vectors.across(database, connection, ids, rows[7], 2) == small
        assert (database.folder / "vectors").exists()


def test_a_search_in_one_recording_loads_onnxruntime_and_no_chromadb(
    weights: Callable[[str], Path], database: Database
) -> None:
    stream = _fill(database, 1, _unit(20, 1))
    script = (
        "import sys; from pathlib import Path; from store import vectors; from store.database import Database\n"
        "heavy = {'onnxruntime', 'tokenizers', 'numpy', 'chromadb', 'torch', 'onnx', 'transformers', 'openai'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "query = vectors.Embedder(Path(sys.argv[2])).embed(['budget'])[0]\n"
        "database = Database.open(Path(sys.argv[1]))\n"
        "with database.reader() as connection:\n"
        "    assert vectors.across(database, connection, [int(sys.argv[3])], query, 5)\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    argv = [sys.executable, "-c", script, str(database.folder), str(weights("minilm")), str(stream)]
    loaded = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()
    assert loaded == ["numpy", "onnxruntime", "tokenizers"]


def test_the_graph_that_is_shipped_is_small() -> None:
    assert Path(vectors.__file__).with_name("weights").joinpath("minilm.onnx").stat().st_size < 40_000

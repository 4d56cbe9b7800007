"""Meaning as vectors: MiniLM sentences, an exact scan inside recordings, and Chroma across the library.

The embedding table (int8 with a scale) is the record; Chroma's index is made from it and may be lost at any time.
Heavy libraries are imported by the function that needs them: a scan of one recording never loads chromadb.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.database import Database
from store.errors import StoreError
from store.lock import hold
from store.removal import VECTORS

if TYPE_CHECKING:
    import chromadb
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

MODEL = 1  # all-MiniLM-L6-v2
WIDTH = 384
MAX_TOKENS = 256
BATCH = 32
_COLLECTION = "segments"
_STATE = "state.json"
NEIGHBOURS = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 500, "max_neighbors": 32}}
_CANDIDATES = 200
_INSERTED = 5000
SCANNED = 50_000

_Contents = dict[int, tuple[int, ...]]
_Row = Any


@dataclass(frozen=True, slots=True)
class Near:
    """A segment and the cosine similarity of its text, at most 1."""

    segment_id: int
    similarity: float


class Embedder:
    """all-MiniLM-L6-v2 on onnxruntime: the graph is shipped, the weights are read from a folder of fetched files."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
        graph = files("store").joinpath("weights/minilm.onnx").read_bytes()
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Give float32 vectors of unit length, shape (texts, 384); texts beyond 256 tokens are cut."""
        import numpy as np

        vectors = np.zeros((len(texts), WIDTH), np.float32)
        encoded = [self._tokenizer.encode(text).ids for text in texts]
        order = sorted(range(len(texts)), key=lambda place: len(encoded[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors[places] = self._run([encoded[place] for place in places])
        return vectors

    def tokens(self, text: str) -> int:
        """Count WordPiece tokens, without the two that frame a text; a text of any length."""
        pieces = self._tokenizer.encode_batch(text.split(), add_special_tokens=False)
        return sum(len(piece.ids) for piece in pieces)

    def _run(self, batch: Sequence[Sequence[int]]) -> "Vectors":
        import numpy as np

        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (vectors,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, np.float32)


def embed_missing(database: Database, stream_id: int, embedder: Embedder, batch: int = 256) -> int:
    """Embed the segments of a transcript that have no vector yet, some in each transaction, and give their number."""
    with database.reader() as connection:
        rows = connection.execute(
            "SELECT s.id, s.text FROM segment s WHERE s.stream_id = ?"
            " AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.segment_id = s.id AND e.model = ?)",
            (stream_id, MODEL),
        ).fetchall()
    for start in range(0, len(rows), batch):
        part = rows[start : start + batch]
        vectors = embedder.embed([row["text"] for row in part])
        with database.writing() as connection:
            save(connection, [row["id"] for row in part], vectors)
    return len(rows)


def save(connection: sqlite3.Connection, segment_ids: Sequence[int], vectors: "Vectors") -> None:
    """Store vectors of segments as int8 with a scale; a segment that has gone meanwhile is left out."""
    import numpy as np

    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 127
    packed = np.rint(vectors / scales[:, None]).astype(np.int8)
    connection.executemany(
        "INSERT OR REPLACE INTO embedding SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM segment WHERE id = ?1)",
        [
            (number, MODEL, scale.tobytes() + row.tobytes())
            for number, scale, row in zip(segment_ids, scales.astype("<f4"), packed, strict=True)
        ],
    )


def across(
    database: Database, connection: sqlite3.Connection, stream_ids: Sequence[int], query: "Vectors", k: int
) -> list[Near]:
    """Give the k most similar segments of transcripts, best first, the way that fits their number.

    A scan is exact and the faster one up to SCANNED vectors; only a question of the whole library may have more.
    """
    held = _contents(connection)
    whole = len(held) > 1 and held.keys() <= set(stream_ids)
    if whole and sum(content[0] for content in held.values()) > SCANNED:
        return search_library(database, query, k)
    return nearest(connection, stream_ids, query, k)


def nearest(
    connection: sqlite3.Connection,
    stream_ids: Sequence[int],
    query: "Vectors",
    k: int,
    among: Collection[int] | None = None,
) -> list[Near]:
    """Scan the vectors of transcripts exactly; the k most similar segments (of `among`, when given), best first."""
    rows = [row for stream_id in stream_ids for row in _rows(connection, stream_id)]
    return _ranked(rows if among is None else [row for row in rows if row[0] in among], query, k)


def similarities(connection: sqlite3.Connection, stream_ids: Sequence[int], query: "Vectors") -> dict[int, float]:
    """Give the cosine of every segment of transcripts that has a vector, by its id."""
    rows = [row for stream_id in stream_ids for row in _rows(connection, stream_id)]
    return {row[0]: float(near) for row, near in zip(rows, _cosines(rows, query), strict=True)}


def search_library(database: Database, query: "Vectors", k: int) -> list[Near]:
    """Search all active transcripts by Chroma's index, brought up to date before; similarities are exact.

    When another process holds the index, the vectors are scanned instead.
    """
    import numpy as np

    try:
        with _index(database) as collection:
            size = min(collection.count(), max(_CANDIDATES, 2 * k))
            found = (
                collection.query(query_embeddings=np.asarray([query], np.float32), n_results=size, include=[])
                if size
                else None
            )
    except StoreError:
        with database.reader() as connection:
            return nearest(connection, sorted(_contents(connection)), query, k)
    ids = [int(name) for name in found["ids"][0]] if found else []
    marks = ", ".join("?" * len(ids))
    with database.reader() as connection:
        sql = f"SELECT segment_id, vector FROM embedding WHERE segment_id IN ({marks})"
        return _ranked(connection.execute(sql, ids).fetchall(), query, k)


@contextmanager
def _index(database: Database) -> Iterator["chromadb.Collection"]:
    """Give the collection, up to date, to the one process that holds its lock: two writers would lose vectors."""
    import chromadb
    from chromadb.config import Settings

    folder = database.folder / VECTORS
    with hold(database.folder, VECTORS, "the vector index", "used"):
        folder.mkdir(mode=0o700, exist_ok=True)
        client: Any = chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False))
        try:
            yield _updated(database, client, folder / _STATE)
        finally:
            client.close()
            # an open client would go on with an index that others may change
            client.clear_system_cache()
            for path in folder.rglob("*"):
                path.chmod(0o700 if path.is_dir() else 0o600)


def _updated(database: Database, client: Any, state: Path) -> "chromadb.Collection":
    """Bring the collection to the embedding table: what changed or went is taken out, what is new is put in."""
    made = {"name": _COLLECTION, "configuration": NEIGHBOURS, "embedding_function": None}
    collection: chromadb.Collection = client.get_or_create_collection(**made)
    held = _held(state)
    if collection.count() != sum(content[0] for content in held.values()):
        client.delete_collection(_COLLECTION)
        collection, held = client.create_collection(**made), {}
    with database.reader() as connection:
        wanted = _contents(connection)
        if held != wanted:
            state.unlink(missing_ok=True)
        for stream_id in held:
            if held[stream_id] != wanted.get(stream_id):
                collection.delete(where={"stream": stream_id})
        for stream_id in wanted:
            if wanted[stream_id] != held.get(stream_id):
                _put(collection, stream_id, _rows(connection, stream_id))
    state.write_text(json.dumps(list(wanted.items())), encoding="utf-8")
    return collection


def _put(collection: "chromadb.Collection", stream_id: int, rows: Sequence[_Row]) -> None:
    for start in range(0, len(rows), _INSERTED):
        part = rows[start : start + _INSERTED]
        collection.upsert(
            ids=[str(row[0]) for row in part],
            embeddings=_unpacked(part),
            metadatas=[{"stream": stream_id} for _ in part],
        )


def _held(state: Path) -> _Contents:
    """Give what was put in, nothing when that is not known."""
    try:
        return {stream_id: tuple(content) for stream_id, content in json.loads(state.read_text(encoding="utf-8"))}
    except (FileNotFoundError, ValueError):
        return {}


def _contents(connection: sqlite3.Connection) -> _Contents:
    """Give what there is to index: count, lowest and highest segment of each active transcript with vectors."""
    rows = connection.execute(
        "SELECT t.id, count(*), min(s.id), max(s.id) FROM stream t JOIN segment s ON s.stream_id = t.id"
        " JOIN embedding e ON e.segment_id = s.id AND e.model = ? WHERE t.active = 1 GROUP BY t.id ORDER BY t.id",
        (MODEL,),
    )
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


def _rows(connection: sqlite3.Connection, stream_id: int) -> list[_Row]:
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: these rows are read thousands at a time
    return cursor.execute(
        "SELECT e.segment_id, e.vector FROM segment s JOIN embedding e ON e.segment_id = s.id"
        " WHERE s.stream_id = ? AND e.model = ?",
        (stream_id, MODEL),
    ).fetchall()


def _unpacked(rows: Sequence[_Row]) -> "Vectors":
    import numpy as np

    parts, scales = _packed(rows)
    return np.asarray(parts * scales[:, None], np.float32)


def _cosines(rows: Sequence[_Row], query: "Vectors") -> "Vectors":
    """Give float32 similarities, shape (rows,): the bytes are scaled after the product, 384 times fewer of them."""
    import numpy as np

    parts, scales = _packed(rows)
    return np.asarray(np.minimum(parts.astype(np.float32) @ np.asarray(query, np.float32) * scales, 1.0))


def _packed(rows: Sequence[_Row]) -> "tuple[NDArray[np.int8], Vectors]":
    import numpy as np

    packed = np.frombuffer(b"".join(row[1] for row in rows), [("scale", "<f4"), ("parts", np.int8, (WIDTH,))])
    return packed["parts"], packed["scale"]


def _ranked(rows: Sequence[_Row], query: "Vectors", k: int) -> list[Near]:
    import numpy as np

    similarities = _cosines(rows, query)
    order = np.lexsort(([row[0] for row in rows], -similarities))[:k]
    return [Near(rows[place][0], round(float(similarities[place]), 6)) for place in order]

"""Search by meaning inside one recording: our exact scan of its vectors, beside the vector index with a filter.

The index is the product's own, over a whole library; the filter leaves one recording of it. Vectors are random
directions around a few hundred centres, as sentences lie.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from store import vectors
from store.database import Database
from tests.benchmarks.content import content
from tests.benchmarks.library import published
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting

if TYPE_CHECKING:
    import chromadb

FLOOR = 50.0
NEAREST = 10
_AT_ONCE, _CENTRES = 5_000, 200


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give filtered index / scan for a recording of one hour; how many of the nearest it finds is in the note."""
    folder = setting.folder / "meaning"
    transcript = published(folder, content(1, 1.0), 1.0).of("transcript")[1].id
    every, query = _unit(setting.vectors, 1), _unit(1, 2)[0]
    with Database(folder).writing() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM segment ORDER BY id")]
        vectors.save(connection, ids, every[: len(ids)])
    collection = _indexed(setting, every, len(ids))

    def filtered() -> Any:
        return collection.query(
            query_embeddings=np.asarray([query]), n_results=NEAREST, where={"stream": 0}, include=[]
        )

    with Database(folder).reader() as connection:
        ways = {"index": filtered, "scan": lambda: vectors.nearest(connection, [transcript], query, NEAREST)}
        times = {name: found.median for name, found in interleaved(setting.rounds, ways).items()}
        exact = {near.segment_id for near in vectors.nearest(connection, [transcript], query, NEAREST)}
    found = {ids[int(name)] for name in filtered()["ids"][0]}
    note = f"{len(ids):,} of {setting.vectors:,} vectors: {times['index']:.1f} ms, {times['scan']:.1f} ms"
    note += f"; of the true {NEAREST} nearest the index finds {len(found & exact)}"
    name = "vector search in one recording, filtered index / exact scan"
    yield Ratio(name, times["index"] / times["scan"], FLOOR, side="at least", note=note)


def _unit(count: int, seed: int) -> NDArray[np.float32]:
    dice = np.random.default_rng(seed)
    rows = dice.normal(size=(_CENTRES, vectors.WIDTH))[dice.integers(0, _CENTRES, count)]
    rows += 0.7 * dice.normal(size=rows.shape)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _indexed(setting: Setting, every: NDArray[np.float32], first: int) -> "chromadb.Collection":
    """Put all vectors into an index made as the product makes its own; the first ones are the recording's."""
    import chromadb
    from chromadb.config import Settings

    folder = str(setting.folder / "index")
    client: Any = chromadb.PersistentClient(path=folder, settings=Settings(anonymized_telemetry=False))
    collection: chromadb.Collection = client.create_collection(
        "segments", configuration=vectors.NEIGHBOURS, embedding_function=None
    )
    for start in range(0, len(every), _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, len(every)))
        collection.upsert(
            ids=[str(number) for number in numbers],
            embeddings=every[start : start + _AT_ONCE],
            metadatas=[{"stream": 0 if number < first else 1 + number // first} for number in numbers],
        )
    return collection

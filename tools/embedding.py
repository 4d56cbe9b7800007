"""Search by meaning, where the sentence vectors' weights are: the model is loaded when a text first needs it."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from store.database import Database
from store.errors import MissingWeights
from store.streams import active
from tools.call import Embed
from tools.models import weights

if TYPE_CHECKING:
    from store.vectors import Embedder, Vectors

MODEL = "minilm"


def embed() -> Embed | None:
    """Give what turns a question into a vector, None when the weights are not here; nothing heavy is loaded yet."""
    try:
        weights(MODEL)
    except MissingWeights:
        return None
    return _vector


def remember(database: Database, rec_id: int) -> str | None:
    """Give the segments of a recording their vectors; a note when that is left out, and why."""
    with database.reader() as connection:
        stream_id = active(connection, rec_id).get("transcript")
    if stream_id is None:
        return None
    try:
        embedder = _embedder()
    except MissingWeights as error:
        return f"search by meaning is left out: {error}"
    from store.vectors import embed_missing

    embed_missing(database, stream_id, embedder)
    return None


def vectors(texts: Sequence[str]) -> "Vectors":
    """Give float32 vectors of unit length, one a text; MissingWeights where the model is not here."""
    return _embedder().embed(texts)


def tokens(text: str) -> int:
    """Count the WordPiece tokens of a text; MissingWeights where the model is not here."""
    return _embedder().tokens(text)


def _vector(text: str) -> "Vectors":
    vector: Vectors = _embedder().embed([text])[0]
    return vector


@cache
def _embedder() -> "Embedder":
    from store.vectors import Embedder

    return Embedder(weights(MODEL))

"""Search by meaning inside one recording: our exact scan of its vectors, beside the vector index with a filter."""

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from store import vectors
from tests.benchmarks.content import content
from tests.benchmarks.library import published, scope
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting

if TYPE_CHECKING:
    import chromadb

FLOOR = 50.0
NEAREST = 10
_BATCH = 5_000

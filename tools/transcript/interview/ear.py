"""Whoever hears a chunk and writes it down, and where its replies are kept so that a kill costs one call."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from store.record import Span
from store.replies import Finish as Finish
from store.replies import Reply as Reply


class Ear(Protocol):
    """A model that hears; what it cannot do at all is an EndpointError, raised."""

    def hear(self, samples: NDArray[np.float32], attempt: int) -> Reply:
        """Write down samples (16 kHz mono), told once more `attempt` times."""
        ...

    def fuse(self, end: str, begin: str) -> Reply:
        """Write the end of one chunk and the beginning of the next as one, from their rows alone."""
        ...


class Shelf(Protocol):
    """The replies about one recording, to the same requests."""

    def known(self, span: Span) -> Sequence[Reply]:
        """Give the replies about a span, in the order they came."""
        ...

    def keep(self, span: Span, reply: Reply) -> None:
        """Keep one more."""
        ...


class Memory:
    """A shelf that ends with the process."""

    def __init__(self) -> None:
        self.replies: dict[Span, list[Reply]] = {}

    def known(self, span: Span) -> Sequence[Reply]:
        """Give the replies about a span, in the order they came."""
        return self.replies.get(span, [])

    def keep(self, span: Span, reply: Reply) -> None:
        """Keep one more."""
        self.replies.setdefault(span, []).append(reply)

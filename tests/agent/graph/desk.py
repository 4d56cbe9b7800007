"""A desk on a real library for one node: a session behind its fence, a trace, and a plan that ran."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from agent.brains.protocol import Brain, Question
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Budget, Meter
from agent.graph.state import Desk
from agent.graph.trace import Trace
from agent.library import Library
from store.catalog import catalog
from store.recordings import every
from tests.tools.made import plan
from tools.call import Session


@contextmanager
def desk(
    library: Library,
    *calls: tuple[str, Mapping[str, Any]],
    brain: Brain | None = None,
    question: str = "?",
    **fuse: Any,
) -> Iterator[Desk]:
    """Give a desk on which a plan of calls a, b, c has run, as `retrieve` leaves it."""
    with library.database.reader() as connection:
        scope = catalog(connection, every(connection))
    thinks = brain or RulesBrain()
    with Trace(library.database, question, scope, thinks) as trace, Session(library.database, scope) as session:
        options = fuse.pop("options", {})
        made = Desk(
            thinks,
            Question(question, options),
            scope,
            library.database,
            session,
            Meter(Budget()),
            trace,
            lambda _: None,
        )
        made.plan = made.asked = plan(*calls, **fuse)
        made.evidence = session.run(made.plan)
        yield made

"""The baselines by name, as reports and the command line write them."""

from collections.abc import Mapping

from agent.evals.baselines.answerer import Answerer
from agent.evals.baselines.head import LIMITS, Head
from agent.evals.baselines.nothing import AnswerAll, RefuseAll
from agent.evals.baselines.oneshot import OneShot
from agent.evals.baselines.retrieval import Retrieval
from store.errors import UsageError
from store.listing import listed

_BUT_HEADS: Mapping[str, Answerer] = {
    "B0-refuse": RefuseAll(),
    "B0-answer": AnswerAll(),
    "B2": Retrieval(),
    "B2s": Retrieval(speakers=True, name="B2s"),
    "B3": OneShot(),
    "B3-shared": OneShot(shared=True, name="B3-shared"),
}
_HEADS: Mapping[str, Answerer] = {f"B1-{limit // 1000}k-simulated": Head(limit) for limit in LIMITS}
BASELINES: Mapping[str, Answerer] = {**_BUT_HEADS, **_HEADS}

NEEDS_A_MODEL = ("B1-8k", "B1-32k", "B1-128k", "B4")


def baseline(name: str) -> Answerer:
    """Give a baseline; UsageError says which there are, and which need a model."""
    if name in BASELINES:
        return BASELINES[name]
    if name in NEEDS_A_MODEL:
        raise UsageError(
            f"{name} needs a model: none reads or writes SQL here; without one: {listed(list(BASELINES), 12)}"
        )
    raise UsageError(f"there is no baseline '{name}'; there are: {listed(list(BASELINES), 12)}")

"""The baselines by name, as reports and the command line write them."""

from collections.abc import Mapping

from agent.evals.answerer import Answerer
from agent.evals.baselines.head import LIMITS, Head
from agent.evals.baselines.model import ModelHead, TextToSql
from agent.evals.baselines.nothing import AnswerAll, RefuseAll
from agent.evals.baselines.oneshot import OneShot
from agent.evals.baselines.retrieval import Retrieval
from store.errors import UsageError
from store.listing import listed
from tools.endpoint import Endpoint

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

NEEDS_A_MODEL = (*(f"B1-{limit // 1000}k" for limit in LIMITS), "B4")


def baseline(name: str, endpoint: Endpoint | None = None) -> Answerer:
    """Give a baseline; UsageError says which there are, and which need a model's endpoint."""
    there = listed(list(BASELINES), 12)
    if name in BASELINES:
        return BASELINES[name]
    if name not in NEEDS_A_MODEL:
        raise UsageError(f"there is no baseline '{name}'; there are: {there}; with a model: {listed(NEEDS_A_MODEL, 4)}")
    if endpoint is None:
        raise UsageError(f"{name} needs a model that reads or writes SQL; without one there are: {there}")
    if name == "B4":
        return TextToSql(endpoint)
    return next(ModelHead(endpoint, limit) for limit in LIMITS if name == f"B1-{limit // 1000}k")

"""The field's own metrics, from its own libraries, imported when first used; they are not in the default install.

`Missing` names the library that a metric needs, so that a table can say what was not measured and why.
"""

import importlib
import importlib.util
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

Stretch = tuple[float, float]
COLLAR_S, SEGMENT_S = 0.2, 1.0


class Missing(Exception):
    """A metric's library is not installed; the message is its name."""


@cache
def _library(name: str) -> Any:
    # Two of them warn of what they import themselves.
    with warnings.catch_warnings(), _without_setuptools():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError as error:
            raise Missing(name.partition(".")[0]) from error


@contextmanager
def _without_setuptools() -> Iterator[None]:
    """Let sed_eval be imported where setuptools has no pkg_resources any more; only its examples would use it."""
    if importlib.util.find_spec("pkg_resources") is not None:
        yield
        return
    sys.modules["pkg_resources"] = ModuleType("pkg_resources")
    try:
        yield
    finally:
        del sys.modules["pkg_resources"]


def rouge_l(reference: str, said: str) -> float:
    """Give the F-measure of the longest common subsequence (rouge-score), over words of any script."""
    scorer = _library("rouge_score.rouge_scorer").RougeScorer(["rougeL"], tokenizer=_Words())
    return float(scorer.score(reference, said)["rougeL"].fmeasure)


class _Words:
    """Words of any script; rouge-score's own tokenizer drops whatever is not a to z."""

    def tokenize(self, text: str) -> list[str]:
        """Give the words, in lower case."""
        return re.findall(r"\w+", text.casefold())


def spearman(gold: Sequence[str], said: Sequence[str]) -> float:
    """Give the rank correlation of an order with the gold one (scipy); 0 when a label is missing, added or twice."""
    if sorted(gold) != sorted(said) or len(gold) < 2:
        return 0.0
    places = [said.index(label) for label in gold]
    return float(_library("scipy.stats").spearmanr(range(len(gold)), places).statistic)


def diarization(
    gold: Sequence[tuple[float, float, str]], said: Sequence[tuple[float, float, str]], span: Stretch
) -> dict[str, float]:
    """Give DER without and with a collar of 0.25 s on each side, and JER, over a span in seconds (pyannote.metrics)."""
    module, core = _library("pyannote.metrics.diarization"), _library("pyannote.core")
    truth, found = _annotation(core, gold), _annotation(core, said)
    whole = core.Timeline([core.Segment(*span)])
    # The collar of pyannote.metrics is the whole width around an edge.
    return {
        "der": float(module.DiarizationErrorRate(collar=0.0)(truth, found, uem=whole)),
        "der_collar": float(module.DiarizationErrorRate(collar=0.5)(truth, found, uem=whole)),
        "jer": float(module.JaccardErrorRate(collar=0.0)(truth, found, uem=whole)),
    }


def _annotation(core: Any, turns: Sequence[tuple[float, float, str]]) -> Any:
    made = core.Annotation()
    for number, (start, end, who) in enumerate(turns):
        if end > start:
            made[core.Segment(start, end), number] = who
    return made


def events(gold: Sequence[Stretch], said: Sequence[Stretch]) -> dict[str, float]:
    """Give F over segments of one second and F over whole events, 200 ms of collar or half the length (sed_eval).

    1 where nothing was there and nothing was said.
    """
    if not gold or not said:
        return dict.fromkeys(("segment_f1", "event_f1"), float(not gold and not said))
    module, util = _library("sed_eval.sound_event"), _library("dcase_util.containers")
    truth, found = (util.MetaDataContainer([_sound(one) for one in rows]) for rows in (gold, said))
    segments = module.SegmentBasedMetrics(["sound"], time_resolution=SEGMENT_S)
    whole = module.EventBasedMetrics(["sound"], t_collar=COLLAR_S, percentage_of_length=0.5)
    for metric in (segments, whole):
        metric.evaluate(reference_event_list=truth, estimated_event_list=found)
    return {
        "segment_f1": _f(segments.results_overall_metrics()),
        "event_f1": _f(whole.results_overall_metrics()),
    }


def _sound(one: Stretch) -> dict[str, Any]:
    return {"event_label": "sound", "onset": one[0], "offset": one[1]}


def _f(results: Any) -> float:
    value = float(results["f_measure"]["f_measure"])
    return 0.0 if value != value else value


def overlap(gold: Sequence[Stretch], said: Sequence[Stretch]) -> float:
    """Give intersection over union of two sets of stretches; 1 when both are empty."""
    edges = sorted({edge for row in (*gold, *said) for edge in row})
    both = either = 0.0
    for start, end in zip(edges, edges[1:], strict=False):
        middle = (start + end) / 2
        inside = [any(a <= middle < b for a, b in rows) for rows in (gold, said)]
        both += (end - start) * all(inside)
        either += (end - start) * any(inside)
    return both / either if either else 1.0

"""Measure what open questions on real meetings bring: evidence recall at a budget of tokens, beside the oracle.

    python -m scripts.measure_qmsum [--split train|val] [--half A|B] [--jitter SEED] [--words-only] [--meetings N]
Train is for tuning (half A to choose, half B to hold), val for the report alone.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agent.evals.qmsum.baseline import Baseline
from agent.evals.qmsum.meetings import KINDS, Meeting, meetings, publish
from agent.evals.qmsum.recall import BUDGETS, Filled, oracle
from agent.graph.topic import opened
from scripts.corpora import corpus
from store.catalog import catalog
from store.database import Database
from store.vectors import Embedder
from tools import embedding
from tools.call import Session
from tools.models import weights
from tools.plan import parse_plan

Score = tuple[float, ...]


def main() -> None:
    """Print a line a method and kind: questions, recall at 1,000 and 2,000 tokens, how often the first touches gold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "val"), default="train")
    parser.add_argument("--half", choices=("A", "B"))
    parser.add_argument("--jitter", type=int)
    parser.add_argument("--words-only", action="store_true", help="without the sentence vectors")
    parser.add_argument("--meetings", type=int, help="only so many")
    options = parser.parse_args()
    found = meetings(corpus("qmsum") / options.split)
    found = found[{"A": 0, "B": 1}.get(options.half, 0) :: 1 if options.half is None else 2][: options.meetings]
    scores: dict[tuple[str, str], list[Score]] = {}
    seconds: list[float] = []
    count = memoised(Embedder(weights(embedding.MODEL)).tokens)
    for meeting in found:
        with tempfile.TemporaryDirectory() as folder:
            for method, score in measured(meeting, Path(folder), options, count, seconds):
                scores.setdefault((method, meeting.kind), []).append(score)
                scores.setdefault((method, "all"), []).append(score)
    print(f"{options.split} {options.half or ''} {len(found)} meetings; question to rows: "
          f"p50 {1000 * statistics.median(seconds):.1f} ms")  # fmt: skip
    for (method, kind), rows in sorted(scores.items(), key=lambda one: [*KINDS, "all"].index(one[0][1])):
        means = " ".join(f"{statistics.fmean(column):.3f}" for column in zip(*rows, strict=True))
        print(f"{kind:9} {method:8} n={len(rows):3}  recall@1000 @2000, R@1: {means}")


def measured(
    meeting: Meeting, folder: Path, options: argparse.Namespace, count: Callable[[str], int], seconds: list[float]
) -> list[tuple[str, Score]]:
    """Import a meeting and ask all its questions; seconds from a question's plan to its rows are added."""
    database = Database.open(folder / "library")
    recording = publish(database, meeting, folder, options.jitter)
    if not options.words_only:
        embedding.remember(database, recording.id)
    embed = None if options.words_only else embedding.embed()
    with database.reader() as connection:
        scope = catalog(connection, [recording])
    filled, baseline = Filled(meeting, count), Baseline(meeting)
    found: list[tuple[str, Score]] = []
    for question in meeting.questions:
        gold = meeting.gold(question)
        score = partial(filled.recall, gold=gold)
        plain = baseline.order(question.text)
        touched = any(gold[i] for i in baseline.first(question.text))
        found.append(("baseline", (*(score(plain, budget=b) for b in BUDGETS), float(touched))))
        found.append(("oracle", (*(score(oracle(gold), budget=b) for b in BUDGETS), 1.0)))
        ours: list[float] = []
        rows: list[int] = []
        for budget in BUDGETS:
            began = time.perf_counter()
            asked = opened(search(question.text), question.text, scope, semantic=embed is not None, tokens=budget)
            with Session(database, scope, embed=embed) as session:
                evidence = session.run(parse_plan(asked))
            seconds.append(time.perf_counter() - began)
            rows = [row.id & 0xFFFFF for row in evidence.rows]
            ours.append(score(rows, budget=budget))
        found.append(("ours", (*ours, float(bool(rows) and gold[rows[0]]))))
    return found


def search(question: str) -> list[dict[str, object]]:
    """Give a plan that looks for a question's words, as a brain would that knows no better."""
    fuse = {"anchor": "transcript_1", "order": "rank", "answer_schema": "text"}
    return [
        {"name": "transcript", "id": "transcript_1", "args": {"keywords": question.split()[:24]}},
        {"name": "fuse", "id": "fuse_1", "args": fuse},
    ]


def memoised(count: Callable[[str], int]) -> Callable[[str], int]:
    """Count word by word, each word once."""
    known: dict[str, int] = {}

    def tokens(text: str) -> int:
        return sum(known[word] if word in known else known.setdefault(word, count(word)) for word in text.split())

    return tokens


if __name__ == "__main__":
    main()

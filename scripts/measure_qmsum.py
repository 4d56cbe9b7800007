"""Measure what open questions on real meetings bring: evidence recall at a budget of tokens, beside the oracle.

Beside it stand plain BM25 and plain vectors over 200-word windows (B2, with speakers' labels B2s), and how much more we
bring than each of them: a paired bootstrap over meetings, 95 %.

    python -m scripts.measure_qmsum [--split train|val] [--half A|B] [--jitter SEED] [--words-only] [--meetings N]
        [--kept FOLDER] [--json FILE]
Train is for tuning (half A to choose, half B to hold), val for the report alone.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agent.evals.qmsum.baseline import Baseline
from agent.evals.qmsum.meetings import KINDS, Meeting, meetings, publish
from agent.evals.qmsum.recall import BUDGETS, Filled, oracle
from agent.evals.qmsum.vectors import Vectors
from agent.evals.report.found import Check, Found, Row, Table, write
from agent.evals.statistics.intervals import bootstrap, drawable, paired
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
Brought = list[tuple[str, Score]]
FIGURES = ("recall@1000", "recall@2000", "R@1")
PLAIN = ("BM25", "B2", "B2s")
METHODS = len(PLAIN) + 2  # with the oracle and ours


@dataclass(frozen=True)
class Scored:
    """What one method brought for one question."""

    meeting: Meeting
    method: str
    score: Score


def main() -> None:
    """Print a line a method and kind: questions, recall at 1,000 and 2,000 tokens, how often the first touches gold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "val"), default="train")
    parser.add_argument("--half", choices=("A", "B"))
    parser.add_argument("--jitter", type=int)
    parser.add_argument("--words-only", action="store_true", help="without the sentence vectors")
    parser.add_argument("--meetings", type=int, help="only so many")
    parser.add_argument("--kept", type=Path, help="a folder that keeps what each meeting brought, to go on later")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    found = meetings(corpus("qmsum") / options.split)
    found = found[{"A": 0, "B": 1}.get(options.half, 0) :: 1 if options.half is None else 2][: options.meetings]
    scored: list[Scored] = []
    seconds: list[float] = []
    count = memoised(Embedder(weights(embedding.MODEL)).tokens)
    for meeting in found:
        brought = kept(meeting, options.kept, partial(alone, meeting, options, count, seconds))
        scored += [Scored(meeting, method, tuple(score)) for method, score in brought]
    asked = f"; question to rows: p50 {1000 * statistics.median(seconds):.1f} ms" if seconds else ""
    print(f"{options.split} {options.half or ''} {len(found)} meetings{asked}")
    for kind in (*KINDS, "all"):
        of_kind = [one for one in scored if kind in (one.meeting.kind, "all")]
        for line in (*table(kind, of_kind), *differences(of_kind)):
            print(line)
    if options.json:
        write(reported(scored, f"{options.split}, {len(found)} meetings, N = {len(scored) // METHODS}"), options.json)


def reported(scored: Sequence[Scored], settings: str) -> Found:
    """Give the table of every kind of meeting and method, and our means as figures that may only become better."""
    rows: list[Row] = []
    checks: list[Check] = []
    for kind in (*KINDS, "all"):
        of_kind = [one for one in scored if kind in (one.meeting.kind, "all")]
        for method in dict.fromkeys(one.method for one in of_kind):
            mine = [one for one in of_kind if one.method == method]
            names = [one.meeting.name for one in mine]
            means = [bootstrap(column, drawable(names)) for column in zip(*(one.score for one in mine), strict=True)]
            rows.append((kind, method, str(len(mine)), *map(str, means)))
            if method == "ours":
                note, pairs = f"{len(mine)} queries", zip(FIGURES, means, strict=True)
                checks += [Check(f"QMSum {kind}: {name}", mean.value, note=note) for name, mean in pairs]
    table = Table("Evidence brought", ("meetings", "method", "n", *(f"{name} [95 %]" for name in FIGURES)), tuple(rows))
    return Found((table,), tuple(checks), settings)


def kept(meeting: Meeting, folder: Path | None, measure: Callable[[], Brought]) -> Brought:
    """Give what a meeting brought, from the folder where it was measured before."""
    if folder is None:
        return measure()
    path = folder / f"{meeting.name}.json"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        found = json.dumps(measure())
        path.write_text(found, encoding="utf-8")
    brought: Brought = json.loads(path.read_text(encoding="utf-8"))
    return brought


def table(kind: str, scored: Sequence[Scored]) -> Iterator[str]:
    """Write each method's means with intervals."""
    for method in dict.fromkeys(one.method for one in scored):
        mine = [one for one in scored if one.method == method]
        names = [one.meeting.name for one in mine]
        means = (bootstrap(column, drawable(names)) for column in zip(*(one.score for one in mine), strict=True))
        told = "  ".join(f"{name} {mean}" for name, mean in zip(FIGURES, means, strict=True))
        yield f"{kind:9} {method:8} n={len(mine):3} in {len(set(names)):2}  {told}"


def differences(scored: Sequence[Scored]) -> Iterator[str]:
    """Write how much more we bring than each plain method."""
    ours = [one for one in scored if one.method == "ours"]
    for method in PLAIN if ours else ():
        theirs = [one.score for one in scored if one.method == method]
        names = [one.meeting.name for one in ours]
        columns = zip(zip(*(one.score for one in ours), strict=True), zip(*theirs, strict=True), strict=True)
        more = [paired(mine, other, drawable(names)) for mine, other in columns]
        yield f"{'':9} ours - {method:6} " + "  ".join(f"{f} {one}" for f, one in zip(FIGURES, more, strict=True))


def alone(
    meeting: Meeting, options: argparse.Namespace, count: Callable[[str], int], seconds: list[float]
) -> list[tuple[str, Score]]:
    """Measure a meeting in a library of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return measured(meeting, Path(folder), options, count, seconds)


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
    filled = Filled(meeting, count)
    plain: dict[str, Baseline | Vectors] = {"BM25": Baseline(meeting)}
    plain |= {"B2": Vectors(meeting, speakers=False), "B2s": Vectors(meeting, speakers=True)}
    found: list[tuple[str, Score]] = []
    for question in meeting.questions:
        gold = meeting.gold(question)
        score = partial(filled.recall, gold=gold)
        for method, search in plain.items():
            order = search.order(question.text)
            touched = any(gold[i] for i in search.first(question.text))
            found.append((method, (*(score(order, budget=b) for b in BUDGETS), float(touched))))
        found.append(("oracle", (*(score(oracle(gold), budget=b) for b in BUDGETS), 1.0)))
        ours: list[float] = []
        rows: list[int] = []
        for budget in BUDGETS:
            began = time.perf_counter()
            asked = opened(searching(question.text), question.text, scope, semantic=embed is not None, tokens=budget)
            with Session(database, scope, embed=embed) as session:
                evidence = session.run(parse_plan(asked))
            seconds.append(time.perf_counter() - began)
            rows = [row.id & 0xFFFFF for row in evidence.rows]
            ours.append(score(rows, budget=budget))
        found.append(("ours", (*ours, float(bool(rows) and gold[rows[0]]))))
    return found


def searching(question: str) -> list[dict[str, object]]:
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

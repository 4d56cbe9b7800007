"""Measure what a question that names a speaker becomes when it is asked about somebody else, on real meetings.

    python -m scripts.measure_swaps [--split train|val] [--words-only] [--meetings N] [--shown] [--json FILE]
Hard: the other speaker says none of the question's content words in any form; the only right reply is an abstention
(refused or not found). The same questions unswapped must not be refused. Quotes must be the named speaker's own.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from agent.ask import ask
from agent.evals.qmsum.meetings import Meeting, meetings, publish
from agent.evals.qmsum.swaps import Swap, swaps
from agent.evals.report.found import Check, Found, Row, Side, Table, write
from agent.evals.statistics.intervals import wilson
from agent.graph.topic import words
from agent.library import Library
from agent.reply import Reply
from scripts.corpora import corpus
from tools import embedding

SHARES: dict[str, Side | None] = {
    "hard swaps abstained": "at least",
    "other swaps abstained": None,
    "unswapped refused": "at most",
    "unswapped of hard refused": None,
}


def main() -> None:
    """Print abstention on hard and other swaps with intervals, false refusal, and quotes of somebody else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "val"), default="train")
    parser.add_argument("--words-only", action="store_true", help="without the sentence vectors")
    parser.add_argument("--meetings", type=int, help="only so many")
    parser.add_argument("--shown", action="store_true", help="print each wrong reply")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    score: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for meeting in meetings(corpus("qmsum") / options.split)[: options.meetings]:
        with tempfile.TemporaryDirectory() as folder:
            _asked(meeting, Path(folder), options, score, reasons)
    for name in SHARES:
        right, of = score[name], score[f"{name} of"]
        low, high = wilson(right, of)
        print(f"{name:26} {right}/{of} = {right / max(of, 1):.3f}  (95 %: {low:.3f} to {high:.3f})")
    print(f"answers that quote somebody else: {score['foreign']} of {score['answered']}")
    print(f"why: {dict(reasons.most_common())}")
    if options.json:
        write(found(score, f"{options.split}, {options.meetings or 'all'} meetings"), options.json)


def found(score: Counter[str], settings: str) -> Found:
    """Give the shares as a table, and those that may only become better."""
    rows: list[Row] = []
    checks: list[Check] = []
    for name, side in SHARES.items():
        right, of = score[name], score[f"{name} of"]
        low, high = wilson(right, of)
        rows.append((name, str(of), f"{right / max(of, 1):.3f} [{low:.3f}, {high:.3f}]"))
        if side is not None and of:
            checks.append(Check(f"QMSum {name}", right / of, side, note=f"{of} questions"))
    if score["answered"]:
        foreign = "answers that quote somebody else"
        checks.append(Check(f"QMSum {foreign}", float(score["foreign"]), "at most", note=f"of {score['answered']}"))
        rows.append((foreign, str(score["answered"]), str(score["foreign"])))
    table = Table("Asked about another speaker", ("what", "n", "share [95 %]"), tuple(rows))
    return Found((table,), tuple(checks), settings)


def _asked(
    meeting: Meeting, folder: Path, options: argparse.Namespace, score: Counter[str], reasons: Counter[str]
) -> None:
    found = swaps(meeting, words)
    if not found:
        return
    library = Library(folder / "library")
    recording = publish(library.database, meeting, folder)
    if not options.words_only:
        embedding.remember(library.database, recording.id)
    embed = None if options.words_only else embedding.embed()

    def reply(question: str) -> Reply:
        return ask(library, question, recording=recording.public_id, embed=embed)

    for swap in found:
        kind = "hard" if swap.hard else "other"
        said = reply(swap.swapped)
        _note(score, f"{kind} swaps abstained", _abstained(said))
        _own(said, swap.other, score)
        reasons[f"{kind} {said.status} {said.refusal.reason if said.refusal else ''}".strip()] += 1
        if options.shown and swap.hard and not _abstained(said):
            print("HARD", swap, said.answer[:300], said.plan)
    hard = {swap.question for swap in found if swap.hard}
    asked: dict[str, Swap] = {swap.question: swap for swap in found}
    for question, swap in asked.items():
        said = reply(question)
        _note(score, "unswapped refused", _abstained(said))
        if question in hard:
            _note(score, "unswapped of hard refused", _abstained(said))
        _own(said, swap.speaker, score)
        if options.shown and _abstained(said):
            print("FALSE", question, words(question, swap.speaker), said.answer[:300], said.plan)


def _abstained(reply: Reply) -> bool:
    return reply.status in ("refused", "not_found")


def _note(score: Counter[str], name: str, right: bool) -> None:
    score[name] += right
    score[f"{name} of"] += 1


def _own(reply: Reply, speaker: str, score: Counter[str]) -> None:
    """Count answers, and those that cite words of somebody else."""
    if reply.status == "answered":
        score["answered"] += 1
        score["foreign"] += any(cited.speaker != speaker for cited in reply.citations if cited.stream == "transcript")


if __name__ == "__main__":
    main()

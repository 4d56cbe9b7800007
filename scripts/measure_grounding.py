"""Measure what checking leaves of people's own answers to real meetings, on the rows they rest on and on others.

    python -m scripts.measure_grounding [--split train|val] [--half A|B] [--rows 4] [--shown]

Each sentence of an answer cites those rows that are likest to it, first of the stretch that annotators gave for it,
then of a stretch as long from elsewhere in the same meeting. Of the first little should be removed, of the second
little should pass. Train is for tuning (half A to choose, half B to hold), val for the report alone.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.evals.qmsum.meetings import Meeting, meetings
from agent.graph.ground import Ground
from agent.graph.sentences import bare, sentences
from agent.graph.stems import share, stems
from scripts.corpora import corpus
from tools.evidence import EvidenceRow

VERDICTS = ("supported", "doubtful", "unsupported")
WORD_MS = 400
Case = tuple[str, str, list[EvidenceRow], Ground]


def main() -> None:
    """Print how many sentences pass, are marked and are removed, on gold rows and on others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "val"), default="train")
    parser.add_argument("--half", choices=("A", "B"))
    parser.add_argument("--rows", type=int, default=4, help="so many rows a sentence; 0: the whole stretch")
    parser.add_argument("--shown", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    folder = corpus("qmsum") / options.split
    found = meetings(folder)[{"A": 0, "B": 1}.get(options.half, 0) :: 1 if options.half is None else 2]
    score: Counter[tuple[str, str]] = Counter()
    for meeting in found:
        for kind, sentence, rows, base in cases(meeting, answers(folder / f"{meeting.name}.json"), options.rows):
            verdict = base.verdict(sentence, rows)
            score[kind, verdict] += 1
            if options.shown and (kind, verdict) in (("gold", "unsupported"), ("elsewhere", "supported")):
                print(kind, verdict, repr(sentence))
    for kind in ("gold", "elsewhere"):
        counts = [score[kind, verdict] for verdict in VERDICTS]
        told = ", ".join(f"{v} {n} ({n / sum(counts):.1%})" for v, n in zip(VERDICTS, counts, strict=True))
        print(f"{options.split} {options.half or ''} {kind:9} n={sum(counts)}: {told}")


def answers(path: Path) -> list[str]:
    """Read the answers of a meeting, in the order of its questions."""
    return [asked["answer"] for asked in json.loads(path.read_text(encoding="utf-8"))["specific_query_list"]]


def cases(meeting: Meeting, written: Sequence[str], most: int) -> Iterator[Case]:
    """Give each sentence twice: with gold rows and with rows from elsewhere (the same for every run)."""
    chance = random.Random(meeting.name)
    rows = _rows(meeting)
    people = [frozenset({name, name.split()[0]}) for name in meeting.speakers]
    for question, answer in zip(meeting.questions, written, strict=True):
        gold = meeting.gold(question)
        mine = [row for row, is_gold in zip(rows, gold, strict=True) if is_gold]
        starts = [n for n in range(len(rows) - len(mine) + 1) if not any(gold[n : n + len(mine)])]
        if not mine or not starts:
            continue
        start = chance.choice(starts)
        other = rows[start : start + len(mine)]
        base = Ground(people, question=question.text, spare=(*mine, *other))
        for sentence in (bare(sentence.text) for sentence in sentences(answer)):
            for kind, stretch in (("gold", mine), ("elsewhere", other)):
                yield kind, sentence, _likest(sentence, stretch, most), base


def _likest(sentence: str, rows: list[EvidenceRow], most: int) -> list[EvidenceRow]:
    words = stems(sentence)
    liked = sorted(rows, key=lambda row: share(words, [f"{row.speaker} {row.text}"]), reverse=True)
    return sorted(liked[:most] if most else liked, key=lambda row: row.t0)


def _rows(meeting: Meeting) -> list[EvidenceRow]:
    found, at = list[EvidenceRow](), 0
    for n, piece in enumerate(meeting.pieces):
        end = at + WORD_MS * max(1, len(piece.text.split()))
        found.append(EvidenceRow("transcript", n, meeting.name, at, end, piece.speaker, piece.text))
        at = end
    return found


if __name__ == "__main__":
    main()

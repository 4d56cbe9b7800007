"""Measure `check` with planted alterations: caught, named rightly, false alarms, in worlds and in QMSum meetings.

Train meetings and seeds from 100 on are for developing, val meetings and seeds below 100 for the report. `--human`
checks people's own summaries of the meetings instead; they are mostly true, so what is called false is printed to be
looked at.

    python -m scripts.measure_check --split train --seeds 100:106 --wrong
    python -m scripts.measure_check --split val --seeds 0:10
    python -m scripts.measure_check --split val --human
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from agent.check.checking import check
from agent.check.document import document
from agent.evals.minutes.marking import Tally
from agent.evals.minutes.meeting import Meeting, of_qmsum, published
from agent.evals.minutes.writing import Writer, document_of
from agent.evals.worlds.world import Spec, make
from scripts.corpora import corpus
from store.database import Database


def qmsum(split: str) -> list[Path]:
    """Give the files of a split."""
    return sorted((corpus("qmsum") / split).glob("*.json"))


def measured(database: Database, meetings: Sequence[Meeting], each: int, seed: int) -> tuple[Tally, float]:
    """Write and check one document a meeting; give the counts and the seconds of checking."""
    tally, seconds = Tally(), 0.0
    for meeting in meetings:
        public_id = published(database, meeting)
        sentences = Writer(meeting, seed).sentences(each)
        text, lines = document_of(sentences)
        began = time.monotonic()
        report = check(database, public_id, document(meeting.name, text.encode()))
        seconds += time.monotonic() - began
        tally.add(sentences, lines, report)
    return tally, seconds


def human(database: Database, split: str) -> None:
    """Check the summaries that people wrote of the meetings."""
    counts: Counter[str] = Counter()
    for path in qmsum(split):
        public_id = published(database, of_qmsum(path))
        asked = json.loads(path.read_text(encoding="utf-8"))
        text = "\n\n".join(query["answer"] for query in asked["general_query_list"] + asked["specific_query_list"])
        report = check(database, public_id, document(path.stem, text.encode()))
        counts.update(f"{checked.claim.kind}: {checked.verdict}" for checked in report.claims)
        for checked in (checked for checked in report.claims if checked.false):
            claim = checked.claim
            print(f"{path.stem} {claim.kind} {claim.text!r} {claim.names} {checked.verdict}: {checked.reason}")
            print(f"    in {claim.sentence!r}; cited {[(c.speaker, c.quote) for c in checked.citations[:1]]}")
    print(*(f"{count:5} {name}" for name, count in sorted(counts.items())), sep="\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("train", "val"), default="train")
    parser.add_argument("--seeds", default="100:106", help="the worlds' seeds, from:to")
    parser.add_argument("--each", type=int, default=4, help="alterations of each kind in each document")
    parser.add_argument("--wrong", action="store_true", help="print each miss and each false alarm")
    parser.add_argument("--human", action="store_true", help="check people's own summaries instead")
    options = parser.parse_args()
    low, high = map(int, options.seeds.split(":"))
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder))
        if options.human:
            human(database, options.split)
            return
        worlds = [Meeting(f"world {seed}", make(Spec(seed, 60)).segments) for seed in range(low, high)]
        for name, meetings in (
            (f"worlds {low} to {high - 1}", worlds),
            (f"QMSum {options.split}", [of_qmsum(path) for path in qmsum(options.split)]),
        ):
            tally, seconds = measured(database, meetings, options.each, low)
            print(f"{name}: {len(meetings)} documents, {seconds:.1f} s of checking\n{tally.table()}")
            if options.wrong:
                print(*tally.wrong, sep="\n")


if __name__ == "__main__":
    main()

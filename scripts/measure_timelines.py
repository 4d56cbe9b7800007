"""Import real diarizations (VoxConverse, AMI) and ask them who speaks, how long, and when at the same time.

    python -m scripts.measure_timelines [--only voxconverse|ami_rttm] [--files N] [--misses N] [--json FILE]

Right values come from pyannote.core over the files themselves (scripts/timelines.py). Prints, by kind: right of asked
with Wilson's interval, how many of the rest are abstentions, and the misses.
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.ask import ask
from agent.evals.report.found import Check, Found, Row, Table, write
from agent.evals.statistics.intervals import wilson
from agent.library import Library
from agent.reply import Reply
from scripts.corpora import corpus
from scripts.timelines import Item, items, read
from tools.imports.recording import Given, import_recording

CORPORA = ("voxconverse", "ami_rttm")


@dataclass(frozen=True)
class Asked:
    """One question as it was answered."""

    file: str
    item: Item
    reply: Reply

    @property
    def abstained(self) -> bool:
        """Whether there was no answer; finding nothing answers who does what nobody does."""
        return self.reply.status != "answered" and not (self.reply.status == "not_found" and self.right)

    @property
    def right(self) -> bool:
        """Whether the value is right; no value says nobody, never."""
        value = self.reply.value if self.reply.status == "answered" else None
        return self.reply.status in ("answered", "not_found") and self.item.right(value)


def main() -> None:
    """Measure both corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CORPORA)
    parser.add_argument("--files", type=int, help="only so many of each")
    parser.add_argument("--misses", type=int, default=6, help="how many misses of a kind are printed")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    all_found: dict[str, list[Asked]] = {}
    for name in (options.only,) if options.only else CORPORA:
        paths = sorted(corpus(name).glob("*.rttm"))[: options.files]
        found = [one for path in paths for one in asked(path)]
        all_found[name] = found
        print(f"{name}: {len(paths)} files, {len(found)} questions")
        for kind in dict.fromkeys(one.item.kind for one in found):
            _print(kind, [one for one in found if one.item.kind == kind], options.misses)
    if options.json:
        write(Found(tuple(map(table, all_found, all_found.values())), tuple(checks(all_found))), options.json)


def table(name: str, found: Sequence[Asked]) -> Table:
    """Give a corpus' table, a row a kind of question."""
    kinds = {
        kind: [one for one in found if one.item.kind == kind] for kind in dict.fromkeys(o.item.kind for o in found)
    }
    columns = ("kind", "n", "right [95 %]", "abstained", "answered wrongly")
    title = f"{name}, {len({one.file for one in found})} files"
    return Table(title, columns, tuple(_row(*pair) for pair in [*kinds.items(), ("all", found)]))


def checks(found: Mapping[str, Sequence[Asked]]) -> Iterator[Check]:
    """Give the shares that may only become better."""
    for name, some in found.items():
        wrong = sum(not one.right and not one.abstained for one in some)
        yield Check(f"{name}: right", sum(one.right for one in some) / len(some), note=f"{len(some)} questions")
        yield Check(f"{name}: answered wrongly", wrong / len(some), "at most", note=f"{len(some)} questions")


def _row(kind: str, found: Sequence[Asked]) -> Row:
    right, gone = sum(one.right for one in found), sum(one.abstained and not one.right for one in found)
    low, high = wilson(right, len(found))
    share = f"{right / len(found):.3f} [{low:.3f}, {high:.3f}]"
    return (kind, str(len(found)), share, str(gone), str(len(found) - right - gone))


def asked(path: Path) -> list[Asked]:
    """Import one file into a library of its own and ask it everything."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        recording = import_recording(library.database, Given((("speaker", path),))).recording.public_id
        return [Asked(path.stem, one, ask(library, one.question, recording=recording)) for one in items(read(path))]


def _print(kind: str, found: Sequence[Asked], misses: int) -> None:
    right = sum(one.right for one in found)
    low, high = wilson(right, len(found))
    wrong = [one for one in found if not one.right]
    gone = sum(one.abstained for one in wrong)
    print(f"  {kind:24}{right:5} of {len(found):5}  {right / len(found):.3f} [{low:.3f}, {high:.3f}]  {gone} abstained")
    for one in wrong[:misses]:
        reply = one.reply
        print(f"    {one.file}: {one.item.question} gold {str(one.item.gold)[:120]}; {reply.status} "
              f"{str(reply.value)[:120]} | {reply.answer[:120]} | {reply.caveats[:2]}")  # fmt: skip


if __name__ == "__main__":
    main()

"""Measure how many turns of the conversations are understood, by kind, on worlds and on the small talk."""

import argparse
import tempfile
from pathlib import Path

from agent.evals.conversations import Marks, hold, read
from agent.evals.plans.bank import WORLDS
from agent.evals.plans.filling import filling
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import make
from agent.library import Library
from tests.agent.graph.talk import talk

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Hold every conversation of a file on every world, and print the turns that were right by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "tests/data/conversations.toml")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder) / "worlds")
        worlds = [make(spec) for spec in WORLDS]
        ids = [publish(library.database, world).public_id for world in worlds]
        small: dict[tuple[str, ...], Library] = {}
        for aside in (False, True):
            marks = Marks()
            for spoken in (one for one in read(chosen.file) if one.aside == aside):
                if spoken.people:
                    own = small.setdefault(spoken.people, talk(Path(folder) / spoken.people[0], spoken.people))
                    hold(spoken, {}, own, "Talk", marks)
                for world, one in zip(worlds, ids, strict=True) if not spoken.people else ():
                    hold(spoken, filling(world), library, one, marks)
            print(f"{'aside' if aside else 'seen'}: {sum(marks.right.values())} of {sum(marks.asked.values())}")
            print("  " + ", ".join(f"{kind} {marks.right[kind]}/{n}" for kind, n in sorted(marks.asked.items())))
            for wrong in marks.wrong:
                print("  wrong", wrong)


if __name__ == "__main__":
    main()

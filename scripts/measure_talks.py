"""Measure how many turns of conversations a model behind an endpoint understands; its replies are kept.

    python -m scripts.measure_talks DIR [--limit N] [--parallel N] [--timeout S]
OPENAI_BASE_URL and OPENAI_MODEL name the endpoint; without them what DIR keeps is played again. The conversations are
those of tests/data that are held on worlds in English, in their order.
"""

import argparse
import json
import os
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from agent.evals.conversations import Spoken, read
from agent.evals.models.questions import Rooms
from agent.evals.models.recording import Recorder, Upstream
from agent.evals.models.running import RESULT
from agent.evals.models.talks import UNMARKED, Turn, hold_all
from agent.evals.models.wire import serving

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
FILES = ("conversations.toml", "conversations2.toml")


def main() -> None:
    """Hold the conversations and print the turns that were right by kind, and those that were not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, help="where replies are kept")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=60.0)
    chosen = parser.parse_args()
    address, model = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_MODEL", "model")
    upstream = Upstream(address, os.environ.get("OPENAI_API_KEY"), chosen.timeout) if address else None
    recorder = Recorder(chosen.folder, upstream)
    with tempfile.TemporaryDirectory() as folder, Rooms(Path(folder)) as rooms, serving(recorder, (model,)) as wire:
        found = talks()[: chosen.limit]
        turns = hold_all(found, rooms, wire, model, parallel=chosen.parallel, timeout=chosen.timeout)
    held = [asdict(turn) for turn in turns]
    turns = [turn for turn in turns if turn.kind != UNMARKED]
    told(turns)
    scores = {"turns_right": right(turns)}
    result = {"model": model, "figures": scores, "turns": held, "requests": recorder.asked}
    chosen.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (chosen.folder / RESULT).write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")


def talks() -> list[Spoken]:
    """Give the conversations that can be held on the worlds."""
    spoken = [talk for name in FILES for talk in read(DATA / name)]
    return [talk for talk in spoken if talk.language == "en" and not talk.people]


def right(turns: list[Turn]) -> float:
    """Give the share of turns that were right."""
    return sum(turn.wrong is None for turn in turns) / max(1, len(turns))


def told(turns: list[Turn]) -> None:
    """Print the figures."""
    asked, good = Counter(t.kind for t in turns), Counter(t.kind for t in turns if t.wrong is None)
    conversations = {turn.talk for turn in turns}
    whole = conversations - {turn.talk for turn in turns if turn.wrong}
    print(f"turns {good.total()}/{asked.total()}, conversations whole {len(whole)}/{len(conversations)}")
    print("  " + ", ".join(f"{kind} {good[kind]}/{n}" for kind, n in sorted(asked.items())))
    for turn in turns:
        if turn.wrong:
            print(f"  {turn.talk} {turn.kind}: “{turn.asked}” read as “{turn.read_as}”: {turn.wrong}")


if __name__ == "__main__":
    main()

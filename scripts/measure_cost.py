"""Measure what a question costs at nine hours: milliseconds of SQL and of the graph, rows, tokens, by family.

    python -m scripts.measure_cost [SEED] [MINUTES]
A made recording is asked by the rules brain: the questions of every family, and open ones (why, how, compare) with and
without a speaker. Tokens are MiniLM's WordPiece of the rows found, where its weights are, else four letters a token.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.ask import ask
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from agent.reply import Reply
from store.errors import MissingWeights
from store.trace import show
from tools import embedding
from tools.call import Embed
from tools.models import weights

CAST = 6
OPEN = (
    "Why did {S} worry about the {X}?",
    "How did {S} react to the {X}?",
    "Why was there trouble with the {X} and the {Y}?",
    "Compare what they thought of the {X} and of the {Y}.",
    "How come the {X} matters?",
)


@dataclass(slots=True)
class Figures:
    """What each question of a family took: milliseconds, rows that SQL gave, tokens of what is cited."""

    sql: list[float] = field(default_factory=list)
    graph: list[float] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)


def main() -> None:
    """Print a line a family: p50 and p95 of each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, default=23)
    parser.add_argument("minutes", nargs="?", type=float, default=540.0)
    asked = parser.parse_args()
    minutes, world = asked.minutes, make(Spec(asked.seed, asked.minutes, CAST))
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        recording = publish(library.database, world)
        embedding.remember(library.database, recording.id)
        embed = embedding.embed()
        for family, question in [("warm up", "Who spoke most?"), *questions(world)]:
            measured(library, recording.public_id, question, embed, figures.setdefault(family, Figures()))
    figures.pop("warm up")
    print(f"{minutes:g} min, {len(world.segments)} segments, by meaning too: {embed is not None}")
    print(f"{'family':16} {'n':>4}  {'SQL ms':>15} {'graph ms':>15} {'rows':>13} {'tokens':>13}  (p50, p95)")
    whole = Figures(*([x for f in figures.values() for x in getattr(f, key)] for key in _KEYS))
    for family, found in [*sorted(figures.items()), ("all", whole)]:
        cells = " ".join(_cell(getattr(found, key), width) for key, width in zip(_KEYS, (15, 15, 13, 13), strict=True))
        print(f"{family:16} {len(found.sql):4}  {cells}")


def questions(world: World) -> list[tuple[str, str]]:
    """Give the questions of every family, and open ones about what people of the world talk of."""
    chance = random.Random(world.spec.seed)
    asked = [(item.family, item.question) for item in (*items(world), *constrained(world, chance, 12))]
    words = sorted({word.strip(".,?!").casefold() for s in world.segments for word in s.text.split() if len(word) > 6})
    people = sorted({segment.speaker for segment in world.segments if segment.speaker})
    for _ in range(6):
        slots = {"S": chance.choice(people), "X": chance.choice(words), "Y": chance.choice(words)}
        asked += [("open", form.format(**slots)) for form in OPEN]
    return asked


def measured(library: Library, recording: str, question: str, embed: Embed | None, into: Figures) -> None:
    """Ask one question and note what it took."""
    began = time.perf_counter()
    reply = ask(library, question, recording=recording, embed=embed)
    took = 1000 * (time.perf_counter() - began)
    with library.database.reader() as connection:
        spans = show(connection, reply.trace).spans
    tools = [span for span in spans if span.args.get("tool") in ("fuse", "count")]
    sql = 1000 * sum((span.t_end or span.t_start) - span.t_start for span in tools)
    into.sql.append(sql)
    into.graph.append(took - sql)
    into.rows.append(sum(int(span.result_ref.split()[0]) for span in tools if span.result_ref))
    into.tokens.append(_tokens(reply))


def p95(values: Sequence[float]) -> float:
    """Give the 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


_KEYS = ("sql", "graph", "rows", "tokens")


def _cell(values: Sequence[float], width: int) -> str:
    return f"{statistics.median(values):.0f}, {p95(values):.0f}".rjust(width)


def _tokens(reply: Reply) -> int:
    count = _counter()
    return sum(count(f"{cited.speaker or ''}: {cited.quote or ''}") for cited in reply.citations)


def _counter() -> Callable[[str], int]:
    try:
        weights(embedding.MODEL)
    except MissingWeights:
        return lambda text: 1 + len(text) // 4
    return embedding.tokens


if __name__ == "__main__":
    main()

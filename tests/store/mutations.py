"""Statements made by a grammar from hostile and benign ones: `python -m tests.store.mutations 5000 [seed]`.

Each is run behind all layers, and every third behind one of the two main layers alone; none may leak, crash or last.
"""

import random
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from store.errors import SqlRefused
from store.fence import Fence, Layers, open_fence
from tests.store import world
from tests.store.hostile import every
from tests.store.test_benign import QUERIES

SECONDS = 1.5
FENCES = {
    "all": Layers(),
    "authorizer": Layers(guard=False),
    "guard": Layers(authorizer=False, functions=False),
}
GRAMMAR = tomllib.loads(Path(__file__).with_name("grammar.toml").read_text(encoding="utf-8"))
SOURCES: list[str] = GRAMMAR["sources"].split()
COLUMNS: list[str] = GRAMMAR["columns"].split()
FUNCTIONS: list[str] = GRAMMAR["functions"].split()
TAILS = (*GRAMMAR["tails"], "\ud800")


def mutations(count: int, seed: int) -> Iterator[str]:
    """Give that many statements, the same ones for the same seed."""
    dice = random.Random(seed)
    seeds = [*QUERIES, *(hostile.sql(Path("/nowhere")) for hostile in every())]
    made: list[Callable[[random.Random, str], str]] = [_other_source, _other_column, _tail, _spaced, _cased, _spliced]
    made += [_cut, _wrapped, _shadowed, _nested]
    for _ in range(count):
        text = _select(dice, 3) if dice.random() < 0.3 else dice.choice(seeds)
        for _ in range(dice.choice((1, 1, 2, 3))):
            text = dice.choice(made)(dice, text)
        yield text[:4500]


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """Run that many and count what became of them; AssertionError names the first that leaks or lasts."""
    database = world.library(folder)
    before = database.path.read_bytes()
    scope = world.first(database)
    outcomes: Counter[str] = Counter()
    for number, sql in enumerate(mutations(count, seed)):
        layers = FENCES["all" if number % 3 else ("authorizer", "guard")[number % 2]]
        with open_fence(database, scope, world.hits(), layers=layers) as fence:
            outcomes[_outcome(fence, sql)] += 1
    assert database.path.read_bytes() == before, "the database changed"
    return outcomes


def _outcome(fence: Fence, sql: str) -> str:
    """Run one; a second time when it lasted, since a busy machine also makes things last."""
    outcome, seconds = _run(fence, sql)
    if seconds >= SECONDS:
        outcome, seconds = _run(fence, sql)
    assert seconds < SECONDS, f"lasts: {sql!r}"
    return outcome


def _run(fence: Fence, sql: str) -> tuple[str, float]:
    began = time.monotonic()
    try:
        result = fence.run(sql)
        outcome, shown = "ran", f"{result.columns} {result.rows}"
    except SqlRefused as refused:
        outcome, shown = "refused", f"{refused} {refused.__cause__}"
    seconds = time.monotonic() - began
    for secret in (world.CANARY, world.OTHER, "CREATE TABLE secrets"):
        assert secret not in shown or secret in sql, f"leaks {secret}: {sql!r}"
    return outcome, seconds


def _select(dice: random.Random, depth: int) -> str:
    columns = ", ".join(_expression(dice, depth - 1) for _ in range(dice.randint(1, 3)))
    source = _source(dice, depth - 1)
    joins = "".join(
        f" {dice.choice(('JOIN', 'LEFT JOIN', 'CROSS JOIN', 'NATURAL JOIN', ','))} {_source(dice, depth - 1)}"
        for _ in range(dice.choice((0, 0, 1, 2)))
    )
    where = f" WHERE {_expression(dice, depth - 1)} {_operator(dice)} {_expression(dice, depth - 1)}"
    text = f"SELECT {columns} FROM {source}{joins}{where if dice.random() < 0.6 else ''}"
    if dice.random() < 0.2:
        text += f" {dice.choice(('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'))} SELECT {_expression(dice, depth - 1)}"
    if depth == 3 and dice.random() < 0.3:
        name = dice.choice(SOURCES)
        text = f"WITH {dice.choice(('', 'RECURSIVE '))}{name} AS ({_select(dice, 2)}) {text}"
    return text


def _source(dice: random.Random, depth: int) -> str:
    if depth > 0 and dice.random() < 0.2:
        return f"({_select(dice, depth)}) AS {dice.choice(('t', 'x', 'transcript'))}"
    return dice.choice(SOURCES) + dice.choice(("", "", " t", " AS x"))


def _expression(dice: random.Random, depth: int) -> str:
    kind = dice.random() if depth > 0 else 0.0
    if kind < 0.5:
        return dice.choice(COLUMNS)
    if kind < 0.7:
        return f"{dice.choice(FUNCTIONS)}({_expression(dice, depth - 1)})"
    if kind < 0.8:
        return f"({_select(dice, depth - 1)})"
    if kind < 0.9:
        return f"CASE WHEN {_expression(dice, depth - 1)} THEN 1 ELSE {_expression(dice, depth - 1)} END"
    return f"{_expression(dice, depth - 1)} {_operator(dice)} {dice.choice(SOURCES)}"


def _operator(dice: random.Random) -> str:
    return dice.choice(("=", "<", "LIKE", "IN", "GLOB", "MATCH", "||", "IS", "NOT IN", "->>", "REGEXP", "AND", "%"))


def _other_source(dice: random.Random, text: str) -> str:
    return text.replace(dice.choice(("transcript", "speaker", "events", "secrets", "word")), dice.choice(SOURCES), 1)


def _other_column(dice: random.Random, text: str) -> str:
    return text.replace(dice.choice(("text", "start_s", "label", "speaker", "v")), dice.choice(COLUMNS), 1)


def _tail(dice: random.Random, text: str) -> str:
    return f"{text} {dice.choice(TAILS)}"


def _spaced(dice: random.Random, text: str) -> str:
    return text.replace(" ", dice.choice(("/**/", "\n", "\t", "\r", " --\n", "\u00a0", "/*/* */", "\x0b")))


def _cased(dice: random.Random, text: str) -> str:
    return "".join(dice.choice((letter.upper(), letter.lower())) for letter in text)


def _spliced(dice: random.Random, text: str) -> str:
    other = dice.choice(every()).sql(Path("/nowhere"))
    return text[: dice.randint(0, len(text))] + other[dice.randint(0, len(other)) :]


def _cut(dice: random.Random, text: str) -> str:
    start = dice.randint(0, len(text))
    return text[:start] + text[start + dice.randint(1, 8) :]


def _wrapped(dice: random.Random, text: str) -> str:
    return dice.choice(("SELECT * FROM ({})", "SELECT ({})", "WITH x AS ({}) SELECT * FROM x", "EXPLAIN {}")).format(
        text
    )


def _shadowed(dice: random.Random, text: str) -> str:
    name = dice.choice(("transcript", "secrets", "x", "keyword_hit", "keyed_word", "TRANSCRIPT", '"transcript"'))
    return f"WITH {name} AS (SELECT v AS text, k AS speaker FROM {dice.choice(('secrets', 'main.segment'))}) {text}"


def _nested(dice: random.Random, text: str) -> str:
    depth = dice.choice((2, 50, 400))
    return f"SELECT {'(' * depth}{text}{')' * depth}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_in:
        asked = [int(argument) for argument in sys.argv[1:]] or [5000]
        sys.stdout.write(f"{run(asked[0], asked[1] if asked[1:] else 0, Path(made_in))}\n")

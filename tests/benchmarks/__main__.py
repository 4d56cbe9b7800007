"""Measure every ratio of the performance table in one run: `python -m tests.benchmarks [--quick] [--only NAME ...]`.

    --quick             a library of 200 hours instead of 10,000, without listening and without a vector index
    --only NAME         some of: growing keywords joins naive meaning reading context storing asking hearing oracle
    --kept FOLDER       keep the large library there, so that the next run need not make it
    --long FILE FILE    hear these recordings too, an hour and nine, and compare their peak memory
    --profile           profile `ask` and `ingest`, and draw growth curves, after the table
Figures are written to build/bench. The exit code is 1 when a floor is missed, with the ratio's name.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.benchmarks import (
    asking,
    context,
    growing,
    hearing,
    joins,
    keywords,
    meaning,
    naive,
    oracle,
    profiles,
    reading,
    storing,
    table,
)
from tests.benchmarks.curves import curves
from tests.benchmarks.plot import svg
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.setting import Setting, full, quick

Ratios = Callable[[Setting], Iterator[Ratio]]
MEASURED: Mapping[str, Ratios] = {
    "growing": growing.ratios,
    "keywords": keywords.ratios,
    "joins": joins.ratios,
    "naive": naive.ratios,
    "meaning": meaning.ratios,
    "reading": reading.ratios,
    "context": context.ratios,
    "storing": storing.ratios,
    "asking": asking.ratios,
    "hearing": lambda setting: hearing.ratios(),
    "oracle": lambda setting: oracle.ratios(),
}
SLOW = ("meaning", "hearing", "oracle")
KEPT = Path("build/bench")


def main(arguments: list[str]) -> int:
    """Print the table, then profiles and curves where asked; 1 when a floor is missed."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        setting = quick(Path(folder)) if options.quick else full(Path(folder), options.kept)
        names = options.only or [name for name in MEASURED if not (options.quick and name in SLOW)]
        table.heading()
        found: list[Ratio] = []
        for ratio in _measured(names, setting, options.long):
            table.line(ratio)
            found.append(ratio)
        if options.profile:
            _profile(setting)
    table.keep(found, KEPT / "ratios.json")
    return table.verdict(found)


def _measured(names: list[str], setting: Setting, long: list[Path]) -> Iterator[Ratio]:
    for name in names:
        yield from MEASURED[name](setting)
    if long:
        yield from hearing.ratios(long)


def _profile(setting: Setting) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    drawn = curves(setting)
    (KEPT / "growth.svg").write_text(svg(drawn), encoding="utf-8")
    table.say("".join(f"{curve}\n" for curve in drawn))
    for name, profile in (("ask", profiles.ask_profile), ("ingest", profiles.ingest_profile)):
        told = profile(setting)
        (KEPT / f"{name}.profile.txt").write_text(told, encoding="utf-8")
        table.say(f"\n{name}: {told[: told.find('Ordered by: cumulative')]}\n")


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=MEASURED, metavar="NAME")
    parser.add_argument("--kept", type=Path, metavar="FOLDER")
    parser.add_argument("--long", nargs=2, type=Path, default=[], metavar="FILE")
    parser.add_argument("--profile", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Measure every part of the evaluation, hold the figures against bars and floors, and write the page.

    python -m scripts.evaluate [--size floors|quick|full] [--only PART ...] [--no-measuring] [--page FILE] [--raise]
                              [--at-once N]

Each part writes its own file in build/eval/SIZE; parts that are not named by --only keep what they found before, and
--no-measuring only writes the page again. Two parts run at a time. Floors lie in tests/data/floors.toml; --raise puts
them up to what was reached now. Exit 1 when a figure is below its floor or a part ended without a result.
"""

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from agent.evals.report import floors, found
from agent.evals.report.chapter import Section, checks, sections
from agent.evals.report.page import page
from agent.evals.report.part import Measured, Part
from agent.evals.tasks import record
from scripts.corpora import ROOT, data_folder
from scripts.evaluation_parts import TITLES, Size, parts
from store.errors import MissingWeights
from tools.models import weights

FLOORS = ROOT / "tests" / "data" / "floors.toml"
AT_ONCE = 2


def main() -> int:
    """Measure, write the page, and say which bars are missed and which floors fell."""
    options = _options()
    folder = options.folder / options.size
    wanted = parts(options.size)
    named = [part for part in wanted if not options.only or part.name in options.only]
    folder.mkdir(parents=True, exist_ok=True)
    if not options.no_measuring:
        # Hearing takes longest, so it begins first.
        _measure_all(sorted(named, key=lambda part: part.column != "made audio"), folder, options.at_once)
    measured = [_measured(part, folder) for part in wanted]
    written = list(sections(measured))
    target = options.page or folder / "EVALUATION.md"
    target.write_text(page(_command(options.size), measured, written), encoding="utf-8")
    say(f"\n{target}\n")
    broken = [one.part.name for one in measured if one.left_out.startswith(ENDED)]
    return _verdict(options.size, written, raising=options.raising) or int(bool(broken))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=("floors", "quick", "full"), default="quick")
    parser.add_argument("--only", nargs="+", metavar="PART")
    parser.add_argument("--no-measuring", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("build/eval"))
    parser.add_argument("--page", type=Path, metavar="FILE")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, metavar="N")
    parser.add_argument("--raise", action="store_true", dest="raising")
    return parser.parse_args()


ENDED = "ended"
REASONS = ".left-out"


def _measure_all(parts: Sequence[Part], folder: Path, at_once: int) -> None:
    """Measure some parts at a time; whoever stops this stops them too, and no other begins."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    running = set[subprocess.Popen[bytes]]()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            list(pool.map(lambda part: _measure(part, folder, running), parts))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            signal.signal(signal.SIGTERM, before)
            for process in tuple(running):
                process.terminate()


def _measure(part: Part, folder: Path, running: set[subprocess.Popen[bytes]]) -> None:
    """Run a part's command; what is there of before, or of a command that failed, goes."""
    gone = folder / f"{part.name}{REASONS}"
    gone.unlink(missing_ok=True)
    _remove(part, folder)
    began, reason = time.monotonic(), missing(part)
    if not reason:
        code = _run(part, folder, running)
        if code:
            _remove(part, folder)
        if not list(folder.glob(f"{part.file}*")):
            reason = f"{ENDED} with exit code {code} and no result"
    if reason:
        gone.write_text(reason, encoding="utf-8")
    say(f"{part.name:44} {reason or f'{time.monotonic() - began:6.0f} s'}\n")


def _run(part: Part, folder: Path, running: set[subprocess.Popen[bytes]]) -> int:
    command = [sys.executable, "-m", *part.command, "--json", str((folder / part.file).resolve())]
    with (
        (folder / f"{part.name}.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT) as process,
    ):
        running.add(process)
        code = process.wait()
        running.discard(process)
    return code


def _remove(part: Part, folder: Path) -> None:
    for old in folder.glob(f"{part.file}*"):
        old.unlink()


def missing(part: Part) -> str:
    """Say what a part needs and does not have; nothing when it can be measured."""
    if part.never:
        return part.never
    if find_spec(part.command[0]) is None:
        return f"there is no module {part.command[0]}"
    if part.data and not (data_folder() / part.data).is_dir():
        return f"needs the recordings '{part.data}', which are no part of the project (OVERHEARD_DATA)"
    try:
        for name in part.weights:
            weights(name)
    except MissingWeights as error:
        return str(error)
    return ""


def _measured(part: Part, folder: Path) -> Measured:
    path, gone = folder / part.file, folder / f"{part.name}{REASONS}"
    if part.never:
        return Measured(part, left_out=part.never)
    if gone.exists():
        return Measured(part, left_out=gone.read_text(encoding="utf-8"))
    if part.role == "baselines" and (files := sorted(folder.glob(f"{part.file}.*"))):
        others = {one.name.removeprefix(f"{part.file}."): tuple(record.read(one)) for one in files}
        return Measured(part, others={TITLES[name]: records for name, records in others.items()})
    if not path.exists():
        return Measured(part, left_out="not measured yet")
    if part.role == "found":
        return Measured(part, found.read(path))
    return Measured(part, records=tuple(record.read(path)))


def _verdict(size: Size, written: Sequence[Section], *, raising: bool) -> int:
    """Print missed bars and fallen floors; 1 when a floor fell."""
    figures, tiers = checks(written), floors.read(FLOORS)
    bars = [one for one in figures if one.bar is not None]
    for one in bars:
        say(f"{one.verdict:7}{one.name}: {found.figure(one.value)}, bar {found.SIGNS[one.side]} {one.bar:g}\n")
    fallen = list(floors.fallen(figures, tiers.get(size, {})))
    for gone in fallen:
        say(f"FLOOR FELL: {gone}\n")
    held = sum(one.verdict == "held" for one in bars)
    say(f"{held} of {len(bars)} bars held, {len(fallen)} of {len(tiers.get(size, {}))} floors fell\n")
    if raising:
        floors.write({**tiers, size: floors.raised(figures, tiers.get(size, {}))}, FLOORS)
    return int(bool(fallen))


def _command(size: Size) -> str:
    return "make eval" if size == "full" else f"python -m scripts.evaluate --size {size}"


def say(text: str) -> None:
    """Print at once, since parts take minutes."""
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

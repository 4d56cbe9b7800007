"""Where the time goes: profiles of `ask` in process, and of `ingest`, by function.

Times under the profiler are longer than without it; what counts is their order.
"""

import cProfile
import io
import os
import pstats
import subprocess
import sys
from pathlib import Path

from agent.evals import sample
from tests.benchmarks.asking import Asked, Figures
from tests.benchmarks.setting import Setting
from tests.benchmarks.talk import talk

LINES = 25


def ask_profile(setting: Setting) -> str:
    """Profile every question of nine hours."""
    asked = Asked(setting.folder / "profiled", talk(540))
    asked.ask(Figures())
    profile = cProfile.Profile()
    profile.enable()
    asked.ask(Figures())
    profile.disable()
    return told(profile)


def ingest_profile(setting: Setting) -> str:
    """Profile the main thread of the process that hears the sample; voices and sounds are heard by two others."""
    path, kept = sample.RECORDING, setting.folder / "ingest.prof"
    command = [sys.executable, "-m", "cProfile", "-o", str(kept), "-m", "agent.front", "--library"]
    subprocess.run(
        [*command, str(setting.folder / "profiled ingest"), "ingest", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return told(kept)


def told(profile: cProfile.Profile | Path) -> str:
    """Give the functions in which most time is spent, then those under which most is, with paths made short."""
    text = io.StringIO()
    stats = pstats.Stats(str(profile) if isinstance(profile, Path) else profile, stream=text)
    stats.sort_stats("tottime").print_stats(LINES)
    stats.sort_stats("cumtime").print_stats(2 * LINES)
    return _short(text.getvalue())


def _short(text: str) -> str:
    for path in sorted(sys.path, key=len, reverse=True):
        text = text.replace(f"{path}{os.sep}", "") if path else text
    return text.replace(f"{Path.cwd()}{os.sep}", "")

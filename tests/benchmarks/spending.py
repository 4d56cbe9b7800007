"""A command run to its end in a process of its own: seconds of wall, and what it used."""

import os
import resource
import subprocess
import time
from collections.abc import Mapping, Sequence


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, resource.struct_rusage]:
    """Run a command, its output thrown away; RuntimeError when it fails."""
    began = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)  # else it is taken for one that still runs
    if process.returncode:
        raise RuntimeError(f"`{' '.join(command)}` ended with {process.returncode}")
    return wall, used

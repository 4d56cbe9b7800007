"""Memory that is freed and asked for again in a thread, as networks do, costs no new pages."""

import subprocess
import sys

import pytest

from tools.listening.heap import keep_freed

PROGRAM = """
import ctypes, resource, sys, threading
from tools.listening.heap import keep_freed

if sys.argv[1] == "kept":
    assert keep_freed()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]

def products():
    for _ in range(20):
        buffer = libc.malloc(64 << 20)
        ctypes.memset(buffer, 1, 64 << 20)
        libc.free(buffer)

thread = threading.Thread(target=products)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
thread.start()
thread.join()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> int:
    """Give the page faults of twenty buffers of 64 MiB, one after the other."""
    return int(subprocess.run([sys.executable, "-c", PROGRAM, how], check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc alone can be told")
def test_a_buffer_asked_for_again_brings_no_new_pages() -> None:
    assert faults("kept") * 5 < faults("given back")


def test_another_system_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("ctypes.CDLL", None)
    assert not keep_freed()

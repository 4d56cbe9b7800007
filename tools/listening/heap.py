"""Keep what a network frees for its next run: given back to the system, every page is brought in anew, as zeros.

CTranslate2 packs matrices into fresh buffers of megabytes for each product. By default glibc maps and unmaps each of
them: in twelve minutes of speech nine million page faults, an eighth of all the time. Told to keep them in one heap, of
which up to half a gigabyte may be free at its end, it has three hundred thousand.
"""

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_MAX, _ARENA_MAX = -1, -4, -8  # of mallopt(3)
_FREE = 512 << 20  # bytes


def keep_freed() -> bool:
    """Tell glibc's malloc, for this process, and say whether it did; any other malloc stays as it is."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    told = ((_ARENA_MAX, 1), (_MMAP_MAX, 0), (_TRIM_THRESHOLD, _FREE))
    return mallopt is not None and all(mallopt(option, value) for option, value in told)

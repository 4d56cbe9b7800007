"""LangGraph as fast as it loads: httpx's own command line (which drags in rich, click and pygments) is never wanted
here, and the collector has nothing to find while modules are made."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_UNWANTED = ("httpx._main",)


@contextmanager
def lean() -> Iterator[None]:
    """Import inside: without the unwanted modules, without garbage collection; both are as before afterwards."""
    absent = [name for name in _UNWANTED if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    collecting = gc.isenabled()
    modules.update(dict.fromkeys(absent))
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        for name in absent:
            if modules.get(name, 0) is None:
                del modules[name]

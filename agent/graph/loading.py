"""LangGraph as fast as it loads: what it imports and Overheard never uses is left out, for a third of the time.

httpx's own command line drags in rich, click and pygments; two modules are read for one name in an annotation each, and
bring a client of servers and hundreds of models of another service. The collector has nothing to find meanwhile.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

_ABSENT = ("httpx._main",)
_HOLLOW = ("langgraph_sdk.auth.types", "langsmith.types.run_select_field")


class Hollow(ModuleType):
    """A module in which every name stands for any type, as an annotation needs it."""

    def __getattr__(self, name: str) -> Any:
        """Give any type, but no name that the import system asks for."""
        if name.startswith("__"):
            raise AttributeError(name)
        return Any


@contextmanager
def lean() -> Iterator[None]:
    """Import inside: without the unwanted modules, without garbage collection; both are as before afterwards."""
    modules: dict[str, Any] = sys.modules
    absent: dict[str, Any] = dict.fromkeys(name for name in _ABSENT if name not in modules)
    placed = absent | {name: Hollow(name) for name in _HOLLOW if name not in modules}
    collecting = gc.isenabled()
    modules.update(placed)
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        for name, stand_in in placed.items():
            if name in modules and modules[name] is stand_in:
                del modules[name]

"""Lists as one line has them: the first few, and how many there are beyond."""

from collections.abc import Sequence


def listed(items: Sequence[object], most: int) -> str:
    """Write at most `most` items between commas, and the number of the others; empty for none."""
    shown = ", ".join(map(str, items[:most]))
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"

"""Plots as SVG inside a page: a bar of outcomes, a bar for each scorer, how long cases took; no script, no font."""

from collections.abc import Mapping, Sequence
from html import escape

WIDTH = 640
_ROW, _LEFT, _BAR = 22, 150, 360
COLOURS = {"passed": "#2e7d32", "failed": "#c62828", "skipped": "#9e9e9e"}


def outcomes(counts: Mapping[str, int]) -> str:
    """Give one bar, divided by what became of the cases."""
    total, at, parts = max(1, sum(counts.values())), 0.0, []
    for name, count in counts.items():
        wide = WIDTH * count / total
        told = f"<title>{escape(name)}: {count}</title>"
        parts.append(f'<rect x="{at:.1f}" y="0" width="{wide:.1f}" height="24" fill="{COLOURS[name]}">{told}</rect>')
        at += wide
    return _svg(24, "outcomes of all cases", parts)


def shares(values: Mapping[str, tuple[float, int]]) -> str:
    """Give a bar for each name: the share that held, of how many."""
    parts = []
    for row, (name, (share, count)) in enumerate(values.items()):
        y = row * _ROW
        parts.append(_text(0, y + 15, name))
        parts.append(f'<rect x="{_LEFT}" y="{y + 3}" width="{_BAR}" height="15" fill="#eceff1"/>')
        parts.append(
            f'<rect x="{_LEFT}" y="{y + 3}" width="{_BAR * share:.1f}" height="15" fill="{COLOURS["passed"]}"/>'
        )
        parts.append(_text(_LEFT + _BAR + 10, y + 15, f"{round(share * count)} of {count}"))
    return _svg(max(1, len(values)) * _ROW, "expectations that held, by scorer", parts)


def times(seconds: Sequence[float], bins: int = 20) -> str:
    """Give a histogram of seconds a case."""
    longest = max(seconds, default=0.0) or 1.0
    counts = [0] * bins
    for second in seconds:
        counts[min(bins - 1, int(second / longest * bins))] += 1
    most, wide = max(1, *counts), WIDTH / bins
    parts = [
        f'<rect x="{at * wide:.1f}" y="{80 - 80 * count / most:.1f}" width="{wide - 2:.1f}" '
        f'height="{80 * count / most:.1f}" fill="#1565c0"><title>{count} cases</title></rect>'
        for at, count in enumerate(counts)
    ]
    parts += [_text(0, 96, "0 s"), _text(WIDTH - 60, 96, f"{longest:.3g} s")]
    return _svg(100, "seconds a case", parts)


def _text(x: float, y: float, told: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(told)}</text>'


def _svg(height: int, told: str, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" aria-label="{escape(told)}">'
    return f"{head}{''.join(parts)}</svg>"

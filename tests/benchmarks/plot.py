"""Growth curves as one SVG file that needs nothing besides: both axes begin at nothing, so that flat looks flat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, EDGE = 460, 300, 56
_TICKS = 5
_STYLE = "text{font:12px sans-serif;fill:#222} .axis{stroke:#888} .curve{fill:none;stroke:#1666b0;stroke-width:2}"


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a growing size and a figure, with the units of both."""

    title: str
    across: str
    upwards: str
    points: Sequence[tuple[float, float]]

    def __str__(self) -> str:
        """Tell it in a line."""
        told = (f"{size:,.0f} {self.across}: {figure:.1f} {self.upwards}" for size, figure in self.points)
        return f"{self.title}: {', '.join(told)}"


def svg(curves: Sequence[Curve]) -> str:
    """Draw curves side by side."""
    parts = [f'<g transform="translate({WIDTH * place},0)">{"".join(_drawn(c))}</g>' for place, c in enumerate(curves)]
    size = f'width="{WIDTH * len(curves)}" height="{HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>{"".join(parts)}</svg>\n'


def _drawn(curve: Curve) -> Iterator[str]:
    widest, highest = (max(values) * 1.1 for values in zip(*curve.points, strict=True))
    right, bottom = WIDTH - EDGE // 2, HEIGHT - EDGE
    places = [
        (EDGE + size / widest * (right - EDGE), bottom - figure / highest * (bottom - EDGE))
        for size, figure in curve.points
    ]
    yield f'<text x="{EDGE}" y="{EDGE // 2}">{escape(curve.title)}</text>'
    yield f'<path class="axis" fill="none" d="M{EDGE},{EDGE} V{bottom} H{right}"/>'
    for number in range(_TICKS):
        share = number / (_TICKS - 1) / 1.1
        x, y = EDGE + share * (right - EDGE), bottom - share * (bottom - EDGE)
        yield _text(x, bottom + 18, f"{share * widest:,.0f}", "middle")
        yield _text(EDGE - 6, y + 4, f"{share * highest:,.0f}", "end")
    yield _text(right, bottom + 36, curve.across, "end")
    yield _text(EDGE - 6, EDGE - 10, curve.upwards, "end")
    yield f'<polyline class="curve" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1666b0"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'

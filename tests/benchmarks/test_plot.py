"""Curves are drawn into one file that needs nothing besides."""

from xml.etree import ElementTree

from tests.benchmarks.plot import Curve, svg

CURVES = (
    Curve("by <minutes>", "min", "ms", [(10, 30.0), (540, 44.0)]),
    Curve("by hours", "h", "ms", [(9, 35.0), (100, 35.0), (10_000, 36.0)]),
)


def test_every_point_is_drawn_inside_the_picture() -> None:
    root = ElementTree.fromstring(svg(CURVES))
    circles = [node for node in root.iter() if node.tag.endswith("circle")]
    assert len(circles) == 5
    assert all(0 < float(node.attrib["cx"]) < 460 and 0 < float(node.attrib["cy"]) < 300 for node in circles)
    assert "by <minutes>" in [node.text for node in root.iter()]
    assert "http" not in svg(CURVES).replace("http://www.w3.org/2000/svg", "")


def test_a_flat_curve_looks_flat() -> None:
    root = ElementTree.fromstring(svg(CURVES[1:]))
    heights = [float(node.attrib["cy"]) for node in root.iter() if node.tag.endswith("circle")]
    assert max(heights) - min(heights) < 10


def test_a_curve_is_told_in_a_line() -> None:
    assert str(CURVES[0]) == "by <minutes>: 10 min: 30.0 ms, 540 min: 44.0 ms"

"""A chart drawn as a Plotly figure and as SVG: both must show the same marks, values and labels."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from dashboards.charts.chart import Chart, Columns, Dots, Lines, Matrix
from dashboards.charts.svg import About
from dashboards.charts.theme import Palette, shade
from dashboards.charts.to_plotly import plotly_figure
from dashboards.charts.to_svg import svg_chart

__all__ = ["assert_drawn_alike", "drawn"]

PIXELS = 1.0
"""Tolerance for a mark's position, in pixels; numbers in SVG have two decimals."""


def drawn(chart: Chart, colours: Palette) -> Element:
    """Return a chart's SVG, parsed."""
    return fromstring(svg_chart(chart, About("name", "Title", "Text"), colours))


def assert_drawn_alike(chart: Chart, colours: Palette) -> None:
    """Check that both drawings of a chart agree."""
    figure: Any = plotly_figure(chart, colours)
    svg = drawn(chart, colours)
    marks = {said: group for group in svg.findall("g") if (said := group.findtext("title")) is not None}
    if isinstance(chart, Matrix):
        _hold_cells(figure, marks)
    elif isinstance(chart, Lines):
        _hold_lines(figure, svg)
    else:
        _hold_marks(chart, figure, marks)
    _hold_labels(figure, svg)


def _hold_marks(chart: Chart, figure: Any, marks: dict[str, Element]) -> None:
    upright = isinstance(chart, Columns)
    by_panel: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for trace in _with_words(figure):
        for said, value in zip(trace.customdata, trace.y if upright else trace.x, strict=True):
            if value is not None:
                by_panel[trace.xaxis or "x"][said] += value
            assert said in marks
    assert set(marks) == {said for trace in _with_words(figure) for said in trace.customdata}
    for values in by_panel.values():
        places = {said: _place(chart, marks[said]) for said in values}
        _assert_on_a_line([(values[said], places[said]) for said in values])


def _place(chart: Chart, group: Element) -> float:
    """Return the position of a dot, or the length of a bar."""
    if not isinstance(chart, Dots):
        side = "height" if isinstance(chart, Columns) else "width"
        return sum(float(box.get(side, 0)) for box in group.findall("rect"))
    dots = [*group.findall("circle"), *group.findall("polygon")]
    if dots[0].tag == "circle":
        return float(dots[0].get("cx", "nan"))
    across = [x for x, _ in _points(dots[0])]
    return (min(across) + max(across)) / 2


def _hold_cells(figure: Any, marks: dict[str, Element]) -> None:
    (heat,) = figure.data
    scale = tuple((place, colour) for place, colour in heat.colorscale)
    count = 0
    for values, words in zip(heat.z, heat.customdata, strict=True):
        for value, said in zip(values, words, strict=True):
            if value is None:
                continue
            count += 1
            box = marks[said].find("rect")
            assert box is not None
            assert box.get("fill") == shade(value, scale, heat.zmin, heat.zmax)
    assert count == len(marks)


def _hold_lines(figure: Any, svg: Element) -> None:
    traces, groups = _with_words(figure), [group for group in svg.findall("g") if group.find("polyline") is not None]
    by_panel: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for trace, group in zip(traces, groups, strict=True):
        assert group.findtext("title") == f"{trace.customdata[0]}; {trace.customdata[-1]}"
        line = group.find("polyline")
        assert line is not None
        points = _points(line)
        _assert_on_a_line([(x, place) for x, (place, _) in zip(trace.x, points, strict=True)])
        by_panel[trace.xaxis or "x"] += [(y, place) for y, (_, place) in zip(trace.y, points, strict=True)]
    for pairs in by_panel.values():
        _assert_on_a_line(pairs)


def _hold_labels(figure: Any, svg: Element) -> None:
    """Check that the SVG has every label of the figure; labels may be shortened if space is limited."""
    texts = ["".join(text.itertext()) for text in svg.iter("text")]
    for wanted in _labels(figure):
        plain = unescape(re.sub(r"<br>| *\n *", " ", re.sub(r"</?b>", "", wanted))).rstrip("…")
        assert any(_is_cut(text, plain) for text in texts), (wanted, texts)


def _is_cut(text: str, wanted: str) -> bool:
    begun, whole = (re.sub(r"\s", "", part).rstrip("…") for part in (text, wanted))
    return bool(begun) and (whole.startswith(begun) or begun.startswith(whole))


def _labels(figure: Any) -> Iterator[str]:
    for note in figure.layout.annotations:
        yield note.text
    for axis in figure.select_yaxes():
        yield from axis.ticktext or ()
    for trace in figure.data:
        if trace.type != "heatmap" and trace.showlegend is not False and trace.name:
            yield trace.name


def _with_words(figure: Any) -> Iterable[Any]:
    return [trace for trace in figure.data if trace.customdata is not None]


def _points(shape: Element) -> list[tuple[float, float]]:
    pairs = (point.split(",") for point in shape.get("points", "").split())
    return [(float(x), float(y)) for x, y in pairs]


def _assert_on_a_line(pairs: Sequence[tuple[float, float]]) -> None:
    """Check that positions are a linear function of the values."""
    (low, start), (high, end) = min(pairs), max(pairs)
    for value, place in pairs:
        part = (value - low) / (high - low) if high > low else 0.0
        assert place == pytest.approx(start + part * (end - start), abs=PIXELS)

"""Numbers along the axes of charts, and in printed charts."""

import re

import pytest

from dashboards.charts.axes import Scale
from dashboards.charts.chart import Cell, Dot, DotPanel, Dots, Matrix
from dashboards.charts.svg import LETTER, About
from dashboards.charts.theme import LIGHT, diverging
from dashboards.charts.to_plotly import plotly_figure
from dashboards.charts.to_svg import svg_chart


@pytest.mark.parametrize(
    ("low", "high", "form", "texts"),
    [
        (-1.0, 0.6, "+d", ["−1.0", "−0.5", "0", "+0.5"]),
        (-50.0, 0.0, "+d", ["−40", "−20", "0"]),
        (0.0, 0.01, ".0%", ["0%", "0.5%", "1.0%"]),
        (0.0, 1.0, ".0%", ["0%", "50%", "100%"]),
        (0.0, 0.4, "", ["0", "0.1", "0.2", "0.3", "0.4"]),
        (0.0, 4000.0, "", ["0", "1,000", "2,000", "3,000", "4,000"]),
    ],
)
def test_numbers_along_an_axis_differ_and_zero_is_plain(low: float, high: float, form: str, texts: list[str]) -> None:
    assert [text for _, text in Scale(low, high, 0, 1).ticks(form, 4)] == texts


def test_pages_and_paper_write_numbers_along_an_axis_alike() -> None:
    dots = tuple(Dot(name, at, at, at, LIGHT.accent, "circle", "", {}) for name, at in (("a", -0.4), ("b", 0.6)))
    chart = Dots(("a", "b"), (DotPanel("Rivals' moves", dots, "+d"),))
    assert list(plotly_figure(chart, LIGHT).layout.xaxis.ticktext) == ["0", "+0.5"]
    drawn = svg_chart(chart, About("costs", "", ""), LIGHT)
    assert all(f">{text}</text>" in drawn for text in ("−0.2", "0", "+0.2"))


def test_numbers_of_a_printed_matrix_stay_in_their_cells() -> None:
    names = tuple(str(village) for village in range(20))
    cells = tuple(Cell("salt", name, 0.4, "+0.4", "", {}) for name in names)
    drawn = svg_chart(Matrix(("salt",), names, cells, diverging(LIGHT), -1, 1), About("supply", "", ""), LIGHT)
    width = min(map(float, re.findall(r'<rect [^>]*width="([\d.]+)"', drawn)))
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"[^>]*>\+0.4<', drawn)]
    assert len(sizes) == len(names)
    assert max(sizes) * LETTER * len("+0.4") <= width

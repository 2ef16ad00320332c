"""Numbers in printed charts."""

import re

import pytest

from dashboards.charts.chart import Cell, Matrix
from dashboards.charts.svg import LETTER, About, written
from dashboards.charts.theme import LIGHT, diverging
from dashboards.charts.to_svg import svg_chart


@pytest.mark.parametrize(
    ("value", "ticks", "text"),
    [
        (1000.0, ",", "1,000"),
        (0.25, ".0%", "25%"),
        (1.0, ".0%", "100%"),
        (-40.0, "+d", "\N{MINUS SIGN}40"),
        (0.0, "+d", "+0"),
        (0.5, "", "0.5"),
        (-0.5, "", "\N{MINUS SIGN}0.5"),
        (20.0, "", "20"),
    ],
)
def test_numbers_are_written_as_plotly_writes_them(value: float, ticks: str, text: str) -> None:
    assert written(value, ticks) == text


def test_numbers_of_a_printed_matrix_stay_in_their_cells() -> None:
    names = tuple(str(village) for village in range(20))
    cells = tuple(Cell("salt", name, 0.4, "+0.4", "", {}) for name in names)
    drawn = svg_chart(Matrix(("salt",), names, cells, diverging(LIGHT), -1, 1), About("supply", "", ""), LIGHT)
    width = min(map(float, re.findall(r'<rect [^>]*width="([\d.]+)"', drawn)))
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"[^>]*>\+0.4<', drawn)]
    assert len(sizes) == len(names)
    assert max(sizes) * LETTER * len("+0.4") <= width

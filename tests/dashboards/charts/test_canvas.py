"""Axis numbers of printed charts."""

import pytest

from dashboards.charts.svg import written


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

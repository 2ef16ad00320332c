"""The legend of a map of differences."""

import pytest

from dashboards.boards.traffic import Layer, legend


@pytest.mark.parametrize(
    ("values", "more", "fewer"),
    [
        ({1: 1.0, 2: 3.0}, "+ more by winners, up to +3.0", "− more by losers nowhere"),
        ({1: -2.0, 2: 3.0}, "+ more by winners, up to +3.0", "− more by losers, up to −2.0"),
        ({1: -2.0}, "+ more by winners nowhere", "− more by losers, up to −2.0"),
        ({}, "+ more by winners nowhere", "− more by losers nowhere"),
    ],
)
def test_no_sign_in_the_legend_contradicts_its_words(values: dict[int, float], more: str, fewer: str) -> None:
    text = legend(Layer(villages=values, villages_unit="arrivals", is_difference=True), "winners", "losers")
    assert f"</span>{more}</span>" in text
    assert f"</span>{fewer}</span>" in text

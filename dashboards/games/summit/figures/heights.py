"""How high each player's climber and Sherpas stood, at the end and after each throw."""

from functools import partial
from typing import Final

from dashboards.charts.lines import Course
from dashboards.games.figure import Defined
from dashboards.games.shared.by_round import ByRound, height_finding
from dashboards.games.shared.seat_spread import SeatSpread
from dashboards.games.shared.seat_sums import Kind
from dashboards.games.summit.figures.shared import SEATS

__all__ = ["HEIGHTS", "HEIGHTS_BY_THROW"]

HEIGHTS: Final = SeatSpread(
    name="heights",
    title="How high climbers and Sherpas got",
    table=SEATS,
    kinds={
        "climber": Kind(
            "f.climber",
            "Field of the climber",
            "On average, {}'s climber ends highest: on field {}",
            "On average, {}'s climber ends on field {}",
        ),
        "sherpas": Kind(
            "f.sherpas",
            "Fields of the Sherpas",
            "On average, {}'s Sherpas end highest: on {} fields in total",
            "On average, {}'s Sherpas end on {} fields in total",
        ),
    },
    mean=Defined(
        "height",
        "Mean",
        "How high a seat is: the field of its climber, or the sum of the fields of its four Sherpas; at the end, or"
        " before the throw that follows each one, if at least a tenth of the player's seats got that far.",
        "mean over seats",
        "fields",
    ),
    keys={"figure": "Pawns", "player": "Player"},
    grain="figure, player (and round)",
)
HEIGHTS_BY_THROW: Final = ByRound(
    name="heights-by-throw",
    title="How high, throw by throw",
    course=Course(
        "figure",
        (("climber", "Climber"), ("sherpas", "Sherpas, sum of fields")),
        "height",
        "throw",
        (1, 5, 10, 15, 20),
    ),
    table="agg_summit_standings",
    heading="Pawns",
    finding=partial(height_finding, figure="climber", name="height", what="field of climbers", word="throw"),
)

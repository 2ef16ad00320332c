"""What several figures of caravan share: its influences, the tables they count, and how places are told and drawn."""

from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bands import Course
from dashboards.charts.plotly.dots import Format, intervals
from dashboards.charts.theme import Palette
from dashboards.games.figure import Row

__all__ = [
    "BY_INFLUENCE",
    "COURSES",
    "ELIMINATED_OVER",
    "ELIMINATIONS",
    "INFLUENCES",
    "REGION_NAME",
    "SEATS",
    "VILLAGE_NAME",
    "draw_by_place",
    "of_influence",
    "with_places",
]

INFLUENCES: Final = ("religious", "political", "economic")
"""In the order in which the final scoring counts them; by the first two seats are eliminated."""
SEATS: Final = "fct_caravan_seats"
"""One row per seat: all it did, and the influence that it ended with."""
COURSES: Final = "fct_caravan_courses"
"""One row per match: how often the lead and regions changed hands, when it was decided."""
ELIMINATIONS: Final = (
    "fct_caravan_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
)
ELIMINATED_OVER: Final = {"religious": "religion", "political": "politics"}
"""What somebody is eliminated on, by its influence."""
BY_INFLUENCE: Final = Course(
    key="influence",
    kinds=tuple((influence, influence.capitalize()) for influence in INFLUENCES),
    value="points",
    word="round",
    ticks=(1, 4, 8, 12),
    hues=lambda colours: colours.influences,
)
"""A panel for each influence."""
VILLAGE_NAME: Final = pl.format("Village {}, level {}", "village", "level")
REGION_NAME: Final = pl.format("Region {}", "region")


def of_influence(row: Row) -> dict[str, str]:
    """Say that a row counts seats eliminated by its influence."""
    return {"result": row["influence"]}


def with_places(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of villages, regions or roads with what each is called inside a sentence, as `place`."""
    if "road" in frame.columns:
        return frame.with_columns(
            pl.format("the {} road {}\N{EN DASH}{}", "road", "village_a", "village_b").alias("place")
        )
    kind = "village" if "village" in frame.columns else "region"
    return frame.with_columns(pl.format(f"{kind} {{}}", kind).alias("place"))


def draw_by_place(
    frame: pl.DataFrame, name: pl.Expr, column: str, colours: Palette, shown: Format, axis_format: str = ""
) -> go.Figure:
    """Draw a column with its interval for each place; `name` says what the place of a row is called."""
    marks = [(colours.accent, "circle")] * frame.height
    named = frame.with_columns(name.alias("row"))
    return intervals(named, column, colours, rows="row", shown=shown, axis_format=axis_format, marks=marks)

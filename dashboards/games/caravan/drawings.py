"""The drawings of caravan's figures: endings, income, goods, actions that came to nothing, rewards, tokens, courses."""

from functools import partial
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bands import Course, draw_at_the_end, draw_by_round, draw_rounds_overlaid
from dashboards.charts.plotly.bars import counted, histogram, stacked, stacked_parts
from dashboards.charts.plotly.dots import (
    Format,
    Panel,
    by_part,
    interval_panels,
    intervals,
    middle_half,
    number,
    percent,
)
from dashboards.charts.plotly.graph import Drawing
from dashboards.charts.plotly.heat import diverging, matrix
from dashboards.charts.theme import Palette
from dashboards.games.caravan.outcomes import INFLUENCES

__all__ = [
    "DRAW_COMEBACKS",
    "DRAW_CONTESTED",
    "DRAW_COURSES",
    "DRAW_DECISIVE_ROUND",
    "DRAW_DELEGATIONS",
    "DRAW_ELIMINATIONS",
    "DRAW_ENDINGS",
    "DRAW_FINAL_INFLUENCE",
    "DRAW_GOODS",
    "DRAW_INCOME",
    "DRAW_INFLUENCE_BY_ROUND",
    "DRAW_INFLUENCE_BY_ROUND_OVERLAID",
    "DRAW_REGIONS",
    "DRAW_REWARDS",
    "DRAW_ROADS",
    "DRAW_STUPAS",
    "DRAW_SUPPLY",
    "DRAW_TIE_BREAKS",
    "DRAW_TOKENS",
    "DRAW_VILLAGES",
    "DRAW_VOIDS",
]

ENDINGS: Final = {
    "won": "won",
    "religious": "out: religious",
    "political": "out: political",
    "outlasted": "stayed in, lost",
}
SOURCES: Final = {"barter": "discs of barters", "inventory": "inventory markers"}
REASONS: Final = {
    "too_late": "came too late",
    "nothing_else": "nothing there",
    "already_collected": "already collected",
    "goods_missing": "goods missing",
    "declined": "declined",
    "no_road": "no road",
    "yeti": "Yeti",
    "storm_unfinished": "storm: not crossed",
    "on_storm": "on a storm",
}
PAIRS: Final = {
    "barter_offering": "barter and offering",
    "barter_delegation": "barter and delegation",
    "offering_delegation": "offering and delegation",
    "fewer": "fewer than two",
}
TOKENS: Final = {
    "stopped": "Yeti: actions stopped",
    "slowed": "Snowstorm: actions slowed",
    "gained": "Market: goods gained",
    "given": "Market: goods given",
}


def draw_endings(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How each player's matches ended, as parts of a whole bar."""
    wide = frame.pivot("ending", index=["player", "played"], values="seats", maintain_order=True)
    return stacked(wide, ENDINGS, colours.endings, colours, part="ending", whole=wide["played"])


def draw_eliminations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player went out by each influence, and how little it was short of."""
    parts = []
    for influence in frame["influence"].unique(maintain_order=True):
        rows = frame.filter(pl.col("influence") == influence)
        parts += [
            Panel(f"Out: {influence}", rows, "out_share", percent, ".0%"),
            middle_half(Panel("Short by (median)", rows, "margin", number), "margin"),
        ]
    return interval_panels(parts, colours)


def draw_tie_breaks(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Bars of what decided eliminations: enough that one had least, or which tie-break."""
    rows = list(frame.iter_rows(named=True))
    labels = [f"{row['influence']}: {str(row['tie_break']).replace('_', ' ')}" for row in rows]
    return counted(
        labels,
        frame["eliminations"].to_list(),
        [colours.influences[INFLUENCES.index(row["influence"])] for row in rows],
        colours,
        said=[
            f"{name}: {row['eliminations']:,} eliminations, {row['tie_share']:.1%} (95% interval"
            f" {row['tie_share_low']:.1%} to {row['tie_share_high']:.1%})"
            for name, row in zip(labels, rows, strict=True)
        ],
        narrow=rows,
    )


def draw_income(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Yaks a match by where they came from."""
    hues = (colours.influences[2], colours.endings[1])
    return stacked_parts(frame, "source", "yaks", SOURCES, hues, colours, shown=number)


def draw_goods(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Goods a match: a panel for each kind and for what became of them."""
    return interval_panels(by_part(frame, "kind", "goods", number), colours, most=5)


def draw_voids(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Actions a match that came to nothing, by reason.

    Coming too late is a part of finding nothing, so that what is left of the latter is drawn by itself.
    """
    late = frame.filter(pl.col("reason") == "too_late").select("player", late="voids")
    rest = pl.col("voids") - pl.col("late")
    moved = [(rest if column == "voids" else pl.col(column)).alias(column) for column in frame.columns]
    nothing = frame.filter(pl.col("reason") == "nothing_here").join(late, on="player").select(moved)
    nothing = nothing.with_columns(
        pl.lit("nothing_else").alias("reason"), voids_low=pl.lit(None, pl.Float64), voids_high=pl.lit(None, pl.Float64)
    )
    return stacked_parts(pl.concat([frame, nothing]), "reason", "voids", REASONS, colours.parts, colours, shown=number)


def draw_rewards(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Which two rewards were taken for deliveries, as shares of them."""
    return stacked_parts(frame, "pair", "pair_share", PAIRS, colours.parts, colours, shown=percent, is_share=True)


def draw_tokens(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each token was placed, and what one that was placed did."""
    placed = [
        Panel(
            f"{str(token).capitalize()} placed",
            frame.filter(pl.col("token") == token).unique("player", maintain_order=True),
            "placed_share",
            percent,
            ".0%",
        )
        for token in frame["token"].unique(maintain_order=True)
    ]
    effects = [
        Panel(TOKENS.get(effect, str(effect)), frame.filter(pl.col("effect") == effect), "token_effect", number)
        for effect in frame["effect"].unique(maintain_order=True)
    ]
    most = max(len(placed), len(effects))
    return interval_panels([*placed, *[None] * (most - len(placed)), *effects], colours, most=most)


def draw_decisive_round(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many matches were decided in each round."""
    return histogram(frame["round"].to_list(), frame["matches"].to_list(), colours, heading="round")


def draw_comebacks(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player's wins were comebacks."""
    return intervals(frame, "comeback_share", colours, shown=percent, axis_format=".0%")


def draw_courses(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    return interval_panels(by_part(named, "kind", "per_match", number), colours, rows="row")


def draw_stupas(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """In which share of the matches a stupa came to each village."""
    return _by_place(frame, "Village {}, level {}", "stupa_share", colours, percent, ".0%")


def draw_contested(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many seats contested each village in a match."""
    return _by_place(frame, "Village {}, level {}", "contests_per_match", colours, number)


def draw_delegations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many delegations went to each region in a match."""
    return _by_place(frame, "Region {}", "delegations_per_match", colours, number)


def draw_regions(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each region changed hands in a match."""
    return _by_place(frame, "Region {}", "flips_per_match", colours, number)


def draw_supply(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How much more of each good came to each village than was demanded there in a match, with its sign."""
    cells: dict[tuple[str, str], tuple[float, str, str, str]] = {}
    for row in frame.iter_rows(named=True):
        surplus = row["supplied_per_match"] - row["demanded_per_match"]
        said = (
            f"Village {row['village']}, {row['resource']}, a match: {row['supplied_per_match']:.2f} supplied,"
            f" {row['demanded_per_match']:.2f} demanded, {row['collected_per_match']:.2f} collected,"
            f" {row['spent_per_match']:.2f} delivered"
        )
        text = f"{surplus:+.1f}".replace("-", "\N{MINUS SIGN}")
        cells[row["resource"], str(row["village"])] = (surplus, text, said, "")
    most = max((abs(cell[0]) for cell in cells.values()), default=1.0)
    villages = [str(village) for village in sorted(frame["village"].unique())]
    resources = frame["resource"].unique(maintain_order=True).to_list()
    return matrix(
        cells, resources, villages, diverging(colours), colours, least=-most, most=most, heads=("", "village")
    )


def _by_place(
    frame: pl.DataFrame, name: str, column: str, colours: Palette, shown: Format, axis_format: str = ""
) -> go.Figure:
    keys = [key for key in ("village", "region", "level") if key in frame.columns]
    named = frame.with_columns(pl.format(name, *keys).alias("row"))
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(named, column, colours, rows="row", shown=shown, axis_format=axis_format, marks=marks)


def draw_villages(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Each village's share of arrivals."""
    named = frame.with_columns(pl.format("Village {}", "village").alias("row"))
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(named, "arrival_share", colours, rows="row", shown=percent, axis_format=".0%", marks=marks)


def draw_roads(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Each road's share of journeys."""
    named = frame.with_columns(pl.format("{}\N{EN DASH}{}, {}", "village_a", "village_b", "road").alias("row"))
    marks = [(colours.accent, "circle")] * frame.height
    return intervals(named, "journey_share", colours, rows="row", shown=percent, axis_format=".0%", marks=marks)


COURSE: Final = Course(
    "influence",
    tuple((influence, influence.capitalize()) for influence in INFLUENCES),
    "points",
    lambda colours: colours.influences,
    "round",
    (1, 4, 8, 12),
)


DRAW_FINAL_INFLUENCE: Final[Drawing] = partial(draw_at_the_end, COURSE)
DRAW_INFLUENCE_BY_ROUND: Final[Drawing] = partial(draw_by_round, COURSE)
DRAW_ENDINGS: Final[Drawing] = draw_endings
DRAW_ELIMINATIONS: Final[Drawing] = draw_eliminations
DRAW_TIE_BREAKS: Final[Drawing] = draw_tie_breaks
DRAW_INCOME: Final[Drawing] = draw_income
DRAW_GOODS: Final[Drawing] = draw_goods
DRAW_VOIDS: Final[Drawing] = draw_voids
DRAW_REWARDS: Final[Drawing] = draw_rewards
DRAW_TOKENS: Final[Drawing] = draw_tokens
DRAW_DECISIVE_ROUND: Final[Drawing] = draw_decisive_round
DRAW_COMEBACKS: Final[Drawing] = draw_comebacks
DRAW_COURSES: Final[Drawing] = draw_courses
DRAW_STUPAS: Final[Drawing] = draw_stupas
DRAW_CONTESTED: Final[Drawing] = draw_contested
DRAW_DELEGATIONS: Final[Drawing] = draw_delegations
DRAW_REGIONS: Final[Drawing] = draw_regions
DRAW_SUPPLY: Final[Drawing] = draw_supply
DRAW_VILLAGES: Final[Drawing] = draw_villages
DRAW_ROADS: Final[Drawing] = draw_roads
DRAW_INFLUENCE_BY_ROUND_OVERLAID: Final[Drawing] = partial(draw_rounds_overlaid, COURSE)

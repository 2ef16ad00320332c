"""The drawings of The Climbers' figures: levels, ladders, blocks, discs, hindrances, where climbers stood, courses."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bands import Course, draw_by_round, draw_rounds_overlaid
from dashboards.charts.plotly.bars import histogram, stacked, stacked_parts
from dashboards.charts.plotly.dots import Panel, by_part, interval_panels, intervals, middle_half, number, percent
from dashboards.charts.plotly.graph import Drawing
from dashboards.charts.plotly.heat import matrix
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.games.climbers.terms import TERMS
from dashboards.stats.words import plain, signed

__all__ = [
    "DRAW_BLOCKS",
    "DRAW_DECISIVE_TURN",
    "DRAW_DISCS",
    "DRAW_FROM_LAST",
    "DRAW_HINDERED",
    "DRAW_HINDERED_BY",
    "DRAW_IN_A_MATCH",
    "DRAW_LADDERS",
    "DRAW_LEVELS",
    "DRAW_LEVELS_BY_TURN",
    "DRAW_LEVELS_BY_TURN_OVERLAID",
    "DRAW_LEVELS_GAINED",
    "DRAW_LEVELS_STOOD",
    "DRAW_MORE_OF",
    "DRAW_SQUARES",
    "DRAW_TURNS_TAKEN",
    "DRAW_WAYS_TO_WIN",
]

GAINED: Final = {"own": "own turns", "others": "others' turns"}
LADDERS: Final = {"left": "Left of two", "short": "Short, spent", "long": "Long, spent", "levels": "Levels by them"}
BLOCKS: Final = {
    "moved": "Moved",
    "turned": "Turned in place",
    "raised": "Top higher",
    "lowered": "Top lower",
    "shifted": "Climbers set aside",
}
HINDERED: Final = {
    "blocks": "By blocks of others",
    "discs": "By discs of others",
    "hindering": "Hindering others",
    "shifted": "Set aside by others",
}
DISCS: Final = {
    "disc_share": ("Laid", percent, ".0%"),
    "disc_turn": ("In turn", number, ""),
    "disc_hindered": ("Others hindered by it", number, ""),
}
SIDES: Final = {
    "steps_own": "Steps in own turns",
    "steps_others": "Steps after others' turns",
    "levels_others": "Levels after others' turns",
    "levels_by_ladder": "Levels by ladders",
    "ladders_left": "Ladders left",
    "blocks_moved": "Blocks moved",
    "blocks_turned": "Blocks turned in place",
    "hindered": "Hindered",
    "hindering": "Hindering others",
    "discs_laid": "Discs laid",
}
STAND: Final = 0.05
MOST_SQUARES: Final = 15


def draw_levels(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Mean level with its interval, and median with the middle half."""
    mean = Panel("Mean level", frame, "level_reached", number)
    half = middle_half(Panel("Median and middle half", frame, "level_reached", number), "level_reached")
    return interval_panels([mean, half], colours)


def draw_gained(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Levels gained in own turns and after those of others, as parts of one bar."""
    return stacked_parts(frame, "kind", "levels_gained", GAINED, colours.parts, colours, shown=number)


def draw_kinds(column: str, called: Mapping[str, str], frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw a panel for each kind, as many as there are in a line."""
    parts = [
        Panel(called[kind], frame.filter(kind=kind), column, number)
        for kind in frame["kind"].unique(maintain_order=True)
    ]
    return interval_panels(parts, colours, most=5)


def draw_discs(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often discs are laid, when, and whom they hinder."""
    parts = [
        Panel(heading, frame.filter(pl.col(column).is_not_null()), column, shown, axis_format)
        for column, (heading, shown, axis_format) in DISCS.items()
    ]
    return interval_panels([part if part.frame.height else None for part in parts], colours)


def draw_hinderers(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often the player of a row is hindered by that of a column."""
    cells: dict[tuple[str, str], tuple[float, str, str, str]] = {}
    for row in frame.iter_rows(named=True):
        said = f"{row['player']} is hindered by {row['other']} {row['hindered_by']:.2f} times a match"
        narrow = narrowing(player=row["player"], **{"with": row["other"]})
        cells[row["player"], row["other"]] = (row["hindered_by"], f"{row['hindered_by']:.2f}", said, narrow)
    most = float(frame["hindered_by"].max() or 0) or 1.0  # type: ignore[arg-type]
    scale = [(step / (len(colours.heat) - 1), hue) for step, hue in enumerate(colours.heat)]
    players = sorted(set(frame["player"]))
    others = sorted(set(frame["other"]))
    return matrix(cells, players, others, scale, colours, least=0.0, most=most, heads=("hindered", "by"))


def draw_more_of(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """By how much winners have more than losers; filled where Holm's correction lets it stand."""
    stands = [holm is not None and holm <= STAND for holm in frame["winner_difference_holm"]]
    return intervals(
        frame.with_columns(pl.col("kind").replace(SIDES).alias("row")),
        "winner_difference",
        colours,
        rows="row",
        shown=partial(signed, digits=2),
        zero=True,
        marks=[(colours.accent, "circle" if one else "circle-open") for one in stands],
        narrow=[narrowing(result="won")] * frame.height,
    )


def draw_squares(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw the squares on which climbers stood most often; the map has them all."""
    most = frame.head(MOST_SQUARES)
    rows = [f"{plain(x, 0)}, {plain(y, 0)}" for x, y in most.select("square_x", "square_y").iter_rows()]
    named = most.with_columns(pl.Series("row", rows, dtype=pl.String))
    return intervals(named, "stand_share", colours, rows="row", shown=percent, axis_format=".0%")


def draw_levels_stood(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many stands were on each level."""
    counts = frame["levels_stood"].to_list()
    return histogram(frame["level"].to_list(), counts, colours, heading="level", unit="stands")


def draw_ways(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How matches of each size were won, as parts of a whole bar."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    wide = named.pivot("ending", index=["row", "players", "of_matches"], values="matches", maintain_order=True)
    hues = (colours.endings[0], colours.endings[1], colours.endings[3])
    return stacked(wide, TERMS.endings, hues, colours, rows="row", part="ending", whole=wide["of_matches"])


def draw_turns_taken(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Mean turns with their interval, and median with the middle half, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    mean = Panel("Mean turns", named, "turns_taken", number)
    half = middle_half(Panel("Median and middle half", named, "turns_taken", number), "turns_taken")
    return interval_panels([mean, half], colours, rows="row")


def draw_decisive_turn(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many matches were decided by each turn."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known["round"].to_list(), known["matches"].to_list(), colours, heading="turn")


def draw_from_last(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player's wins were from behind."""
    return intervals(frame, "from_last_share", colours, shown=percent, axis_format=".0%")


def draw_in_a_match(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    return interval_panels(by_part(named, "kind", "happens", number), colours, rows="row", most=4)


def _hues(colours: Palette) -> Sequence[str]:
    return colours.influences[0], colours.influences[2]


COURSE: Final = Course(
    "figure", (("level", "Level"), ("ladders", "Ladders left")), "level_after", _hues, "turn", (1, 10, 20, 30, 40)
)


DRAW_LEVELS: Final[Drawing] = draw_levels
DRAW_LEVELS_GAINED: Final[Drawing] = draw_gained
DRAW_LADDERS: Final[Drawing] = partial(draw_kinds, "ladders", LADDERS)
DRAW_BLOCKS: Final[Drawing] = partial(draw_kinds, "blocks", BLOCKS)
DRAW_DISCS: Final[Drawing] = draw_discs
DRAW_HINDERED: Final[Drawing] = partial(draw_kinds, "hindrances", HINDERED)
DRAW_HINDERED_BY: Final[Drawing] = draw_hinderers
DRAW_MORE_OF: Final[Drawing] = draw_more_of
DRAW_LEVELS_BY_TURN: Final[Drawing] = partial(draw_by_round, COURSE)
DRAW_SQUARES: Final[Drawing] = draw_squares
DRAW_LEVELS_STOOD: Final[Drawing] = draw_levels_stood
DRAW_WAYS_TO_WIN: Final[Drawing] = draw_ways
DRAW_TURNS_TAKEN: Final[Drawing] = draw_turns_taken
DRAW_DECISIVE_TURN: Final[Drawing] = draw_decisive_turn
DRAW_FROM_LAST: Final[Drawing] = draw_from_last
DRAW_IN_A_MATCH: Final[Drawing] = draw_in_a_match
DRAW_LEVELS_BY_TURN_OVERLAID: Final[Drawing] = partial(draw_rounds_overlaid, COURSE)

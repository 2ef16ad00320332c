"""The drawings of summit's figures: endings, heights, dice, turns, fields gained and lost, falls, cards, courses."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.bands import Course, draw_by_round, draw_rounds_overlaid
from dashboards.charts.plotly.bars import histogram, stacked, stacked_parts
from dashboards.charts.plotly.dots import Panel, by_part, interval_panels, intervals, middle_half, number, percent
from dashboards.charts.plotly.graph import Drawing, axis, layout
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.theme import Palette
from dashboards.games.summit import outcomes
from dashboards.games.summit.terms import TERMS
from dashboards.stats.words import signed

__all__ = [
    "DRAW_CARDS",
    "DRAW_CLIMBED",
    "DRAW_DECISIVE_THROW",
    "DRAW_DICE",
    "DRAW_FALLS",
    "DRAW_FIELDS",
    "DRAW_FROM_BEHIND",
    "DRAW_HAPPENINGS",
    "DRAW_HEIGHTS",
    "DRAW_HEIGHTS_BY_THROW",
    "DRAW_HEIGHTS_BY_THROW_OVERLAID",
    "DRAW_LOST_SHERPAS",
    "DRAW_OUTCOMES",
    "DRAW_THROWS",
    "DRAW_TURNS",
    "DRAW_WEATHER",
    "DRAW_WINNERS",
]

CALLED: Final = {
    "won_summit": "won: summit",
    "won_bad_weather": "won: weather",
    "lost_bad_weather": "lost: weather",
    "lost_summit": "lost: summit",
    "luck": "Luck of the throws",
    "left": "What others left",
    "choice": "Own choice",
    "unused": "Not used",
    "dice_luck": "Luck of the throws, pips",
    "dice_left": "What others left, pips",
    "dice_choice": "Own choice, pips",
    "unused_pips": "Pips not used",
    "climber_moves": "Moves of the climber",
    "take_alongs": "Take-alongs",
    "slides": "Slides",
    "chases": "Chased by the Yeti",
    "cards_played": "Supply cards played",
}
"""What kinds are called in drawings."""
MOVED: Final = {"climber": "climber", "forward": "Sherpa up", "back": "Sherpa back", "forfeit": "nothing"}
CLIMBED: Final = {
    "climber": "Climber",
    "forward": "Sherpas, by numbers",
    "along": "Going along",
    "back": "Going back",
    "slid": "Down slides",
    "chased": "From the Yeti",
}
FALLS: Final = {
    "slide": "slid down",
    "yeti_arrived": "the Yeti came",
    "climber_left": "its climber left",
    "slid_to_yeti": "slid to the Yeti",
}
CARDS: Final = {
    "played": "Played",
    "moved_by": "Fields moved by",
    "taken_back": "Taken back",
    "declined": "Not taken back",
}
ENDED: Final = TERMS.endings
STAND: Final = 0.05


def draw_outcomes(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How each player's matches ended, as parts of a whole bar."""
    wide = frame.pivot("outcome", index=["player", "played"], values="seats", maintain_order=True)
    hues = (colours.endings[0], colours.parts[3], colours.endings[3], colours.endings[1])
    parts = {kind: CALLED[kind] for kind in outcomes.OUTCOMES}
    return stacked(wide, parts, hues, colours, part="outcome", whole=wide["played"])


def draw_weather(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How matches of each size ended, as parts of a whole bar."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    wide = named.pivot("ending", index=["row", "players", "of_matches"], values="matches", maintain_order=True)
    hues = (colours.endings[0], colours.endings[3])
    return stacked(wide, ENDED, hues, colours, rows="row", part="ending", whole=wide["of_matches"])


def draw_heights(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and middle half of how high climbers and Sherpas ended."""
    headings = {"climber": "Field of the climber", "sherpas": "Fields of the Sherpas"}
    parts = [
        middle_half(Panel(heading, frame.filter(figure=figure), "height", number), "height")
        for figure, heading in headings.items()
    ]
    return interval_panels(parts, colours)


def draw_dice(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw what dice and choices gave: a panel for each part."""
    return _panels(frame, "part", "dice_pips", CALLED, colours, most=2)


def draw_climbed(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Fields gained and lost: a panel for each way."""
    return _panels(frame, "kind", "fields_climbed", CLIMBED, colours, most=6)


def draw_cards(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Supply cards: a panel for each thing that is done with them."""
    return _panels(frame, "kind", "cards", CARDS, colours, most=4)


def draw_winners(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """By how much winners have more than losers; filled where Holm's correction lets it stand."""
    named = frame.with_columns(pl.col("kind").replace(CALLED).alias("row"))
    stands = [holm is not None and holm <= STAND for holm in frame["winner_difference_holm"]]
    marks = [(colours.accent, "circle" if one else "circle-open") for one in stands]
    return intervals(
        named,
        "winner_difference",
        colours,
        rows="row",
        shown=partial(signed, digits=2),
        zero=True,
        marks=marks,
        narrow=[narrowing(result="won")] * frame.height,
    )


def draw_turns(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Draw what turns moved, as shares of them."""
    return stacked_parts(frame, "choice", "turn_share", MOVED, colours.parts, colours, shown=percent, is_share=True)


def draw_falls(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often Sherpas were sent back, and why."""
    return stacked_parts(frame, "fall", "falls", FALLS, colours.parts, colours, shown=number)


def draw_throws(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and middle half of the throws that matches took, by how they ended."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"))
    parts = [
        middle_half(Panel(f"Ended by: {called}", named.filter(ending=ending), "throws_taken", number), "throws_taken")
        for ending, called in ENDED.items()
    ]
    return interval_panels([part for part in parts if part.frame.height], colours, rows="row")


def draw_decisive_throw(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many matches were decided by each throw."""
    known = frame.filter(pl.col("round").is_not_null())
    return histogram(known["round"].to_list(), known["matches"].to_list(), colours, heading="throw")


def draw_from_behind(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often each player's wins were from behind."""
    return intervals(frame, "behind_share", colours, shown=percent, axis_format=".0%")


def draw_happenings(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How often things happened in a match, by the size of the table."""
    named = frame.with_columns(pl.format("{} players", "players").alias("row"), pl.col("kind").replace(CALLED))
    return interval_panels(by_part(named, "kind", "times_per_match", number), colours, rows="row", most=3)


def draw_fields(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Each field's share of arrivals, along the route."""
    texts = [
        f"{share:.1%} of arrivals (95% interval {low:.1%} to {high:.1%}): climbers {climbers:,}, Sherpas {others:,}"
        for share, low, high, climbers, others in frame.select(
            "visit_share", "visit_share_low", "visit_share_high", "climbers", pl.col("sherpas") + pl.col("alongs")
        ).iter_rows()
    ]
    return _along_the_route(frame, "visit_share", {"visit_share": "arrivals"}, texts, (colours.accent,), colours, ".0%")


def draw_lost(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How many Sherpas slid, or were chased, from each field in a match."""
    rows = frame.with_columns((pl.col(way) / pl.col("matches")).alias(f"{way}_per_match") for way in ("slid", "chased"))
    texts = [
        f"{mean:.2f} Sherpas a match: {slid:,} slid, {chased:,} chased"
        for mean, slid, chased in frame.select("lost_per_match", "slid", "chased").iter_rows()
    ]
    parts = {"slid_per_match": "slid", "chased_per_match": "chased by the Yeti"}
    hues = colours.parts[:2]
    return _along_the_route(rows, "lost_per_match", parts, texts, hues, colours, "")


def _along_the_route(
    frame: pl.DataFrame,
    value: str,
    parts: Mapping[str, str],
    texts: Sequence[str],
    hues: Sequence[str],
    colours: Palette,
    axis_format: str,
) -> go.Figure:
    """Draw columns over the fields of the route, in parts of different hues, with the interval of the whole."""
    fields = frame["field"].to_list()
    said = [
        f"Field {field} ({terrain}): {text}"
        for (field, terrain), text in zip(frame.select("field", "terrain").iter_rows(), texts, strict=True)
    ]
    bars: list[Any] = [
        go.Bar(
            x=fields,
            y=frame[column].to_list(),
            name=name,
            marker={"color": hue},
            customdata=said,
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=len(parts) > 1,
        )
        for (column, name), hue in zip(parts.items(), hues, strict=True)
    ]
    middle, low, high = (frame[f"{value}{end}"] for end in ("", "_low", "_high"))
    bars.append(
        go.Scatter(
            x=fields,
            y=middle.to_list(),
            mode="markers",
            marker={"opacity": 0},
            showlegend=False,
            hoverinfo="skip",
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [_reach(end, at) for end, at in zip(high, middle, strict=True)],
                "arrayminus": [_reach(at, end) for end, at in zip(low, middle, strict=True)],
                "color": colours.text,
                "thickness": 1.5,
                "width": 0,
            },
        )
    )
    across = axis(
        colours, showgrid=False, title={"text": "field", "font": {"size": 12}, "standoff": 6}, dtick=5, tick0=0
    )
    up = axis(colours, rangemode="tozero", nticks=5, tickformat=axis_format)
    margin = {"l": 8, "r": 16, "t": 30 if len(parts) > 1 else 8, "b": 8}
    more = {"xaxis": across, "yaxis": up, "barmode": "stack", "bargap": 0.12, "margin": margin}
    return go.Figure(bars, layout(colours, 280, **more))


def _reach(high: float | None, low: float | None) -> float | None:
    reach = None if high is None or low is None else high - low
    return reach if reach is not None and abs(reach) != float("inf") else None


def _panels(
    frame: pl.DataFrame, key: str, value: str, called: Mapping[str, str], colours: Palette, *, most: int
) -> go.Figure:
    parts = [
        Panel(called[kind], frame.filter(pl.col(key) == kind), value, _plain)
        for kind in frame[key].unique(maintain_order=True)
    ]
    figure = interval_panels(parts, colours, most=most)
    figure.update_xaxes(zeroline=True, zerolinecolor=colours.muted, zerolinewidth=1)
    return figure


def _plain(value: float) -> str:
    """Write a mean that may be below zero."""
    return number(value).replace("-", "\N{MINUS SIGN}")


COURSE: Final = Course(
    "figure",
    (("climber", "Climber"), ("sherpas", "Sherpas, sum of fields")),
    "height",
    lambda colours: (colours.influences[0], colours.influences[2]),
    "throw",
    (1, 5, 10, 15, 20),
)


DRAW_OUTCOMES: Final[Drawing] = draw_outcomes
DRAW_HEIGHTS: Final[Drawing] = draw_heights
DRAW_DICE: Final[Drawing] = draw_dice
DRAW_WINNERS: Final[Drawing] = draw_winners
DRAW_TURNS: Final[Drawing] = draw_turns
DRAW_CLIMBED: Final[Drawing] = draw_climbed
DRAW_FALLS: Final[Drawing] = draw_falls
DRAW_CARDS: Final[Drawing] = draw_cards
DRAW_HEIGHTS_BY_THROW: Final[Drawing] = partial(draw_by_round, COURSE)
DRAW_FIELDS: Final[Drawing] = draw_fields
DRAW_LOST_SHERPAS: Final[Drawing] = draw_lost
DRAW_WEATHER: Final[Drawing] = draw_weather
DRAW_THROWS: Final[Drawing] = draw_throws
DRAW_DECISIVE_THROW: Final[Drawing] = draw_decisive_throw
DRAW_FROM_BEHIND: Final[Drawing] = draw_from_behind
DRAW_HAPPENINGS: Final[Drawing] = draw_happenings
DRAW_HEIGHTS_BY_THROW_OVERLAID: Final[Drawing] = partial(draw_rounds_overlaid, COURSE)

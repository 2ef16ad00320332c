"""Medians with the middle half around them: at the end, and round by round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.players import players_of, styles
from dashboards.charts.plotly.graph import (
    MEDIAN_ROOM,
    axis,
    label,
    layout,
    median_key,
    names_axis,
    nth,
    panels,
    see_through,
    spread,
    title,
)
from dashboards.charts.theme import Palette

__all__ = ["Course", "draw_at_the_end", "draw_by_round", "draw_rounds_overlaid"]

ROW: Final = 34
HEAD: Final = 66
TALL: Final = 88
LEAST: Final = 560
"""Pixels that three panels beside each other need."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is drawn of frames with a row for each player and kind (and round).

    `key` is the column of kinds, `kinds` are these in order with what they are called, `value` is the metric whose
    quartiles are drawn. `word` is a round as the game calls it, `ticks` are the rounds that are named on an axis.
    `hues` gives a colour for each kind where kinds have colours of their own; else it is that of the player.
    """

    key: str
    kinds: tuple[tuple[str, str], ...]
    value: str
    word: str
    ticks: tuple[int, ...]
    hues: Callable[[Palette], Sequence[str]] | None = None

    def colours_of(self, players: Sequence[str], colours: Palette) -> dict[str, Sequence[str]]:
        """Return the colour of each kind, by player."""
        if self.hues:
            return dict.fromkeys(players, self.hues(colours))
        return {player: [colour] * len(self.kinds) for player, (colour, *_) in styles(players, colours).items()}


def draw_at_the_end(course: Course, frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and quartiles of each kind at the end, one panel per kind."""
    players = players_of(frame)
    seen = styles(players, colours)
    order = pl.DataFrame({"player": players})
    traces, axes, titles = [], {}, []
    domains = panels(len(course.kinds), 0.05)
    name = course.value
    hues = course.hues(colours) if course.hues else [colours.accent] * len(course.kinds)
    for place, ((kind, called), hue, domain) in enumerate(zip(course.kinds, hues, domains, strict=True)):
        of_it = frame.filter(pl.col(course.key) == kind)
        rows = order.join(of_it, on="player", how="left", maintain_order="left")
        lower, median, upper = (rows[f"{name}_{end}"] for end in ("lower", "median", "upper"))
        traces.append(
            go.Scatter(
                x=median.to_list(),
                y=players,
                xaxis=nth("x", place),
                mode="markers",
                cliponaxis=False,
                showlegend=False,
                marker={
                    "size": 11,
                    "color": hue,
                    "symbol": [seen[player][1] for player in players],
                    "line": {"width": 1, "color": colours.text},
                },
                error_x=spread(lower, median, upper, see_through(hue, 0.55), 6),
                customdata=rows.select(f"{name}_lower", f"{name}_upper", name).rows(),
                hovertemplate=f"%{{y}}, {called.lower()}: median %{{x:g}}, middle half %{{customdata[0]:g}} to"
                " %{customdata[1]:g}, mean %{customdata[2]:.1f}<extra></extra>",
                meta={"narrow": rows.to_dicts()},
            )
        )
        axes[nth("xaxis", place)] = axis(colours, domain=domain, rangemode="tozero", nticks=5)
        titles.append(title(called, colours, domain))
    margin = {"l": 8, "r": 16, "t": 30, "b": 20 + MEDIAN_ROOM}
    key = [*titles, median_key(colours)]
    more = {"margin": margin, "annotations": key, "yaxis": names_axis(colours, players), "meta": {"least": 440}}
    return go.Figure(traces, layout(colours, HEAD + MEDIAN_ROOM + ROW * len(players), **more, **axes))


def draw_by_round(course: Course, frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and quartiles of each kind round by round: a column per kind, a row per player."""
    players = players_of(frame.sort("player"))
    columns = panels(len(course.kinds), 0.07)
    rows = panels(len(players), min(0.3, 14 / TALL) / max(len(players), 1))[::-1]
    parts = frame.partition_by("player", course.key, as_dict=True)
    rounds = _extent(frame)
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    hues = course.colours_of(players, colours)
    for column, (kind, _) in enumerate(course.kinds):
        most = max([*frame.filter(pl.col(course.key) == kind)[f"{course.value}_upper"], 1.0]) * 1.08
        for row, player in enumerate(players):
            place = row * len(course.kinds) + column
            is_last = row == len(players) - 1
            if (player, kind) in parts:
                traces += _band(course, parts[player, kind].sort("round"), place, hues[player][column])
            axes[nth("xaxis", place)] = _rounds_axis(
                course, colours, rounds, columns[column], nth("y", place), named=is_last
            )
            axes[nth("yaxis", place)] = axis(
                colours,
                domain=rows[row],
                anchor=nth("x", place),
                range=[0, most],
                nticks=3,
                tickfont={"color": colours.muted, "size": 11},
            )
    names = [
        {
            "text": f"<b>{label(player)}</b>",
            "x": columns[0][0],
            "xref": "paper",
            "xanchor": "left",
            "xshift": 6,
            "y": rows[row][1],
            "yref": "paper",
            "yanchor": "top",
            "showarrow": False,
            "align": "left",
            "font": {"size": 12, "color": colours.text},
        }
        for row, player in enumerate(players)
    ]
    heads = [
        {**title(called, colours, domain), "yshift": 2}
        for (_, called), domain in zip(course.kinds, columns, strict=True)
    ]
    margin = {"l": 8, "r": 16, "t": 28, "b": 8}
    more = {"margin": margin, "annotations": heads + names, "meta": {"least": 480}}
    return go.Figure(traces, layout(colours, 70 + TALL * len(players), **more, **axes))


def draw_rounds_overlaid(course: Course, frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Medians and quartiles with the players over each other in one panel per kind: for few of them."""
    players = players_of(frame.sort("player"))
    seen = styles(players, colours)
    columns = panels(len(course.kinds), 0.07)
    parts = frame.partition_by("player", course.key, as_dict=True)
    rounds = _extent(frame)
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    for place, (kind, _) in enumerate(course.kinds):
        for player in players:
            if (player, kind) not in parts:
                continue
            colour, shape, dash = seen[player]
            band, median = _band(course, parts[player, kind].sort("round"), place, colour, 0.13)
            median.update(
                name=player,
                legendgroup=player,
                showlegend=place == 0,
                mode="lines+markers",
                marker={"symbol": shape, "size": 7, "line": {"width": 1, "color": colours.text}},
                line={"color": colour, "width": 2, "dash": dash},
            )
            traces += [band, median]
        axes[nth("xaxis", place)] = _rounds_axis(course, colours, rounds, columns[place], nth("y", place), named=True)
        axes[nth("yaxis", place)] = axis(colours, anchor=nth("x", place), rangemode="tozero", nticks=5)
    heads = [title(called, colours, domain) for (_, called), domain in zip(course.kinds, columns, strict=True)]
    lines = 1 + sum(len(player) * 7 + 60 for player in players) // LEAST
    legend = {"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": 12}}
    margin = {"l": 8, "r": 16, "t": 34 + 20 * lines, "b": 8}
    more = {"margin": margin, "annotations": heads, "legend": legend, "meta": {"least": LEAST}}
    return go.Figure(traces, layout(colours, 290 + 20 * lines, **(more | axes)))


def _extent(frame: pl.DataFrame) -> tuple[int, int]:
    """Return the first and the last round."""
    rounds = frame["round"].to_list()
    return min(rounds), max(rounds)


def _rounds_axis(
    course: Course,
    colours: Palette,
    rounds: Sequence[int],
    domain: tuple[float, float],
    anchor: str,
    *,
    named: bool,
) -> dict[str, Any]:
    first, last = rounds
    return axis(
        colours,
        domain=domain,
        anchor=anchor,
        range=[first - 0.3, max(last, first + 1) + 0.3],
        tickvals=[number for number in course.ticks if first <= number <= last] or [first],
        showticklabels=named,
        title={"text": course.word if named else "", "font": {"size": 12}, "standoff": 4},
    )


def _band(course: Course, rows: pl.DataFrame, place: int, colour: str, strength: float = 0.28) -> list[go.Scatter]:
    """Return the middle half as a band and the median as a line."""
    axes = {"xaxis": nth("x", place), "yaxis": nth("y", place), "mode": "lines", "showlegend": False}
    rounds, name = rows["round"].to_list(), course.value
    band = go.Scatter(
        x=[*rounds, *reversed(rounds)],
        y=[*rows[f"{name}_upper"], *rows[f"{name}_lower"].reverse()],
        fill="toself",
        fillcolor=see_through(colour, strength),
        line={"width": 0},
        hoverinfo="skip",
        **axes,
    )
    median = go.Scatter(
        x=rounds,
        y=rows[f"{name}_median"].to_list(),
        line={"color": colour, "width": 2.5},
        customdata=rows.select("player", f"{name}_lower", f"{name}_upper", name).rows(),
        hovertemplate=f"%{{customdata[0]}} after {course.word} %{{x}}: median %{{y:g}}, middle half"
        " %{customdata[1]:g} to"
        " %{customdata[2]:g}, mean %{customdata[3]:.1f}<extra></extra>",
        meta={"narrow": rows.to_dicts()},
        **axes,
    )
    return [band, median]

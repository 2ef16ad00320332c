"""Medians with the middle half around them: at the end, and round by round."""

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from dashboards.figures.graph import axis, label, layout, names_axis, nth, panels, see_through, spread, title
from dashboards.figures.narrow import of_row
from dashboards.figures.players import looks, players_of
from dashboards.stats.caravan_endings import INFLUENCES
from dashboards.theme import Palette

__all__ = ["draw_final_influence", "draw_influence_by_round", "draw_rounds_overlaid"]

ROW: Final = 34
HEAD: Final = 66
TALL: Final = 88
ROUNDS: Final = (1, 4, 8, 12)
LEAST: Final = 560
"""Pixels that three panels beside each other need."""


def draw_final_influence(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and quartiles of each influence at the end, one panel per influence."""
    players = players_of(frame)
    seen = looks(players, colours)
    order = pl.DataFrame({"player": players})
    traces, axes, titles = [], {}, []
    domains = panels(len(INFLUENCES), 0.05)
    for place, (influence, hue, domain) in enumerate(zip(INFLUENCES, colours.influences, domains, strict=True)):
        of_it = frame.filter(pl.col("influence") == influence)
        rows = order.join(of_it, on="player", how="left", maintain_order="left")
        lower, median, upper = (rows[f"points_{name}"] for name in ("lower", "median", "upper"))
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
                customdata=rows.select("points_lower", "points_upper", "points").rows(),
                hovertemplate=f"%{{y}}, {influence}: median %{{x:g}}, middle half %{{customdata[0]:g}} to"
                " %{customdata[1]:g}, mean %{customdata[2]:.1f}<extra></extra>",
                meta={"narrow": [of_row(row) for row in rows.iter_rows(named=True)]},
            )
        )
        axes[nth("xaxis", place)] = axis(colours, domain=domain, rangemode="tozero", nticks=5)
        titles.append(title(influence.capitalize(), colours, domain))
    margin = {"l": 8, "r": 16, "t": 30, "b": 8}
    more = {"margin": margin, "annotations": titles, "yaxis": names_axis(colours, players), "meta": {"least": 440}}
    return go.Figure(traces, layout(colours, HEAD + ROW * len(players), **more, **axes))


def draw_influence_by_round(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Median and quartiles of each influence round by round: a column per influence, a row per player."""
    players = players_of(frame.sort("player"))
    columns = panels(len(INFLUENCES), 0.07)
    rows = panels(len(players), min(0.3, 14 / TALL) / max(len(players), 1))[::-1]
    parts = frame.partition_by("player", "influence", as_dict=True)
    rounds = _extent(frame)
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    for column, (influence, hue) in enumerate(zip(INFLUENCES, colours.influences, strict=True)):
        most = max([*frame.filter(pl.col("influence") == influence)["points_upper"], 1.0]) * 1.08
        for row, player in enumerate(players):
            place = row * len(INFLUENCES) + column
            is_last = row == len(players) - 1
            if (player, influence) in parts:
                traces += _band(parts[player, influence].sort("round"), place, hue)
            axes[nth("xaxis", place)] = _rounds_axis(colours, rounds, columns[column], nth("y", place), named=is_last)
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
        {**title(name.capitalize(), colours, domain), "yshift": 2}
        for name, domain in zip(INFLUENCES, columns, strict=True)
    ]
    margin = {"l": 8, "r": 16, "t": 28, "b": 8}
    more = {"margin": margin, "annotations": heads + names, "meta": {"least": 480}}
    return go.Figure(traces, layout(colours, 70 + TALL * len(players), **more, **axes))


def draw_rounds_overlaid(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Medians and quartiles with the players over each other in one panel per influence: for few of them."""
    players = players_of(frame.sort("player"))
    seen = looks(players, colours)
    columns = panels(len(INFLUENCES), 0.07)
    parts = frame.partition_by("player", "influence", as_dict=True)
    rounds = _extent(frame)
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    for place, influence in enumerate(INFLUENCES):
        for player in players:
            if (player, influence) not in parts:
                continue
            colour, shape, dash = seen[player]
            band, median = _band(parts[player, influence].sort("round"), place, colour, 0.13)
            median.update(
                name=player,
                legendgroup=player,
                showlegend=place == 0,
                mode="lines+markers",
                marker={"symbol": shape, "size": 7, "line": {"width": 1, "color": colours.text}},
                line={"color": colour, "width": 2, "dash": dash},
            )
            traces += [band, median]
        axes[nth("xaxis", place)] = _rounds_axis(colours, rounds, columns[place], nth("y", place), named=True)
        axes[nth("yaxis", place)] = axis(colours, anchor=nth("x", place), rangemode="tozero", nticks=5)
    heads = [title(name.capitalize(), colours, domain) for name, domain in zip(INFLUENCES, columns, strict=True)]
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
        tickvals=[number for number in ROUNDS if first <= number <= last] or [first],
        showticklabels=named,
        title={"text": "round" if named else "", "font": {"size": 12}, "standoff": 4},
    )


def _band(rows: pl.DataFrame, place: int, colour: str, strength: float = 0.28) -> list[go.Scatter]:
    """Return the middle half as a band and the median as a line."""
    axes = {"xaxis": nth("x", place), "yaxis": nth("y", place), "mode": "lines", "showlegend": False}
    rounds = rows["round"].to_list()
    band = go.Scatter(
        x=[*rounds, *reversed(rounds)],
        y=[*rows["points_upper"], *rows["points_lower"].reverse()],
        fill="toself",
        fillcolor=see_through(colour, strength),
        line={"width": 0},
        hoverinfo="skip",
        **axes,
    )
    median = go.Scatter(
        x=rounds,
        y=rows["points_median"].to_list(),
        line={"color": colour, "width": 2.5},
        customdata=rows.select("player", "points_lower", "points_upper", "points").rows(),
        hovertemplate="%{customdata[0]} after round %{x}: median %{y:g}, middle half %{customdata[1]:g} to"
        " %{customdata[2]:g}, mean %{customdata[3]:.1f}<extra></extra>",
        meta={"narrow": [of_row(row) for row in rows.iter_rows(named=True)]},
        **axes,
    )
    return [band, median]

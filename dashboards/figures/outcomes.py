"""The figures of the outcomes page: frame in, figure out."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl

from dashboards.figures.graph import axis, layout, names_axis, panels, title
from dashboards.stats.outcomes import ENDINGS, INFLUENCES
from dashboards.theme import Palette

__all__ = ["draw"]

ROW = 38
HEAD = 74


def draw(frames: Mapping[str, pl.DataFrame], colours: Palette) -> list[go.Figure]:
    """Return every figure in the order of the page; players stand everywhere in the order of the first."""
    players = frames["wins"]["player"].to_list()
    return [
        draw_wins(frames["wins"], colours),
        draw_endings(frames["endings"], colours),
        draw_final(frames["final-influence"], players, colours),
        draw_eliminations(frames["eliminations"], colours),
        draw_rounds(frames["influence-by-round"], players, colours),
    ]


def draw_wins(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Share of wins per player with its interval, and a tick where equal seats would be."""
    players, share = frame["player"].to_list(), frame["share"]
    equal = go.Scatter(
        x=frame["expected"].to_list(),
        y=players,
        mode="markers",
        name="if all seats were equal",
        marker={"symbol": "line-ns", "size": 18, "line": {"width": 2, "color": colours.muted}},
        hovertemplate="%{x:.1%} if all seats were equal<extra></extra>",
    )
    won = go.Scatter(
        x=share.to_list(),
        y=players,
        mode="markers+text",
        cliponaxis=False,
        name="wins, with 95% interval",
        text=[f"{value:.0%}" for value in share],
        textposition="top center",
        textfont={"size": 12, "color": colours.text},
        marker={"size": 11, "color": colours.accent},
        error_x=_spread(frame["low"], share, frame["high"], colours.accent, 2),
        customdata=frame.select("won", "played", "low", "high").rows(),
        hovertemplate="%{y}: %{customdata[0]:,} of %{customdata[1]:,}, interval %{customdata[2]:.1%} to"
        " %{customdata[3]:.1%}<extra></extra>",
    )
    shares = axis(colours, tickformat=".0%", rangemode="tozero", nticks=6)
    height = HEAD + ROW * len(players)
    return go.Figure([equal, won], layout(colours, height, xaxis=shares, yaxis=names_axis(colours)))


def draw_endings(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How each player's matches ended, as parts of a whole bar."""
    players = frame["player"].to_list()
    bars = []
    for (kind, name), colour, text in zip(ENDINGS.items(), colours.endings, colours.on_endings, strict=True):
        share = frame[kind] / frame["played"]
        bars.append(
            go.Bar(
                x=share.to_list(),
                y=players,
                orientation="h",
                name=name,
                marker={"color": colour, "line": {"color": colours.card, "width": 1}},
                text=[f"{value:.0%}" if value >= 0.06 else "" for value in share],
                textposition="inside",
                insidetextanchor="middle",
                insidetextfont={"color": text},
                textangle=0,
                customdata=frame.select(kind, "played").rows(),
                hovertemplate=f"%{{y}}, {name}: %{{customdata[0]:,}} of %{{customdata[1]:,}}"
                " (%{x:.1%})<extra></extra>",
            )
        )
    shares = axis(colours, tickformat=".0%", range=[0, 1], showgrid=False, nticks=6)
    height = HEAD + ROW * len(players)
    axes = {"xaxis": shares, "yaxis": names_axis(colours)}
    return go.Figure(bars, layout(colours, height, barmode="stack", bargap=0.28, **axes))


def draw_final(frame: pl.DataFrame, players: Sequence[str], colours: Palette) -> go.Figure:
    """Median and quartiles of each influence at the end, one panel per influence."""
    order = pl.DataFrame({"player": players})
    points, axes, titles = [], {}, []
    domains = panels(len(INFLUENCES), 0.05)
    for place, (influence, colour, domain) in enumerate(zip(INFLUENCES, colours.influences, domains, strict=True)):
        of_it = frame.filter(pl.col("influence") == influence)
        rows = order.join(of_it, on="player", how="left", maintain_order="left")
        points.append(
            go.Scatter(
                x=rows["median"].to_list(),
                y=rows["player"].to_list(),
                xaxis=_nth("x", place),
                mode="markers",
                cliponaxis=False,
                showlegend=False,
                marker={"size": 11, "color": colour, "line": {"width": 1, "color": colours.text}},
                error_x=_spread(rows["lower"], rows["median"], rows["upper"], colour, 6),
                customdata=rows.select("lower", "upper", "mean").rows(),
                hovertemplate=f"%{{y}}, {influence}: median %{{x:g}}, middle half %{{customdata[0]:g}} to"
                " %{customdata[1]:g}, mean %{customdata[2]:.1f}<extra></extra>",
            )
        )
        axes[_nth("xaxis", place)] = axis(colours, domain=domain, rangemode="tozero", nticks=5)
        titles.append(title(influence.capitalize(), colours, domain))
    height = HEAD + ROW * len(players)
    more = {"margin": {"l": 8, "r": 16, "t": 30, "b": 8}, "annotations": titles, "yaxis": names_axis(colours)}
    return go.Figure(points, layout(colours, height, **more, **axes))


def draw_eliminations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Bars of what decided eliminations: enough that one had least, or which tie-break."""
    labels = [f"{row['influence']}: {row['tie_break'].replace('_', ' ')}" for row in frame.iter_rows(named=True)]
    bars = go.Bar(
        x=frame["eliminations"].to_list(),
        y=labels,
        orientation="h",
        marker={"color": [colours.influences[INFLUENCES.index(influence)] for influence in frame["influence"]]},
        text=[f"{count:,}" for count in frame["eliminations"]],
        textposition="outside",
        cliponaxis=False,
        customdata=frame["value"].to_list(),
        hovertemplate="%{y}: %{x:,} eliminations, with %{customdata:g} in the median<extra></extra>",
    )
    axes = {"xaxis": axis(colours, rangemode="tozero", nticks=5, tickformat=","), "yaxis": names_axis(colours)}
    margin = {"l": 8, "r": 48, "t": 8, "b": 8}
    return go.Figure([bars], layout(colours, 50 + 32 * len(labels), bargap=0.3, margin=margin, **axes))


def draw_rounds(frame: pl.DataFrame, players: Sequence[str], colours: Palette) -> go.Figure:
    """Median and quartiles of each influence round by round: a column per influence, a row per player."""
    columns, rows = panels(len(INFLUENCES), 0.06), panels(len(players), 0.16 / max(len(players) - 1, 1))[::-1]
    parts = frame.partition_by("player", "influence", as_dict=True)
    lines: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    for column, (influence, colour) in enumerate(zip(INFLUENCES, colours.influences, strict=True)):
        most = max([*frame.filter(pl.col("influence") == influence)["upper"], 1.0]) * 1.08
        for row, player in enumerate(players):
            place = row * len(INFLUENCES) + column
            lines += _band(parts[player, influence].sort("round"), place, colour)
            axes[_nth("xaxis", place)] = axis(
                colours,
                domain=columns[column],
                anchor=_nth("y", place),
                range=[0.8, 12.2],
                tickvals=[1, 4, 8, 12],
                showticklabels=row == len(players) - 1,
                title={"text": "round" if row == len(players) - 1 else "", "font": {"size": 12}, "standoff": 4},
            )
            axes[_nth("yaxis", place)] = axis(
                colours,
                domain=rows[row],
                anchor=_nth("x", place),
                range=[0, most],
                nticks=2,
                title={"text": "" if column else player, "font": {"size": 12}},
            )
    titles = [title(name.capitalize(), colours, domain) for name, domain in zip(INFLUENCES, columns, strict=True)]
    margin = {"l": 8, "r": 16, "t": 30, "b": 8}
    height = 64 + 92 * len(players)
    return go.Figure(lines, layout(colours, height, margin=margin, annotations=titles, **axes))


def _band(rows: pl.DataFrame, place: int, colour: str) -> list[go.Scatter]:
    """Return the middle half as a band and the median as a line."""
    axes = {"xaxis": _nth("x", place), "yaxis": _nth("y", place), "mode": "lines", "showlegend": False}
    rounds, red, green, blue = rows["round"].to_list(), *(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    band = go.Scatter(
        x=[*rounds, *reversed(rounds)],
        y=[*rows["upper"], *rows["lower"].reverse()],
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},0.28)",
        line={"width": 0},
        hoverinfo="skip",
        **axes,
    )
    median = go.Scatter(
        x=rounds,
        y=rows["median"].to_list(),
        line={"color": colour, "width": 2.5},
        customdata=rows.select("player", "lower", "upper", "mean").rows(),
        hovertemplate="%{customdata[0]} after round %{x}: median %{y:g}, middle half %{customdata[1]:g} to"
        " %{customdata[2]:g}, mean %{customdata[3]:.1f}<extra></extra>",
        **axes,
    )
    return [band, median]


def _spread(low: pl.Series, middle: pl.Series, high: pl.Series, colour: str, thickness: int) -> dict[str, Any]:
    """Return bars from low to high around the middle."""
    return {
        "type": "data",
        "symmetric": False,
        "array": (high - middle).to_list(),
        "arrayminus": (middle - low).to_list(),
        "color": colour,
        "thickness": thickness,
        "width": 0,
    }


def _nth(name: str, place: int) -> str:
    """Return Plotly's name of an axis: x, x2, x3 and so on."""
    return name if place == 0 else f"{name}{place + 1}"

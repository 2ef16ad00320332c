"""The figures of the outcomes page: frame in, figure out."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl
from plotly.subplots import make_subplots

from dashboards.figures.graph import dressed
from dashboards.stats.outcomes import ENDINGS, INFLUENCES
from dashboards.theme import Palette

__all__ = ["draw_eliminations", "draw_endings", "draw_final", "draw_rounds", "draw_wins"]

ROW = 38
HEAD = 74


def draw_wins(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Share of wins per player with its interval, and a tick where equal seats would be."""
    players, share = frame["player"].to_list(), frame["share"]
    figure = go.Figure()
    figure.add_scatter(
        x=frame["expected"].to_list(),
        y=players,
        mode="markers",
        name="if all seats were equal",
        marker={"symbol": "line-ns", "size": 18, "line": {"width": 2, "color": colours.muted}},
        hovertemplate="%{x:.1%} if all seats were equal<extra></extra>",
    )
    figure.add_scatter(
        x=share.to_list(),
        y=players,
        mode="markers+text",
        name="wins, with 95% interval",
        text=[f"{value:.0%}" for value in share],
        textposition="top center",
        textfont={"size": 12, "color": colours.text},
        marker={"size": 11, "color": colours.accent},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": (frame["high"] - share).to_list(),
            "arrayminus": (share - frame["low"]).to_list(),
            "color": colours.accent,
            "thickness": 2,
            "width": 0,
        },
        customdata=frame.select("won", "played", "low", "high").rows(),
        hovertemplate="%{y}: %{customdata[0]:,} of %{customdata[1]:,}, interval %{customdata[2]:.1%} to"
        " %{customdata[3]:.1%}<extra></extra>",
    )
    dressed(figure, colours, height=HEAD + ROW * len(players))
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", nticks=6)
    figure.update_yaxes(**_names(colours))
    return figure


def draw_endings(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """How each player's matches ended, as parts of a whole bar."""
    players = frame["player"].to_list()
    figure = go.Figure()
    for (kind, name), colour, text in zip(ENDINGS.items(), colours.endings, colours.on_endings, strict=True):
        share = frame[kind] / frame["played"]
        figure.add_bar(
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
            customdata=list(zip(frame[kind], frame["played"], strict=True)),
            hovertemplate=f"%{{y}}, {name}: %{{customdata[0]:,}} of %{{customdata[1]:,}} (%{{x:.1%}})<extra></extra>",
        )
    dressed(figure, colours, height=HEAD + ROW * len(players))
    figure.update_layout(barmode="stack", bargap=0.28, legend_traceorder="normal")
    figure.update_xaxes(tickformat=".0%", range=[0, 1], showgrid=False, nticks=6)
    figure.update_yaxes(**_names(colours))
    return figure


def draw_final(frame: pl.DataFrame, players: Sequence[str], colours: Palette) -> go.Figure:
    """Median and quartiles of each influence at the end, one panel per influence."""
    figure = make_subplots(1, 3, shared_yaxes=True, horizontal_spacing=0.05, subplot_titles=_titles())
    for column, influence in enumerate(INFLUENCES, start=1):
        rows = _in_order(frame.filter(pl.col("influence") == influence), players)
        figure.add_scatter(
            x=rows["median"].to_list(),
            y=rows["player"].to_list(),
            row=1,
            col=column,
            mode="markers",
            showlegend=False,
            marker={"size": 11, "color": colours.influences[column - 1], "line": {"width": 1, "color": colours.text}},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": (rows["upper"] - rows["median"]).to_list(),
                "arrayminus": (rows["median"] - rows["lower"]).to_list(),
                "color": colours.influences[column - 1],
                "thickness": 6,
                "width": 0,
            },
            customdata=rows.select("lower", "upper", "mean").rows(),
            hovertemplate=f"%{{y}}, {influence}: median %{{x:g}}, middle half %{{customdata[0]:g}} to"
            " %{customdata[1]:g}, mean %{customdata[2]:.1f}<extra></extra>",
        )
    dressed(figure, colours, height=HEAD + ROW * len(players))
    figure.update_layout(margin_t=30)
    figure.update_xaxes(rangemode="tozero", nticks=5)
    figure.update_yaxes(**_names(colours))
    return figure


def draw_rounds(frame: pl.DataFrame, players: Sequence[str], colours: Palette) -> go.Figure:
    """Median and quartiles of each influence round by round: a column per influence, a row per player."""
    figure = make_subplots(
        len(players),
        3,
        shared_xaxes=True,
        horizontal_spacing=0.06,
        vertical_spacing=0.16 / max(len(players) - 1, 1),
        subplot_titles=_titles(),
    )
    for row, player in enumerate(players, start=1):
        for column, influence in enumerate(INFLUENCES, start=1):
            of_it = frame.filter((pl.col("player") == player) & (pl.col("influence") == influence)).sort("round")
            _add_band(figure, of_it, row, column, colours.influences[column - 1])
    dressed(figure, colours, height=64 + 92 * len(players))
    figure.update_layout(margin_t=30, hovermode="closest")
    for column, influence in enumerate(INFLUENCES, start=1):
        most = frame.filter(pl.col("influence") == influence)["upper"].to_list()
        figure.update_yaxes(range=[0, max([*most, 1]) * 1.08], nticks=2, col=column)
    figure.update_xaxes(tickvals=[1, 4, 8, 12], range=[0.8, 12.2], showgrid=True)
    figure.update_xaxes(title_text="round", title_standoff=4, row=len(players))
    for row, player in enumerate(players, start=1):
        figure.update_yaxes(title={"text": player, "font": {"color": colours.text, "size": 12}}, row=row, col=1)
    return figure


def draw_eliminations(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Bars of what decided eliminations: enough that one had least, or which tie-break."""
    labels = [f"{row['influence']}: {row['tie_break'].replace('_', ' ')}" for row in frame.iter_rows(named=True)]
    shades = [colours.influences[INFLUENCES.index(influence)] for influence in frame["influence"]]
    figure = go.Figure()
    figure.add_bar(
        x=frame["eliminations"].to_list(),
        y=labels,
        orientation="h",
        marker={"color": shades},
        text=[f"{count:,}" for count in frame["eliminations"]],
        textposition="outside",
        cliponaxis=False,
        customdata=frame["value"].to_list(),
        hovertemplate="%{y}: %{x:,} eliminations, with %{customdata:g} in the median<extra></extra>",
    )
    dressed(figure, colours, height=50 + 32 * len(labels))
    figure.update_layout(bargap=0.3, margin_r=48)
    figure.update_xaxes(rangemode="tozero", nticks=5, tickformat=",")
    figure.update_yaxes(**_names(colours))
    return figure


def _names(colours: Palette) -> dict[str, Any]:
    """Return how an axis of names looks: in the order of the rows, downwards."""
    return {
        "autorange": "reversed",
        "showgrid": False,
        "ticklabelstandoff": 8,
        "tickfont": {"color": colours.text, "size": 13},
    }


def _titles() -> list[str]:
    return [influence.capitalize() for influence in INFLUENCES]


def _in_order(frame: pl.DataFrame, players: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame({"player": list(players)}).join(frame, on="player", how="left", maintain_order="left")


def _add_band(figure: go.Figure, rows: pl.DataFrame, row: int, column: int, colour: str) -> None:
    """Add the middle half as a band and the median as a line."""
    rounds = rows["round"].to_list()
    figure.add_scatter(
        x=[*rounds, *reversed(rounds)],
        y=[*rows["upper"], *reversed(rows["lower"].to_list())],
        row=row,
        col=column,
        fill="toself",
        fillcolor=_faint(colour),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=rounds,
        y=rows["median"].to_list(),
        row=row,
        col=column,
        mode="lines",
        line={"color": colour, "width": 2.5},
        showlegend=False,
        customdata=rows.select("player", "lower", "upper", "mean").rows(),
        hovertemplate="%{customdata[0]} after round %{x}: median %{y:g}, middle half %{customdata[1]:g} to"
        " %{customdata[2]:g}, mean %{customdata[3]:.1f}<extra></extra>",
    )


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.28)"

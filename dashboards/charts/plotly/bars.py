"""Bars: parts of a whole per row, numbers per kind, and how often each value was met."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Final

import plotly.graph_objects as go
import polars as pl

from dashboards.charts.plotly.graph import Row, axis, layout, names_axis, nth, panels, readable, title
from dashboards.charts.plotly.narrow import narrowing
from dashboards.charts.svg import mixed
from dashboards.charts.theme import Palette

__all__ = ["counted", "draw_placement", "histogram", "ranked", "stacked", "stacked_parts"]

ROW: Final = 34
HEAD: Final = 66
FEW: Final = 5
LEGIBLE: Final = 520
"""Pixels that the legend of more than a few parts needs."""
FAINTER: Final = 0.85
"""By which part the last place is fainter than the first."""
SHORT: Final = 0.055
"""The least part of a bar that has room for its number."""


def stacked(
    frame: pl.DataFrame,
    parts: Mapping[str, str],
    hues: Sequence[str],
    colours: Palette,
    *,
    rows: str = "player",
    whole: pl.Series | None = None,
    part: str = "",
    said: Mapping[tuple[str, str], str] | None = None,
) -> go.Figure:
    """Draw the columns `parts` (to what they are called) of each row as parts of one bar.

    With a `whole` per row, bars are shares of it; without, as long as their parts together. `part` is the column that
    the parts were values of. `said` is what a part says when it is pointed at, by row and column.
    """
    names = frame[rows].to_list()
    lengths = whole if whole is not None else frame.select(pl.sum_horizontal(*parts)).to_series()
    room = [float(value) if whole is not None else float(lengths.max() or 1) for value in lengths]  # type: ignore[arg-type]
    bars = []
    for (column, name), hue in zip(parts.items(), hues, strict=False):
        values = [float(value or 0) for value in frame[column]]
        shares = [value / total if total else 0.0 for value, total in zip(values, room, strict=True)]
        texts = [
            said[row, column] if said else f"{value:,.0f} of {total:,.0f} ({share:.1%})"
            for row, value, total, share in zip(names, values, room, shares, strict=True)
        ]
        bars.append(
            go.Bar(
                x=shares if whole is not None else values,
                y=names,
                orientation="h",
                name=name,
                marker={"color": hue, "line": {"color": colours.card, "width": 1}},
                text=[
                    (f"{share:.0%}" if whole is not None else f"{value:.1f}") if share >= SHORT else ""
                    for share, value in zip(shares, values, strict=True)
                ],
                textposition="inside",
                insidetextanchor="middle",
                insidetextfont={"color": readable(hue), "size": 12},
                textangle=0,
                customdata=texts,
                hovertemplate=f"%{{y}}, {name}: %{{customdata}}<extra></extra>",
                meta={"narrow": [{**row, part: column} for row in frame.iter_rows(named=True)]},
            )
        )
    numbers = axis(colours, showgrid=whole is None, nticks=6)
    numbers |= {"tickformat": ".0%", "range": [0, 1]} if whole is not None else {"rangemode": "tozero"}
    axes = {"xaxis": numbers, "yaxis": names_axis(colours, names)}
    height = HEAD + ROW * len(names) + 22 * (len(parts) // 5)
    margin = {"l": 8, "r": 24, "t": 34, "b": 8}
    more = {"margin": margin, "meta": {"least": LEGIBLE if len(parts) > FEW else 0}}
    return go.Figure(bars, layout(colours, height, barmode="stack", bargap=0.26, **more, **axes))


def stacked_parts(
    frame: pl.DataFrame,
    part: str,
    value: str,
    parts: Mapping[str, str],
    hues: Sequence[str],
    colours: Palette,
    *,
    shown: Callable[[float], str],
    is_share: bool = False,
) -> go.Figure:
    """Draw a frame of one row per player and part as a bar per player; a part that nobody has is left out.

    If nobody has any part, all stay, and bars have no length. Players whose parts are most together come first, unless
    the parts are shares.
    """
    told = frame.filter(pl.col(part).is_in(list(parts)))
    had = told.filter(pl.col(value) > 0)
    present = {key: name for key, name in parts.items() if key in set((told if had.is_empty() else had)[part])}
    wide = told.filter(pl.col(part).is_in(list(present))).pivot(part, index="player", values=value, maintain_order=True)
    if not is_share:
        wide = wide.sort(pl.sum_horizontal(*present), "player", descending=[True, False])
    columns = ("player", part, value, f"{value}_low", f"{value}_high")
    said = {
        (player, key): shown(middle or 0)
        + (f", 95% interval {shown(low)} to {shown(high)}" if low is not None and isfinite(low) else "")
        for player, key, middle, low, high in frame.select(columns).iter_rows()
    }
    whole = pl.Series([1.0] * wide.height) if is_share else None
    kept = [hue for key, hue in zip(parts, hues, strict=False) if key in present]
    return stacked(wide, present, kept, colours, part=part, whole=whole, said=said)


def counted(
    labels: Sequence[str],
    counts: Sequence[int],
    hues: Sequence[str],
    colours: Palette,
    *,
    said: Sequence[str],
    narrow: Sequence[Row],
) -> go.Figure:
    """Draw a bar per kind with its number behind it."""
    bars = go.Bar(
        x=list(counts),
        y=list(labels),
        orientation="h",
        marker={"color": list(hues)},
        text=[f"{count:,}" for count in counts],
        textposition="outside",
        cliponaxis=False,
        textfont={"color": colours.text},
        customdata=list(said),
        hovertemplate="%{customdata}<extra></extra>",
        meta={"narrow": list(narrow)},
    )
    axes = {
        "xaxis": axis(colours, rangemode="tozero", nticks=5, tickformat=","),
        "yaxis": names_axis(colours, labels),
    }
    margin = {"l": 8, "r": 64, "t": 8, "b": 8}
    return go.Figure([bars], layout(colours, 50 + 32 * len(labels), bargap=0.3, margin=margin, **axes))


def histogram(
    values: Sequence[float],
    counts: Sequence[int],
    colours: Palette,
    *,
    heading: str,
    unit: str = "matches",
    narrow: Sequence[str] | None = None,
    width: float = 1,
) -> go.Figure:
    """Draw how many matches met each value, as columns with the median marked."""
    total = sum(counts)
    middle = _median(values, counts)
    bars = go.Bar(
        x=list(values),
        y=list(counts),
        width=width * 0.92,
        marker={"color": colours.accent},
        customdata=[f"{count:,} of {total:,} {unit} ({count / total:.1%})" for count in counts],
        hovertemplate=f"{heading} %{{x:,}}: %{{customdata}}<extra></extra>",
        meta={"narrow": list(narrow) if narrow else [""] * len(values)},
    )
    mark = {
        "type": "line",
        "x0": middle,
        "x1": middle,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": colours.text, "width": 1.5, "dash": "dot"},
    }
    words = {
        "text": f"median {middle:g}",
        "x": middle,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12, "color": colours.text},
    }
    few = len(values) <= 16 and width == 1
    across = axis(colours, showgrid=False, title={"text": heading, "font": {"size": 12}, "standoff": 6})
    across |= {"dtick": 1, "tickangle": 0} if few else {"nticks": 8, "tickformat": ","}
    up = axis(colours, rangemode="tozero", nticks=5, tickformat=",")
    more = {"xaxis": across, "yaxis": up, "shapes": [mark], "annotations": [words]}
    return go.Figure([bars], layout(colours, 260, margin={"l": 8, "r": 16, "t": 28, "b": 8}, bargap=0.08, **more))


def draw_placement(frame: pl.DataFrame, colours: Palette) -> go.Figure:
    """Shares of each place, a panel for each size of table; the first place is the strongest colour."""
    sizes = frame["players"].unique().sort().to_list()
    mean_place = pl.col("place_share").mul(pl.col("place") / pl.col("players")).sum() / pl.col("players").n_unique()
    players = frame.group_by("player").agg(mean_place).sort("place_share", "player")["player"].to_list()
    most = max(sizes)
    hues = ranked(colours, most)
    bars, axes, titles = [], {}, []
    for nth_size, (size, domain) in enumerate(zip(sizes, panels(len(sizes), 0.08), strict=True)):
        of_size = frame.filter(pl.col("players") == size)
        for place in range(1, size + 1):
            rows = of_size.filter(pl.col("place") == place)
            bars.append(
                go.Bar(
                    x=rows["place_share"].to_list(),
                    y=rows["player"].to_list(),
                    xaxis=nth("x", nth_size),
                    orientation="h",
                    name=_place(place),
                    legendgroup=str(place),
                    showlegend=size == most,
                    marker={"color": hues[place - 1], "line": {"color": colours.card, "width": 1}},
                    text=[f"{share:.0%}" if share >= SHORT * len(sizes) else "" for share in rows["place_share"]],
                    textposition="inside",
                    insidetextanchor="middle",
                    insidetextfont={"color": readable(hues[place - 1]), "size": 12},
                    textangle=0,
                    customdata=[
                        f"{share:.1%}, 95% interval {low:.1%} to {high:.1%}"
                        for share, low, high in rows.select(
                            "place_share", "place_share_low", "place_share_high"
                        ).iter_rows()
                    ],
                    hovertemplate=f"%{{y}}, {_place(place)} of {size}: %{{customdata}}<extra></extra>",
                    meta={
                        "narrow": [
                            narrowing(player=player, players=size, result="won" if place == 1 else None)
                            for player in rows["player"]
                        ]
                    },
                )
            )
        axes[nth("xaxis", nth_size)] = axis(
            colours,
            domain=domain,
            tickformat=".0%",
            range=[0, 1],
            showgrid=False,
            tickvals=[0, 0.5, 1][: 4 - min(len(sizes), 2)],
        )
        if len(sizes) > 1:
            titles.append(title(f"{size} players", colours, domain))
    top = 60 if titles else 34
    more = {
        "barmode": "stack",
        "bargap": 0.26,
        "annotations": titles,
        "yaxis": names_axis(colours, players),
        "margin": {"l": 8, "r": 24, "t": top, "b": 8},
    }
    height = HEAD + 26 * bool(titles) + ROW * len(players)
    figure = go.Figure(bars, layout(colours, height, **more, **axes))
    if titles:
        figure.update_layout(legend_y=1 + 26 / (ROW * len(players)))
    return figure


def ranked(colours: Palette, places: int) -> list[str]:
    """Return colours from the first place to the last, from strong to faint."""
    return [mixed(colours.accent, 1 - FAINTER * place / max(places - 1, 1), colours.card) for place in range(places)]


def _place(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _median(values: Sequence[float], counts: Sequence[int]) -> float:
    half, seen = sum(counts) / 2, 0
    for value, count in sorted(zip(values, counts, strict=True)):
        seen += count
        if seen >= half:
            return value
    return 0.0

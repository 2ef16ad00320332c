"""Charts of bars: parts of a whole per row, numbers per kind, and how often each value was met."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

import polars as pl

from dashboards.charts.chart import Bar, BarPanel, Bars, Behind, Column, Columns, Series, finite
from dashboards.charts.theme import Palette
from dashboards.stats.words import confidence

__all__ = ["counted", "histogram", "stacked", "stacked_parts"]


def stacked(
    frame: pl.DataFrame,
    parts: Mapping[str, str],
    hues: Sequence[str],
    *,
    rows: str = "player",
    whole: pl.Series | None = None,
    part: str = "",
    hover: Mapping[tuple[str, str], str] | None = None,
) -> Bars:
    """Return a chart of the columns `parts` (to what they are called) of each row as parts of one bar.

    With a `whole` per row, bars are shares of it; without, as long as their parts together. `part` is the column that
    the parts were values of. `hover` is the hover text of a part, by row and column.
    """
    names = frame[rows].to_list()
    found = []
    for (column, name), hue in zip(parts.items(), hues, strict=False):
        bars = []
        for place, row in enumerate(frame.iter_rows(named=True)):
            value = float(row[column] or 0)
            total = float(whole[place]) if whole is not None else 1.0
            share = value / total if total else 0.0
            text = hover[names[place], column] if hover else f"{value:,.0f} of {total:,.0f} ({share:.1%})"
            bars.append(
                Bar(
                    names[place],
                    share,
                    hue,
                    f"{value:.1f}" if whole is None else f"{share:.0%}",
                    f"{names[place]}, {name}: {text}",
                    {**row, part: column},
                )
            )
        found.append(Series(name, tuple(bars)))
    return Bars(tuple(names), (BarPanel("", tuple(found)),), is_share=whole is not None)


def stacked_parts(
    frame: pl.DataFrame,
    part: str,
    value: str,
    parts: Mapping[str, str],
    hues: Sequence[str],
    *,
    shown: Callable[[float], str],
    is_share: bool = False,
) -> Bars:
    """Return a chart with a bar per player, from a frame of one row per player and part.

    Unused parts are left out. If no player has any part, all parts are kept and bars have no length. Players are sorted
    by the sum of their parts, unless the parts are shares.
    """
    rows = frame.filter(pl.col(part).is_in(list(parts)))
    had = rows.filter(pl.col(value) > 0)
    present = {key: name for key, name in parts.items() if key in set((rows if had.is_empty() else had)[part])}
    some = rows.filter(pl.col(part).is_in(list(present)))
    wide = some.pivot(part, index="player", values=value, maintain_order=True)
    if not is_share:
        wide = wide.sort(pl.sum_horizontal(*present), "player", descending=[True, False])
    columns = ("player", part, value, f"{value}_low", f"{value}_high")
    hover = {
        (player, key): shown(middle or 0)
        + (f", {confidence(shown(low), shown(high))}" if low is not None and isfinite(low) else "")
        for player, key, middle, low, high in frame.select(columns).iter_rows()
    }
    whole = pl.Series([1.0] * wide.height) if is_share else None
    used = [hue for key, hue in zip(parts, hues, strict=False) if key in present]
    return stacked(wide, present, used, part=part, whole=whole, hover=hover)


def counted(
    labels: Sequence[str], counts: Sequence[int], hues: Sequence[str], *, hover: Sequence[str], behind: Sequence[Behind]
) -> Bars:
    """Return a chart of a bar per kind with its number behind it."""
    bars = (
        Bar(label, count, hue, f"{count:,}", text, row)
        for label, count, hue, text, row in zip(labels, counts, hues, hover, behind, strict=True)
    )
    return Bars(tuple(labels), (BarPanel("", (Series("", tuple(bars)),)),), is_share=False)


def histogram(
    frame: pl.DataFrame, at: str, count: str, share: str, colours: Palette, *, heading: str, unit: str = "matches"
) -> Columns:
    """Return a chart of how often each value (`at`) was met, with the median marked.

    `count` is how often, with the interval of its `share` of all.
    """
    total = frame[count].sum()
    columns, middle, passed = [], None, 0
    for row in frame.sort(at).iter_rows(named=True):
        number = row[count]
        passed += number
        middle = row[at] if middle is None and 2 * passed >= total else middle
        low, high = (_scaled(number, row[f"{share}{end}"], row[share]) for end in ("_low", "_high"))
        hover = f"{heading} {row[at]:,}: {number:,} of {total:,} {unit} ({number / (total or 1):.1%})"
        columns.append(Column(row[at], (number,), hover, "", low, high))
    return Columns(tuple(columns), (("", colours.accent),), heading, ",", median=middle)


def _scaled(count: int, end: float | None, share: float | None) -> float | None:
    """Return the end of the interval of a count, of which share and end of its interval are known."""
    bound = finite(end)
    return count * bound / share if bound is not None and share else None

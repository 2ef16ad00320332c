"""Charts for print that several games draw of frames alike: parts as stacked bars, figures round by round."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final

import polars as pl

from dashboards.charts.canvas import About, DrawFrame, readable_on
from dashboards.charts.plotly.bands import Course
from dashboards.charts.svg_charts import Band, Bar, Panel, bands, stacks
from dashboards.charts.theme import Palette

__all__ = ["by_round", "parts_of"]

MOST_ROWS: Final = 24
MOST_PLAYERS: Final = 12


def whole_percent(share: float) -> str:
    """Write a share inside a bar, where there is room for little: 31%."""
    return f"{share:.0%}"


def parts_of(
    across: str,
    value: str,
    shown: Callable[[float], str] = whole_percent,
    hues: Callable[[Palette, int], Sequence[str]] = lambda ink, _: ink.parts,
) -> DrawFrame:
    """Draw a stacked bar per player: its `value` in the parts that the column `across` names, written as `shown`.

    `hues` gives a colour for each of so many parts.
    """

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        names = frame[across].unique(maintain_order=True).to_list()
        names = sorted(names) if frame[across].dtype.is_integer() else names
        sizes = "players" in frame.columns and frame["players"].n_unique() > 1
        by = ["player", "players"] if sizes else ["player"]
        rows = []
        for keys, part in frame.partition_by(by, as_dict=True, maintain_order=True).items():
            of = dict(part.select(across, value).iter_rows())
            label = f"{keys[0]}, of {keys[1]}" if sizes else str(keys[0])
            numbers = tuple(float(of.get(name) or 0.0) for name in names)
            rows.append(Bar(label, numbers, tuple(map(shown, numbers))))
        paints = [(hue, readable_on(hue)) for hue in hues(ink, len(names))]
        heads = [f"place {name}" if across == "place" else str(name).replace("_", " ") for name in names]
        return stacks(about, heads, paints, rows[:MOST_ROWS], ink)

    return draw


def by_round(course: Course) -> DrawFrame:
    """Draw medians as lines and middle halves as bands, round by round, a panel for each player and kind."""
    kinds, value = dict(course.kinds), course.value

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        players = frame["player"].unique(maintain_order=True).to_list()[:MOST_PLAYERS]
        hues = course.colours_of(players, ink)
        panels = []
        for player, (nth, (kind, called)) in product(players, enumerate(kinds.items())):
            rows = frame.filter(pl.col("player") == player, pl.col(course.key) == kind).sort("round")
            names = ("round", *(f"{value}_{end}" for end in ("lower", "median", "upper")))
            ends = [tuple(map(float, rows[name])) for name in names]
            panels.append(Panel(player, called, Band(*ends), hues[player][nth]))
        return bands(about, panels, ink, course.word)

    return draw

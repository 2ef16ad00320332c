"""Which chart a figure gets: by its name where that matters, else by the columns it has."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Final

import polars as pl

from dashboards.catalog.metrics import KEYS, metric_of
from dashboards.catalog.numbers import kind_of, written
from dashboards.charts.canvas import About, DrawFrame
from dashboards.charts.frames import parts_of
from dashboards.charts.players import Style, players_of, pools_begin, styles
from dashboards.charts.plotly.bars import ranked
from dashboards.charts.svg_charts import Bar, Cell, Dot, columns, dots, facets, matrix
from dashboards.charts.theme import Palette
from dashboards.stats.claims import RISK
from dashboards.stats.words import signed

__all__ = ["SYMMETRIC", "DrawFrame", "drawing_of"]

MOST_ROWS: Final = 24
MOST_FACETS: Final = 4
MOST_NAMES: Final = 14
MOST_PLAYERS: Final = 12
CALENDAR: Final = frozenset({"round", "field", "level"})
"""Keys along which a figure is drawn as it goes on: in time, along a route, upwards."""
NUMBERED: Final = frozenset({"seat", "village", "region", "level", "round", "field"})
BEFORE: Final = {"players": "table of "}
PAIRS_KEY: Final = "row against column; small print: 95% interval; bold: significant after correction"
SYMMETRIC: Final = frozenset({"head-to-head", "paired"})
"""Figures of pairs in which one way round says all that the other does."""
CENTRED: Final = frozenset({"points", "elo"})
"""Kinds of numbers that stand around zero."""


def drawing_of(name: str, frame: pl.DataFrame, shown: Mapping[str, str]) -> DrawFrame | None:
    """Return how a figure is drawn; none for what is better read as a table, as several measures are, or empty."""
    if frame.is_empty() or "winner_difference" in shown:
        return None
    if name in BY_NAME:
        return BY_NAME[name]
    value = _with_interval(shown)
    if value is None:
        return None
    keys = _naming(frame, _keys(shown))
    if {"player", "other"} <= set(keys):
        return _pairs(value)
    if len(keys) == 1 and frame[keys[0]].dtype.is_integer() and keys[0] in CALENDAR:
        called = frame["kind"][0] if "kind" in frame.columns else shown[keys[0]].lower()  # what the game calls a round
        return _distribution(keys[0], called, value)
    if len(keys) == 2 and frame[keys[1]].n_unique() <= MOST_FACETS < frame.height:
        return _facets(keys[0], keys[1], value)
    if len(keys) == 2 and frame[keys[0]].n_unique() <= MOST_FACETS < frame.height:
        return _facets(keys[1], keys[0], value)
    if len(keys) == 2 and frame.height > MOST_FACETS and max(frame[key].n_unique() for key in keys) <= MOST_NAMES:
        across, down = sorted(keys, key=lambda key: frame[key].n_unique())
        return _table(down, across, value)
    return _dots(keys, value) if frame.height <= MOST_ROWS and len(keys) < 3 else None


def _keys(shown: Mapping[str, str]) -> list[str]:
    """Return the columns that say what a row is about: those before the first measure."""
    found = []
    for name in shown:
        if name not in KEYS and metric_of(name) is not None:
            break
        found.append(name)
    return found


def _naming(frame: pl.DataFrame, keys: list[str]) -> list[str]:
    """Return the first keys that name a row; what comes after them only says more about it."""
    some = (keys[:count] for count in range(1, len(keys)))
    return next((first for first in some if frame.select(first).n_unique() == frame.height), keys)


def _with_interval(shown: Mapping[str, str]) -> str | None:
    return next((name.removesuffix("_low") for name in reversed(list(shown)) if name.endswith("_low")), None)


def _label(row: Mapping[str, object], keys: list[str]) -> str:
    return ", ".join(f"{f'{key} ' if key in NUMBERED else BEFORE.get(key, '')}{written(key, row[key])}" for key in keys)


def _dot(row: Mapping[str, Any], value: str, label: str, seen: Mapping[str, Style], at: str = "") -> Dot:
    number = row[value]
    low, high = row[f"{value}_low"], row[f"{value}_high"]
    style = seen.get(row["player"]) if "player" in row else None
    return Dot(label, number, low, high, written(value, number), row[at] if at else None, style)


def _seen(frame: pl.DataFrame, keys: Sequence[str], ink: Palette) -> dict[str, Style]:
    """Return how players look, where a row is about one."""
    return styles(players_of(frame), ink) if "player" in keys and "other" not in keys else {}


def _dots(keys: list[str], value: str) -> DrawFrame:
    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        at = "expected_share" if value == "win_share" and "expected_share" in frame.columns else ""
        seen = _seen(frame, keys, ink)
        rows = [_dot(row, value, _label(row, keys), seen, at) for row in frame.iter_rows(named=True)]
        tick = "equal strength" if at else ""
        zero = kind_of(value) in CENTRED
        return dots(about, rows, ink, _axis(value), zero=zero, tick=tick, apart=pools_begin(frame))

    return draw


def _facets(down: str, across: str, value: str) -> DrawFrame:
    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        heads = frame[across].unique(maintain_order=True).to_list()
        found = {(row[down], row[across]): row for row in frame.iter_rows(named=True)}
        labels = frame[down].unique(maintain_order=True).to_list()[:MOST_ROWS]
        seen = _seen(frame, (down, across), ink)
        rows = [
            (
                _label({down: label}, [down]),
                [_dot(found[label, head], value, "", seen) if (label, head) in found else None for head in heads],
            )
            for label in labels
        ]
        titles = [_label({across: head}, [across]) for head in heads]
        return facets(about, titles, rows, ink, _axis(value), alike=kind_of(value) == "share")

    return draw


def _pairs(value: str) -> DrawFrame:
    """Draw a square if it is a difference of everyone against everyone."""

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        names = sorted({*frame["player"], *frame["other"]})[:MOST_NAMES]
        cells = {
            (row["player"], row["other"]): Cell(row[value], _short(value, row[value]))
            for row in frame.iter_rows(named=True)
        }
        return matrix(about, names, cells, ink, _extent(cells.values(), 0.05), names)

    return draw


def _half_square(value: str, middle: float) -> DrawFrame:
    """Draw everyone against those who come later in the frame, with intervals; a significant difference stands bold."""

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        names = list(dict.fromkeys([*frame["player"], *frame["other"]]))[:MOST_NAMES]
        cells = {
            (row["player"], row["other"]): Cell(
                row[value] - middle,
                _short(value, row[value]),
                _between(row, value),
                is_strong=row[f"{value}_holm"] <= RISK,
            )
            for row in frame.iter_rows(named=True)
        }
        rows = [name for name in names if any(name == player for player, _ in cells)]
        return matrix(about, rows, cells, ink, _extent(cells.values(), 0.05), names[1:], PAIRS_KEY)

    return draw


def _extent(cells: Iterable[Cell], least: float) -> float:
    return max([abs(cell.value) for cell in cells] + [least])


def _table(down: str, across: str, value: str) -> DrawFrame:
    """Draw a cell for each two keys, the stronger the more."""

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        names = {key: frame[key].unique(maintain_order=True).to_list() for key in (down, across)}
        cells = {
            (_label(row, [down]), _label(row, [across])): Cell(row[value], _short(value, row[value]))
            for row in frame.iter_rows(named=True)
            if row[value] is not None
        }
        rows, heads = ([_label({key: name}, [key]) for name in names[key]] for key in (down, across))
        return matrix(about, rows, cells, ink, _extent(cells.values(), 1e-9), heads)

    return draw


def _distribution(key: str, called: str, value: str) -> DrawFrame:
    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        rows = [
            Bar(written(key, row[key]), (row[value] or 0.0,), (_short(value, row[value] or 0.0),), _ends(row, value))
            for row in frame.sort(key).iter_rows(named=True)
        ]
        return columns(about, rows, ink, called)

    return draw


def _ends(row: Mapping[str, float | None], value: str) -> tuple[float, float] | None:
    low, high = row[f"{value}_low"], row[f"{value}_high"]
    return None if low is None or high is None or not (isfinite(low) and isfinite(high)) else (low, high)


def _axis(value: str) -> Callable[[float], str]:
    kind = kind_of(value)
    if kind == "share":
        return lambda number: f"{number:.0%}"
    if kind == "points":
        return lambda number: f"{100 * number:+.0f}".replace("+0", "0").replace("-", "−")
    return lambda number: f"{number:g}".replace("-", "−")


def _short(value: str, number: float) -> str:
    return f"{number:.0%}" if kind_of(value) == "share" else written(value, number)


def _between(row: Mapping[str, float | None], value: str) -> str:
    """Return an interval as it stands in a cell: `57–72`, `−3 to +7`; nothing if there is none."""
    ends = _ends(row, value)
    if ends is None:
        return ""
    low, high = (f"{100 * end:.0f}" if kind_of(value) == "share" else signed(100 * end, 0) for end in ends)
    return f"{low}\N{EN DASH}{high}" if kind_of(value) == "share" else f"{low} to {high}"


def _kinds_apart(value: str) -> DrawFrame:
    """Draw each kind of what is counted on a scale of its own, a row for each size of table."""

    def draw(about: About, frame: pl.DataFrame, ink: Palette) -> str:
        found = {(row["kind"], row["players"]): _dot(row, value, "", {}) for row in frame.iter_rows(named=True)}
        kinds, sizes = (frame[key].unique(maintain_order=True).to_list() for key in ("kind", "players"))
        rows = [(_label({"players": size}, ["players"]), [found.get((kind, size)) for kind in kinds]) for size in sizes]
        return facets(about, kinds, rows, ink, _axis(value))

    return draw


def _of_bins(about: About, frame: pl.DataFrame, ink: Palette) -> str:
    """Draw the share that won in each bin of chances, with a tick where its mean chance is."""
    rows = [_dot(row, "won_share", f"bin {row['bin']} ({row['chance']:.0%})", {}, "chance") for row in frame.to_dicts()]
    return dots(about, rows, ink, _axis("won_share"), tick="mean chance")


BY_NAME: Final[Mapping[str, DrawFrame]] = {
    "placement": parts_of("place", "place_share", hues=ranked),
    "length": _kinds_apart("length"),
    "calibration": _of_bins,
    "head-to-head": _half_square("better_share", 0.5),
    "paired": _half_square("paired_difference", 0.0),
}

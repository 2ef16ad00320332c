"""Charts of medians with the middle half around them, round by round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from dashboards.charts.chart import Line, LinePanel, Lines
from dashboards.charts.players import players_of, styles
from dashboards.charts.theme import Palette

__all__ = ["Course"]


@dataclass(frozen=True, slots=True)
class Course:
    """Lines drawn from frames with a row for each player and kind (and round).

    `key` is the column of kinds, `kinds` are these in order with what they are called, quartiles of the metric `value`
    are drawn. `word` is a round as the game calls it, `ticks` are the rounds that are named on an axis.
    `hues` gives a colour for each kind if kinds have their own; otherwise lines have the player's colour.
    """

    key: str
    kinds: tuple[tuple[str, str], ...]
    value: str
    word: str
    ticks: tuple[int, ...]
    hues: Callable[[Palette], Sequence[str]] | None = None

    def by_round(self, frame: pl.DataFrame, colours: Palette) -> Lines:
        """Return a chart of a panel for each player (below each other) and kind (side by side)."""
        return self._lines(frame, colours, is_overlaid=False)

    def overlaid(self, frame: pl.DataFrame, colours: Palette) -> Lines:
        """Return a chart of a panel per kind, in which few players lie over each other."""
        return self._lines(frame, colours, is_overlaid=True)

    def _lines(self, frame: pl.DataFrame, colours: Palette, *, is_overlaid: bool) -> Lines:
        players = players_of(frame.sort("player"))
        looks = styles(players, colours)
        parts = frame.partition_by("player", self.key, as_dict=True)
        hues = self.hues(colours) if self.hues and not is_overlaid else None
        panels: dict[tuple[str, str], LinePanel] = {}
        for nth, (kind, called) in enumerate(self.kinds):
            most = max([*frame.filter(pl.col(self.key) == kind)[f"{self.value}_upper"], 1.0]) * 1.08
            for player in players:
                if (player, kind) not in parts:
                    continue
                colour, shape, dash = looks[player]
                line = self._line(parts[player, kind].sort("round"), hues[nth] if hues else colour, shape, dash)
                row = "" if is_overlaid else player
                before = panels[row, called].lines if (row, called) in panels else ()
                panels[row, called] = LinePanel(row, called, (*before, line), most)
        rounds = frame["round"].to_list()
        first, last = min(rounds), max(rounds)
        ticks = tuple(number for number in self.ticks if first <= number <= last) or (first,)
        columns = tuple(called for _, called in self.kinds)
        rows = ("",) if is_overlaid else tuple(players)
        extent = (first, max(last, first + 1))
        return Lines(rows, columns, tuple(panels.values()), self.word, ticks, extent, is_overlaid)

    def _line(self, rows: pl.DataFrame, colour: str, shape: str, dash: str) -> Line:
        low, middle, high = (tuple(rows[f"{self.value}_{end}"]) for end in ("lower", "median", "upper"))
        found = rows.to_dicts()
        hover = tuple(
            f"{row['player']} after {self.word} {row['round']}: median {row[f'{self.value}_median']:g}, middle half"
            f" {row[f'{self.value}_lower']:g} to {row[f'{self.value}_upper']:g}, mean {row[self.value]:.1f}"
            for row in found
        )
        return Line(
            rows["player"][0], colour, shape, dash, tuple(rows["round"]), low, middle, high, hover, tuple(found)
        )

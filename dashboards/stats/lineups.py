"""Matches counted by their lineup, so that a hundred thousand cost little more than a thousand.

A lineup is the player, place and weight of each seat. A tournament has many matches and few lineups, and all matches of
one lineup count alike in a figure. So a figure is worked out lineup by lineup. Sums over seeds are products of two thin
matrices: how often each seed met each lineup, and the contribution of each lineup to each row of the figure.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from dashboards.stats.resampling import BUNDLES
from dashboards.stats.results import RESULTS, complete, scored

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Lineups", "lineups_of", "numbered"]

WIDE: Final = 64
"""More than the seats or places of any table."""


@dataclass(frozen=True)
class Lineups:
    """`lineup` and `group` of each match, and the content of each lineup.

    `matches` are their names in the results. `seats` has one row per lineup and seat with the columns of
    `results.scored`, where `match` is the number of the lineup. Groups are numbered in the order of their seeds.
    Matches without a seed are separate groups after these.
    """

    seats: pl.DataFrame
    matches: pl.Series
    lineup: "NDArray[np.int64]"
    group: "NDArray[np.int64]"
    groups: int

    @property
    def count(self) -> int:
        """Return the number of lineups."""
        return int(self.lineup.max(initial=-1)) + 1

    def whole(self) -> "Lineups":
        """Return the same with all seats kept."""
        return replace(self, seats=self.seats.with_columns(pl.lit(value=True).alias("kept")))

    def met(self) -> Any:
        """Return how often each group met each lineup (sparse, groups × lineups)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.lineup))
        return csr_array((ones, (self.group, self.lineup)), shape=(self.groups, self.count))

    def sums(self, rows: pl.DataFrame, by: list[str], value: str, trials: str = "") -> pl.DataFrame:
        """Return `*by, trials, total, groups, residual` as `intervals.sums` does, sorted by `by`.

        `rows` are the rows of the lineups: each with its lineup (`match`), keys, value, and number of trials (1).
        """
        keys, n, x = self._by_group(rows, by, value, trials)
        number, total = n.sum(axis=0), x.sum(axis=0)
        mean = total / np.where(number > 0, number, 1)
        spread = (x * x).sum(axis=0) - 2 * mean * (x * n).sum(axis=0) + mean**2 * (n * n).sum(axis=0)
        return keys.with_columns(
            pl.Series("trials", number.round().astype(np.int64)),
            pl.Series("total", total, dtype=pl.Float64),
            pl.Series("groups", (n > 0).sum(axis=0).astype(np.int64)),
            pl.Series("residual", np.maximum(spread, 0), dtype=pl.Float64),
        )

    def by_group(
        self, rows: pl.DataFrame, by: list[str], value: str
    ) -> "tuple[pl.DataFrame, NDArray[np.float64], NDArray[np.float64]]":
        """Return the keys, sorted, and for each the trials and the total in each group (groups × keys).

        More than a thousand groups are bundled (see `resampling.bundled`).
        """
        keys, n, x = self._by_group(rows, by, value, "")
        return keys, self._bundled(n), self._bundled(x)

    def _bundled(self, counted: Any) -> "NDArray[np.float64]":
        """Return sums over bundles of groups, dense."""
        from scipy.sparse import csr_array

        bundles = max(min(self.groups, BUNDLES), 1)
        where = (np.arange(self.groups) % bundles, np.arange(self.groups))
        bundled = csr_array((np.ones(self.groups), where), shape=(bundles, self.groups)) @ counted
        found: NDArray[np.float64] = bundled.toarray()
        return found

    def _by_group(self, rows: pl.DataFrame, by: list[str], value: str, trials: str) -> tuple[pl.DataFrame, Any, Any]:
        """Return the keys, and for each (in sparse columns) the trials and the total of each group."""
        from scipy.sparse import csr_array

        keys = rows.select(by).unique().sort(by).with_row_index("at")
        cells = rows.join(keys, on=by, how="left", maintain_order="left")
        ones = cells[trials].cast(pl.Float64).to_numpy() if trials else np.ones(cells.height)
        where = (cells["match"].to_numpy(), cells["at"].to_numpy())
        shape = (self.count, keys.height)
        met = self.met()
        n = met @ csr_array((ones, where), shape=shape)
        x = met @ csr_array((cells[value].cast(pl.Float64).to_numpy(), where), shape=shape)
        return keys.drop("at"), n, x


def lineups_of(results: "pl.DataFrame | Lineups") -> Lineups:
    """Return results (see `results.py`) counted by lineup."""
    if isinstance(results, Lineups):
        return results
    rows = complete(results).select(*RESULTS, "kept", "weight").sort("match", "seat", maintain_order=True)
    places = rows["place"].fill_null(0).to_numpy().astype(np.int64)
    names = rows["player"].unique().sort()
    who = rows["player"].replace_strict(names, pl.Series(range(len(names)), dtype=pl.Int64), return_dtype=pl.Int64)
    code = (who.to_numpy() * WIDE + rows["seat"].to_numpy()) * WIDE + places
    code = code * 2 + rows["kept"].to_numpy().astype(np.int64)
    weights, weight = np.unique(rows["weight"].to_numpy(), return_inverse=True)
    code = code * max(len(weights), 1) + weight
    match = rows["match"]
    starts = np.flatnonzero((match != match.shift(1)).fill_null(value=True).to_numpy())
    sizes = np.diff(np.append(starts, rows.height))
    lineup, examples = numbered(code, starts, sizes)
    group, groups = _groups(rows["luck"].gather(starts))
    taken = [np.arange(int(sizes[at])) + starts[at] for at in examples]
    number = np.repeat(np.arange(len(examples)), sizes[examples])
    one = rows[np.concatenate(taken)] if taken else rows.clear()
    one = one.with_columns(pl.Series("match", number, dtype=pl.Int64), pl.lit(None, pl.String).alias("luck"))
    return Lineups(scored(one), rows["match"].gather(starts), lineup, group, groups)


def numbered(
    code: "NDArray[np.int64]", starts: "NDArray[np.int64]", sizes: "NDArray[np.int64]"
) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Return the lineup of each match, and a match of each lineup; matches are alike if all codes of their rows are."""
    lineup = np.zeros(len(starts), np.int64)
    examples: list[NDArray[np.int64]] = []
    count = 0
    for size in np.unique(sizes):
        here = np.flatnonzero(sizes == size)
        key = np.zeros(len(here), np.int64)
        for place in range(size):
            _, column = np.unique(code[starts[here] + place], return_inverse=True)
            _, key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
        _, first, key = np.unique(key, return_index=True, return_inverse=True)
        lineup[here] = key + count
        examples.append(here[first])
        count += len(first)
    return lineup, np.concatenate(examples) if examples else np.empty(0, np.int64)


def _groups(luck: pl.Series) -> tuple["NDArray[np.int64]", int]:
    """Return the number of each match's seed group, and the number of groups."""
    number = luck.rank("dense").cast(pl.Int64) - 1
    group = number.fill_null(-1).to_numpy().copy()
    count = int(group.max(initial=-1)) + 1
    own = np.flatnonzero(group < 0)
    group[own] = count + np.arange(len(own))
    return group, count + len(own)

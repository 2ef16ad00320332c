"""Matches counted by their kind, so that a hundred thousand cost little more than a thousand.

A kind is who sat where and came in which place. A tournament has many matches and few kinds; what a figure makes of a
match is the same for all of one kind. So a figure is worked out kind by kind, and sums over lucks are products of two
thin matrices: how often each luck met each kind, and what each kind adds to each row of the figure.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from dashboards.stats.results import RESULTS, scored

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Kinds", "kinds_of"]

WIDE: Final = 64
"""More than any table has seats or places."""


@dataclass(frozen=True)
class Kinds:
    """`kind` and `group` of each match, and what each kind is.

    `matches` are what the results call them. `seats` has one row per kind and seat with the columns of
    `results.scored`, where `match` is the number of the kind. Groups are numbered in the order of their lucks; matches
    without a luck are groups of their own after these.
    """

    seats: pl.DataFrame
    matches: pl.Series
    kind: "NDArray[np.int64]"
    group: "NDArray[np.int64]"
    groups: int

    @property
    def count(self) -> int:
        """Return how many kinds there are."""
        return int(self.kind.max(initial=-1)) + 1

    def whole(self) -> "Kinds":
        """Return the same with all seats kept."""
        return replace(self, seats=self.seats.with_columns(pl.lit(value=True).alias("kept")))

    def met(self) -> Any:
        """Return how often each group met each kind (sparse, groups × kinds)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.kind))
        return csr_array((ones, (self.group, self.kind)), shape=(self.groups, self.count))

    def sums(self, rows: pl.DataFrame, by: list[str], value: str, trials: str = "") -> pl.DataFrame:
        """Return `*by, trials, total, groups, residual` as `intervals.sums` does, sorted by `by`.

        `rows` are those that the kinds have: each with its kind (`match`), keys, value, and number of trials (1).
        """
        from scipy.sparse import csr_array

        keys = rows.select(by).unique().sort(by).with_row_index("at")
        cells = rows.join(keys, on=by, how="left", maintain_order="left")
        ones = cells[trials].cast(pl.Float64).to_numpy() if trials else np.ones(cells.height)
        where = (cells["match"].to_numpy(), cells["at"].to_numpy())
        shape = (self.count, keys.height)
        met = self.met()
        n = met @ csr_array((ones, where), shape=shape)
        x = met @ csr_array((cells[value].cast(pl.Float64).to_numpy(), where), shape=shape)
        number, total = n.sum(axis=0), x.sum(axis=0)
        mean = total / np.where(number > 0, number, 1)
        spread = (x * x).sum(axis=0) - 2 * mean * (x * n).sum(axis=0) + mean**2 * (n * n).sum(axis=0)
        return keys.drop("at").with_columns(
            pl.Series("trials", number.round().astype(np.int64)),
            pl.Series("total", total, dtype=pl.Float64),
            pl.Series("groups", (n > 0).sum(axis=0).astype(np.int64)),
            pl.Series("residual", np.maximum(spread, 0), dtype=pl.Float64),
        )


def kinds_of(results: "pl.DataFrame | Kinds") -> Kinds:
    """Return results (see `results.py`) counted by kind."""
    if isinstance(results, Kinds):
        return results
    if "kept" not in results.columns:
        results = results.with_columns(pl.lit(value=True).alias("kept"))
    rows = results.select(*RESULTS, "kept").sort("match", "seat", maintain_order=True)
    places = rows["place"].fill_null(0).to_numpy().astype(np.int64)
    names = rows["player"].unique().sort()
    who = rows["player"].replace_strict(names, pl.Series(range(len(names)), dtype=pl.Int64), return_dtype=pl.Int64)
    code = (who.to_numpy() * WIDE + rows["seat"].to_numpy()) * WIDE + places
    code = code * 2 + rows["kept"].to_numpy().astype(np.int64)
    match = rows["match"]
    starts = np.flatnonzero((match != match.shift(1)).fill_null(value=True).to_numpy())
    sizes = np.diff(np.append(starts, rows.height))
    kind, examples = _kinds(code, starts, sizes)
    group, groups = _groups(rows["luck"].gather(starts))
    taken = [np.arange(int(sizes[at])) + starts[at] for at in examples]
    number = np.repeat(np.arange(len(examples)), sizes[examples])
    one = rows[np.concatenate(taken)] if taken else rows.clear()
    one = one.with_columns(pl.Series("match", number, dtype=pl.Int64), pl.lit(None, pl.String).alias("luck"))
    return Kinds(scored(one), rows["match"].gather(starts), kind, group, groups)


def _kinds(
    code: "NDArray[np.int64]", starts: "NDArray[np.int64]", sizes: "NDArray[np.int64]"
) -> tuple["NDArray[np.int64]", "NDArray[np.int64]"]:
    """Return the kind of each match, and a match of each kind."""
    kind = np.zeros(len(starts), np.int64)
    examples: list[NDArray[np.int64]] = []
    count = 0
    for size in np.unique(sizes):
        here = np.flatnonzero(sizes == size)
        key = np.zeros(len(here), np.int64)
        for place in range(size):
            _, column = np.unique(code[starts[here] + place], return_inverse=True)
            _, key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
        _, first, key = np.unique(key, return_index=True, return_inverse=True)
        kind[here] = key + count
        examples.append(here[first])
        count += len(first)
    return kind, np.concatenate(examples) if examples else np.empty(0, np.int64)


def _groups(luck: pl.Series) -> tuple["NDArray[np.int64]", int]:
    """Return the number of each match's luck group, and how many there are."""
    known = luck.rank("dense").cast(pl.Int64) - 1
    group = known.fill_null(-1).to_numpy().copy()
    count = int(group.max(initial=-1)) + 1
    own = np.flatnonzero(group < 0)
    group[own] = count + np.arange(len(own))
    return group, count + len(own)

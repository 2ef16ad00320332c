"""Input of all strength statistics: the places of players by match and seat, also counted by lineup."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from dashboards.stats.intervals import COUNT, means
from dashboards.stats.resampling import BUNDLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "RESULTS",
    "Lineups",
    "by_version",
    "complete",
    "in_order",
    "lineups_of",
    "means_of_seats",
    "numbered",
    "scored",
    "with_all_kinds",
]


RESULTS: Final = ("match", "luck", "tournament", "seat", "player", "version", "place")
OPTIONAL: Final = {"luck": pl.String, "tournament": pl.String, "version": pl.String}


def complete(results: pl.DataFrame) -> pl.DataFrame:
    """Return results with every column that the statistics use; missing columns are filled with defaults."""
    missing = {name: kind for name, kind in OPTIONAL.items() if name not in results.columns}
    usual = {"kept": pl.lit(value=True), "weight": pl.lit(1.0)}
    added = [value.alias(name) for name, value in usual.items() if name not in results.columns]
    return results.with_columns(*(pl.lit(None, kind).alias(name) for name, kind in missing.items()), *added)


def by_version(results: pl.DataFrame) -> pl.DataFrame:
    """Return results in which each version of a player is a separate player, called `player version`."""
    return results.with_columns(pl.concat_str("player", "version", separator=" ").alias("player"))


def scored(results: pl.DataFrame) -> pl.DataFrame:
    """Return results in a fixed order, with the score of each seat.

    - `group`: the seed group.
    - `players`: number of seats at the table.
    - `sharing`: number of seats tied in the same place.
    - `win`: 1 for the winner, 1/k for each of k seats tied for first place, else 0. So the wins of a match sum to 1.
    - `beaten`: the share of opponents that the seat finished ahead of, a tie counting half. It is 1 for a sole winner,
      0 for a sole last place, and ½ on average over any table.
    """
    if results.is_empty():
        results = results.cast({"place": pl.Int64})
    return (
        complete(results)
        .sort("match", "seat")
        .with_columns(
            pl.coalesce(
                pl.col("luck").cast(pl.String), pl.concat_str(pl.lit("match "), pl.col("match").cast(pl.String))
            ).alias("group"),
            pl.len().over("match").cast(pl.Int64).alias("players"),
            pl.len().over("match", "place").cast(pl.Int64).alias("sharing"),
        )
        .with_columns(
            pl.when(pl.col("place") == 1).then(1 / pl.col("sharing")).otherwise(0.0).alias("win"),
            (
                (pl.col("players") - pl.col("place") - (pl.col("sharing") - 1) / 2)
                / pl.max_horizontal(pl.col("players") - 1, 1)
            ).alias("beaten"),
        )
    )


def with_all_kinds(found: pl.DataFrame, key: str, kinds: Collection[str], over: str = "player") -> pl.DataFrame:
    """Return sums (see `intervals.sums`) with one row per player and kind, also for kinds that never occurred."""
    every = found.group_by(over).agg(pl.col("trials", "groups").first()).filter(pl.col("trials") > 0).sort(over)
    every = every.join(pl.DataFrame({key: list(kinds)}, schema={key: pl.String}), how="cross")
    sums = found.select(over, key, "total", "residual")
    return every.join(sums, on=[over, key], how="left", maintain_order="left").with_columns(
        pl.col("total", "residual").fill_null(0.0)
    )


def means_of_seats(
    found: pl.DataFrame, by: Sequence[str], name: str, within: tuple[float, float] = COUNT
) -> pl.DataFrame:
    """Return `*by, played, groups, {name}` and its bounds; the value is the mean over seats."""
    played = found["trials"].cast(pl.Int64).alias("played")
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    return means(found, by, name, within).with_columns(played).select(*by, "played", "groups", *ends)


def in_order(frame: pl.DataFrame, key: str, kinds: Collection[str], over: str = "player") -> pl.DataFrame:
    """Return rows sorted by player, with the kinds of each player in the order of `kinds`."""
    places = {kind: place for place, kind in enumerate(kinds)}
    return frame.sort(over, pl.col(key).replace_strict(places, return_dtype=pl.Int64))


WIDE: Final = 64
"""Upper limit for the number of seats at a table; seat and place numbers are below it."""


@dataclass(frozen=True)
class Lineups:
    """The `lineup` and `group` of each match, and the seats of each lineup.

    A lineup is the distinct content of a match: who sat where and finished in which place. `matches` are the ids in the
    results. `seats` has one row per lineup and seat with the columns of `results.scored`; its `match` is the number of
    the lineup. Groups are numbered in seed order; each match without a seed is a separate group, numbered last.
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
        """Return the same lineups with all seats kept."""
        return replace(self, seats=self.seats.with_columns(pl.lit(value=True).alias("kept")))

    def met(self) -> Any:
        """Return how often each lineup occurs in each group (sparse, groups × lineups)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.lineup))
        return csr_array((ones, (self.group, self.lineup)), shape=(self.groups, self.count))

    def sums(self, rows: pl.DataFrame, by: list[str], value: str, trials: str = "") -> pl.DataFrame:
        """Return `*by, trials, total, groups, residual` as `intervals.sums` does, sorted by `by`.

        `rows` has the lineup (`match`), keys and value of each seat of a lineup. `trials` is an optional column with
        the number of trials (default 1).
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
        """Return the sorted keys, and two arrays (groups × keys): the trials and the total in each group.

        More than a thousand groups are bundled (see `resampling.bundled`).
        """
        keys, n, x = self._by_group(rows, by, value, "")
        return keys, self._bundled(n), self._bundled(x)

    def _bundled(self, counted: Any) -> "NDArray[np.float64]":
        """Return sums over bundles of groups, as a dense array."""
        from scipy.sparse import csr_array

        bundles = max(min(self.groups, BUNDLES), 1)
        where = (np.arange(self.groups) % bundles, np.arange(self.groups))
        bundled = csr_array((np.ones(self.groups), where), shape=(bundles, self.groups)) @ counted
        found: NDArray[np.float64] = bundled.toarray()
        return found

    def _by_group(self, rows: pl.DataFrame, by: list[str], value: str, trials: str) -> tuple[pl.DataFrame, Any, Any]:
        """Return the keys, and two sparse matrices with one column per key: the trials and the total of each group."""
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
    """Return results (see the package's docstring) counted by lineup."""
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
    """Return the lineup number of each match, and one sample match per lineup.

    Matches have the same lineup if the codes of all their rows are equal.
    """
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
    """Return the seed group of each match, and the number of groups."""
    number = luck.rank("dense").cast(pl.Int64) - 1
    group = number.fill_null(-1).to_numpy().copy()
    count = int(group.max(initial=-1)) + 1
    own = np.flatnonzero(group < 0)
    group[own] = count + np.arange(len(own))
    return group, count + len(own)

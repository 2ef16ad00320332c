"""How often something happened in each place of a board: in a match, and as a part of all. Of any game.

Totals are sums that the warehouse keeps, their spread is that of a sample of seeds (`sampled.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from dashboards.games.shared.board_context import BoardContext, board_context
from dashboards.games.shared.recent import counted_sample
from dashboards.stats.intervals import shares
from dashboards.stats.sampled import sampled_sums, trials_of
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import place_amounts, place_totals

__all__ = ["PerMatch", "numbered", "parts_of_all", "per_match"]


@dataclass(frozen=True)
class PerMatch:
    """Sums over matches (`intervals.sums`) in the order of the places, with what is known of these."""

    sums: pl.DataFrame
    places: pl.DataFrame
    context: BoardContext
    matches: int

    def with_counts(self, rows: pl.DataFrame, count: str, name: str) -> pl.DataFrame:
        """Return rows with their places, totals and matches, columns in the usual order."""
        totals = self.sums["total"].cast(pl.Int64).alias(count)
        rows = rows.with_columns(totals, pl.lit(self.matches, pl.Int64).alias("matches"))
        keys = [key for key in self.places.columns if key in rows.columns]
        ends = [f"{name}{end}" for end in ("", "_low", "_high")]
        found = self.places.join(rows, on=keys, how="left", maintain_order="left")
        return found.select(*self.places.columns, count, "matches", "groups", *ends)


def per_match(reader: Reader, where: Filter, what: str) -> PerMatch:
    """Return how often something happened in places, match by match: a trial is a match in which a seat fits."""
    context = board_context(reader, where)
    places = context.of(what)
    by = list(context.place(what).by)
    sample = counted_sample(reader, where, context.digest)
    amounts = numbered(place_amounts(reader, context.place(what), where, context.digest, sample), by)
    trials = sample.trials("matches", sample.bound)
    totals = _totals(reader, where, context, what)
    sums = sampled_sums(totals, by, sample.matches, sample.seeds.height, amounts, trials)
    return PerMatch(sums, places, context, sample.matches)


def parts_of_all(reader: Reader, where: Filter, context: BoardContext, what: str, name: str) -> pl.DataFrame:
    """Return places with how often it happened there (`what`), its share of all (`name`) and the share's bounds."""
    by = list(context.place(what).by)
    sample = counted_sample(reader, where, context.digest)
    amounts = numbered(place_amounts(reader, context.place(what), where, context.digest, sample), by)
    totals = _totals(reader, where, context, what)
    sums = sampled_sums(totals, by, float(totals["total"].sum()), sample.seeds.height, amounts, trials_of(amounts))
    rows = shares(sums, by, name, "of").with_columns(totals["total"].alias(what))
    ends = [f"{name}{end}" for end in ("", "_low", "_high")]
    places = context.of(what)
    return places.join(rows, on=by, maintain_order="left").select(*places.columns, what, "groups", *ends)


def numbered(frame: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return a frame with its places as integers, as boards have them."""
    return frame.with_columns(pl.col(by).cast(pl.Int64))


def _totals(reader: Reader, where: Filter, context: BoardContext, what: str) -> pl.DataFrame:
    place = context.place(what)
    by = list(place.by)
    counted = numbered(place_totals(reader, [place.column], place.table, by, where, context.digest), by)
    found = context.of(what).select(by).join(counted, on=by, how="left", maintain_order="left")
    totals = found.select(*by, pl.col(place.column).fill_null(0).alias("total"))
    return totals.filter(pl.col("total") > 0) if place.is_sparse else totals

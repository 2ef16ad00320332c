"""Sums for winners and losers, from a table of any game that has a row per seat."""

from collections.abc import Mapping

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import SEED_GROUP, seats_where

__all__ = ["Reader"]


def winner_loser_sums(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return sums for winners and losers, and the variation of the difference of the two means, by seed.

    One row per kind, in the order of `columns`: `kind, won_seats, lost_seats, won, lost` (sums), `groups`, and
    `residual`, the sum of squares of each seed's effect on the difference. With r = Σx/Σn of a side that is e = (x₁ −
    r₁ n₁)/Σn₁ − (x₂ − r₂ n₂)/Σn₂ (linearisation: Wolter 2007, chapter 6), as in `stats/sampled.py`.
    """
    condition, values = seats_where(where)
    summed = ", ".join(
        f'sum({column}) filter (s.won) as "won {kind}", sum({column}) filter (not s.won) as "lost {kind}"'
        for kind, column in columns.items()
    )
    base = f"""select {SEED_GROUP} as unit,
            count(*) filter (s.won) as won, count(*) filter (not s.won) as lost, {summed}
        from {table} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        where {condition} group by all"""
    whole = ", ".join(_products(kind) for kind in columns)
    wide = reader.frame(
        f"""with base as ({base})
            select count(*) as groups, sum(won)::double as n1, sum(lost)::double as n2,
                sum(won::double * won) as n11, sum(lost::double * lost) as n22, sum(won::double * lost) as n12,
                {whole} from base""",
        values,
    ).row(0, named=True)
    rows = [_side(kind, wide) for kind in columns] if wide["n1"] and wide["n2"] else []
    number, count = pl.Float64, pl.Int64
    schema = {"kind": pl.String, "won_seats": count, "lost_seats": count, "won": number, "lost": number}
    return pl.DataFrame(rows, schema={**schema, "groups": count, "residual": number}, orient="row")


def _products(kind: str) -> str:
    """Return the sums over seeds for the variance of a difference, with amounts a (winners) and b (losers)."""
    a, b = f'coalesce("won {kind}", 0)::double', f'coalesce("lost {kind}", 0)::double'
    parts = {
        "x1": a,
        "x2": b,
        "x11": f"{a} * {a}",
        "x22": f"{b} * {b}",
        "x12": f"{a} * {b}",
        "x1n1": f"{a} * won",
        "x1n2": f"{a} * lost",
        "x2n1": f"{b} * won",
        "x2n2": f"{b} * lost",
    }
    return ", ".join(f'sum({part}) as "{name} {kind}"' for name, part in parts.items())


def _side(kind: str, wide: Mapping[str, float]) -> tuple[object, ...]:
    """Return a row of `side_sums`: e² is multiplied out, so that sums over seeds are enough."""

    def of(name: str) -> float:
        return wide[f"{name} {kind}"]

    n1, n2 = wide["n1"], wide["n2"]
    r1, r2 = of("x1") / n1, of("x2") / n2
    winners = (of("x11") - 2 * r1 * of("x1n1") + r1**2 * wide["n11"]) / n1**2
    losers = (of("x22") - 2 * r2 * of("x2n2") + r2**2 * wide["n22"]) / n2**2
    both = (of("x12") - r2 * of("x1n2") - r1 * of("x2n1") + r1 * r2 * wide["n12"]) / (n1 * n2)
    residual = max(winners + losers - 2 * both, 0.0)
    return kind, int(n1), int(n2), of("x1"), of("x2"), int(wide["groups"]), residual

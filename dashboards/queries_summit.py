"""Reading what only summit has: how matches ended, how high pawns were throw by throw, what winners have more of."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries_deeds import DeedQueries
from dashboards.queries_where import LUCK, cohorts_where, player_of, seats_where, with_such_a_seat

__all__ = ["SummitQueries"]

DEEDS: Final = "fct_summit_seats f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
COURSES: Final = "fct_summit_courses c using (match_id)"
OUTCOME: Final = "case when s.won then 'won_' else 'lost_' end || c.ending::varchar"
MOST: Final = 3
"""How many matches are told for each reason."""


class SummitQueries(DeedQueries):
    """Sums as `stats.intervals.sums` has them. Names of columns come from files in `stats`, never from a filter."""

    def outcome_sums(self, where: Filter) -> pl.DataFrame:
        """Return `player, outcome` with how many of the player's seats ended so, as in `won_summit`."""
        condition, values = seats_where(where)
        base = f"""select {player_of(where, "s")} as player, {OUTCOME} as outcome, {LUCK} as unit, count(*) as x
            from dim_seats s join dim_matches m using (match_id) join {COURSES} where {condition} group by all"""  # noqa: S608
        trials = "select player, unit, sum(x) as n from base group by all"
        return self.sums("from base", trials, ["player", "outcome"], ["player"], values, base)

    def weather_sums(self, where: Filter) -> pl.DataFrame:
        """Return `players, ending` with how many matches of tables of a size ended so; a trial is a match."""
        condition, values = with_such_a_seat(where)
        base = f"""select m.players, c.ending::varchar as ending, {LUCK} as unit, count(*) as x
            from dim_matches m join {COURSES} where {condition} group by all"""  # noqa: S608
        trials = "select players, unit, sum(x) as n from base group by all"
        return self.sums("from base", trials, ["players", "ending"], ["players"], values, base)

    def throw_sums(self, where: Filter) -> pl.DataFrame:
        """Return `players, ending` with the throws that matches took; a trial is a match."""
        condition, values = with_such_a_seat(where)
        base = f"""select m.players, c.ending::varchar as ending, {LUCK} as unit, count(*) as n,
                sum(c.throws) as throws
            from dim_matches m join {COURSES} where {condition} group by all"""  # noqa: S608
        return self.column_sums(base, ["players", "ending"], "kind", {"throws": "n"}, values).drop("kind")

    def throw_histogram(self, where: Filter) -> pl.DataFrame:
        """Return `players, ending, value, matches`: how many matches took so many throws."""
        condition, values = with_such_a_seat(where)
        return self._frame(
            f"""select m.players, c.ending::varchar as ending, c.throws as value, count(*) as matches
                from dim_matches m join {COURSES} where {condition} group by all""",  # noqa: S608
            values,
        )

    def standing_histogram(self, where: Filter) -> pl.DataFrame:
        """Return `figure, player, round, value, seats`: how many seats had so much of it before the next throw."""
        condition, values = cohorts_where(where)
        return self._frame(
            f"""select a.figure::varchar as figure, {player_of(where, "c")} as player, a.round, a.value,
                    sum(a.seats)::bigint as seats
                from agg_summit_standings a join dim_cohorts c using (cohort)
                where {condition} and a.round between $first and $last group by all""",  # noqa: S608
            values | {"first": where.first, "last": where.last},
        )

    def side_sums(self, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
        """Return what winners and losers did, and how much the difference of the two means varies, luck by luck.

        One row per kind, in the order of `columns`: `kind, won_seats, lost_seats, won, lost` (sums), `groups`, and
        `residual`, the sum of squares of what each luck moves the difference by. With r = Σx/Σn of a side that is
        e = (x₁ − r₁ n₁)/Σn₁ − (x₂ − r₂ n₂)/Σn₂ (linearisation: Wolter 2007, chapter 6), as in `stats/sampled.py`.
        """
        condition, values = seats_where(where)
        summed = ", ".join(
            f'sum({column}) filter (s.won) as "won {kind}", sum({column}) filter (not s.won) as "lost {kind}"'
            for kind, column in columns.items()
        )
        base = f"""select {LUCK} as unit, count(*) filter (s.won) as won, count(*) filter (not s.won) as lost, {summed}
            from {DEEDS} where {condition} group by all"""  # noqa: S608
        whole = ", ".join(_products(kind) for kind in columns)
        wide = self._frame(
            f"""with base as ({base})
                select count(*) as groups, sum(won)::double as n1, sum(lost)::double as n2,
                    sum(won::double * won) as n11, sum(lost::double * lost) as n22, sum(won::double * lost) as n12,
                    {whole} from base""",  # noqa: S608
            values,
        ).row(0, named=True)
        rows = [_side(kind, wide) for kind in columns] if wide["n1"] and wide["n2"] else []
        number, count = pl.Float64, pl.Int64
        schema = {"kind": pl.String, "won_seats": count, "lost_seats": count, "won": number, "lost": number}
        return pl.DataFrame(rows, schema={**schema, "groups": count, "residual": number}, orient="row")

    def summit_extremes(self, where: Filter) -> pl.DataFrame:
        """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round, luck`, three of each.

        `what`: comeback (decided latest), lead (most changes), close (least margin, then most changes), quick (decided
        first, then the greatest margin), luckless (the sole winner whose dice were the worst).
        """
        condition, values = with_such_a_seat(where)
        orders = {
            "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
            "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
            "close": ("f.margin >= 0", "f.margin, f.lead_changes desc"),
            "quick": ("f.decisive_round is not null", "f.decisive_round, f.margin desc"),
            "luckless": ("w.luck < 0", "w.luck"),
        }
        whole = "fct_summit_courses f join dim_matches m using (match_id)"
        of_winner = f"""{whole} join (
            select match_id, min(d.dice_luck) as luck from fct_summit_seats d join dim_seats using (match_id, seat)
            where won group by match_id having count(*) = 1) w using (match_id)"""  # noqa: S608
        parts = [
            f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.lead_changes,
                    f.decisive_round, {"w.luck" if what == "luckless" else "null::double"} as luck
                from {of_winner if what == "luckless" else whole} where {condition} and {kept}
                order by {order}, m.match limit {MOST})"""  # noqa: S608
            for what, (kept, order) in orders.items()
        ]
        return self._frame(" union all ".join(parts), values)


def _products(kind: str) -> str:
    """Return the sums over lucks that the variance of a difference needs, of amounts a (winners) and b (losers)."""
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
    """Return a row of `side_sums`: e² is multiplied out, so that sums over lucks are enough."""

    def of(name: str) -> float:
        return wide[f"{name} {kind}"]

    n1, n2 = wide["n1"], wide["n2"]
    r1, r2 = of("x1") / n1, of("x2") / n2
    winners = (of("x11") - 2 * r1 * of("x1n1") + r1**2 * wide["n11"]) / n1**2
    losers = (of("x22") - 2 * r2 * of("x2n2") + r2**2 * wide["n22"]) / n2**2
    both = (of("x12") - r2 * of("x1n2") - r1 * of("x2n1") + r1 * r2 * wide["n12"]) / (n1 * n2)
    residual = max(winners + losers - 2 * both, 0.0)
    return kind, int(n1), int(n2), of("x1"), of("x2"), int(wide["groups"]), residual

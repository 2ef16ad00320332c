"""Queries on the actions of seats, on the course of matches, and on differences between winners and losers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import column_sums, unit_sums
from dashboards.queries.where import SEATS, SEED_GROUP, cohorts_where, player_of, seats_where, with_such_a_seat

__all__ = ["Reader"]


def seat_sums(
    reader: Reader, table: str, where: Filter, columns: Mapping[str, str], trials: str = "1", only: str = "true"
) -> pl.DataFrame:
    """Return sums by `player, kind`; `columns` maps each kind to SQL, which is summed. A trial is a seat.

    `trials` is SQL for the number of trials per row.
    """
    base, values = action_sums(reader, table, where, {**columns, "n": trials}, only)
    return column_sums(reader, base, ["player"], "kind", dict.fromkeys(columns, "n"), values)


def seat_histogram(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `player, kind, value, seats`: the number of seats with each value of a column."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    named = ", ".join(f'{column} as "{kind}"' for kind, column in columns.items())
    kinds = ", ".join(f'"{kind}"' for kind in columns)
    return reader.frame(
        f"""with counted as (
                select {player} as player, {named}, count(*) as seats
                from {_seats(table)} where {condition} group by all)
            select player, kind, value, sum(seats)::bigint as seats
            from (unpivot counted on {kinds} into name kind value value) group by all""",
        values | names,
    )


def standing_histogram(reader: Reader, table: str, where: Filter, key: str) -> pl.DataFrame:
    """Return `{key}, player, round, value, seats`: the number of seats with each value after each round in the filter.

    The table has one row per `cohort, round, {key}, value`.
    """
    condition, values = cohorts_where(where)
    player, names = player_of(reader, where, "c")
    return reader.frame(
        f"""select a.{key}::varchar as {key}, {player} as player, a.round, a.value,
                sum(a.seats)::bigint as seats
            from {table} a join dim_cohorts c using (cohort)
            where {condition} and a.round between $first and $last group by all""",
        values | names | {"first": where.first, "last": where.last},
    )


def course_sums(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return sums by `kind, players`; `columns` maps each kind to its SQL. A trial is a match with a selected seat."""
    condition, values = with_such_a_seat(where)
    summed = ", ".join(f'sum({column}) as "{kind}"' for kind, column in columns.items())
    base = f"""select m.players, {SEED_GROUP} as unit, count(*) as n, {summed} from {_matches(table)}
        where {condition} group by all"""
    found = column_sums(reader, base, ["players"], "kind", dict.fromkeys(columns, "n"), values)
    return found.select("kind", "players", "trials", "total", "groups", "residual")


def course_histogram(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `kind, players, value, matches`: the number of matches with each value of a column."""
    condition, values = with_such_a_seat(where)
    named = ", ".join(f'{column} as "{kind}"' for kind, column in columns.items())
    kinds = ", ".join(f'"{kind}"' for kind in columns)
    return reader.frame(
        f"""select kind, players, value, count(*) as matches
            from (unpivot (select m.players, {named} from {_matches(table)} where {condition})
                on {kinds} into name kind value value)
            group by all""",
        values,
    )


def decisive_sums(reader: Reader, table: str, where: Filter) -> pl.DataFrame:
    """Return `round` and the number of matches decided for good at its end; a trial is a match.

    Round 0 counts matches that were never decided.
    """
    condition, values = with_such_a_seat(where)
    source = f"from {_matches(table)} where {condition} group by all"
    amounts = f"select coalesce(f.decisive_round, 0) as round, {SEED_GROUP} as unit, count(*) as x {source}"
    return unit_sums(reader, amounts, f"select {SEED_GROUP} as unit, count(*) as n {source}", ["round"], [], values)


def decided_sums(reader: Reader, table: str, where: Filter) -> pl.DataFrame:
    """Return `round` and the number of matches decided by its end, for each round in which any match was decided."""
    condition, values = with_such_a_seat(where)
    base = f"""select f.decisive_round as round, {SEED_GROUP} as unit, count(*) as n from {_matches(table)}
        where {condition} group by all"""
    amounts = """select r.round, b.unit, sum(b.n) as x from base b
        join (select distinct round from base where round is not null) r on b.round <= r.round group by all"""
    trials = "select unit, sum(n) as n from base group by all"
    return unit_sums(reader, amounts, trials, ["round"], [], values, base)


def comeback_sums(reader: Reader, table: str, where: Filter, among: str) -> pl.DataFrame:
    """Return `player` and its number of comebacks; a trial is a winning seat of a match that fits the SQL `among`."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    source = f"""from dim_seats s join dim_matches m using (match_id) join {table} f using (match_id)
        where {condition} and s.won and {among} group by all"""
    amounts = f"select {player} as player, {SEED_GROUP} as unit, count(*) filter (f.comeback) as x {source}"
    trials = f"select {player} as player, {SEED_GROUP} as unit, count(*) as n {source}"
    return unit_sums(reader, amounts, trials, ["player"], ["player"], values | names)


def action_sums(
    reader: Reader, table: str, where: Filter, columns: Mapping[str, str], only: str
) -> tuple[str, dict[str, Any]]:
    """Return a query for `player, unit` and sums of columns, with its parameter values."""
    condition, values = seats_where(where)
    summed = ", ".join(f'sum({column}) as "{kind}"' for kind, column in columns.items())
    player, names = player_of(reader, where, "s")
    counted = f"from {_seats(table)} where {condition} and {only} group by all"
    return f"select {player} as player, {SEED_GROUP} as unit, {summed} {counted}", values | names


def _seats(table: str) -> str:
    return f"{table} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"


def _matches(table: str) -> str:
    return f"{table} f join dim_matches m using (match_id)"


def winner_loser_sums(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return sums for winners and losers, and the variation of the difference of the two means over seeds.

    One row per kind, in the order of `columns`: `kind, won_seats, lost_seats, won, lost` (sums), `groups`, and
    `residual`, the sum of squares of each seed's effect on the difference. With r = Σx/Σn of each side, that effect is
    e = (x₁ − r₁ n₁)/Σn₁ − (x₂ − r₂ n₂)/Σn₂ (linearisation: Wolter 2007, chapter 6), as in `intervals.difference_sums`.
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
    """Return SQL for the sums over seeds that the variance of a difference needs (prefix a: winners, b: losers)."""
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
    """Return a row of the result; Σe² is expanded into products, so sums over seeds are sufficient."""

    def of(name: str) -> float:
        return wide[f"{name} {kind}"]

    n1, n2 = wide["n1"], wide["n2"]
    r1, r2 = of("x1") / n1, of("x2") / n2
    winners = (of("x11") - 2 * r1 * of("x1n1") + r1**2 * wide["n11"]) / n1**2
    losers = (of("x22") - 2 * r2 * of("x2n2") + r2**2 * wide["n22"]) / n2**2
    both = (of("x12") - r2 * of("x1n2") - r1 * of("x2n1") + r1 * r2 * wide["n12"]) / (n1 * n2)
    residual = max(winners + losers - 2 * both, 0.0)
    return kind, int(n1), int(n2), of("x1"), of("x2"), int(wide["groups"]), residual


LENGTHS: Final = ("rounds", "plies", "events")


def length_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `kind, players` of rounds, plies and events; a trial is a match."""
    condition, values = with_such_a_seat(where)
    summed = ", ".join(f"sum(m.{column}) as {column}" for column in LENGTHS)
    base = f"""select m.players, {SEED_GROUP} as unit, count(*) as n, {summed} from dim_matches m
        where {condition} group by all"""
    found = column_sums(reader, base, ["players"], "kind", dict.fromkeys(LENGTHS, "n"), values)
    return found.select("kind", "players", "trials", "total", "groups", "residual")


def length_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, value, matches`: the number of matches with each length."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select kind, players, value, count(*) as matches
            from (unpivot (select m.players, m.rounds, m.plies, m.events from dim_matches m where {condition})
                on {", ".join(LENGTHS)} into name kind value value)
            group by all""",
        values,
    )


def match_facts(reader: Reader, numbers: Sequence[int]) -> pl.DataFrame:
    """Return `match_id, match, tournament, line_up, winner` of the matches with these ids."""
    return reader.frame(
        """select match_id::bigint as match_id, match, tournament, line_up, winner from dim_matches
            where list_contains($numbers, match_id) order by match_id""",
        {"numbers": list(numbers)},
    )


def named_line_ups(reader: Reader, where: Filter, matches: Sequence[str]) -> list[tuple[str, str, str | None]]:
    """Return `match, line_up, winner` of matches, with players named as in the figures under a filter."""
    player, names = player_of(reader, where, "s")
    return reader.rows(
        f"""select m.match, string_agg({player}, ', ' order by s.seat),
                string_agg({player}, ', ' order by s.seat) filter (s.won)
            from {SEATS} where list_contains($matches, m.match) group by 1""",
        {"matches": list(matches), **names},
    )

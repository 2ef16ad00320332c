"""Results of seats, and sums for computing their intervals."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from dashboards.queries.filters import Filter
from dashboards.queries.participants import version_of
from dashboards.queries.reader import Reader
from dashboards.queries.where import SEATS, SEED_GROUP, SIZE, cohorts_where, matches_where, player_of, with_such_a_seat

__all__ = ["Reader"]


def unit_sums(
    reader: Reader,
    amounts: str,
    trials: str,
    by: Sequence[str],
    over: Sequence[str],
    values: dict[str, Any],
    base: str = "",
) -> pl.DataFrame:
    """Return `*by, trials, total, groups, residual` like `stats.intervals.sums`, sorted by `by`.

    `amounts` is a query for `*by, unit, x` and `trials` one for `*over, unit, n`, with one row per key and unit. `over`
    is a subset of `by`. A unit is a seed: units are independent. A unit without a row in `amounts` has the amount 0.
    Keys without any amount are left out. Both queries may use `base`, which is then computed only once.
    """
    first = f"base as materialized ({base}), " if base else ""
    keys, wholes = ", ".join(by), ", ".join(over)
    return reader.frame(
        f"""with {first}amounts as ({amounts}), trials as ({trials}),
            whole as (
                select {wholes or "true as whole"}, sum(n)::double as trials, count(*) as groups,
                    sum(n::double * n) as nn
                from trials where n > 0 group by {wholes or "true"}),
            parts as (
                select {keys or "true as whole"}, sum(x::double) as total, sum(x::double * x) as xx,
                    sum(x::double * n) as xn
                from amounts join trials using ({", ".join([*over, "unit"])})
                where n > 0 group by {keys or "true"})
            select {keys}{", " if keys else ""} trials, total, groups,
                greatest(xx - 2 * total / trials * xn + (total / trials) ** 2 * nn, 0) as residual
            from parts join whole {f"using ({wholes})" if wholes else "on true"}
            {f"order by {keys}" if keys else ""}""",
        values,
    )


def column_sums(
    reader: Reader, base: str, by: Sequence[str], key: str, columns: Mapping[str, str], values: dict[str, Any]
) -> pl.DataFrame:
    """Return `*by, {key}, trials, total, groups, residual`, one row for each key of `columns`.

    `base` is a query for `*by` and numbers, with one row per `by` and unit. `columns` maps each value of `key` to the
    column with its number of trials; the column of amounts has the name of the value. For a hundred thousand seeds and
    ten columns, this reads a hundred thousand rows; `unit_sums` would create a million.
    """
    summed = ", ".join(
        f"""count(*) filter ("{n}" > 0) as "groups {x}", sum("{n}")::double as "trials {x}",
            sum("{x}")::double as "total {x}", sum("{x}"::double * "{x}") as "xx {x}",
            sum("{x}"::double * "{n}") as "xn {x}", sum("{n}"::double * "{n}") as "nn {x}\""""
        for x, n in columns.items()
    )
    keys = ", ".join(by)
    wide = reader.frame(
        f"with base as ({base}) select {keys}, {summed} from base group by {keys} order by {keys}",
        values,
    )
    share = pl.col("total") / pl.col("trials")
    spread = pl.col("xx") - 2 * share * pl.col("xn") + share**2 * pl.col("nn")
    names = ("groups", "trials", "total", "xx", "xn", "nn")
    parts = [
        wide.select(*by, pl.lit(x).alias(key), *(pl.col(f"{name} {x}").alias(name) for name in names)) for x in columns
    ]
    found = pl.concat(parts).filter(pl.col("trials") > 0).with_columns(spread.clip(lower_bound=0).alias("residual"))
    return found.select(*by, key, "trials", "total", "groups", "residual").sort(*by, key)


def seat_results(reader: Reader, where: Filter, starters: str = "") -> pl.DataFrame:
    """Return `match, luck, tournament, seat, player, version, place, kept, name` of all seats of finished matches.

    `match` and `luck` are numbers. `version` is that of the player with its settings, as in `1:horizon=2:playouts=80`;
    `name` is its name in figures. All seats of the matches are included, because places depend on all seats; `kept`
    marks the seats that the filter selects. See `stats/results.py`.

    `starters` is an optional query for `match_id, first`, the seat that starts each match. With it, `seat` is the
    position in the turn order of the first round: 0 starts, 1 is the seat to its left.
    """
    condition, values = matches_where(where)
    sat = reader.frame(
        f"select m.match_id::bigint as match, {SEED_GROUP} as luck, s.cohort from {SEATS} where {condition}",
        values,
    )
    fits, values = cohorts_where(where)
    name, names = player_of(reader, where, "c")
    kinds = reader.frame(  # read by cohort, because cohorts are few and reading texts is slow
        f"""select c.cohort, c.tournament, c.seat::bigint as seat, c.player, {version_of("c")} as version,
                c.place::bigint as place, {fits} as kept, {name} as name
            from dim_cohorts c""",
        values | names,
    )
    rows = sat.join(kinds, on="cohort")
    if starters:
        first = reader.frame(f"select match_id::bigint as match, first::bigint as first from ({starters})", {})
        size = pl.len().over("match").cast(pl.Int64)
        rows = rows.join(first, on="match").with_columns((pl.col("seat") - pl.col("first") + size) % size)
    rows = rows.sort("match", "seat")
    return rows.select("match", "luck", "tournament", "seat", "player", "version", "place", "kept", "name")


def match_conditions(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, board, copy, options` of finished matches: the conditions of play.

    `copy` distinguishes boards of the same id by the first twelve digits of their digest. `options` are `name=value`
    sorted by name, except options that are off and the number of players.
    """
    condition, values = matches_where(where)
    found = reader.frame(
        f"""select m.match_id::bigint as match, m.board_id as board, m.board_sha256[:12] as copy,
                m.options::varchar as given
            from dim_matches m where {condition}""",
        values,
    )
    words = {given: _in_words(json.loads(given)) for given in found["given"].unique()}
    options = pl.col("given").replace_strict(words, return_dtype=pl.String)
    return found.select("match", "board", "copy", options.alias("options"))


def _in_words(options: dict[str, Any]) -> str:
    named = {name: value for name, value in options.items() if name != SIZE and value is not False}
    return ", ".join(f"{name}={json.dumps(value).strip(chr(34))}" for name, value in sorted(named.items()))


def results_stamp(reader: Reader) -> str:
    """Return a text that changes whenever results may change.

    Causes: a match is loaded, continued, finished, verified, deleted, reviewed, or assigned to a tournament.
    """
    sql = """select (select max(run) from ingest_runs), count(*), max(match_id), sum(events), count(tournament),
        count(*) filter (status = 'finished'), count(*) filter (verdict = 'clean'),
        count(*) filter (luck_verdict = 'differs'),
        (select coalesce(bit_xor(hash(match_id, model)), 0) from dim_reviews) from dim_matches"""
    return "/".join(str(value) for value in reader.rows(sql, {})[0])


def finished_count(reader: Reader, where: Filter) -> int:
    """Return the number of finished matches with a seat that fits the filter."""
    condition, values = with_such_a_seat(where)
    return int(reader.rows(f"select count(*) from dim_matches m where {condition}", values)[0][0])

"""Placings of seats in matches, and the selection of a filter."""

import json
from typing import Any

import polars as pl

from dashboards.warehouse.choices import SIZE
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import Reader
from dashboards.warehouse.versions import version_of
from dashboards.warehouse.where import SEATS, SEED_GROUP, cohorts_where, matches_where, player_of, with_such_a_seat

__all__ = ["Reader"]


def seat_results(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, luck, tournament, seat, player, version, place, kept, name` of all seats of finished matches.

    `match` and `luck` are numbers. `version` is that of the player with its settings, as in `1:horizon=2:playouts=80`;
    `name` is its name in figures. All seats of the matches are included, because places need all of them; `kept` marks
    those that the filter selects. See `stats/results.py`.
    """
    condition, values = matches_where(where)
    sat = reader.frame(
        f"select m.match_id::bigint as match, {SEED_GROUP} as luck, s.cohort from {SEATS} where {condition}",
        values,
    )
    fits, values = cohorts_where(where)
    name, names = player_of(reader, where, "c")
    kinds = reader.frame(  # there are few kinds of seats, and texts are slow
        f"""select c.cohort, c.tournament, c.seat::bigint as seat, c.player, {version_of("c")} as version,
                c.place::bigint as place, {fits} as kept, {name} as name
            from dim_cohorts c""",
        values | names,
    )
    rows = sat.join(kinds, on="cohort").sort("match", "seat")
    return rows.select("match", "luck", "tournament", "seat", "player", "version", "place", "kept", "name")


def match_conditions(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, board, copy, options` of finished matches: the conditions of play.

    `copy` distinguishes boards of the same id by twelve letters. `options` are `name=value` in the order of their
    names, without those that are off and without the number of players.
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

    Causes are a match that is loaded, continued, ended, verified, forgotten, reviewed, or given a tournament.
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

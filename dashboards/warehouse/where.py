"""SQL of a filter: conditions on matches `m`, their seats `s`, and cohorts of seats `c`.

All queries on finished matches use these, so that pages, exports and reports count the same ones. Values are passed as
parameters; no text of a filter ever becomes SQL.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import polars as pl

from dashboards.warehouse.filters import PARTS, Filter, SeatRows, Where, conjunction
from dashboards.warehouse.participants import Participant, Variant, named
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import settings_of, version_of
from ingest.validate.judged import Verdict

__all__ = [
    "SEATS",
    "SEED_GROUP",
    "cohorts_where",
    "listed_where",
    "matches_where",
    "of_any_seat",
    "of_seats",
    "participants",
    "player_of",
    "renamed",
    "seats_where",
    "second_copies",
    "tables_under",
    "with_such_a_seat",
]

CLEAN: Final = f"{{}}.verdict = '{Verdict.CLEAN}'"
FINISHED: Final[Where] = ("m.status = 'finished'", {})
SEATS: Final = "dim_seats s join dim_matches m using (match_id)"
SEED_GROUP: Final = """hash(coalesce(
    case when m.luck_verdict is distinct from 'differs' then m.luck end, m.contents, 'match ' || m.match_id))"""
"""The seed group of a match: a number shared by all matches of one seed.

A match without a seed, or with dice that differ from those of its seed, forms a separate group with its copies. The
result is hashed as a whole, because NULL has a hash too.
"""
COPIES_DIFFER_IN: Final = {"tournament", "verdict"}
"""Criteria of a filter that one copy of a match may fit and another not."""


def matches_where(where: Filter) -> Where:
    """Return the condition on finished matches `m` that count: game, tournaments, options, sizes, board, verdicts."""
    return _all([_of_matches(where, "m"), FINISHED, _clean(where, "m"), _once(where, "m")])


def listed_where(where: Filter) -> Where:
    """Return the condition on matches `m` of any status, including that one of their seats fits the filter."""
    return _all([_of_matches(where, "m"), _exists(_of_seats(where, "listed"))])


def seats_where(where: Filter) -> Where:
    """Return the condition on seats `s` of finished matches `m`: also players, versions, seats, results."""
    return _all([matches_where(where), of_seats(where)])


def of_seats(where: Filter) -> Where:
    """Return only the part that `seats_where` adds to `matches_where`; true if the filter selects all seats."""
    return _of_seats(where, "seats")


def with_such_a_seat(where: Filter) -> Where:
    """Return the condition that a seat of a finished match `m` fits the filter."""
    return _all([matches_where(where), _exists(of_seats(where))])


def of_any_seat(where: Filter) -> Filter:
    """Return a filter without its criteria for seats."""
    return replace(where, players=(), versions=(), seats=(), results=())


def cohorts_where(where: Filter) -> Where:
    """Return the condition on cohorts `c` that matches `seats_where` on seats; all are of finished matches."""
    return _all([_of_matches(where, "c"), _clean(where, "c"), _of_seats(where, "cohorts"), _once(where, "c")])


def renamed(where: Where, end: str) -> Where:
    """Return a condition with this suffix on its parameters, for use in one query with another filter."""
    condition, values = where
    names = "|".join(values)
    own = re.sub(rf"\$({names})\b", rf"$\1{end}", condition) if names else condition
    return own, {f"{name}{end}": value for name, value in values.items()}


def player_of(reader: Reader, where: Filter, alias: str) -> Where:
    """Return the SQL for the subject of a row, with its values: the player, or a participant with its settings.

    For a seat it is found by its cohort: cohorts are few, and settings are slow to read.
    """
    found = [(cohort, each.name) for each in participants(reader, where) for cohort in each.cohorts]
    if not found:
        return f"{alias}.player", {}
    cohorts, names = ([pair[place] for pair in found] for place in (0, 1))
    sql = f"""coalesce((select n.name from (select unnest($named_cohorts) as cohort, unnest($names) as name) n
        where n.cohort = {alias}.cohort), {alias}.player)"""
    return sql, {"named_cohorts": cohorts, "names": names}


def participants(reader: Reader, where: Filter) -> list[Participant]:
    """Return the participants in the matches of a filter, for players with several settings or versions there."""
    condition, values = cohorts_where(of_any_seat(where))
    rows = reader.rows(
        f"""with kinds as (
                select c.player, c.version, c.params, list(c.cohort order by c.cohort) as cohorts
                from dim_cohorts c where {condition} group by c.player, c.version, c.params
                qualify count(*) over (partition by c.player) > 1)
            select player, version, {settings_of("kinds")}, player || ' ' || {version_of("kinds")}, cohorts
            from kinds order by 1, 2, 3""",
        values,
    )
    variants = [
        Variant(player, version, tuple(settings), called, tuple(cohorts))
        for player, version, settings, called, cohorts in rows
    ]
    return named(variants, where.versions)


def tables_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, player`: the players at each table of a filter, each table of the same players once."""
    condition, values = matches_where(where)
    player, names = player_of(reader, where, "s")
    one_of_each = "" if names else "group by m.line_up"  # distinguishes players, not their settings
    chosen = "m.match_id" if names else "min(m.match_id)"
    return reader.frame(
        f"""with tables as (
                select distinct string_agg({player}, chr(10)) as players from dim_seats s
                where s.match_id in (select {chosen} from dim_matches m where {condition} {one_of_each})
                group by s.match_id)
            select row_number() over () as match, unnest(string_split(players, chr(10))) as player from tables""",
        values | names,
    )


def _clean(where: Filter, alias: str) -> Where:
    """Return the condition that a match is clean, unless the filter says which verdicts count."""
    return ("true", {}) if where.verdicts else (CLEAN.format(alias), {})


def second_copies(condition: str = CLEAN.format("e"), *, key: str = "match_id") -> str:
    """Return the query for matches, by a key, with an earlier copy that also meets a condition on matches `e`."""
    return f"""select e.{key} from dim_matches e
        where e.contents in (select contents from dim_matches where is_copy) and {condition}
        qualify row_number() over (partition by e.contents order by e.match_id) > 1"""


def _once(where: Filter, alias: str) -> Where:
    """Return the condition that no earlier copy of a match `m`, or of that of a cohort `c`, meets the filter."""
    differing = (part.of_matches for part in PARTS if part.keys[0].name in COPIES_DIFFER_IN)
    condition, values = _all([_clean(where, "e"), *(of_matches(where, "e") for of_matches in differing if of_matches)])
    if alias == "m":
        return f"m.match_id not in ({second_copies(condition)})", values
    return f"(c.copy is null or c.copy not in ({second_copies(condition, key='match')}))", values


def _of_matches(where: Filter, alias: str) -> Where:
    return _all(part.of_matches(where, alias) for part in PARTS if part.of_matches)


def _of_seats(where: Filter, rows: SeatRows) -> Where:
    return _all(part.of_seats(where, rows) for part in PARTS if part.of_seats)


def _exists(seats: Where) -> Where:
    """Return the condition on matches `m` that one of their seats meets a condition."""
    condition, values = seats
    if condition == "true":
        return seats
    return f"exists (from dim_seats s where s.match_id = m.match_id and {condition})", values


def _all(conditions: Iterable[Where]) -> Where:
    """Return the condition that all of them hold, with the values of all."""
    parts: list[str] = []
    values: dict[str, Any] = {}
    for condition, more in conditions:
        parts.append(condition)
        values |= more
    return conjunction(parts), values

"""What a filter means in SQL: conditions over matches `m`, their seats `s`, and cohorts of seats `c`.

Every question about finished matches goes through here, so that pages, exports and reports count the same ones.
Values go in as parameters; no text of a filter ever becomes SQL.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from dashboards.warehouse.filters import NO_TOURNAMENT, OPTION_NAME, Filter

__all__ = [
    "LUCK",
    "RESULTS",
    "SEATS",
    "Where",
    "cohorts_where",
    "conjunction",
    "in_tournaments",
    "listed_where",
    "matches_where",
    "most_played",
    "of_any_seat",
    "of_seats",
    "player_of",
    "renamed",
    "seats_where",
    "version_of",
    "with_such_a_seat",
]

Where = tuple[str, dict[str, Any]]
"""A condition, and the values of its parameters."""

SEATS: Final = "dim_seats s join dim_matches m using (match_id)"
LUCK: Final = "coalesce(hash(m.luck), m.match_id::ubigint)"
"""The luck group of a match: a number that matches of one luck share; one without a luck is a group of its own."""


def matches_where(where: Filter) -> Where:
    """Return the condition on finished matches `m`: game, tournaments, options, sizes of tables, board."""
    parts, values = _of_matches(where, "m")
    return conjunction([*parts, "m.status = 'finished'"]), values


def listed_where(where: Filter) -> Where:
    """Return the condition on matches `m` of any status, that one of their seats is such a one too."""
    parts, values = _of_matches(where, "m")
    more, of_them = _of_seats(where, "s", finished=False)
    if more:
        parts.append(f"exists (from dim_seats s where s.match_id = m.match_id and {conjunction(more)})")
    return conjunction(parts), values | of_them


def seats_where(where: Filter) -> Where:
    """Return the condition on seats `s` of finished matches `m`: also players, versions, seats, results."""
    parts, values = _of_matches(where, "m")
    more, of_them = _of_seats(where, "s")
    return conjunction([*parts, "m.status = 'finished'", *more]), values | of_them


def of_seats(where: Filter) -> Where:
    """Return only what `seats_where` adds to `matches_where`; true if the filter leaves all seats."""
    parts, values = _of_seats(where, "s")
    return conjunction(parts), values


def with_such_a_seat(where: Filter) -> Where:
    """Return the condition on finished matches `m` that a seat of theirs fits the filter."""
    condition, values = matches_where(where)
    kept, of_them = of_seats(where)
    if kept == "true":
        return condition, values
    some = f"exists (from dim_seats s where s.match_id = m.match_id and {kept})"
    return f"{condition} and {some}", values | of_them


def of_any_seat(where: Filter) -> Filter:
    """Return a filter without what it says of seats."""
    return replace(where, players=(), versions=(), seats=(), results=())


def cohorts_where(where: Filter) -> Where:
    """Return the condition on cohorts `c` that `seats_where` is on seats; all of them are of finished matches."""
    parts, values = _of_matches(where, "c")
    more, of_them = _of_seats(where, "c")
    return conjunction([*parts, *more]), values | of_them


def in_tournaments(names: Sequence[str], alias: str = "m") -> tuple[list[str], dict[str, Any]]:
    """Return the conditions on the tournament, and their values; none for all tournaments."""
    if not names:
        return [], {}
    part = f"list_contains($tournaments, coalesce({alias}.tournament, $none))"
    return [part], {"tournaments": list(names), "none": NO_TOURNAMENT}


def most_played(where: Filter) -> Where:
    """Return the game that a filter means which names none, as a question: the one most played in its tournaments."""
    parts, values = in_tournaments(where.tournaments, "dim_matches")
    sql = f"""(select game from dim_matches where {conjunction(parts)}
        group by game order by count(*) filter (status = 'finished') desc, count(*) desc, game limit 1)"""  # noqa: S608
    return sql, values


def conjunction(parts: Sequence[str]) -> str:
    """Return the condition that all parts hold."""
    return " and ".join(parts) if parts else "true"


def renamed(where: Where, end: str) -> Where:
    """Return a condition whose parameters end so, to stand in one question with that of another filter."""
    condition, values = where
    names = "|".join(values)
    own = re.sub(rf"\$({names})\b", rf"$\1{end}", condition) if names else condition
    return own, {f"{name}{end}": value for name, value in values.items()}


def version_of(alias: str) -> str:
    """Return the SQL for the version of a player with its settings, as in `1:horizon=2:playouts=80`."""
    setting = f"json_extract({alias}.params, '$.\"' || k || '\"')"
    number = f"format('{{:g}}', {setting}::double)"
    shown = f"case when json_type({setting}) = 'DOUBLE' then {number} else {setting} ->> '$' end"
    settings = f"list_transform(list_sort(json_keys({alias}.params)), lambda k: ':' || k || '=' || {shown})"
    return f"({alias}.version || array_to_string({settings}, ''))"


def player_of(where: Filter, alias: str) -> str:
    """Return the SQL for who a row is about: the player, or each version of it if the filter names versions.

    Of a seat the version is looked up by its cohort: there are few of them, and settings are slow to read.
    """
    if not where.versions:
        return f"{alias}.player"
    if alias == "c":
        return f"c.player || ' ' || {version_of('c')}"
    return f"(select k.player || ' ' || {version_of('k')} from dim_cohorts k where k.cohort = {alias}.cohort)"  # noqa: S608


def _of_matches(where: Filter, alias: str) -> tuple[list[str], dict[str, Any]]:
    parts, values = in_tournaments(where.tournaments, alias)
    if where.game:
        parts.append(f"{alias}.game = $game")
        values["game"] = where.game
    else:
        parts.append(f"{alias}.game = {most_played(where)[0]}")  # of the same tournaments
    for place, option in enumerate(where.options):
        name, _, value = option.partition("=")
        if not OPTION_NAME.fullmatch(name):
            parts.append("false")
            continue
        parts.append(f"coalesce(json_extract_string({alias}.options, $option_{place}), 'false') = $value_{place}")
        values |= {f"option_{place}": f'$."{name}"', f"value_{place}": value}
    if where.sizes:
        parts.append(f"list_contains($sizes, {alias}.players)")
        values["sizes"] = list(where.sizes)
    if where.board:
        parts.append(f"{alias}.board_id = $board_id")
        values["board_id"] = where.board
    return parts, values


def _of_seats(where: Filter, alias: str, *, finished: bool = True) -> tuple[list[str], dict[str, Any]]:
    parts: list[str] = []
    values: dict[str, Any] = {}
    if where.players:
        parts.append(f"list_contains($players, {alias}.player)")
        values["players"] = list(where.players)
    if where.versions:
        if alias == "s" and finished:
            named = f"list_contains($versions, k.player || ' ' || {version_of('k')})"
            parts.append(f"s.cohort in (select k.cohort from dim_cohorts k where {named})")  # noqa: S608
        elif alias == "s":  # settings are slow to read: any_value keeps that from being done before they are grouped
            texts = "player || ' ' || version || params::varchar"
            kinds = f"""(select {texts} as text, any_value(player) as player, any_value(version) as version,
                any_value(params) as params from dim_seats group by 1)"""  # noqa: S608
            named = f"list_contains($versions, k.player || ' ' || {version_of('k')})"
            own = "s.player || ' ' || s.version || s.params::varchar"
            parts.append(f"{own} in (select k.text from {kinds} k where {named})")  # noqa: S608
        else:
            parts.append(f"list_contains($versions, {alias}.player || ' ' || {version_of(alias)})")
        values["versions"] = list(where.versions)
    if where.seats:
        parts.append(f"list_contains($seats, {alias}.seat)")
        values["seats"] = list(where.seats)
    if where.results:
        ways = [RESULTS[result].format(alias) for result in where.results if result in RESULTS]
        parts.append(
            "(" + " or ".join([*ways, f"coalesce(list_contains($results, {alias}.eliminated_by), false)"]) + ")"
        )
        values["results"] = list(where.results)
    return parts, values


RESULTS: Final = {"won": "{0}.won", "lost": "not {0}.won", "outlasted": "(not {0}.won and {0}.eliminated_by is null)"}
"""What results of a seat mean in SQL; any other is what the seat was eliminated by."""

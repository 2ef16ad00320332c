"""What a filter means in SQL: conditions over matches `m`, their seats `s`, and cohorts of seats `c`.

Every question about finished matches goes through here, so that pages, exports and reports count the same ones.
Values go in as parameters; no text of a filter ever becomes SQL.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from dashboards.warehouse.filters import PARTS, Filter, SeatRows, Where, conjunction
from dashboards.warehouse.versions import version_of
from ingest.validate.judged import Verdict

__all__ = [
    "SEATS",
    "SEED_GROUP",
    "cohorts_where",
    "listed_where",
    "matches_where",
    "of_any_seat",
    "of_seats",
    "player_of",
    "renamed",
    "seats_where",
    "second_copies",
    "with_such_a_seat",
]

CLEAN: Final = f"{{}}.verdict = '{Verdict.CLEAN}'"
FINISHED: Final[Where] = ("m.status = 'finished'", {})
SEATS: Final = "dim_seats s join dim_matches m using (match_id)"
SEED_GROUP: Final = """hash(coalesce(
    case when m.luck_verdict is distinct from 'differs' then m.luck end, m.contents, 'match ' || m.match_id))"""
"""The seed group of a match: a number that matches of one seed share; one without a seed, or whose dice are not those
of the seed it names, is a group of its own, with its copies. Hashed as a whole, for NULL has a hash too."""
COPIES_DIFFER_IN: Final = {"tournament", "verdict"}
"""What of a filter one copy of a match may fit, and another not."""


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
    """Return only what `seats_where` adds to `matches_where`; true if the filter leaves all seats."""
    return _of_seats(where, "seats")


def with_such_a_seat(where: Filter) -> Where:
    """Return the condition on finished matches `m` that a seat of theirs fits the filter."""
    return _all([matches_where(where), _exists(of_seats(where))])


def of_any_seat(where: Filter) -> Filter:
    """Return a filter without its criteria for seats."""
    return replace(where, players=(), versions=(), seats=(), results=())


def cohorts_where(where: Filter) -> Where:
    """Return the condition on cohorts `c` that `seats_where` is on seats; all of them are of finished matches."""
    return _all([_of_matches(where, "c"), _clean(where, "c"), _of_seats(where, "cohorts"), _once(where, "c")])


def renamed(where: Where, end: str) -> Where:
    """Return a condition whose parameters end so, to stand in one question with that of another filter."""
    condition, values = where
    names = "|".join(values)
    own = re.sub(rf"\$({names})\b", rf"$\1{end}", condition) if names else condition
    return own, {f"{name}{end}": value for name, value in values.items()}


def player_of(where: Filter, alias: str) -> str:
    """Return the SQL for who a row is about: the player, or each version of it if the filter names versions.

    Of a seat the version is looked up by its cohort: there are few of them, and settings are slow to read.
    """
    if not where.versions:
        return f"{alias}.player"
    if alias == "c":
        return f"c.player || ' ' || {version_of('c')}"
    return f"(select k.player || ' ' || {version_of('k')} from dim_cohorts k where k.cohort = {alias}.cohort)"


def _clean(where: Filter, alias: str) -> Where:
    """Return the condition that a match is clean, unless the filter says which verdicts count."""
    return ("true", {}) if where.verdicts else (CLEAN.format(alias), {})


def second_copies(condition: str = CLEAN.format("e"), *, key: str = "match_id", within: str = "") -> str:
    """Return the question for matches, by a key, of which an earlier copy also meets a condition on matches `e`.

    With columns to look `within`, as `e.tournament, `, an earlier copy that has the same there.
    """
    return f"""select e.{key} from dim_matches e
        where e.contents in (select contents from dim_matches where is_copy) and {condition}
        qualify row_number() over (partition by {within}e.contents order by e.match_id) > 1"""


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
    """Return the condition on matches `m` that a seat of theirs meets one."""
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

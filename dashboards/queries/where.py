"""SQL of a filter, the possible values of its criteria, and a check for unknown names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from dashboards.queries.filters import (
    NO_TOURNAMENT,
    PARTS,
    Filter,
    SeatRows,
    Where,
    conjunction,
    in_tournaments,
    most_played,
)
from dashboards.queries.participants import Participant, Variant, named, settings_of, version_of
from dashboards.queries.reader import Reader
from himalaya_core.names import did_you_mean
from ingest.validate.after_load import Verdict

__all__ = [
    "SEATS",
    "SEED_GROUP",
    "Choices",
    "Reader",
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
    "unknown_name",
    "with_such_a_seat",
]


CLEAN: Final = f"{{}}.verdict = '{Verdict.CLEAN}'"
FINISHED: Final[Where] = ("m.status = 'finished'", {})
SEATS: Final = "dim_seats s join dim_matches m using (match_id)"
SEED_GROUP: Final = """hash(coalesce(
    case when m.luck_verdict is distinct from 'differs' then m.luck end, m.contents, 'match ' || m.match_id))"""
"""SQL for the seed group of a match: a number shared by all matches of one seed.

A match without a seed forms a group with its copies; so does a match with dice that differ from its seed. The hash is
applied after `coalesce`, because the hash of NULL is not NULL.
"""
COPIES_DIFFER_IN: Final = {"tournament", "verdict"}
"""Filter criteria in which a match and its copy may differ."""


def matches_where(where: Filter) -> Where:
    """Return the condition on finished matches (SQL alias `m`): game, tournaments, options, sizes, board, verdicts."""
    return _all([_of_matches(where, "m"), FINISHED, _clean(where, "m"), _once(where, "m")])


def listed_where(where: Filter) -> Where:
    """Return the condition on matches of any status (SQL alias `m`); at least one seat must fit the filter."""
    return _all([_of_matches(where, "m"), _exists(_of_seats(where, "listed"))])


def seats_where(where: Filter) -> Where:
    """Return `matches_where` extended by a condition on seats (SQL alias `s`): players, versions, seats, results."""
    return _all([matches_where(where), of_seats(where)])


def of_seats(where: Filter) -> Where:
    """Return only the conditions that `seats_where` adds to `matches_where`; true if the filter selects all seats."""
    return _of_seats(where, "seats")


def with_such_a_seat(where: Filter) -> Where:
    """Return the condition on finished matches (SQL alias `m`) with at least one seat that fits the filter."""
    return _all([matches_where(where), _exists(of_seats(where))])


def of_any_seat(where: Filter) -> Filter:
    """Return the filter without its criteria for seats."""
    return replace(where, players=(), versions=(), seats=(), results=())


def cohorts_where(where: Filter) -> Where:
    """Return `seats_where` as a condition on cohorts (SQL alias `c`); all cohorts are of finished matches."""
    return _all([_of_matches(where, "c"), _clean(where, "c"), _of_seats(where, "cohorts"), _once(where, "c")])


def renamed(where: Where, end: str) -> Where:
    """Return a condition with a suffix on its parameters, so that one query can use two filters."""
    condition, values = where
    names = "|".join(values)
    own = re.sub(rf"\$({names})\b", rf"$\1{end}", condition) if names else condition
    return own, {f"{name}{end}": value for name, value in values.items()}


def player_of(reader: Reader, where: Filter, alias: str) -> Where:
    """Return SQL for the player of a row, or its participant if settings differ, with the parameter values.

    A seat's participant is looked up by cohort, because cohorts are few and settings are slow to read.
    """
    found = [(cohort, each.name) for each in participants(reader, where) for cohort in each.cohorts]
    if not found:
        return f"{alias}.player", {}
    cohorts, names = ([pair[place] for pair in found] for place in (0, 1))
    sql = f"""coalesce((select n.name from (select unnest($named_cohorts) as cohort, unnest($names) as name) n
        where n.cohort = {alias}.cohort), {alias}.player)"""
    return sql, {"named_cohorts": cohorts, "names": names}


def participants(reader: Reader, where: Filter) -> list[Participant]:
    """Return the participants in the matches under a filter, for players with several settings or versions there."""
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
    """Return `match, player`: the players at tables under a filter; tables with equal players appear only once."""
    condition, values = matches_where(where)
    player, names = player_of(reader, where, "s")
    one_of_each = "" if names else "group by m.line_up"  # a line-up has the players but not their settings
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
    """Return the condition that a match is clean, unless the filter names verdicts."""
    return ("true", {}) if where.verdicts else (CLEAN.format(alias), {})


def second_copies(condition: str = CLEAN.format("e"), *, key: str = "match_id") -> str:
    """Return a query for the `key` of matches (SQL alias `e`) with an earlier copy, where both meet the condition."""
    return f"""select e.{key} from dim_matches e
        where e.contents in (select contents from dim_matches where is_copy) and {condition}
        qualify row_number() over (partition by e.contents order by e.match_id) > 1"""


def _once(where: Filter, alias: str) -> Where:
    """Return the condition that no earlier copy fits the filter, for matches (alias `m`) or cohorts (alias `c`)."""
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
    """Return the condition on matches (SQL alias `m`) with at least one seat that meets the condition `seats`."""
    condition, values = seats
    if condition == "true":
        return seats
    return f"exists (from dim_seats s where s.match_id = m.match_id and {condition})", values


def _all(conditions: Iterable[Where]) -> Where:
    parts: list[str] = []
    values: dict[str, Any] = {}
    for condition, more in conditions:
        parts.append(condition)
        values |= more
    return conjunction(parts), values


GAMES: Final = """select game from dim_matches
    group by game order by count(*) filter (status = 'finished') desc, count(*) desc, game"""
SIZE: Final = "players"
"""Option with the number of players; filters have a separate criterion for it."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Values of filters that occur in the matches of one game, or of some of its tournaments.

    `games` are all games, most played first. `tournaments` end with `NO_TOURNAMENT` if some matches were played outside
    a tournament. `options` are `name=value`, only for options that differ between matches. `versions` are `player
    version`. `seats` is the size of the largest table. `eliminations` are the causes of elimination. `boards` are
    sorted by use, most used first. `verdicts` counts matches by verdict. `other_dice` is the number of matches with
    dice that differ from those of the seed.
    """

    game: str
    games: tuple[str, ...]
    tournaments: tuple[str, ...]
    options: tuple[str, ...]
    sizes: tuple[int, ...]
    players: tuple[str, ...]
    versions: tuple[str, ...]
    seats: int
    eliminations: tuple[str, ...]
    boards: tuple[str, ...]
    verdicts: Mapping[str, int]
    other_dice: int


def games_played(reader: Reader) -> tuple[str, ...]:
    """Return the games that have matches, most played first."""
    return tuple(str(name) for (name,) in reader.rows(GAMES, {}))


def game_under(reader: Reader, where: Filter) -> str:
    """Return the game of a filter: the game it names, else the most played game in its tournaments.

    If it has no such tournaments, it is the most played game overall; empty if there are no matches.
    """
    if where.game:
        return where.game
    game, values = most_played(where)
    found = reader.rows(f"select {game}", values)[0][0]
    return str(found) if found else next(iter(games_played(reader)), "")


def filter_choices(reader: Reader, game: str = "", within: Sequence[str] = (), *, is_of_all: bool = False) -> Choices:
    """Return the possible filter values in a game, or in some of its tournaments, or in all games.

    By default the game is the most played one.
    """
    games = games_played(reader)
    game = game or next(iter(games), "")
    counted = list(games) if is_of_all else [game]
    of_tournaments, values = in_tournaments(within)
    condition, values = conjunction(["list_contains($games, m.game)", of_tournaments]), values | {"games": counted}
    matches = f"from dim_matches m where {condition}"
    seats = f"from dim_seats s join dim_matches m using (match_id) where {condition}"

    def texts(sql: str) -> tuple[str, ...]:
        return tuple(str(value) for (value,) in reader.rows(sql, values))

    sizes = tuple(map(int, texts(f"select distinct players {matches} order by 1")))
    tournaments = texts(f"select distinct coalesce(tournament, '') as name {matches} order by name = '', 1")
    return Choices(
        game,
        games,
        tuple(name or NO_TOURNAMENT for name in tournaments),
        texts(_options(matches)),
        sizes,
        texts(f"select distinct s.player {seats} order by 1"),
        texts(
            f"""select player || ' ' || {version_of("s")} as version
                from (select distinct s.player, s.version, s.params {seats}) s order by 1"""
        ),
        max(sizes, default=0),
        texts(f"select distinct s.ending {seats} and s.ending is not null order by 1"),
        texts(f"select board_id {matches} group by 1 order by count(*) desc, 1"),
        _verdicts(reader, matches, values),
        int(reader.rows(f"select count(*) filter (luck_verdict = 'differs') {matches}", values)[0][0]),
    )


def verdicts_in(reader: Reader, game: str) -> Mapping[str, int]:
    """Return the number of matches of a game by verdict of the rules."""
    return _verdicts(reader, "from dim_matches m where m.game = $game", {"game": game})


def _verdicts(reader: Reader, matches: str, values: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(reader.rows(f"select verdict, count(*) {matches} group by 1 order by 1", dict(values)))


def most_seats(reader: Reader, where: Filter, by: str) -> list[str]:
    """Return the players, versions or tournaments (`by`) of finished matches, most seats first."""
    condition, values = cohorts_where(where)
    named = {"player": "c.player", "version": f"c.player || ' ' || {version_of('c')}"}.get(by)
    if not named:
        named, values = "coalesce(c.tournament, $none)", values | {"none": NO_TOURNAMENT}
    # names are built per cohort, because settings are slow to read
    sql = f"""select {named} as name
        from dim_cohorts c join (select cohort, count(*) as seats from dim_seats group by 1) using (cohort)
        where {condition} group by 1 order by sum(seats) desc, 1"""
    return [str(name) for (name,) in reader.rows(sql, values)]


def _options(matches: str) -> str:
    """Return the query for `name=value` of options that vary; an option missing in a log counts as `false`."""
    return f"""with sets as (select distinct options {matches}),
            names as (select distinct unnest(json_keys(options)) as name from sets)
        select name || '=' || coalesce(json_extract_string(options, '$."' || name || '"'), 'false') as option
        from names cross join sets where name <> '{SIZE}'
        group by name, option qualify count(*) over (partition by name) > 1 order by 1"""


KNOWN: Final = {
    "tournament": "select distinct tournament from dim_matches where tournament is not null order by 1",
    "player": "select distinct player from dim_seats order by 1",
    "version": f"""select distinct player || ' ' || {version_of("s")}
        from (select distinct player, version, params from dim_seats) s order by 1""",
    "board": "select distinct board_id from dim_matches where board_id is not null order by 1",
}
"""Columns that hold the names, by filter key."""
FEW: Final = 8


def unknown_name(reader: Reader, where: Filter) -> str:
    """Return a sentence, without a full stop, on the first name in a filter that no match has.

    It is empty if all names are known.
    """
    for key, name in where.pairs():
        if key not in KNOWN or name == NO_TOURNAMENT:
            continue
        names = [str(each) for (each,) in reader.rows(KNOWN[key], {})]
        if name not in names:
            near = did_you_mean(name, names)
            there = f"; there are {', '.join(names)}" if not near and 0 < len(names) <= FEW else ""
            return f"no matches of {key} {name!r}{near or there}"
    return ""

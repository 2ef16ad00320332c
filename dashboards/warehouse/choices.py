"""Possible values of filters: only those that occur in the matches of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dashboards.warehouse.filters import NO_TOURNAMENT, Filter, conjunction, in_tournaments, most_played
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import version_of
from dashboards.warehouse.where import cohorts_where

__all__ = ["Choices", "Reader"]

GAMES: Final = """select game from dim_matches
    group by game order by count(*) filter (status = 'finished') desc, count(*) desc, game"""
SIZE: Final = "players"
"""The option with the number of players; the filter has a separate criterion for it."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Filter values that occur in the matches of one game, or of some of its tournaments.

    `games` are all games, most played first. `tournaments` end with `NO_TOURNAMENT` if some matches were played outside
    a tournament. `options` are `name=value`, only for options that differ between matches. `versions` are `player
    version`. `seats` is the size of the largest table. `eliminations` are the causes of elimination. `boards` are
    sorted by use, most used first. `verdicts` counts matches by verdict. `other_dice` counts matches whose dice differ
    from those of their seed.
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
    """Return the game of a filter: the one it names, else the one most played in its tournaments.

    Without such tournaments, it is the game most played overall; empty without matches.
    """
    if where.game:
        return where.game
    game, values = most_played(where)
    found = reader.rows(f"select {game}", values)[0][0]
    return str(found) if found else next(iter(games_played(reader)), "")


def filter_choices(reader: Reader, game: str = "", within: Sequence[str] = ()) -> Choices:
    """Return the possible filter values in a game or in some of its tournaments.

    Without a name, the game is the most played one.
    """
    games = games_played(reader)
    game = game or next(iter(games), "")
    of_tournaments, values = in_tournaments(within)
    condition, values = conjunction(["m.game = $game", of_tournaments]), values | {"game": game}
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
    """Return the verdicts of the rules on matches of a game, with the number of matches for each."""
    return _verdicts(reader, "from dim_matches m where m.game = $game", {"game": game})


def _verdicts(reader: Reader, matches: str, values: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(reader.rows(f"select verdict, count(*) {matches} group by 1 order by 1", dict(values)))


def most_seats(reader: Reader, where: Filter, by: str) -> list[str]:
    """Return the players or versions in finished matches, most seats first.

    `by` is player, version or tournament.
    """
    condition, values = cohorts_where(where)
    named = {"player": "c.player", "version": f"c.player || ' ' || {version_of('c')}"}.get(by)
    if not named:
        named, values = "coalesce(c.tournament, $none)", values | {"none": NO_TOURNAMENT}
    # names are built from the few kinds of seats: settings are slow to read
    sql = f"""select {named} as name
        from dim_cohorts c join (select cohort, count(*) as seats from dim_seats group by 1) using (cohort)
        where {condition} group by 1 order by sum(seats) desc, 1"""
    return [str(name) for (name,) in reader.rows(sql, values)]


def _options(matches: str) -> str:
    """Query `name=value` of each option that differs; an option missing from a log is `false` there."""
    return f"""with sets as (select distinct options {matches}),
            names as (select distinct unnest(json_keys(options)) as name from sets)
        select name || '=' || coalesce(json_extract_string(options, '$."' || name || '"'), 'false') as option
        from names cross join sets where name <> '{SIZE}'
        group by name, option qualify count(*) over (partition by name) > 1 order by 1"""

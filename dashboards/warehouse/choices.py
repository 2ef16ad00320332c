"""Reading what filters can be set to: what occurs in the matches of a game, and nothing that leaves no match."""

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
"""The option with the number of players, for which the filter has a criterion of its own."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What occurs in the matches of one game, or of some tournaments of it.

    `games` are all there are, the most played first.
    `tournaments` end with `NO_TOURNAMENT` if matches were played outside one; `options` are `name=value`, only of
    options that differ between matches; `versions` are `player version`; `seats` is how many the greatest table has;
    `eliminations` are what seats were eliminated by; `boards` come with the most used first. `verdicts` are those of
    the matches with how many have each, `other_dice` how many matches have other dice than their seed gives.
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
    """Return the games that have matches, the most played first."""
    return tuple(str(name) for (name,) in reader.rows(GAMES, {}))


def game_under(reader: Reader, where: Filter) -> str:
    """Return the game that a filter means: the one it names, else the one most played in its tournaments.

    If there are no such tournaments, it is the one most played of all; nothing without any match.
    """
    if where.game:
        return where.game
    game, values = most_played(where)
    found = reader.rows(f"select {game}", values)[0][0]
    return str(found) if found else next(iter(games_played(reader)), "")


def filter_choices(reader: Reader, game: str = "", within: Sequence[str] = ()) -> Choices:
    """Return what filters can be set to in a game (without a name, in the one most played) or tournaments of it."""
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
    """Return the verdicts of the rules on matches of a game, each with how many have it."""
    return _verdicts(reader, "from dim_matches m where m.game = $game", {"game": game})


def _verdicts(reader: Reader, matches: str, values: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(reader.rows(f"select verdict, count(*) {matches} group by 1 order by 1", dict(values)))


def most_seats(reader: Reader, where: Filter, by: str) -> list[str]:
    """Return the players, or versions, who sat at the tables of finished matches, the most seats first.

    `by` is player, version or tournament.
    """
    condition, values = cohorts_where(where)
    named = {"player": "c.player", "version": f"c.player || ' ' || {version_of('c')}"}.get(by)
    if not named:
        named, values = "coalesce(c.tournament, $none)", values | {"none": NO_TOURNAMENT}
    # names are made of the few kinds of seats: settings are slow to read
    sql = f"""select {named} as name
        from dim_cohorts c join (select cohort, count(*) as seats from dim_seats group by 1) using (cohort)
        where {condition} group by 1 order by sum(seats) desc, 1"""
    return [str(name) for (name,) in reader.rows(sql, values)]


def _options(matches: str) -> str:
    """Ask for `name=value` of each option that differs; one that a log does not name is `false` there."""
    return f"""with sets as (select distinct options {matches}),
            names as (select distinct unnest(json_keys(options)) as name from sets)
        select name || '=' || coalesce(json_extract_string(options, '$."' || name || '"'), 'false') as option
        from names cross join sets where name <> '{SIZE}'
        group by name, option qualify count(*) over (partition by name) > 1 order by 1"""

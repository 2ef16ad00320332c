"""The list of tournaments: standing, size, players and time of loading. For any game."""

from typing import Final

import polars as pl

from dashboards.games.figure import Figure
from dashboards.stats.pools import pools
from dashboards.stats.words import whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.tournaments import latest_tournaments, leader, tournament_list
from dashboards.warehouse.where import tables_under

__all__ = ["TOURNAMENTS", "tournaments_now"]


def _frame(reader: Reader, where: Filter) -> pl.DataFrame:
    return tournament_list(reader, where)


def tournaments_now(reader: Reader, most: int) -> pl.DataFrame:
    """Return the columns of `latest_tournaments` and `pools, leader, share, seats` in finished matches that count.

    The leader is none if no match has ended, or if there are several pools of players (`stats/pools.py`).
    """
    shown = latest_tournaments(reader, most)
    rows = [
        _led(reader, Filter(game=game, tournaments=(name,))) for name, game in shown.select("tournament", "game").rows()
    ]
    schema = {"pools": pl.Int64, "leader": pl.String, "share": pl.Float64, "seats": pl.Int64}
    return pl.concat([shown, pl.DataFrame(rows, schema=schema, orient="row")], how="horizontal")


def _led(reader: Reader, where: Filter) -> tuple[object, ...]:
    found = pools(tables_under(reader, where))
    return (1, *leader(reader, where)) if len(found) == 1 else (len(found), None, None, None)


def finding(frame: pl.DataFrame) -> str:
    """Give the number of tournaments, their game if it is one, and the part of them that is finished."""
    if frame.is_empty():
        return "No tournament has a match that fits these filters."
    matches, finished = int(frame["all_matches"].sum()), int(frame["finished"].sum())
    games = frame["game"].unique().to_list()
    of_game = f"{games[0]} " if len(games) == 1 else ""
    said = f"{whole(frame.height, f'{of_game}tournament')} with {whole(matches, 'match', 'matches')}"
    return f"{said}, all finished." if finished == matches else f"{said}, {finished:,} finished."


TOURNAMENTS: Final = Figure(
    "tournaments",
    "Tournaments",
    "strength",
    _frame,
    {
        "tournament": "Tournament",
        "game": "Game",
        "status": "Status",
        "all_matches": "Matches",
        "finished": "Finished",
        "groups": "Seeds",
        "player_count": "Players",
        "version_count": "Versions",
        "sizes": "Table size",
        "first_in": "First loaded (UTC)",
        "last_in": "Last loaded (UTC)",
    },
    finding,
)

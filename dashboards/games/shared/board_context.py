"""The board that a figure of places is about, and the places on it. Of any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from dashboards.games.analytics import analytics_of
from dashboards.games.shared.memo import memo
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.logs import match_lines
from dashboards.warehouse.places import Place
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.traffic import boards_used
from himalaya_core.boards import board_for
from himalaya_core.errors import BoardError
from himalaya_core.games import GAMES
from himalaya_core.log.codec import Header, decode_line

__all__ = ["BoardContext", "board_context"]


@dataclass(frozen=True)
class BoardContext:
    """A board of a game with its digest and its places; no board, and no rows in these, if no match fits.

    `matches` of `matches_in_all` under the filter were played on it.
    """

    game: str
    board: Any
    digest: str
    matches: int
    matches_in_all: int
    places: Mapping[str, pl.DataFrame]

    def of(self, what: str) -> pl.DataFrame:
        """Return the places that a count (`what`) is about, with their properties."""
        return self.places[self.place(what).by[0]]

    def place(self, what: str) -> Place:
        """Return how something is counted by place: `what` is a key of the places of the game."""
        return analytics_of(self.game).places[what]


def board_context(reader: Reader, where: Filter) -> BoardContext:
    """Return the board that the filter names, else the one most used under it, of those that are at hand."""
    return memo(reader, ("context", where), lambda: _context(reader, where))


def _context(reader: Reader, where: Filter) -> BoardContext:
    game, boards = game_under(reader, where), boards_used(reader, where)
    at_hand = ((each, board) for each in boards.iter_rows(named=True) if (board := _board(reader, each["match"])))
    nowhere: dict[str, Any] = {"board_sha256": "", "matches": 0}
    used, board = next(at_hand, (nowhere, None))
    places_on = analytics_of(game).places_on
    places = places_on(board) if places_on else {}
    return BoardContext(game, board, used["board_sha256"], used["matches"], int(boards["matches"].sum()), places)


def _board(reader: Reader, match: str) -> Any:
    lines = match_lines(reader, match)
    assert lines, "the warehouse has the lines of every match"
    first = decode_line(lines[0])
    assert isinstance(first.event, Header), "ingest takes whole matches only"
    header = first.event
    try:
        return board_for(GAMES[header.game], header.board.id, header.board.sha256, first.extra)
    except BoardError:
        return None  # of a match that could not be judged

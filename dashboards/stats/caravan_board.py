"""Caravan: the board that a figure of places is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from himalaya_core.boards import board_for
from himalaya_core.caravan.board import Board
from himalaya_core.games import GAMES
from himalaya_core.log import Header, decode_line

__all__ = ["Ground", "board_of", "ground_of"]

VILLAGES: Final = {"village": pl.Int64, "level": pl.Int64}
ROADS: Final = {"village_a": pl.Int64, "village_b": pl.Int64, "road": pl.String}


@dataclass(frozen=True)
class Ground:
    """A board with its digest, and the places on it as frames; no places and no board where no match fits.

    `villages`: `village, level`; `roads`: `village_a, village_b, road`, the smaller number first; `regions`: `region`.
    `matches` of `matches_in_all` under the filter were played on it.
    """

    board: Board | None
    digest: str
    matches: int
    matches_in_all: int
    villages: pl.DataFrame
    roads: pl.DataFrame
    regions: pl.DataFrame


def ground_of(queries: Queries, where: Filter) -> Ground:
    """Return the board that the filter names, else the one most used under it."""
    boards = queries.boards_used(where)
    board: Board | None = None
    used: dict[str, Any] = {"board_sha256": "", "matches": 0}
    if boards.height:
        used = boards.row(0, named=True)
        board = _board(queries, used["match"])
    return Ground(
        board,
        used["board_sha256"],
        used["matches"],
        int(boards["matches"].sum()),
        _rows([(village.number, village.level) for village in board.villages] if board else [], VILLAGES),
        _rows([(*sorted(road.between), str(road.type)) for road in board.roads] if board else [], ROADS),
        _rows(
            [(region,) for region in sorted({region for v in board.villages for region in v.regions})] if board else [],
            {"region": pl.Int64},
        ),
    )


def board_of(queries: Queries, where: Filter) -> tuple[Board, str] | None:
    """Return that board and its digest; none if no match fits."""
    ground = ground_of(queries, where)
    return None if ground.board is None else (ground.board, ground.digest)


def _board(queries: Queries, match: str) -> Board:
    lines = queries.match_lines(match)
    assert lines, "the warehouse has the lines of every match"
    first = decode_line(lines[0])
    assert isinstance(first.event, Header), "ingest takes whole matches only"
    header = first.event
    board = board_for(GAMES[header.game], header.board.id, header.board.sha256, first.extra)
    assert isinstance(board, Board), "these figures are caravan's"
    return board


def _rows(rows: list[tuple[object, ...]], schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")

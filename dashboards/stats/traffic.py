"""Where caravans went: arrivals per village and journeys per road, on one board."""

from dataclasses import dataclass

import polars as pl

from dashboards.filters import TrafficFilter
from dashboards.queries import Queries
from himalaya_core.boards import board_for
from himalaya_core.caravan.board import Board
from himalaya_core.games import GAMES
from himalaya_core.log import Header, decode_line

__all__ = ["Traffic", "finding", "traffic"]


@dataclass(frozen=True)
class Traffic:
    """The figures of one board. `matches` of `matches_in_all` were played on it.

    `villages`: `village, level, arrivals, share, trades, deliveries`, one row per village of the board.
    `roads`: `village_a, village_b, road, journeys, share`, one row per road. Shares are of all arrivals or journeys.
    """

    board: Board
    matches: int
    matches_in_all: int
    villages: pl.DataFrame
    roads: pl.DataFrame


def traffic(queries: Queries, where: TrafficFilter) -> Traffic | None:
    """Return the figures under a filter; none when no finished match fits."""
    boards = queries.boards(where)
    chosen = boards.filter(pl.col("board_id") == where.board) if where.board else boards
    if chosen.is_empty():
        return None
    used = chosen.row(0, named=True)
    board = _board(queries, used["match"])
    return Traffic(
        board,
        used["matches"],
        int(boards["matches"].sum()),
        _villages(board, queries.village_traffic(where, used["board_sha256"])),
        _roads(board, queries.road_traffic(where, used["board_sha256"])),
    )


def finding(found: Traffic) -> str:
    """Return in words what the figures show."""
    arrivals, journeys = int(found.villages["arrivals"].sum()), int(found.roads["journeys"].sum())
    if not arrivals:
        return "No caravan arrived anywhere in these rounds."
    order = found.villages.sort("arrivals", "village", descending=[True, False])
    most, least = order.row(0, named=True), order.row(-1, named=True)
    villages = (
        f"Village {most['village']} was visited most: {most['arrivals']:,} of {arrivals:,} arrivals"
        f" ({most['share']:.1%}). Village {least['village']} was visited least: {least['arrivals']:,}"
        f" ({least['share']:.1%})."
    )
    if not journeys:
        return villages
    road = found.roads.sort("journeys", descending=True, maintain_order=True).row(0, named=True)
    return (
        f"{villages} The busiest road is the {road['road']} road {road['village_a']}\N{EN DASH}{road['village_b']}:"
        f" {road['journeys']:,} of {journeys:,} journeys ({road['share']:.1%})."
    )


def _board(queries: Queries, match: str) -> Board:
    lines = queries.match_lines(match)
    assert lines, "the warehouse has the lines of every match"
    first = decode_line(lines[0])
    assert isinstance(first.event, Header), "ingest takes whole matches only"
    header = first.event
    board = board_for(GAMES[header.game], header.board.id, header.board.sha256, first.extra)
    assert isinstance(board, Board), "traffic is shown for caravan"
    return board


def _villages(board: Board, counted: pl.DataFrame) -> pl.DataFrame:
    every = pl.DataFrame(
        [(village.number, village.level) for village in board.villages],
        schema={"village": pl.Int64, "level": pl.Int64},
        orient="row",
    )
    counted = counted.cast(pl.Int64)
    return every.join(counted, on="village", how="left", maintain_order="left").select(
        "village",
        "level",
        pl.col("arrivals").fill_null(0),
        (pl.col("arrivals").fill_null(0) / pl.max_horizontal(pl.col("arrivals").sum(), 1)).alias("share"),
        pl.col("trades").fill_null(0),
        pl.col("deliveries").fill_null(0),
    )


def _roads(board: Board, counted: pl.DataFrame) -> pl.DataFrame:
    every = pl.DataFrame(
        [(*road.between, str(road.type)) for road in board.roads],
        schema={"village_a": pl.Int64, "village_b": pl.Int64, "road": pl.String},
        orient="row",
    )
    counted = counted.select(pl.col("village_a", "village_b", "journeys").cast(pl.Int64))
    return every.join(counted, on=("village_a", "village_b"), how="left", maintain_order="left").select(
        "village_a",
        "village_b",
        "road",
        pl.col("journeys").fill_null(0),
        (pl.col("journeys").fill_null(0) / pl.max_horizontal(pl.col("journeys").sum(), 1)).alias("share"),
    )

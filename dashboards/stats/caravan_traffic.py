"""Caravan: where caravans went on one board, and what they traded there."""

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries
from dashboards.stats.intervals import shares
from dashboards.stats.words import share, whole
from himalaya_core.boards import board_for
from himalaya_core.caravan.board import Board
from himalaya_core.games import GAMES
from himalaya_core.log import Header, decode_line

__all__ = ["board_of", "road_finding", "roads", "village_finding", "villages"]

NOWHERE = "No finished match fits these filters."
VILLAGES = {"village": pl.Int64, "level": pl.Int64}
ROADS = {"village_a": pl.Int64, "village_b": pl.Int64, "road": pl.String}


def board_of(queries: Queries, where: Filter) -> tuple[Board, str] | None:
    """Return the board that the filter names, else the one most used under it, and its digest; none without matches."""
    boards = queries.boards_used(where)
    if boards.is_empty():
        return None
    used = boards.row(0, named=True)
    lines = queries.match_lines(used["match"])
    assert lines, "the warehouse has the lines of every match"
    first = decode_line(lines[0])
    assert isinstance(first.event, Header), "ingest takes whole matches only"
    header = first.event
    board = board_for(GAMES[header.game], header.board.id, header.board.sha256, first.extra)
    assert isinstance(board, Board), "these figures are caravan's"
    return board, used["board_sha256"]


def villages(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `village, level, arrivals, groups, arrival_share`, its bounds, `collected, delivered, voided`.

    One row per village of the board, the most visited first.
    """
    found = board_of(queries, where)
    every = [] if found is None else [(village.number, village.level) for village in found[0].villages]
    places = pl.DataFrame(every, schema=VILLAGES, orient="row")
    digest = found[1] if found else ""
    counted = _parts(places, queries.arrival_sums(where, digest), ["village"], "arrivals", "arrival_share")
    trades = queries.village_trades(where, digest).cast(pl.Int64)
    counted = counted.join(trades, on="village", how="left").with_columns(
        pl.col("collected", "delivered", "voided").fill_null(0)
    )
    return counted.sort("arrivals", "village", descending=[True, False])


def village_finding(frame: pl.DataFrame) -> str:
    """Say where caravans arrive most and least."""
    total = int(frame["arrivals"].sum())
    if not total:
        return "No caravan arrived anywhere under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"Village {most['village']} is visited most: {share(most, 'arrival_share')} of {whole(total, 'arrival')};"
        f" village {least['village']} least: {share(least, 'arrival_share')}."
    )


def roads(queries: Queries, where: Filter) -> pl.DataFrame:
    """Return `village_a, village_b, road, journeys, groups, journey_share` and its bounds, the most travelled first."""
    found = board_of(queries, where)
    every = [] if found is None else [(*road.between, str(road.type)) for road in found[0].roads]
    places = pl.DataFrame(every, schema=ROADS, orient="row")
    sums = queries.journey_sums(where, found[1] if found else "")
    counted = _parts(places, sums, ["village_a", "village_b"], "journeys", "journey_share")
    return counted.sort("journeys", "village_a", "village_b", descending=[True, False, False])


def road_finding(frame: pl.DataFrame) -> str:
    """Say which road is travelled most and least."""
    total = int(frame["journeys"].sum())
    if not total:
        return "No road was travelled under these filters."
    most, least = frame.row(0, named=True), frame.row(-1, named=True)
    return (
        f"The busiest road is {_road(most)}: {share(most, 'journey_share')} of {whole(total, 'journey')};"
        f" the quietest is {_road(least)}: {share(least, 'journey_share')}."
    )


def _parts(places: pl.DataFrame, sums: pl.DataFrame, by: list[str], count: str, name: str) -> pl.DataFrame:
    """Return all places with what they had of a whole, its share and the share's bounds."""
    sums = sums.with_columns(pl.col(by).cast(pl.Int64))
    trials, groups = (sums.row(0, named=True)[key] for key in ("trials", "groups")) if sums.height else (0.0, 0)
    rows = places.join(sums, on=by, how="left", maintain_order="left").with_columns(
        pl.col("trials").fill_null(trials),
        pl.col("groups").fill_null(groups),
        pl.col("total", "residual").fill_null(0.0),
    )
    shown = shares(rows, by, name, "trials").drop("trials")
    return places.join(
        rows.select(*by, pl.col("total").cast(pl.Int64).alias(count)).join(shown, on=by), on=by, maintain_order="left"
    )


def _road(row: dict[str, object]) -> str:
    return f"the {row['road']} road {row['village_a']}\N{EN DASH}{row['village_b']}"

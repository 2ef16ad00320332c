"""The Climbers: on which squares and on which levels climbers stood."""

import polars as pl

from dashboards.games.shared.board_context import ground_of
from dashboards.games.shared.by_place import parts_of_all
from dashboards.stats.words import plain, rivals, share, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["level_stood_finding", "levels_stood", "square_finding", "squares"]

NOBODY = "No climber stood on any block under these filters."


def squares(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `square_x, square_y, stands, groups, stand_share` and its bounds, most first.

    A trial of the share is a climber that stands on a block after a turn. Squares on which none did have no row.
    """
    found = parts_of_all(reader, where, ground_of(reader, where), "stands", "stand_share")
    return found.sort("stands", "square_x", "square_y", descending=[True, False, False])


def square_finding(frame: pl.DataFrame) -> str:
    """Say on which square climbers stand most often, and on how many they stood."""
    if frame.is_empty():
        return NOBODY
    names = [f"square {plain(x, 0)}, {plain(y, 0)}" for x, y in frame.select("square_x", "square_y").iter_rows()]
    named = frame.with_columns(pl.Series("square", names))
    most = named.row(0, named=True)
    return (
        f"Climbers stand most often on {most['square']} from the middle: {share(most, 'stand_share')} of"
        f" {whole(frame['stands'].sum(), 'stand')} after turns{rivals(named, 'stand_share', 'square')}. They stood on"
        f" {whole(frame.height, 'square')}."
    )


def levels_stood(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `level, levels_stood, groups, level_share` and its bounds, from the lowest on which a climber stood."""
    return parts_of_all(reader, where, ground_of(reader, where), "levels_stood", "level_share").sort("level")


def level_stood_finding(frame: pl.DataFrame) -> str:
    """Say on which level climbers stand most often, and which is the highest that any stood on."""
    if frame.is_empty():
        return NOBODY
    ranked = frame.sort("levels_stood", "level", descending=[True, False]).with_columns(
        pl.format("level {}", "level").alias("place")
    )
    most = ranked.row(0, named=True)
    return (
        f"Climbers stand most often on level {most['level']}: {share(most, 'level_share')} of"
        f" {whole(frame['levels_stood'].sum(), 'stand')} after turns{rivals(ranked, 'level_share', 'place')}. The"
        f" highest that any stood on is level {frame['level'][-1]}."
    )

"""Rows of tables by match, and what a seat's cohort is called, for tests that compare tables with folded logs."""

import json
from collections import Counter
from functools import cache
from typing import Any

import duckdb

from himalaya_core.replay import Replay

__all__ = ["COHORT", "Cells", "kind_of", "rows_of"]

COHORT = (
    "game, board_id, board_sha256, tournament, players, CAST(options AS VARCHAR), seat, player, version, "
    "CAST(params AS VARCHAR), place, won, ending"
)

Cells = Counter[tuple[Any, ...]]


def rows_of(warehouse: duckdb.DuckDBPyConnection, table: str, columns: str = "*") -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a table by match, as records."""
    found = warehouse.execute(f"SELECT raw_matches.match, {columns} FROM {table} JOIN raw_matches USING (match_id)")
    names = [name for name, *_ in found.description or ()]
    by_match: dict[str, list[dict[str, Any]]] = {}
    for match, *values in found.fetchall():
        by_match.setdefault(match, []).append(dict(zip(names[1:], values, strict=True)))
    return by_match


def kind_of(replay: Replay, seat: int) -> tuple[Any, ...]:
    """Return what tells a seat's cohort from others, in the order of `COHORT`."""
    header, info, ended = replay.header, replay.header.seats[seat], replay.ended
    assert ended
    place = _places_of(tuple(map(tuple, ended.ranking)))[seat]
    out = {gone.seat: str(gone.influence) for gone in getattr(replay.states[-1], "eliminated", ())}
    return (
        *(header.game, header.board.id, header.board.sha256, header.tournament, len(header.seats)),
        json.dumps(header.options, separators=(",", ":")),
        *(seat, info.player, info.version, json.dumps(info.params, separators=(",", ":"))),
        *(place, place == 1, out.get(seat)),
    )


@cache
def _places_of(ranking: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    return {seat: 1 + sum(map(len, ranking[:n])) for n, group in enumerate(ranking) for seat in group}

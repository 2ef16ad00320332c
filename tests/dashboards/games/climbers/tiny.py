"""A tournament of climbers of three matches and two seeds, written row by row, to be counted by hand.

`m1` and `m2` share the seed `l0`, `m3` has its own. In `m3` player a has two seats, and no climber leaves the table.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from tests.dashboards.games.caravan.tiny import insert

__all__ = ["tiny_climbers"]

MATCHES: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "match": "m1", "luck": "l0", "players": 2, "plies": 40, "rounds": 10, "events": 130},
    {"match_id": 2, "match": "m2", "luck": "l0", "players": 2, "plies": 50, "rounds": 13, "events": 140},
    {"match_id": 3, "match": "m3", "players": 3, "plies": 10, "rounds": 3, "events": 50},
]
COURSES: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "turns": 10, "lead_changes": 2, "decisive_round": 4, "comeback": True, "margin": 3, "highest": 9,
     "hindrances": 3},
    {"match_id": 2, "turns": 13, "decisive_round": 1, "margin": 0, "highest": 8, "tie_break": True, "hindrances": 1},
    {"match_id": 3, "turns": 3, "decisive_round": 1, "margin": 0, "highest": 0},
]  # fmt: skip
SEATS: Final = [
    (1, 0, "a", 1),
    (1, 1, "b", 2),
    (2, 0, "b", 1),
    (2, 1, "a", 2),
    (3, 0, "a", 1),
    (3, 1, "a", 1),
    (3, 2, "b", 1),
]
DEEDS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "seat": 0, "level": 9, "levels_own": 7, "levels_others": 2, "levels_by_ladder": 5,
     "ladders_left": 0, "blocks_moved": 5, "blocks_turned": 1, "disc_used": True, "hindered": 1,
     "hindered_by_blocks": 1, "hindered_by": [0, 1], "hindering": 2},
    {"match_id": 1, "seat": 1, "level": 6, "levels_own": 6, "levels_by_ladder": 2, "ladders_left": 1,
     "blocks_moved": 4, "hindered": 2, "hindered_by_blocks": 1, "hindered_by_discs": 1, "hindered_by": [2, 0],
     "hindering": 1, "shifted": 1},
    {"match_id": 2, "seat": 0, "level": 8, "levels_own": 4, "levels_others": 4, "ladders_left": 2, "blocks_moved": 6,
     "disc_used": True, "hindered_by": [0, 0], "hindering": 1},
    {"match_id": 2, "seat": 1, "level": 8, "levels_own": 8, "ladders_left": 2, "blocks_moved": 3, "hindered": 1,
     "hindered_by_blocks": 1, "hindered_by": [1, 0]},
    *({"match_id": 3, "seat": seat, "ladders_left": 2, "blocks_moved": 1, "hindered_by": [0, 0, 0]}
      for seat in range(3)),
]  # fmt: skip
CLIMBS: Final = [(1, 10, 0, "short", 2), (1, 20, 0, "long", 3), (1, 30, 1, "short", 2), (1, 31, 1, "none", 1)]
"""Columns: `match_id, seq, seat, ladder, rise`."""
PLACEMENTS: Final = [(1, 12, 0, 2, 6, 1), (1, 14, 0, 4, 2, 0), (2, 12, 1, 4, 4, 0)]
"""Columns: `match_id, seq, seat, from_level, to_level, shifted`."""
DISCS: Final = [(1, 22, 5, 0), (2, 40, 9, 0)]
"""Columns: `match_id, seq, round, seat`."""
HINDRANCES: Final = [(1, 22, 5, 1, 0, "disc"), (1, 14, 3, 1, 0, "block")]
"""Columns: `match_id, seq, round, seat, by_seat, means`."""
STANDINGS: Final = [  # after turn 3 all four seats of a are left, after turn 9 only one
    (0, 3, "level", 4, 1),
    (3, 3, "level", 2, 1),
    (4, 3, "level", 0, 1),
    (5, 3, "level", 0, 1),
    (0, 9, "level", 9, 1),
]
CELLS: Final = [  # three stands of m1's seat 0, one of its seat 1
    (0, 1, -2, 1, 2, 1, 1),
    (0, 2, -2, 1, 2, 0, 1),
    (0, 3, 0, 0, 9, 1, 1),
    (1, 3, -2, 1, 4, 1, 1),
]
"""Columns: `cohort, round, x, y, level, arrivals, stands`."""


@contextmanager
def tiny_climbers(path: Path) -> Iterator[Warehouse]:
    """Write the tournament into a new warehouse and open it."""
    rows: dict[str, list[dict[str, Any]]] = {
        "fct_climbers_courses": COURSES,
        "fct_climbers_seats": DEEDS,
        "fct_climbers_climbs": _named(("match_id", "seq", "seat", "ladder", "rise"), CLIMBS, phase="A"),
        "fct_climbers_placements": _named(
            ("match_id", "seq", "seat", "from_level", "to_level", "shifted"),
            PLACEMENTS,
            size="cube",
            from_top="red",
            to_top="red",
        ),
        "fct_climbers_discs": _named(("match_id", "seq", "round", "seat"), DISCS),
        "fct_climbers_hindrances": _named(("match_id", "seq", "round", "seat", "by_seat", "means"), HINDRANCES),
        "agg_climbers_standings": _named(("cohort", "round", "figure", "value", "seats"), STANDINGS),
        "agg_climbers_cells": _named(("cohort", "round", "x", "y", "level", "arrivals", "stands"), CELLS),
    }
    with open_warehouse(path) as warehouse:
        with warehouse.writing() as connection:
            sizes = {match["match_id"]: match["players"] for match in MATCHES}
            common = {
                "game": "climbers",
                "board_id": "b",
                "board_sha256": "b",
                "tournament": "t",
                "options": "{}",
                "verdict": "clean",
            }
            for match, course in zip(MATCHES, COURSES, strict=True):
                margin = {"margin": course["margin"]}
                insert(connection, "dim_matches", {**common, "status": "finished", **match, **margin})
            for cohort, (match_id, seat, player, place) in enumerate(SEATS):
                kind = {"seat": seat, "player": player, "version": "1", "params": "{}", "place": place}
                kind |= {"won": place == 1, "cohort": cohort}
                insert(connection, "dim_seats", {"match_id": match_id, "label": "", **kind})
                insert(connection, "dim_cohorts", {**common, "players": sizes[match_id], **kind})
            for table, given in rows.items():
                for row in given:
                    insert(connection, table, row)
        yield warehouse


def _named(names: tuple[str, ...], rows: list[Any], **more: Any) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) | more for row in rows]

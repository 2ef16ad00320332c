"""A tournament of summit of three matches and two seeds, written row by row, to be counted by hand.

`m1` and `m2` share the seed `l0`, `m3` has its own. In `m3` player a has two seats. `m1` ends on the summit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from tests.dashboards.games.caravan.tiny import insert

__all__ = ["tiny_summit"]

MATCHES: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "match": "m1", "luck": "l0", "players": 2, "plies": 40, "rounds": 10, "events": 130},
    {"match_id": 2, "match": "m2", "luck": "l0", "players": 2, "plies": 50, "rounds": 12, "events": 140},
    {"match_id": 3, "match": "m3", "players": 3, "plies": 60, "rounds": 14, "events": 150},
]
COURSES: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "ending": "summit", "throws": 10, "lead_changes": 2, "decisive_round": 4, "comeback": True,
     "margin": 7, "slides": 3},
    {"match_id": 2, "ending": "bad_weather", "throws": 12, "decisive_round": 1, "comeback": False, "margin": 2,
     "slides": 1},
    {"match_id": 3, "ending": "bad_weather", "throws": 14, "lead_changes": 5, "decisive_round": 14, "comeback": False,
     "margin": 1, "slides": 6},
]  # fmt: skip
SEATS: Final = [
    (1, 0, "a", 1),
    (1, 1, "b", 2),
    (2, 0, "b", 1),
    (2, 1, "a", 2),
    (3, 0, "a", 2),
    (3, 1, "a", 1),
    (3, 2, "b", 3),
]
DEEDS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "seat": 0, "climber": 32, "sherpas": 100, "dice_luck": 2.5, "dice_choice": 6.0, "unused_pips": 1,
     "climber_moves": 6, "forward_moves": 12, "back_moves": 2, "slides": 1, "chases": 2, "chases_yeti_arrived": 2,
     "cards_played": 3, "cards_taken_back": 1, "fields_forward": 60, "fields_back": 3, "fields_slid": 2},
    {"match_id": 1, "seat": 1, "climber": 25, "sherpas": 80, "dice_luck": -1.0, "slides": 2, "forward_moves": 9,
     "forfeits": 1},
    {"match_id": 2, "seat": 0, "climber": 21, "sherpas": 70, "dice_luck": 0.5, "climber_moves": 4, "cards_played": 1},
    {"match_id": 2, "seat": 1, "climber": 19, "sherpas": 60, "dice_luck": -2.0, "climber_moves": 3, "slides": 1,
     "forward_moves": 5},
    {"match_id": 3, "seat": 0, "climber": 10, "sherpas": 50, "climber_moves": 2, "slides": 3, "chases": 1,
     "chases_climber_left": 1},
    {"match_id": 3, "seat": 1, "climber": 11, "sherpas": 90, "dice_luck": 1.0, "climber_moves": 3, "slides": 3},
    {"match_id": 3, "seat": 2, "climber": 0, "sherpas": 40, "dice_luck": -3.0},
]  # fmt: skip
STANDINGS: Final = [  # after throw 3 all four seats of a are left, after throw 9 only one
    (0, 3, "climber", 12, 1),
    (3, 3, "climber", 9, 1),
    (4, 3, "climber", 0, 1),
    (5, 3, "climber", 3, 1),
    (0, 9, "climber", 26, 1),
]


@contextmanager
def tiny_summit(path: Path) -> Iterator[Warehouse]:
    """Write the tournament into a new warehouse and open it."""
    with open_warehouse(path) as warehouse:
        with warehouse.writing() as connection:
            sizes = {match["match_id"]: match["players"] for match in MATCHES}
            common = {
                "game": "summit",
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
            for table, rows in (("fct_summit_courses", COURSES), ("fct_summit_seats", DEEDS)):
                for row in rows:
                    insert(connection, table, row)
            for row in STANDINGS:
                names = ("cohort", "round", "figure", "value", "seats")
                insert(connection, "agg_summit_standings", dict(zip(names, row, strict=True)))
        yield warehouse

"""A tournament of three matches and two seeds, written into a warehouse row by row, to be counted by hand.

`m1` and `m2` share the seed `l0`, `m3` has its own. In `m2` both players share the win; in `m3` player a has two seats.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb

from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse

__all__ = ["MATCHES", "SEATS", "insert", "tiny_warehouse"]

MATCHES: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "match": "m1", "luck": "l0", "players": 2, "margin": 4, "plies": 10, "rounds": 12, "events": 30},
    {"match_id": 2, "match": "m2", "luck": "l0", "players": 2, "margin": 0, "plies": 12, "rounds": 12, "events": 40},
    {"match_id": 3, "match": "m3", "players": 3, "margin": 9, "plies": 20, "rounds": 12, "events": 50},
]
COURSES: Final[list[dict[str, Any]]] = [
    {
        "match_id": 1,
        "lead_changes": 2,
        "decisive_round": 5,
        "comeback": False,
        "contested_villages": 7,
        "region_flips": 1,
        "margin": 4,
    },
    {
        "match_id": 2,
        "lead_changes": 0,
        "decisive_round": 1,
        "comeback": False,
        "contested_villages": 5,
        "region_flips": 0,
        "margin": 0,
    },
    {
        "match_id": 3,
        "lead_changes": 6,
        "decisive_round": None,
        "comeback": True,
        "contested_villages": 3,
        "region_flips": 4,
        "margin": 9,
    },
]
SEATS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "seat": 0, "player": "a", "place": 1},
    {"match_id": 1, "seat": 1, "player": "b", "place": 2, "ending": "religious"},
    {"match_id": 2, "seat": 0, "player": "b", "place": 1},
    {"match_id": 2, "seat": 1, "player": "a", "place": 1},
    {"match_id": 3, "seat": 0, "player": "a", "place": 2},
    {"match_id": 3, "seat": 1, "player": "a", "place": 1},
    {"match_id": 3, "seat": 2, "player": "b", "place": 3, "ending": "political"},
]
FINALS: Final = {
    (1, 0): {"religious": 5, "political": 2, "economic": 9},
    (1, 1): {"religious": 1, "political": 1, "economic": 5, "eliminated_by": "religious"},
    (2, 0): {"religious": 3, "political": 0, "economic": 7},
    (2, 1): {"religious": 3, "political": 0, "economic": 7},
    (3, 0): {"religious": 2, "political": 4, "economic": 1},
    (3, 1): {"religious": 6, "political": 3, "economic": 10},
    (3, 2): {"religious": 4, "political": 0, "economic": 30, "eliminated_by": "political", "tie_break": "yaks"},
}
"""Final figures by match and seat."""
ELIMINATIONS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "seat": 1, "influence": "religious", "value": 1, "margin": 4, "step": 1},
    {"match_id": 3, "seat": 2, "influence": "political", "value": 0, "margin": 0, "step": 1, "tie_break": "yaks"},
]
DEEDS: Final[list[dict[str, Any]]] = [
    {"match_id": 1, "seat": 0, "barter_yaks": 6, "inventory_yaks": 3, "inventory_markers": 1, "collected": 5,
     "collected_salt": 4, "collected_gold": 1, "goods_spent": 3, "goods_left": 2, "delivered": 2,
     "pair_barter_offering": 1, "pair_barter_delegation": 1, "voided": 3, "voided_nothing_here": 2, "voided_no_road": 1,
     "too_late": 1},
    {"match_id": 1, "seat": 1, "barter_yaks": 5, "delivered": 1, "single_rewards": 1},
    {"match_id": 2, "seat": 0, "barter_yaks": 4, "inventory_yaks": 3, "delivered": 1, "pair_barter_offering": 1},
    {"match_id": 2, "seat": 1, "barter_yaks": 7, "delivered": 2, "pair_barter_offering": 2},
    {"match_id": 3, "seat": 0, "barter_yaks": 1, "voided": 1, "voided_nothing_here": 1, "too_late": 1, "yeti_placed": 1,
     "stopped_by_yeti": 4},
    {"match_id": 3, "seat": 1, "barter_yaks": 4, "inventory_yaks": 6, "delivered": 1, "pair_barter_offering": 1,
     "yeti_placed": 1, "market_placed": 1, "market_gains": 3, "market_given": 1},
    {"match_id": 3, "seat": 2, "barter_yaks": 24, "inventory_yaks": 6},
]  # fmt: skip
_columns: Final[dict[str, list[tuple[str, str, bool]]]] = {}
"""Columns of each table with inserted rows; cached, as querying DuckDB for them takes longer than inserting a row."""
TOKENS: Final = '{"players":3,"tokens":true}'


@contextmanager
def tiny_warehouse(path: Path) -> Iterator[Warehouse]:
    """Write the tournament into a new warehouse and open it."""
    with open_warehouse(path) as warehouse:
        with warehouse.writing() as connection:
            _write(connection)
        yield warehouse


def _write(connection: duckdb.DuckDBPyConnection) -> None:
    sizes = {match["match_id"]: match["players"] for match in MATCHES}
    common = {"game": "caravan", "board_id": "b", "board_sha256": "b", "tournament": "t", "verdict": "clean"}
    for match in MATCHES:
        options = TOKENS if match["match_id"] == 3 else '{"players":2}'
        insert(connection, "dim_matches", {**common, "status": "finished", "options": options, **match})
    for cohort, seat in enumerate(SEATS):
        kind = {"won": seat["place"] == 1, "params": "{}", "version": "1", **seat}
        insert(connection, "dim_seats", {"label": "", "cohort": cohort, **kind})
        options = TOKENS if seat["match_id"] == 3 else '{"players":2}'
        of_match = {**common, "players": sizes[seat["match_id"]], "options": options, "cohort": cohort}
        names = ("seat", "player", "version", "params", "place", "won", "ending")
        insert(connection, "dim_cohorts", {**of_match, **{name: kind.get(name) for name in names}})
    for table, rows in (
        ("fct_caravan_courses", COURSES),
        ("fct_caravan_eliminations", ELIMINATIONS),
        ("fct_caravan_seats", [FINALS[deed["match_id"], deed["seat"]] | deed for deed in DEEDS]),
    ):
        for row in rows:
            insert(connection, table, row)


def insert(connection: duckdb.DuckDBPyConnection, table: str, row: Mapping[str, Any]) -> None:
    """Insert a row; NOT NULL columns default to 0, false or empty."""
    if table not in _columns:
        sql = "select column_name, data_type, is_nullable from duckdb_columns() where table_name = $table"
        _columns[table] = connection.execute(sql, {"table": table}).fetchall()
    known = _columns[table]
    assert set(row) <= {name for name, *_ in known}, table
    values = {name: row.get(name) if nullable or name in row else _nothing(kind) for name, kind, nullable in known}
    names = ", ".join(values)
    connection.execute(f"insert into {table} ({names}) values ({', '.join('?' * len(values))})", list(values.values()))


def _nothing(kind: str) -> Any:
    return {"INTEGER": 0, "BIGINT": 0, "DOUBLE": 0.0, "BOOLEAN": False, "JSON": "{}"}.get(kind, "")

"""Properties of all derived tables: grain, order, source lines, and repeated derivation.

Their rows are checked by `tests/golden/tables`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import zstandard

from ingest.pipeline import ingest
from ingest.tables.definitions import create_tables, event_tables, refill_tables, sql_tables
from tests.core.log.damage import rewrite
from tests.golden.tables import logs
from tests.ingest.helping import contents, log, rows, write

GRAINS = [("events", ("match_id", "seq")), *((table.name, table.grain) for table in sql_tables())]
GRAINS += [(table.name, ("match_id", "seq")) for table in event_tables()]
REVIEWED = {table.name for table in sql_tables() if not (table.fill or table.is_view or table.is_raw)}
NOT_BY_A_RUN = {
    "forgotten_matches",
    "receipts",
    "watched_files",
}


def golden() -> dict[str, tuple[bytes, ...]]:
    return {name: lines for played in logs().values() for name, lines in played.items()}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder: Path = tmp_path_factory.mktemp("derived")
    more = (log("unfinished")[:250], log("bad")[3:])
    ingest([write(folder / "a.jsonl", *golden().values(), *more)], folder / "w.duckdb", processes=0)
    with duckdb.connect(str(folder / "w.duckdb"), read_only=True) as connection:
        yield connection


def test_figures_of_a_seat_add_up(warehouse: duckdb.DuckDBPyConnection) -> None:
    """As the reference of tables says: all fields, pips and levels are accounted for."""
    for wrong in (
        """
        FROM fct_summit_seats
        WHERE sherpas <> 10 + fields_forward - fields_back + fields_along - fields_slid - fields_chased
            OR pips + card_pips - unused_pips <> climber + fields_forward + fields_back
            OR abs(3.5 * dice + dice_luck + dice_left + dice_choice - pips) > 1e-9
            OR chases <> chases_yeti_arrived + chases_climber_left + chases_slid
        """,
        """
        FROM fct_climbers_seats
        WHERE level <> levels_own + levels_others OR hindered <> hindered_by_blocks + hindered_by_discs
            OR hindered <> list_sum(hindered_by)
        """,
    ):
        assert warehouse.execute(wrong).fetchall() == []


def test_events_say_what_the_log_says(warehouse: duckdb.DuckDBPyConnection) -> None:
    keys = ("seq", "ply", "round", "type", "seat", "data")
    columns = f"match, {', '.join(keys)}"
    every = warehouse.execute(f"SELECT {columns} FROM events JOIN raw_matches USING (match_id) ORDER BY seq").fetchall()
    for name, lines in golden().items():
        found = [(*row, json.loads(data)) for match, *row, data in every if match == name]
        assert found == [tuple(event.get(key) for key in keys) for event in map(json.loads, lines)]


def test_the_original_lines_of_a_match_are_kept(warehouse: duckdb.DuckDBPyConnection) -> None:
    kept = dict(warehouse.execute("SELECT match, lines FROM raw_matches").fetchall())
    for name, lines in golden().items():
        assert zstandard.decompress(kept[name]) == b"".join(lines)


def test_every_grain_names_one_row(warehouse: duckdb.DuckDBPyConnection) -> None:
    filled = set()
    for table, grain in GRAINS:
        keys = ", ".join(grain)
        missing = " OR ".join(f"{key} IS NULL" for key in grain)
        twice = warehouse.execute(f"SELECT {keys}, count(*) FROM {table} GROUP BY {keys} HAVING count(*) > 1")
        assert (table, twice.fetchall()) == (table, [])
        without, rows = warehouse.execute(f"SELECT count(*) FILTER ({missing}), count(*) FROM {table}").fetchall()[0]
        assert (table, without) == (table, 0)
        filled |= {table} if rows else set()
    assert filled == {table for table, _ in GRAINS} - NOT_BY_A_RUN - REVIEWED


def test_every_row_belongs_to_a_loaded_match(warehouse: duckdb.DuckDBPyConnection) -> None:
    for table in (table for table, grain in GRAINS if grain[0] == "match_id"):
        lost = warehouse.execute(f"SELECT count(*) FROM {table} ANTI JOIN raw_matches USING (match_id)")
        assert (table, lost.fetchall()) == (table, [(0,)])


def test_events_are_ordered_by_match_and_seq(warehouse: duckdb.DuckDBPyConnection) -> None:
    for table in event_tables():
        lying = warehouse.execute(f"SELECT match_id, seq FROM {table.name} ORDER BY rowid").fetchall()
        assert lying == sorted(lying), table.name


@pytest.mark.slow("all golden matches, derived again")
def test_derived_tables_can_be_emptied_and_derived_again(warehouse: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    ((file,),) = warehouse.execute("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    again = tmp_path / "w.duckdb"
    again.write_bytes(Path(file).read_bytes())
    derived = [table.name for table in sql_tables() if table.fill]
    with duckdb.connect(str(again)) as connection:
        for name in derived:
            connection.execute(f"DELETE FROM {name}")
        for part in (1, 0):
            batch = f"SELECT match_id FROM raw_matches WHERE match_id % 2 = {part}"
            connection.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {batch}")
            refill_tables(connection)
            refill_tables(connection)
    before, after = contents(Path(file)), contents(again)
    assert len(derived) > 7
    assert [table for table in before if after[table] != before[table]] == []


def test_a_shared_win_is_the_win_of_both(tmp_path: Path) -> None:
    lines = rewrite(log("shared"), len(log("shared")) - 1, data__ranking=[[0, 2], [1], [3]])
    ingest([write(tmp_path / "a.jsonl", lines)], tmp_path / "w.duckdb", judge="later")
    assert rows(tmp_path / "w.duckdb", "SELECT place, won FROM dim_seats ORDER BY seat") == [
        (1, True),
        (3, False),
        (1, True),
        (4, False),
    ]
    won = rows(tmp_path / "w.duckdb", "SELECT winner, winner_seats, margin, gap, closeness FROM dim_matches")
    assert won == [("trader, greedy", [0, 2], 0, 0, 0.0)]


def test_a_seat_that_took_the_goods_or_lacked_them_was_not_late() -> None:
    """Seat 0 delivers salt and tries again with salt in hand; seat 1 arrives with salt, seat 2 without."""
    with duckdb.connect() as connection:
        create_tables(connection)
        connection.execute(
            """
            CREATE TEMP TABLE batch AS SELECT 1 AS match_id;
            INSERT INTO stg_caravan_caravan_placed BY NAME
                SELECT 1 AS match_id, seat AS seq, 0 AS ply, 0 AS round, seat, 7 AS village
                FROM range(3) AS seats (seat);
            INSERT INTO stg_caravan_collected BY NAME
                SELECT 1 AS match_id, 3 + nth AS seq, 0 AS ply, 1 AS round, [0, 0, 1][nth + 1] AS seat, 1 AS step,
                    9 AS village, 'salt' AS resource FROM range(3) AS cubes (nth);
            INSERT INTO stg_caravan_delivered BY NAME
                SELECT 1 AS match_id, 6 AS seq, 0 AS ply, 1 AS round, 0 AS seat, 1 AS step, 7 AS village,
                    1 AS spent_salt, 1 AS order_demand_salt, COLUMNS('(?:spent|demand)_(?:barley|tea|jade|gold)')
                FROM (SELECT 0 AS spent_barley, 0 AS spent_tea, 0 AS spent_jade, 0 AS spent_gold,
                    0 AS order_demand_barley, 0 AS order_demand_tea, 0 AS order_demand_jade, 0 AS order_demand_gold);
            INSERT INTO stg_caravan_action_voided BY NAME
                SELECT 1 AS match_id, 7 + seat AS seq, 0 AS ply, 1 AS round, seat, 2 AS step, 'trade' AS action,
                    'nothing_here' AS reason FROM range(3) AS seats (seat);
            """
        )
        (fill,) = [table.fill for table in sql_tables() if table.name == "int_caravan_voided_trades"]
        assert fill
        connection.execute(fill)
        late = connection.execute("SELECT seat, too_late FROM int_caravan_voided_trades ORDER BY seat").fetchall()
    assert late == [(0, False), (1, True), (2, False)]

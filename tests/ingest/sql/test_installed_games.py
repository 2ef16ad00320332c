"""Games of other packages in a warehouse: with rules only or with own tables, installed before it or after."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from himalaya_core.errors import RegistryError
from himalaya_core.files import load_board
from himalaya_core.games import GAMES
from himalaya_core.tournament.plan import Pairing, play
from ingest.errors import WarehouseError
from ingest.maintenance.integrity import check
from ingest.opening import open_for_reading, open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables
from tests.ingest.helping import begun, contents, rows, write
from tests.toy.installing import TOY, distribution, installed

MODULE = """
from pathlib import Path
from ingest.tables.marts import Marts
from ingest.tables.marts import rows_per_seat

NIM2 = Marts(
    sql=Path(__file__).parent,
    promises=(rows_per_seat("fct_nim2_seats", "nim2"),),
    margin="SELECT match_id, max(taken) - min(taken) AS margin FROM fct_nim2_seats GROUP BY match_id",
    margin_unit="player's stones",
    seat_endings="SELECT match_id, seat, 'beaten' AS ending FROM stg_nim2_taken t GROUP BY ALL HAVING min(t.left) > 0",
)
"""
SEATS = """
-- fct_nim2_seats: one row per seat of a finished match (match_id, seat).
CREATE TABLE fct_nim2_seats (
    match_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    cohort INTEGER NOT NULL,
    taken INTEGER NOT NULL, -- from the heap
);

INSERT INTO fct_nim2_seats
SELECT match_id, seat, any_value(cohort), coalesce(sum(count), 0)
FROM dim_seats SEMI JOIN batch USING (match_id) JOIN stg_nim2_heap_rolled USING (match_id)
LEFT JOIN stg_nim2_taken USING (match_id, seat) WHERE cohort IS NOT NULL GROUP BY match_id, seat;
"""
SUMS = """
-- agg_nim2_seats: what kinds of seats took (cohort).
CREATE TABLE agg_nim2_seats (
    cohort INTEGER NOT NULL,
    taken INTEGER NOT NULL,
);

INSERT INTO agg_nim2_seats
SELECT cohort, CAST(sum(taken) AS INTEGER) AS taken FROM fct_nim2_seats SEMI JOIN batch USING (match_id) GROUP BY ALL;
"""
SEATS_OF_NIM = "SELECT match, seat, taken FROM fct_nim2_seats JOIN raw_matches USING (match_id) ORDER BY 1, 2"
REGISTERED = "[himalaya.marts]\nnim2 = nim2_marts:NIM2\n"
TWINS = {name: replace(GAMES["caravan"], name=name) for name in ("nim-2", "nim_2")}


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with three logs of the game."""
    with installed(TOY):
        game = GAMES["nim2"]
        played = [play(game, load_board(game, None), {}, Pairing(f"n.{n}", ("random",) * 2, f"n.{n}")) for n in "123"]
    return write(tmp_path_factory.mktemp("nim") / "nim.jsonl", *([lines] for _, lines in played))


@pytest.fixture
def marts(tmp_path: Path) -> Path:
    """Return a package that defines tables for the game."""
    folder = distribution(tmp_path / "marts", "nim2_marts", REGISTERED, nim2_marts=MODULE)
    (folder / "62_fct_nim2_seats.sql").write_text(SEATS)
    (folder / "70_agg_nim2_seats.sql").write_text(SUMS)
    return folder


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "w.duckdb"


def findings(database: Path) -> list[Any]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return check(connection)


def test_a_game_with_rules_alone_has_rows_in_common_tables(nim: Path, database: Path) -> None:
    with installed(TOY):
        assert ingest([nim], database, processes=0).matches == 3
        assert findings(database) == []
    shown = "SELECT DISTINCT game, status, margin, margin_unit FROM dim_matches"
    assert rows(database, shown) == [("nim2", "finished", None, None)]
    assert rows(database, "SELECT count(DISTINCT match_id) FROM stg_nim2_taken") == [3]


@pytest.mark.slow("another order")
def test_a_game_installed_after_creating_the_warehouse_gets_its_tables(nim: Path, database: Path) -> None:
    ingest([write(database.parent / "c.jsonl", begun())], database, processes=0)
    with installed(TOY):
        with pytest.raises(
            WarehouseError, match="made before a game was installed here, and not writable: it has no table stg_nim2_"
        ):
            open_for_reading(database)
        assert ingest([nim], database, processes=0).matches == 3
        open_for_reading(database).close()
        assert findings(database) == []
    open_warehouse(database).close()
    assert rows(database, "SELECT count(*) FROM events") == rows(database, "SELECT sum(events) FROM raw_matches")


@pytest.mark.slow("another order")
def test_tables_of_a_game_are_filled_whether_it_or_its_matches_came_first(
    nim: Path, marts: Path, database: Path
) -> None:
    with installed(TOY):
        ingest([nim], database, processes=0)
    other = database.with_name("other.duckdb")
    with installed(TOY, marts):
        open_warehouse(database).close()
        ingest([nim], other, processes=0)
        assert [table.name for table in sql_tables() if table.game == "nim2"] == ["fct_nim2_seats", "agg_nim2_seats"]
        assert (findings(database), findings(other)) == ([], [])
    assert contents(database) == contents(other)
    assert rows(database, "SELECT count(*), count(margin), any_value(margin_unit) FROM dim_matches") == [
        (3, 3, "player's stones")
    ]
    ended = "SELECT DISTINCT won, ending FROM {} ORDER BY ALL"
    for table in ("dim_seats", "dim_cohorts"):
        assert rows(database, ended.format(table)) == [(False, "beaten"), (True, None)]
    assert rows(database, "SELECT sum(taken) FROM agg_nim2_seats") == rows(
        database, "SELECT sum(count) FROM stg_nim2_taken"
    )


@pytest.mark.slow("a game that is gone")
def test_an_uninstalled_game_keeps_its_events(nim: Path, database: Path, tmp_path: Path) -> None:
    logs = write(tmp_path / "c.jsonl", begun())
    with installed(TOY):
        ingest([nim, logs], database, processes=0)
        before = rows(database, "FROM events ORDER BY match_id, seq")
    open_warehouse(database).close()
    assert rows(database, "FROM events ORDER BY match_id, seq") == before
    assert run_operation(database, "forget", {"matches": ["n.1"]})["matches"] == 1
    assert findings(database) == []
    assert rows(database, "SELECT count(DISTINCT match_id) FROM stg_nim2_taken") == [2]


@pytest.mark.slow("a game that was away during an upgrade")
def test_matches_of_a_game_that_is_away_during_an_upgrade_wait_in_quarantine(
    nim: Path, marts: Path, database: Path
) -> None:
    with installed(TOY, marts):
        ingest([nim], database, processes=0)
        before = rows(database, SEATS_OF_NIM)
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"UPDATE schema_version SET version = {SCHEMA_VERSION - 1}")
    open_warehouse(database).close()
    assert rows(database, "SELECT match, reason FROM quarantine ORDER BY 1") == [
        (f"n.{number}", "bad_field") for number in (1, 2, 3)
    ]
    with installed(TOY, marts):
        run_operation(database, "retry_quarantine", {"choice": {"ids": ()}})
        assert findings(database) == []
        assert rows(database, SEATS_OF_NIM) == before


def test_an_invalid_record_of_marts_is_named(tmp_path: Path) -> None:
    folder = distribution(tmp_path / "wrong", "wrong", "[himalaya.marts]\nnim2 = pathlib:Path\n")
    with installed(TOY, folder), pytest.raises(RegistryError, match=r"'nim2' from wrong.*expected Marts, found type"):
        sql_tables()


def test_games_with_clashing_table_names_are_refused(tmp_path: Path) -> None:
    entries = "".join(f"{name} = {__name__}:{name.upper().replace('-', '')}\n" for name in TWINS)
    folder = distribution(tmp_path / "twins", "twins", f"[himalaya.games]\n{entries}")
    with (
        installed(folder),
        pytest.raises(ValueError, match=r"stg_nim_2_.*: a table of the game nim-2 and of the game nim_2"),
    ):
        event_tables()


NIM2, NIM_2 = TWINS.values()

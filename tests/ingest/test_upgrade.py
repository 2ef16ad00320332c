"""Upgrading a warehouse of any earlier version gives the same tables as loading its logs today, despite interruptions.

`versions/` has small warehouses written by earlier code: himalaya 0.3 (schema 8), and schema 17, the last one before
users' data had its own file. Each has finished matches of every game, an unfinished one, and a quarantined one.
`keep_version.py` adds the next one with each release.
"""

import hashlib
import json
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from ingest.errors import WarehouseError, WarehouseInUse
from ingest.maintenance.integrity import COLUMNS
from ingest.opening import open_warehouse, upgrade
from ingest.pipeline import ingest
from ingest.tables.definitions import SCHEMA_VERSION, create_tables, refill_tables, sql_tables
from tests.core.log.damage import rewrite
from tests.forked import run
from tests.ingest.helping import climbers_log, contents, log, quarantined_texts, rows, write
from tests.ingest.keep_version import VERSIONS, WITH_FILES, keep
from tests.once import once

OLDEST, LATEST = 8, 17
TABLES_SHA256 = {19: "7238cf46858748af19f22d5c0b544b3d5bed328e27cebcd1be6884ca866ee9f9"}
HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
KILLED = """
import os, signal, sys
from pathlib import Path
from ingest import opening
from ingest.load import load, reproducibility

module, name, times = sys.argv[2].split(".")
work = getattr({"load": load.Loader, "opening": opening}[module], name)
done = []

def die_after(*arguments, **named):
    work(*arguments, **named)
    done.append(name)
    if len(done) == int(times):
        os.kill(os.getpid(), signal.SIGKILL)

setattr({"load": load.Loader, "opening": opening}[module], name, die_after)
load.BATCH_EVENTS = reproducibility.CHUNK_BYTES = 100
opening.upgrade(Path(sys.argv[1]))
"""
UNSAVED = """
import duckdb, os, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("UPDATE quarantine SET file = 'moved.jsonl'")
os._exit(0)
"""


Texts = tuple[tuple[str, bytes], ...]
"""Texts with the names of their files."""


def of_version(version: int, folder: Path) -> Path:
    """Return a copy of the stored warehouse of an earlier version."""
    database = folder / "w.duckdb"
    database.write_bytes(zstandard.decompress((VERSIONS / f"schema-{version}.duckdb.zst").read_bytes()))
    return database


@cache
def _raw_layer_of(matches: tuple[str, ...]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        database = of_version(LATEST, Path(folder))
        changed(database, "DELETE FROM raw_matches WHERE NOT list_contains($these, match)", these=matches)
        return database.read_bytes()


def with_few(folder: Path, *matches: str) -> Path:
    """Return a copy of the latest stored warehouse with only two matches in its raw layer."""
    database = folder / "w.duckdb"
    database.write_bytes(_raw_layer_of(matches or ("old.3", "old.5")))
    return database


def raw_tables() -> set[str]:
    return {table.name for table in sql_tables() if table.is_raw}


def names(database: Path) -> list[Any]:
    """Return the names of the matches in a warehouse of any version, in the order of their ids."""
    return rows(database, "SELECT match FROM raw_matches ORDER BY match_id")


def changed(database: Path, sql: str, **values: Any) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute(sql, values)


def logs_of(database: Path) -> Texts:
    """Return the logs from which a stored warehouse was created, with the names of their files."""
    kept = rows(database, "SELECT file, lines FROM raw_matches ORDER BY file, first_line")
    texts = [(file, zstandard.decompress(lines)) for file, lines in kept]
    rejection = rows(database, "SELECT file, text FROM quarantine ORDER BY quarantine_id")
    return (*texts, *((file, zstandard.decompress(text)) for file, text in rejection))


def given_today(texts: Texts, factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Load these logs into a new warehouse, and return its contents; several versions have the same logs."""

    def make(folder: Path) -> None:
        database = folder / "fresh.duckdb"
        for file in dict(texts):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(b"".join(text for name, text in texts if name == file))
        ingest([folder / "logs"], database, processes=0)
        for table in WITH_FILES:
            changed(database, f"UPDATE {table} SET file = replace(file, $here, '')", here=f"{folder}/")

    digest = hashlib.sha256(repr(texts).encode()).hexdigest()
    return held(once(factory, f"given-today-{digest[:8]}", make) / "fresh.duckdb")


@cache
def held(database: Path) -> dict[str, list[Any]]:
    return contents(database, "ingest_runs")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The contents after an uninterrupted upgrade."""
    database = with_few(tmp_path_factory.mktemp("undisturbed")).rename(
        tmp_path_factory.mktemp("undisturbed") / "earlier_himalaya.duckdb"
    )
    upgrade(database, processes=0)
    return contents(database, "ingest_runs")


def test_tables_change_with_a_new_version_only() -> None:
    """After a change of tables: raise `SCHEMA_VERSION` and update the digest."""
    with duckdb.connect() as connection:
        create_tables(connection)
        tables = connection.execute(f"{COLUMNS} ORDER BY 1").fetchall()
    assert hashlib.sha256(json.dumps(tables).encode()).hexdigest() == TABLES_SHA256[SCHEMA_VERSION]


@pytest.mark.slow("a tool for a release")
def test_a_current_warehouse_can_be_stored_for_future_versions(tmp_path: Path) -> None:
    kept = keep(tmp_path)
    assert kept.name == f"schema-{SCHEMA_VERSION}.duckdb.zst"
    assert kept.stat().st_size < 200_000
    database = tmp_path / "w.duckdb"
    database.write_bytes(zstandard.decompress(kept.read_bytes()))
    files = "SELECT DISTINCT file FROM dim_matches UNION SELECT file FROM quarantine ORDER BY 1"
    assert rows(database, files) == ["logs/a.jsonl", "logs/b.jsonl", "logs/bad.jsonl"]


@pytest.mark.parametrize("version", [OLDEST, pytest.param(LATEST, marks=pytest.mark.slow("another kept version"))])
def test_an_upgraded_warehouse_is_what_its_logs_give_today_and_the_old_file_stays(
    version: int, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    database = of_version(version, tmp_path)
    ingested = given_today(logs_of(database), tmp_path_factory)
    before, every = database.read_bytes(), len(names(database))
    seen: list[tuple[int, int]] = []
    kept = upgrade(database, lambda done, total: seen.append((done, total)), processes=0)
    assert (kept.name, kept.read_bytes()) == (f"w.duckdb.schema-{version}", before)
    assert sorted(tmp_path.glob("w.*")) == [database, kept]
    open_warehouse(database).close()
    upgraded = contents(database, "ingest_runs")
    assert [table for table in ingested if upgraded[table] != ingested[table]] == []
    assert rows(database, "SELECT source, matches FROM ingest_runs ORDER BY run")[-1] == ("upgrade", every)
    assert (seen[0], seen[-1]) == ((0, every), (every, every))
    assert len(quarantined_texts(database)) == 1


def test_opening_an_older_warehouse_brings_it_up_to_date_and_says_so(tmp_path: Path) -> None:
    database = of_version(OLDEST, tmp_path)
    said: list[str] = []
    with open_warehouse(database, said.append) as warehouse, warehouse.reading() as connection:
        assert connection.execute("SELECT count(*) FROM dim_matches").fetchall() == [(5,)]
    first, *_, last = said
    assert "loading its 5 matches again" in first
    assert f"the old file is kept as {database}.schema-{OLDEST}" in last


def test_a_warehouse_older_than_0_3_is_refused_with_advice(tmp_path: Path) -> None:
    database = of_version(OLDEST, tmp_path)
    changed(database, "UPDATE schema_version SET version = 7")
    before = database.read_bytes()
    with pytest.raises(WarehouseError, match=r"before 0\.3; open it once with 0\.3, or ingest its logs"):
        open_warehouse(database)
    assert database.read_bytes() == before


@pytest.mark.slow("another file beside it")
def test_an_older_file_that_was_kept_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / f"w.duckdb.schema-{LATEST}").write_text("kept")
    kept = upgrade(with_few(tmp_path), processes=0)
    assert kept.name == f"w.duckdb.schema-{LATEST}.2"
    assert (tmp_path / f"w.duckdb.schema-{LATEST}").read_text() == "kept"


@pytest.mark.slow("another kill")
@pytest.mark.parametrize(
    "moment",
    [
        "load.load.2",
        "opening._keep.1",
        *(
            pytest.param(f"opening.{name}.1", marks=pytest.mark.soak("every version and every moment"))
            for name in ("_begin", "_carry_over", "_finish")
        ),
    ],
)
def test_an_upgrade_killed_at_any_moment_keeps_the_old_warehouse_and_resumes(
    moment: str, undisturbed: dict[str, list[Any]], tmp_path: Path
) -> None:
    database = with_few(tmp_path)
    before, every = database.read_bytes(), len(names(database))
    killed = run([sys.executable, "-c", KILLED, str(database), moment])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert database.read_bytes() == before
    seen: list[tuple[int, int]] = []
    upgrade(database, lambda done, total: seen.append((done, total)), processes=0)
    assert contents(database, "ingest_runs") == undisturbed
    done = {"load.load.2": 2, "opening._finish.1": every, "opening._keep.1": every}.get(moment, 0)
    assert seen[0] == (done, every)
    assert sorted(path.name for path in tmp_path.glob("w.*")) == ["w.duckdb", f"w.duckdb.schema-{LATEST}"]


@pytest.mark.slow("another kill")
def test_an_upgrade_killed_after_the_rename_is_complete(tmp_path: Path) -> None:
    database = with_few(tmp_path)
    command = [sys.executable, "-c", KILLED, str(database), "opening._take_the_name.1"]
    assert run(command).returncode == -signal.SIGKILL
    assert rows(database, "SELECT max(version) FROM schema_version") == [SCHEMA_VERSION]


@pytest.mark.slow("another file beside it")
def test_the_old_file_is_copied_if_hard_links_are_impossible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    database = with_few(tmp_path)
    before, matches = database.read_bytes(), names(database)
    assert upgrade(database, processes=0).read_bytes() == before
    assert names(database) == matches


@pytest.mark.slow("another kill")
def test_leftovers_of_upgrading_another_file_are_not_used(tmp_path: Path) -> None:
    database = with_few(tmp_path)
    command = [sys.executable, "-c", KILLED, str(database), "load.load.2"]
    assert run(command).returncode == -signal.SIGKILL
    changed(database, "DELETE FROM raw_matches WHERE match = 'old.5'")
    left = names(database)
    upgrade(database, processes=0)
    assert names(database) == left


@pytest.mark.slow("another kept version")
def test_a_match_refused_by_today_s_validation_is_quarantined_with_its_reason(tmp_path: Path) -> None:
    database = with_few(tmp_path, "old.2", "old.3")
    text = b"".join(log("old.2")[1:])
    digest, lines = hashlib.sha256(text).hexdigest(), zstandard.compress(text)
    change = "UPDATE raw_matches SET lines = $lines, bytes_sha256 = $digest, events = events - 1 WHERE match = 'old.2'"
    changed(database, change, lines=lines, digest=digest)
    accepted = [name for name in names(database) if name != "old.2"]
    upgrade(database, processes=0)
    assert rows(database, "SELECT match FROM dim_matches ORDER BY match_id") == accepted
    assert rows(database, "SELECT match, reason, sha256 FROM quarantine")[1:] == [("old.2", "no_start", digest)]


@pytest.mark.slow("another kept version")
@pytest.mark.parametrize("damage", [b"no zstd", zstandard.compress(b"".join(log("old.2", luck="another")))])
def test_a_match_unlike_the_loaded_one_stops_the_upgrade(damage: bytes, tmp_path: Path) -> None:
    database = with_few(tmp_path, "old.2", "old.3")
    changed(database, "UPDATE raw_matches SET lines = $lines WHERE match = 'old.2'", lines=damage)
    before = database.read_bytes()
    with pytest.raises(WarehouseError, match=r"match old\.2.*restore a backup"):
        upgrade(database, processes=0)
    assert database.read_bytes() == before


@pytest.mark.slow("another kept version")
def test_committed_data_still_in_the_log_is_carried_over(tmp_path: Path) -> None:
    database = with_few(tmp_path)
    assert run([sys.executable, "-c", UNSAVED, str(database)]).returncode == 0
    assert Path(f"{database}.wal").exists()
    upgrade(database, processes=0)
    assert rows(database, "SELECT file FROM quarantine") == ["moved.jsonl"]


def test_a_file_in_use_by_another_process(tmp_path: Path) -> None:
    database = with_few(tmp_path)
    holder = [sys.executable, "-c", HOLD, str(database)]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        with pytest.raises(WarehouseInUse, match=f"in use by process {process.pid}"):
            upgrade(database, processes=0)


@pytest.mark.slow("another kept version")
def test_all_of_the_raw_layer_is_carried_over(tmp_path: Path) -> None:
    """Other raw data, besides logs, is kept and not replaced by that of the upgrade run."""
    database = tmp_path / "w.duckdb"
    one, other = climbers_log("a", ("random", "random")), climbers_log("b", ("random", "random"))
    write(tmp_path / "a.jsonl", rewrite(list(one), 5, ply="x"))
    write(tmp_path / "b.jsonl", one, other, [b"no log\n"])
    ingest([tmp_path], database, processes=0)
    given = "tournament = 'autumn', ingested_in = 7, looks = '{}', player_verdicts = 'repeats,differs'"
    changed(database, f"UPDATE raw_matches SET {given} WHERE match = 'b'")
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TEMP TABLE batch AS SELECT match_id FROM raw_matches WHERE match = 'b'")
        refill_tables(connection)
    changed(database, "INSERT INTO fct_playouts SELECT match_id, 9, 0, 0.5, 20 FROM raw_matches WHERE match = 'b'")
    changed(database, "INSERT INTO forgotten_matches VALUES ('digest', 'of the first line', 1)")
    changed(database, f"UPDATE schema_version SET version = {LATEST}")
    before, open_ones = contents(database, "schema_version"), "SELECT resolved_in IS NULL FROM quarantine ORDER BY 1"
    open_before = rows(database, open_ones)
    upgrade(database, processes=0)
    after = contents(database, "schema_version")
    assert [table for table in before if after[table] != before[table]] == ["ingest_runs"]
    assert rows(database, open_ones) == open_before == [False, True]
    assert rows(database, "SELECT match, ingested_in FROM raw_matches ORDER BY 1") == [("a", 1), ("b", 7)]

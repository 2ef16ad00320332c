"""A killed ingest leaves no incomplete match, and running the same command again completes it."""

import os
import signal
import sys
from pathlib import Path

import duckdb
import pytest

from ingest.load import load
from ingest.operations import run_operation
from ingest.pipeline import ingest
from tests.forked import run
from tests.ingest.helping import begun, contents, rows, short, write
from tests.ingest.load.killing import kill_again_and_again

KILLED = """
import os, signal, sys
from pathlib import Path
from ingest.load import load
from ingest.read import split as read
from ingest.pipeline import ingest

moment, batches = sys.argv[3], []
fill, commit = load.fill_tables, load.Loader.load

def die_while_filling(connection, *_):
    fill(connection)
    if moment == "in the second batch" and batches:
        os.kill(os.getpid(), signal.SIGKILL)

def die_after_a_batch(self, **how):
    commit(self, **how)
    batches.append(self)
    if moment == "after the second batch" and len(batches) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

load.BATCH_EVENTS, read.CHUNK_BYTES = 200, 1
load.fill_tables, load.Loader.load = die_while_filling, die_after_a_batch
ingest([Path(sys.argv[1])], Path(sys.argv[2]))
"""
SMALL = """
import sys
from pathlib import Path
from ingest.load import load
from ingest.read import split as read
from ingest.validate import pool as workers
from ingest.pipeline import ingest

load.BATCH_EVENTS, read.CHUNK_BYTES, workers.WORTHWHILE = 200, 1, 1
ingest([Path(sys.argv[1])], Path(sys.argv[2]))
"""


@pytest.mark.parametrize(
    ("moment", "batches"),
    [
        ("in the second batch", 1),
        pytest.param("after the second batch", 2, marks=pytest.mark.soak("another moment of a kill")),
    ],
)
def test_committed_batches_stay_and_the_same_command_loads_the_rest(tmp_path: Path, moment: str, batches: int) -> None:
    names = [f"k.{number}" for number in range(7)]
    logs = [write(tmp_path / f"{name}.jsonl", begun(name)) for name in names]
    write(logs[0], begun("k.0"), begun("bad")[2:])
    database = tmp_path / "killed.duckdb"
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(database), moment]
    killed = run(command)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert rows(database, "SELECT count(*), sum(events) - (SELECT count(*) FROM events) FROM raw_matches") == [
        (3 * batches, 0)
    ]
    ingest([tmp_path], database)
    ingest([tmp_path], tmp_path / "at-once.duckdb")
    twice, once = (contents(path, "ingested_files", "ingest_runs") for path in (database, tmp_path / "at-once.duckdb"))
    assert [table for table in once if twice[table] != once[table]] == []


@pytest.mark.slow("another kill")
def test_the_log_left_by_a_killed_command_is_merged_by_the_next_one(tmp_path: Path) -> None:
    names = [f"k.{number}" for number in range(6)]
    for name in names:
        write(tmp_path / f"{name}.jsonl", begun(name))
    database = tmp_path / "killed.duckdb"
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(database), "after the second batch"]
    run(command)
    assert (wal := tmp_path / "killed.duckdb.wal").exists()
    assert run_operation(database, "vacuum", {})["rows"]["raw_matches"] == len(names)
    assert not wal.exists()
    assert sorted(rows(database, "SELECT match FROM dim_matches")) == names


@pytest.mark.soak("kills at random moments")  # kills at chosen moments are tested above
def test_runs_killed_at_random_moments_end_with_the_result_of_one_run(
    tmp_path: Path,
) -> None:
    (logs := tmp_path / "logs").mkdir()
    for number in range(3):
        write(logs / f"{number:02}.jsonl", begun(f"r.{2 * number}"), begun(f"r.{2 * number + 1}"))
    write(logs / "some-bad.jsonl", begun("r.3"), begun("r.bad")[2:], begun("r.4")[:30], short("r.whole"))
    killed = kill_again_and_again(
        lambda database: [sys.executable, "-c", SMALL, str(logs), str(database)], tmp_path, kills=1, seed=1
    )
    assert killed.kills >= 1


@pytest.mark.slow("another kill")
@pytest.mark.parametrize("size", [0, 4096, 8192])
def test_a_file_left_by_a_kill_before_it_was_a_database_is_created_again(tmp_path: Path, size: int) -> None:
    database = tmp_path / "w.duckdb"
    duckdb.connect(database).close()
    os.truncate(database, size)
    ingest([write(tmp_path / "a.jsonl", begun("a"))], database)
    assert rows(database, "SELECT match FROM dim_matches") == ["a"]


def test_ctrl_c_waits_for_the_batch_that_is_being_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "w.duckdb"
    fill = load.fill_tables

    def pressed(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        fill(connection)

    monkeypatch.setattr(load, "fill_tables", pressed)
    with pytest.raises(KeyboardInterrupt):
        ingest([write(tmp_path / "a.jsonl", begun("a"))], database)
    assert rows(database, "SELECT match FROM dim_matches") == ["a"]

"""A database, its temporary files and its copies are private to their user; files meant for others are not."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.maintenance.doctor import examine
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from tests.forked import run

PROGRAM = """
import os, sys
from pathlib import Path
from ingest.opening import open_warehouse
from ingest.operations import run_operation

os.umask(0o022)
database = Path(sys.argv[1])
with open_warehouse(database) as warehouse:
    with warehouse.writing() as connection:
        connection.execute("CHECKPOINT")
        connection.execute("INSERT INTO forgotten_matches VALUES ('x', NULL, 1)")
    print(*(f"{path.name} {path.stat().st_mode & 0o777:o}" for path in sorted(database.parent.iterdir())), sep=", ")
run_operation(database, "backup", {"file": str(database.parent / "copy.duckdb")})
run_operation(database, "lake", {"folder": str(database.parent / "lake")})
"""

WHILE_OPEN = """
import os, sys
from pathlib import Path
from ingest.opening import open_warehouse
from ingest.files import as_usual, private

os.umask(0o022)
folder = Path(sys.argv[1])
with private():
    open_warehouse(folder / "w.duckdb").close()
    (folder / "a").touch()
    (folder / "b").touch()
    as_usual(folder / "b")
(folder / "c").touch()
"""
"""Runs in a separate process, as another test may have a database open in this one."""


@pytest.fixture
def usual() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


PRIVATE = ("w.app.sqlite", "w.app.sqlite-shm", "w.app.sqlite-wal", "w.duckdb", "w.duckdb.wal")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_database_its_log_and_its_copies_are_private(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path / "w.duckdb"], capture_output=True, check=True)
    assert done.stdout.decode().strip() == ", ".join(f"{name} 600" for name in PRIVATE)
    modes = {path.name: mode(path) for path in tmp_path.iterdir()}
    private = ("w.app.sqlite", "w.duckdb", "w.duckdb.backup.json", "copy.duckdb")
    assert modes == dict.fromkeys(private, 0o600) | {"lake": 0o755}
    assert {(path.is_dir(), mode(path)) for path in (tmp_path / "lake").rglob("*")} >= {(False, 0o644), (True, 0o755)}
    assert all(mode(path) == (0o755 if path.is_dir() else 0o644) for path in (tmp_path / "lake").rglob("*"))


def test_files_are_private_only_while_a_warehouse_is_open(tmp_path: Path) -> None:
    done = run([sys.executable, "-c", WHILE_OPEN, str(tmp_path)], text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [mode(tmp_path / name) for name in "abc"] == [0o600, 0o644, 0o644]


@pytest.mark.slow("all copies")
@pytest.mark.usefixtures("usual")
def test_a_wider_database_stays_as_it_is_and_doctor_says_so(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    open_warehouse(database).close()
    database.chmod(0o640)
    with open_warehouse(database) as warehouse:
        found = examine(warehouse, {}, lambda _: None)
    assert (mode(database), found["findings"]) == (0o640, [])
    (remark,) = found["remarks"]
    assert remark.startswith(f"{database}: other users of this machine can read it (mode 640)")
    assert f"`chmod 600 {database}`" in remark
    run_operation(database, "vacuum", {})
    run_operation(database, "backup", {"file": str(tmp_path / "copy.duckdb")})
    assert (mode(database), mode(tmp_path / "copy.duckdb")) == (0o640, 0o600)
    database.chmod(0o600)
    with open_warehouse(database) as warehouse:
        assert examine(warehouse, {}, lambda _: None)["remarks"] == []

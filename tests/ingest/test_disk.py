"""A full or read-only disk: the run stops with a sentence, loaded data is kept, and the run can continue later."""

import json
import resource
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest.pipeline import ingest
from tests import forked
from tests.ingest.helping import begun, log, write
from tests.ingest.load.killing import differences, whole_matches

SMALL = """
import resource, sys
import duckdb
from himalaya_core.cli.main import main
from ingest.load import load
from ingest.read import split as read

load.BATCH_EVENTS, read.CHUNK_BYTES = 1000, 1
connect, setting = duckdb.connect, {"checkpoint_threshold": sys.argv.pop(1)}
duckdb.connect = lambda *given, config, **others: connect(*given, config=config | setting, **others)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
sys.exit(main())
"""
ROOM = 1 << 30
MATCHES = 9
EMPTY, SOME, ALL = 4 << 10, 300 << 10, 1200 << 10
"""File size limits: too small for an empty warehouse, for all batches, and for all batches written twice."""
NOT_ALMIGHTY = """
import ctypes
libc, header, able = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(0x20080522), (ctypes.c_uint32 * 6)()
assert libc.capget(header, able) == 0
able[0] &= ~0b10  # CAP_DAC_OVERRIDE, of what takes effect: root may write wherever it likes, this process may not
assert libc.capset(header, able) == 0
"""


def command(room: int, *words: object, log_room: int = ROOM, first: str = "") -> list[str]:
    """Return a command with a file size limit, whose database is checkpointed at a given size of its log."""
    return [sys.executable, "-c", first + SMALL, f"{log_room}B", str(room), *map(str, words)]


def run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return forked.run(words, text=True)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for number in range(3):
        write(folder / f"{number}.jsonl", *(log(f"d.{3 * number + each}") for each in range(3)))
    return folder


@pytest.fixture(scope="module")
def whole(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("whole") / "whole.duckdb"
    assert run(command(ROOM, "ingest", logs, "--db", database)).returncode == 0
    return database


def sentence(said: str) -> str:
    """Check that a command failed with a single sentence, and return it."""
    assert "Traceback" not in said
    *_, last = said.splitlines()
    return last


@pytest.mark.slow("a full disk, further on")
@pytest.mark.parametrize("room", [SOME, pytest.param(EMPTY, marks=pytest.mark.soak("other sizes of a full disk"))])
def test_a_run_that_fills_the_disk_stops_with_a_message_and_resumes_with_space(
    room: int, logs: Path, whole: Path, tmp_path: Path
) -> None:
    database = tmp_path / "w.duckdb"
    full = run(command(room, "ingest", logs, "--db", database))
    assert full.returncode == 1
    assert f"{database}: the disk is full; what was loaded so far is safe. Make room" in sentence(full.stderr)
    assert (0 < whole_matches(database) < MATCHES) == (room == SOME)
    assert run(command(ROOM, "ingest", logs, "--db", database)).returncode == 0
    assert differences(database, whole) == {}


@pytest.mark.slow("a full disk, further on")
def test_a_disk_too_full_for_compaction_keeps_everything_loaded(logs: Path, whole: Path, tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    assert run(command(ALL, "ingest", logs, "--db", database)).returncode == 0
    assert differences(database, whole) == {}


@pytest.mark.slow("a file that may only be read")
def test_a_read_only_warehouse_is_unchanged_and_readable_with_a_message(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    database, elsewhere = tmp_path / "w.duckdb", tmp_path_factory.mktemp("elsewhere")
    ingest([logs := write(elsewhere / "a.jsonl", begun())], database, processes=0)
    before = database.read_bytes()
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    database.chmod(stat.S_IRUSR)
    refused, listed, kept = (
        run(command(ROOM, *words, "--db", database, first=NOT_ALMIGHTY))
        for words in [("ingest", logs), ("quarantine", "list"), ("backup", elsewhere / "copy.duckdb")]
    )
    tmp_path.chmod(stat.S_IRWXU)
    assert refused.returncode == 1
    assert f"{database}: cannot be written to, as it is open for reading only" in sentence(refused.stderr)
    assert database.read_bytes() == before
    assert (listed.returncode, listed.stdout) == (0, "quarantine is empty\n")
    assert kept.returncode == 0
    assert differences(elsewhere / "copy.duckdb", database) == {}


@contextmanager
def serving(database: Path, room: int, log_room: int) -> Iterator[tuple[str, int]]:
    """Serve a database; yield the address and the process id."""
    words = command(room, "serve", "--db", database, "--port", 0, log_room=log_room)
    with forked.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3].rstrip("/"), server.pid
            server.terminate()
            assert server.wait(timeout=30) == 0
        finally:
            server.kill()


def served_matches(address: str) -> int:
    with urllib.request.urlopen(f"{address}/api/matches") as answer:
        return int(json.load(answer)["total"])


# no space in the database file, after which DuckDB closes it; no space in its write-ahead log
@pytest.mark.slow("a full disk, further on")
@pytest.mark.parametrize(
    "log_room", [SOME // 2, pytest.param(ROOM, marks=pytest.mark.soak("other sizes of a full disk"))]
)
def test_a_server_on_a_full_disk_keeps_serving_and_loads_the_rest_with_space(
    log_room: int, logs: Path, whole: Path, tmp_path: Path
) -> None:
    database = tmp_path / "w.duckdb"
    with serving(database, SOME, log_room) as (address, process):
        for _ in range(2):
            full = run(command(ROOM, "ingest", logs, "--db", database))
            assert full.returncode == 1
            assert f"{database}: the disk is full" in sentence(full.stderr)
            assert 0 < served_matches(address) < MATCHES
        with pytest.raises(urllib.error.HTTPError, match="507") as refused:
            urllib.request.urlopen(f"{address}/api/logs", bytes(1 << 20))
        assert "cannot store the body on its disk" in json.load(refused.value)["message"]
        resource.prlimit(process, resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))
        assert run(command(ROOM, "ingest", logs, "--db", database)).returncode == 0
        assert served_matches(address) == MATCHES
    assert differences(database, whole) == {}

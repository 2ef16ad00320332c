"""A warehouse is copied, restored, cleaned and maintained while it is served; pages show its current state."""

import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.restore import restore_database
from ingest.operations import run_operation
from ingest.pipeline import ingest
from tests.core.log.damage import resign, rewrite
from tests.dashboards.server.test_owner import serving
from tests.ingest.helping import summit_log, write


def done(database: Path, name: str, **arguments: Any) -> dict[str, Any]:
    """Run an operation, and check that the server carried it out."""
    said: list[str] = []
    result = run_operation(database, name, arguments, say=said.append)
    assert "open and does the work" in said[0]
    return result


def page(address: str, path: str) -> str:
    try:
        with urllib.request.urlopen(f"{address}{path}") as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        return f"{error.code}"


def shown(address: str) -> int:
    return len(page(address, "/csv/matches.csv").splitlines()) - 1


def names(address: str, tournament: str) -> list[str]:
    return re.findall(rf"^({tournament}[^,]*),", page(address, "/csv/matches.csv"), re.MULTILINE)


def of(tournament: str, number: int) -> tuple[bytes, ...]:
    """Return a short match of a tournament."""
    lines = summit_log(f"{tournament}.{number}", ("random", "greedy"))
    return tuple(resign(rewrite(lines, 0, data__tournament=tournament)))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Logs of two single matches and of two tournaments."""
    (tmp_path / "logs").mkdir()
    write(tmp_path / "logs" / "first.jsonl", summit_log("first"), summit_log("live")[:40])
    return write(tmp_path / "logs" / "more.jsonl", of("three", 0), of("three", 1), of("four", 0)).parent


@pytest.fixture
def database(logs: Path, tmp_path: Path) -> Path:
    ingest([logs / "first.jsonl"], tmp_path / "w.duckdb", processes=0)
    return tmp_path / "w.duckdb"


@pytest.mark.slow("every command beside a server")
def test_commands_maintain_a_warehouse_while_it_is_served(database: Path, logs: Path, tmp_path: Path) -> None:
    copy, lake = tmp_path / "copy.duckdb", str(tmp_path / "lake")
    with serving(database) as address:
        assert done(database, "backup", file=str(copy))["rows"]["raw_matches"] == 2
        done(database, "ingest", paths=[str(logs)])
        assert shown(address) == 5
        (three, *_), (four, *_) = (names(address, tournament) for tournament in ("three", "four"))
        assert page(address, f"/api/replay/{three}") != "404"
        partitions = done(database, "lake", folder=lake)["partitions"]
        done(database, "vacuum")
        assert shown(address) == 5
        assert done(database, "forget", tournaments=["three"])["matches"] == 2
        assert shown(address) == 3
        assert page(address, f"/api/replay/{three}") == "404"
        assert done(database, "lake", folder=lake)["partitions"] == partitions - 1
        examined = done(database, "doctor", deep=True)
        assert (examined["findings"], examined["counts"]["matches"]) == ([], 3)
        restored = restore_database(database, copy, lambda _: None)
        assert (shown(address), restored["rows"]["raw_matches"]) == (2, 2)
        assert page(address, f"/api/replay/{four}") == "404"
        (tmp_path / "no.duckdb").write_text("no copy at all")
        with pytest.raises(WarehouseError, match="not a DuckDB file"):
            restore_database(database, tmp_path / "no.duckdb", lambda _: None)
        assert shown(address) == 2

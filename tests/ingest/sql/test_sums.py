"""Sums by cohort always equal those of the present finished matches, however matches arrive, change and are removed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.maintenance import integrity
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, ingest, take_in
from ingest.tables.definitions import sql_tables
from ingest.tables.schema import Sums
from tests.copies import copied
from tests.core.log.damage import abandoned, resign, rewrite
from tests.ingest.helping import begun, climbers_log, contents, log, rows, short, write

COUNTED = ("dim_cohorts", *(table.name for table in sql_tables() if table.sums))
"""Tables with counts by cohort."""
OTHER_PLAYERS = climbers_log("c", ("random", "greedy"))
PROMISES = integrity._promises
TWO = Sums("sums", ("place", "kind"), ("seen", "won"), "SELECT place, kind, seen, won FROM now")


def counted(database: Path) -> dict[str, list[Any]]:
    """Run the checks of all tables by cohort, and return their rows."""
    with duckdb.connect(str(database), read_only=True) as connection:
        assert check(connection) == []
    return by_cohort(database)


def by_cohort(database: Path) -> dict[str, list[Any]]:
    found = contents(database)
    return {name: found[name] for name in COUNTED}


def fresh(folder: Path, *logs: Iterable[bytes], tournament: str | None = None) -> dict[str, list[Any]]:
    """Load the logs together into a new warehouse, and return the sums."""
    folder.mkdir()
    file = write(folder / "a.jsonl", *map(tuple, logs))
    with open_warehouse(folder / "w.duckdb") as warehouse:
        take_in(warehouse, Request((file,), jobs=0, tournament=tournament), lambda _: None)
    return by_cohort(folder / "w.duckdb")


@pytest.fixture(autouse=True, scope="module")
def promises_by_cohort() -> Iterator[None]:
    """Run only the checks of these tables; all checks take longer than the test itself."""

    def those(structure: integrity.Structure) -> list[integrity.Promise]:
        return [promise for promise in PROMISES(structure) if promise.table in (*COUNTED, "dim_seats")]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(integrity, "_promises", those)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches, two of which share all cohorts, and an unfinished one."""
    folder = tmp_path_factory.mktemp("made")
    logs = write(folder / "a.jsonl", short("a"), short("b"), OTHER_PLAYERS, begun("d"))
    ingest([logs], folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def before(made: Path) -> dict[str, list[Any]]:
    return counted(made)


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


@pytest.mark.slow("matches that come one by one")
def test_loading_one_match_at_a_time_gives_the_same_sums(before: dict[str, list[Any]], tmp_path: Path) -> None:
    """Unfinished matches count only once they are completed; abandoned matches never count."""
    database, whole = tmp_path / "slow.duckdb", log("e")
    left = abandoned(whole, 200)
    for lines in (short("a"), short("b"), OTHER_PLAYERS, left, short("d")[:80]):
        ingest([write(tmp_path / "a.jsonl", lines)], database, processes=0)
    assert rows(database, "SELECT status FROM dim_matches WHERE match = 'e'") == ["abandoned"]
    assert counted(database) == before
    ingest([write(tmp_path / "d.jsonl", short("d"))], database, processes=0)
    assert counted(database) == fresh(tmp_path / "with", short("a"), short("b"), OTHER_PLAYERS, short("d"))


def test_forgotten_matches_leave_all_sums_and_their_cohorts_are_removed(database: Path, tmp_path: Path) -> None:
    run_operation(database, "forget", {"matches": ["a", "c"]})
    assert counted(database) == fresh(tmp_path / "without", short("b"))


@pytest.mark.slow("another way in which sums change")
def test_a_rival_that_replaces_another_replaces_its_share_of_the_sums(database: Path, tmp_path: Path) -> None:
    rival = resign(rewrite(short("a"), 0, data__luck="rival", data__tournament="cup"))
    ingest([write(tmp_path / "rival.jsonl", rival)], database, processes=0)
    run_operation(database, "retry_quarantine", {"choice": {}, "replace": True})
    assert counted(database) == fresh(tmp_path / "without", rival, short("b"), OTHER_PLAYERS)


@pytest.mark.slow("another way in which sums change")
def test_a_tournament_assigned_later_moves_a_match_to_other_cohorts(made: Path, database: Path, tmp_path: Path) -> None:
    with open_warehouse(database) as warehouse:
        take_in(warehouse, Request((made.with_name("a.jsonl"),), jobs=0, tournament="spring"), lambda _: None)
    named = fresh(tmp_path / "named", short("a"), short("b"), OTHER_PLAYERS, tournament="spring")
    assert counted(database) == named
    assert rows(database, "SELECT DISTINCT tournament FROM dim_cohorts") == ["spring"]


@pytest.mark.slow("another order")
def test_a_dry_run_and_the_same_again_change_nothing(made: Path, database: Path, tmp_path: Path) -> None:
    before = contents(database)
    with open_warehouse(database) as warehouse:
        write(tmp_path / "b.jsonl", short("e"))
        take_in(warehouse, Request((tmp_path,), jobs=0, dry_run=True), lambda _: None)
    ingest([made.with_name("a.jsonl")], database, processes=0)
    assert contents(database) == before


def test_sums_are_added_and_subtracted() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE sums (place INTEGER, kind VARCHAR, seen INTEGER, won INTEGER)")
        connection.execute("CREATE TABLE now AS SELECT 1 AS place, 'a' AS kind, 3 AS seen, 0 AS won")
        connection.execute(TWO.add)
        connection.execute("INSERT INTO now VALUES (2, 'a', 0, 1), (1, 'b', 5, 2)")
        connection.execute(TWO.add)
        everything = [(1, "a", 6, 0), (1, "b", 5, 2), (2, "a", 0, 1)]
        assert connection.execute("FROM sums ORDER BY ALL").fetchall() == everything
        assert connection.execute(f"{TWO.without} ORDER BY ALL").fetchall() == [(1, "a", 3, 0)]
        assert connection.execute(TWO.differing).fetchall() == [(1, "a")]
        for statement in TWO.subtract:
            connection.execute(statement)
        assert connection.execute("FROM sums").fetchall() == [(1, "a", 3, 0)]
        connection.execute("DELETE FROM now WHERE kind = 'b'; UPDATE now SET seen = 9 WHERE place = 2")
        assert connection.execute(f"{TWO.differing} ORDER BY ALL").fetchall() == [(2, "a")]

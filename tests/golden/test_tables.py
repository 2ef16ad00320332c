"""Rows derived by SQL equal the reviewed golden tables of `python -m tests.golden.tables`."""

from pathlib import Path

import duckdb
import pytest

from ingest.maintenance.integrity import check
from tests.golden.tables import TABLES, load, logs, rows


@pytest.fixture(scope="module", params=["caravan", "summit", "climbers"])
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A game and a warehouse with its matches."""
    return request.param, load(request.param, tmp_path_factory.mktemp("golden"))


def test_every_row_matches_the_recorded_one(loaded: tuple[str, Path]) -> None:
    game, database = loaded
    kept = {path.stem: path.read_text("utf-8").splitlines() for path in (TABLES / game).glob("*.csv")}
    found = {table: text.splitlines() for table, text in rows(database, game).items()}
    assert found.keys() == kept.keys()
    for table, lines in kept.items():  # after an intended change: python -m tests.golden.tables
        differing = [(table, then, now) for then, now in zip(lines, found[table], strict=False) if then != now]
        assert differing[:3] == []
        assert len(found[table]) == len(lines), table


def test_every_table_has_rows_from_the_golden_matches(loaded: tuple[str, Path]) -> None:
    game, database = loaded
    assert all(text.count("\n") > len(logs()[game]) for text in rows(database, game).values())


def test_cohorts_are_numbered_from_one(loaded: tuple[str, Path]) -> None:
    with duckdb.connect(str(loaded[1]), read_only=True) as connection:
        numbers = [number for (number,) in connection.execute("SELECT cohort FROM dim_cohorts ORDER BY 1").fetchall()]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow("tests of ingest check each table")
def test_all_integrity_checks_pass(loaded: tuple[str, Path]) -> None:
    with duckdb.connect(str(loaded[1]), read_only=True) as connection:
        assert check(connection) == []

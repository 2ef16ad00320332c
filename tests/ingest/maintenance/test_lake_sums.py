"""Sums and cohorts of a lake agree with the warehouse, and have the same meaning in every lake."""

from pathlib import Path

import duckdb
import polars as pl
import pytest

from tests.ingest.helping import PARTY, climbers_log, rows, write
from tests.ingest.maintenance.lakes import brought, take, warehouse_and_lake

MATCHES = {"a.1": "spring", "a.2": None}
ARRIVALS = """
SELECT player, place, round, x, y, level, sum(arrivals) FROM {} JOIN {} USING (cohort) GROUP BY ALL ORDER BY ALL
"""


def lake_of(folder: Path, names: list[str]) -> Path:
    folder.mkdir()
    for name in names:
        logs = write(
            folder / f"{name}.jsonl", climbers_log(name, PARTY if name == "a.2" else ("random", "greedy", "random"))
        )
        take(folder / "w.duckdb", logs, MATCHES[name])
    brought(folder / "w.duckdb", folder / "lake")
    return folder / "lake"


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Lakes of two warehouses that loaded the same matches in a different order."""
    folder = tmp_path_factory.mktemp("lakes")
    return lake_of(folder / "one", list(MATCHES)), lake_of(folder / "other", list(reversed(MATCHES)))


@pytest.mark.slow("two lakes of the same matches")
def test_a_cohort_has_the_same_name_in_every_lake(lakes: tuple[Path, Path]) -> None:
    one, other = (pl.read_parquet(lake / "dim_cohorts").sort("cohort") for lake in lakes)
    assert one.equals(other)
    assert one["cohort"].n_unique() == len(one) == 6
    numbers = [
        rows(lake.parent / "w.duckdb", "SELECT cohort, tournament FROM dim_cohorts ORDER BY 1") for lake in lakes
    ]
    assert numbers[0] != numbers[1], "the numbers that the warehouses gave"


@pytest.mark.slow("two lakes of the same matches")
@pytest.mark.parametrize("table", ["agg_climbers_cells", "agg_climbers_standings"])
def test_sums_have_the_same_rows_in_every_lake(lakes: tuple[Path, Path], table: str) -> None:
    one, other = (pl.read_parquet(lake / table) for lake in lakes)
    assert one.sort(one.columns).equals(other.sort(one.columns))
    assert len(one) == rows(lakes[0].parent / "w.duckdb", f"SELECT count(*) FROM {table}")[0] > 0


def test_sums_join_their_cohorts_and_cohorts_their_seats(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = warehouse_and_lake(tmp_path_factory)
    lake, database = made / "lake", made / "w.duckdb"
    with duckdb.connect() as reading:
        tables = [f"'{lake}/{table}/*.parquet'" for table in ("agg_climbers_cells", "dim_cohorts")]
        found = reading.execute(ARRIVALS.format(*tables)).fetchall()
    assert found == rows(database, ARRIVALS.format("agg_climbers_cells", "dim_cohorts"))
    seats = pl.read_parquet(lake / "dim_seats").join(pl.read_parquet(lake / "dim_cohorts"), on="cohort")
    assert len(seats) == 6
    assert (seats["player"] == seats["player_right"]).all()
    assert seats["tournament"].eq_missing(seats["tournament_right"]).all()

"""The examples in the lake's README run exactly as written, with each installed tool."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from tests.ingest.helping import begun, rows, write
from tests.ingest.maintenance.lakes import ODD, brought, take, warehouse_and_lake

WINS = """
SELECT m.tournament, s.player, count(*), sum(s.won::INTEGER) FROM dim_seats s JOIN dim_matches m USING (match_id)
WHERE m.status = 'finished' GROUP BY ALL
"""
BY_TOURNAMENT = """
SELECT about.tournament, count(*) FROM {} JOIN (SELECT match_id, tournament FROM dim_matches) AS about USING (match_id)
GROUP BY ALL
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return warehouse_and_lake(tmp_path_factory) / "w.duckdb"


@pytest.fixture
def lines(database: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of the README's examples, to be run next to the lake."""
    monkeypatch.chdir(database.parent)
    return re.findall(r"```python\n(.*?)```", Path("lake/README.md").read_text("utf-8"), re.DOTALL)


def ran(examples: list[str], tool: str, **given: Any) -> dict[str, Any]:
    (example,) = (text for text in examples if tool in text)
    exec(example, given)
    return given


@pytest.mark.parametrize("table", ["dim_seats", "fct_climbers_seats", "raw_matches", "stg_climbers_climber_stepped"])
def test_one_line_reads_any_table_alike_in_every_tool(database: Path, lines: list[str], table: str) -> None:
    one_line = [text.replace("dim_seats", table) for text in lines if text.count("\n") <= 3]
    frame = ran(one_line, "pl.read_parquet")["seats"]
    theirs = ran(one_line, "pd.read_parquet")["seats"]
    relation = ran(one_line, "duckdb.read_parquet")["seats"]
    assert frame.columns == list(theirs.columns) == relation.columns
    assert frame.schema["game"] == frame.schema["tournament"] == pl.String
    assert len(frame) == len(theirs) == len(relation) == rows(database, f"SELECT count(*) FROM {table}")[0]
    expected = dict(rows(database, BY_TOURNAMENT.format(table)))
    assert dict(frame.group_by("tournament").len().rows()) == expected
    assert dict(relation.aggregate("tournament, count(*)").fetchall()) == expected
    sizes = dict(theirs.groupby("tournament").size().items())
    of_none = int(theirs["tournament"].isna().sum())
    assert sizes | ({None: of_none} if of_none else {}) == expected


@pytest.mark.slow("a lake of its own")
def test_a_year_is_a_name_even_if_all_tournaments_are_years(tmp_path: Path) -> None:
    for year in ("2025", "2026"):
        take(tmp_path / "w.duckdb", write(tmp_path / f"{year}.jsonl", begun(f"m.{year}")), year)
    brought(tmp_path / "w.duckdb", tmp_path / "lake")
    found = [
        pl.read_parquet(tmp_path / "lake" / "dim_matches")["tournament"].to_list(),
        pl.scan_parquet(tmp_path / "lake" / "dim_matches").collect()["tournament"].to_list(),
        duckdb.read_parquet(f"{tmp_path}/lake/dim_matches/*.parquet").pl()["tournament"].to_list(),
        list(pd.read_parquet(tmp_path / "lake" / "dim_matches")["tournament"]),
    ]
    assert [sorted(each) for each in found] == [["2025", "2026"]] * 4


@pytest.mark.parametrize(("tool", "as_rows"), [("wins = duckdb.sql", "fetchall"), ("scan_parquet", "rows")])
def test_the_longer_examples_count_the_wins(database: Path, lines: list[str], tool: str, as_rows: str) -> None:
    found = getattr(ran(lines, tool)["wins"], as_rows)()
    assert sorted(found, key=repr) == sorted(rows(database, WINS), key=repr)
    assert len(found) == 4
    assert ODD in {tournament for tournament, *_ in found}


def test_an_example_names_the_matches_that_two_lakes_have_in_common(database: Path, lines: list[str]) -> None:
    found = ran(lines, "common = duckdb.sql")["common"].fetchall()
    files = rows(database, "SELECT match, true, file, file FROM raw_matches")
    assert sorted(found) == sorted(files)


@pytest.mark.soak("needs Spark")
def test_spark_reads_it_in_one_line(database: Path, lines: list[str]) -> None:
    sql = import_module("pyspark.sql")  # `make spark` installs it
    spark = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        there = [text.replace('"lake/', f'"{Path.cwd()}/lake/') for text in lines]  # Java may use another folder
        found = ran(there, "spark.read", spark=spark)["seats"]
        counts = found.groupBy("tournament").count().collect()
        assert dict(found.dtypes)["tournament"] == "string"
    finally:
        spark.stop()
    assert {tuple(row) for row in counts} == set(rows(database, BY_TOURNAMENT.format("dim_seats")))

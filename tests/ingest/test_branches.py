"""Branches in a warehouse are loaded, shown and found, but not counted in any figure."""

from pathlib import Path

import pytest

from himalaya_core.replay import Replay
from himalaya_core.tournament.branch import begin
from himalaya_core.winprob.key_moments import decisions
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.ingest.helping import FOUR, log, rows, write

COUNTED = "SELECT count(*) FROM dim_seats WHERE cohort IS NOT NULL"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    played = log("played", FOUR)
    replay = Replay.read(played)
    leaves = list(decisions(replay))
    tried = begin(replay, leaves[len(leaves) // 2], "other").go_on().log("tried")
    path = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", played, tried.splitlines(keepends=True))], path, processes=0)
    return path


def test_a_branch_is_loaded_and_counted_nowhere(database: Path) -> None:
    assert rows(database, "SELECT match, status, verdict FROM dim_matches ORDER BY 1") == [
        ("played", "finished", "clean"),
        ("tried", "branch", "clean"),
    ]
    assert rows(database, COUNTED) == [4]
    assert rows(database, "SELECT DISTINCT match FROM fct_caravan_seats JOIN dim_matches USING (match_id)") == [
        "played"
    ]
    assert rows(database, "SELECT branch_match, branch_luck FROM stg_match_started ORDER BY 1 NULLS FIRST") == [
        (None, None),
        ("played", "other"),
    ]
    with open_warehouse(database) as warehouse, warehouse.reading() as connection:
        assert check(connection) == []

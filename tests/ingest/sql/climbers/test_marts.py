"""The marts of climbers are what folding its logs by the rules gives, column by column."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from himalaya_core.climbers import climbing
from himalaya_core.replay import Replay
from ingest.care.integrity import check
from ingest.pipeline import ingest
from tests.core.log.damage import resign
from tests.ingest.helping import climbers_log, log, summit_log, write
from tests.ingest.kinds import COHORT, Cells, kind_of, rows_of
from tests.ingest.sql.climbers.folding import ClimbersFold, enterable, fold_climbers

GOLDEN = Path(__file__).parents[3] / "golden"
PLAYED = {
    ("random", "random"): (0, 1, 2),
    ("random",) * 4: (4, 11, 12, 69),
    ("random",) * 5: (1, 3, 8, 13),
    ("greedy", "random"): (0, 4, 8),
    ("greedy", "greedy"): (3, 4, 7),
    ("greedy", "greedy", "random"): (4, 10, 12),
    ("greedy", "greedy", "random", "random"): (11,),
    ("greedy",) * 5: (11,),
}
"""Line-ups and numbers of lucks: with blocks turned, leads that change, wins from behind, and all that hinders."""


@cache
def logs() -> dict[str, tuple[bytes, ...]]:
    """Return matches of every size: the golden ones, and others of random and greedy players."""
    found = {}
    for size in (2, 3, 4, 5):
        text = (GOLDEN / f"climbers-{size}.jsonl").read_bytes()
        lines = text.replace(b'"match":"golden"', f'"match":"golden.{size}"'.encode()).splitlines(keepends=True)
        found[f"golden.{size}"] = tuple(resign(lines))
    for number, (line_up, lucks) in enumerate(PLAYED.items()):
        found |= {f"k.{number}.{luck}": climbers_log(f"k.{number}.{luck}", line_up, f"luck-{luck}") for luck in lucks}
    return found


@cache
def folds() -> dict[str, ClimbersFold]:
    return {name: fold_climbers(Replay.read(lines)) for name, lines in logs().items()}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder: Path = tmp_path_factory.mktemp("climbers")
    others = [climbers_log("unfinished")[:60], log("caravan"), summit_log("summit")]
    ingest([write(folder / "a.jsonl", *logs().values(), *others)], folder / "w.duckdb", processes=0)
    with duckdb.connect(str(folder / "w.duckdb"), read_only=True) as connection:
        yield connection


def rows(warehouse: duckdb.DuckDBPyConnection, table: str) -> dict[str, list[Any]]:
    found = rows_of(warehouse, table, f"{table}.* EXCLUDE (match_id)")
    return {name: rows for name, rows in found.items() if name in folds()}


def in_order(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: (row.get("seq"), row["round"], row["seat"]))


@pytest.mark.parametrize("table", ["placements", "climbs", "discs", "standings", "turns", "hindrances"])
def test_every_row_and_column(table: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, f"fct_climbers_{table}")
    for name, each in folds().items():
        assert in_order(found.get(name, [])) == in_order(getattr(each, table))
    whole = [row for each in folds().values() for row in getattr(each, table)]
    assert [key for key in whole[0] if len({str(row[key]) for row in whole}) < 2] == []  # else nothing is tested


def test_every_total_of_a_seat(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, "fct_climbers_seats")
    assert found.keys() == folds().keys()
    for name, each in folds().items():
        colours = each.replay.states[-1].colours
        for row in found[name]:
            seat = row.pop("seat")
            assert (row.pop("colour"), row.pop("hindered_by")) == (colours[seat], each.hindered_by[seat])
            assert row == {key: each.seats[seat][key] for key in row}
    every = [count for each in folds().values() for count in each.seats]
    columns = {key for each in found.values() for key in each[0]}
    assert {key for count in every for key, value in count.items() if value} == columns


def test_what_figures_of_a_seat_add_up_to(warehouse: duckdb.DuckDBPyConnection) -> None:
    """As `docs/warehouse.md` says."""
    wrong = """
        SELECT match_id, seat FROM fct_climbers_seats
        WHERE level <> levels_own + levels_others OR hindered <> hindered_by_blocks + hindered_by_discs
            OR hindered <> list_sum(hindered_by)
    """
    assert warehouse.execute(wrong).fetchall() == []


def test_a_hindrance_is_a_step_that_the_rules_allowed() -> None:
    """Only where a top is cut or the structure encloses ground do its steps differ from those of the rules."""
    asked = 0
    for each in folds().values():
        for row in each.hindrances:
            for state in each.replay.states[row["seq"] - 1 : row["seq"] + 1]:
                ground, seat = climbing.ground(state), row["seat"]
                allowed = {ground.block_at(step.to_cell) for step in climbing.steps(state, seat)}
                whole = ground.outside.squares == ground.levels[0]
                whole &= all(len(ground.regions_of(block)) < 2 for block in range(len(state.poses)))
                assert allowed == enterable(state, seat) or not whole
                asked += whole
    assert asked


def test_the_view_of_ladders(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, "fct_climbers_ladders")
    for name, each in folds().items():
        spent = [row for row in each.climbs if row["ladder"] != "none"]
        assert in_order(found.get(name, [])) == [{key: row[key] for key in found[name][0]} for row in spent]


def test_the_course_of_every_match(warehouse: duckdb.DuckDBPyConnection) -> None:
    courses = {name: row for name, (row,) in rows(warehouse, "fct_climbers_courses").items()}
    assert courses == {name: each.course for name, each in folds().items()}
    assert {course["tie_break"] for course in courses.values()} == {True, False}
    assert {course["comeback"] for course in courses.values()} == {True, False}
    assert len({course["decisive_round"] for course in courses.values()}) > 6
    assert max(course["lead_changes"] for course in courses.values()) > 3


def test_matches_and_seats_say_how_it_ended(warehouse: duckdb.DuckDBPyConnection) -> None:
    seats = rows_of(warehouse, "dim_seats", "seat, place, won, ending")
    about = "dim_matches.game, dim_matches.status, dim_matches.rounds, winner_seats, margin, margin_unit, nearest, gap"
    matches = rows_of(warehouse, "dim_matches", about)
    for name, each in folds().items():
        ended = each.replay.ended
        assert ended
        places = {seat: 1 + sum(map(len, ended.ranking[:n])) for n, group in enumerate(ended.ranking) for seat in group}
        assert seats[name] == [
            {"seat": seat, "place": place, "won": place == 1, "ending": None} for seat, place in sorted(places.items())
        ]
        played = {"game": "climbers", "status": "finished", "rounds": each.replay.states[-1].turn}
        won = {"winner_seats": sorted(ended.ranking[0]), "margin": each.course["margin"], "margin_unit": "levels"}
        close = {"nearest": "earlier" if each.course["tie_break"] else "ahead", "gap": each.course["margin"]}
        near = close if each.course["highest"] else {"nearest": None, "gap": None}
        assert matches[name] == [played | won | near]


def test_where_climbers_stood(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for (seat, *cell), count in each.cells.items():
            expected[kind_of(each.replay, seat), *cell] += count
    found: Cells = Counter()
    for measure in ("arrivals", "stands"):
        sql = f"SELECT round, x, y, level, {measure}, {COHORT} FROM agg_climbers_cells JOIN dim_cohorts USING (cohort)"
        for *cell, count, kind in [(*row[:5], tuple(row[5:])) for row in warehouse.execute(sql).fetchall()]:
            found[kind, measure, *cell] += count
    assert +found == +expected


def test_how_many_seats_stood_how_high(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for row in each.standings:
            for figure in ("level", "ladders"):
                expected[kind_of(each.replay, row["seat"]), row["round"], figure, row[figure]] += 1
    sql = f"SELECT round, figure, value, seats, {COHORT} FROM agg_climbers_standings JOIN dim_cohorts USING (cohort)"
    assert {(tuple(row[4:]), *row[:3]): row[3] for row in warehouse.execute(sql).fetchall()} == expected


def test_a_check_finds_nothing(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert check(warehouse) == []

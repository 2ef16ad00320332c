"""The marts of summit are what folding its logs by the rules gives, column by column."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from himalaya_core.replay import Replay
from ingest.care.integrity import check
from ingest.pipeline import ingest
from ingest.tables.definitions import sql_tables
from tests.ingest.helping import ROPE, climbers_log, log, summit_log, write
from tests.ingest.kinds import COHORT, Cells, kind_of, rows_of
from tests.ingest.sql.summit.folding import SummitFold, fold_summit

LINE_UPS = (
    *[("random",) * size for size in (2, 3, 4, 5)],
    ("racer", "porter"),
    ("greedy", "porter", "racer"),
    ROPE,
    (*ROPE, "greedy"),
)
LEFT_BEHIND = ("porter", "racer", "greedy")
"""By a luck of its own: a climber leaves a Sherpa alone with the Yeti."""
FIELDS = "climbers sherpas alongs slid chased fields_lost brought resupplied"


@cache
def folds() -> dict[str, SummitFold]:
    """Return matches of every size, by strategies and by random players, folded."""
    played = {f"s.{number}.{luck}": (line_up, luck) for number, line_up in enumerate(LINE_UPS) for luck in range(2)}
    lines = {name: summit_log(name, line_up, f"golden-{26 + luck}") for name, (line_up, luck) in played.items()}
    lines["left"] = summit_log("left", LEFT_BEHIND, "luck-29")
    return {name: fold_summit(Replay.read(each)) for name, each in lines.items()}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder: Path = tmp_path_factory.mktemp("summit")
    logs = [
        summit_log(name, tuple(i.player for i in each.replay.header.seats), each.replay.header.luck or "")
        for name, each in folds().items()
    ]
    logs += [summit_log("unfinished")[:150], log("caravan"), climbers_log("climbers")]
    ingest([write(folder / "a.jsonl", *logs)], folder / "w.duckdb", processes=0)
    with duckdb.connect(str(folder / "w.duckdb"), read_only=True) as connection:
        yield connection


def rows(warehouse: duckdb.DuckDBPyConnection, table: str) -> dict[str, list[Any]]:
    return rows_of(warehouse, table, f"{table}.* EXCLUDE (match_id)")


def in_order(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: (row.get("seq"), row["round"], row["seat"], row.get("piece") or ""))


@pytest.mark.parametrize("table", ["throws", "moves", "turns", "supply", "standings"])
def test_every_row_and_column(table: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, f"fct_summit_{table}")
    for name, each in folds().items():
        assert in_order(found.get(name, [])) == in_order(getattr(each, table))
    whole = [row for each in folds().values() for row in getattr(each, table)]
    assert [key for key in whole[0] if len({row[key] for row in whole}) < 2] == []  # else nothing is tested


def test_every_total_of_a_seat(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, "fct_summit_seats")
    assert found.keys() == folds().keys()
    for name, each in folds().items():
        totals = {row.pop("seat"): row for row in found[name]}
        for seat, row in totals.items():
            assert {key: row.pop(key) for key in each.means[seat]} == {k: float(v) for k, v in each.means[seat].items()}
            assert row == {key: each.seats[seat][key] for key in row}
    every = [count for each in folds().values() for count in each.seats]
    columns = {key for each in found.values() for key in each[0]}
    assert {key for count in every for key, value in count.items() if value} == columns


def test_what_figures_of_a_seat_add_up_to(warehouse: duckdb.DuckDBPyConnection) -> None:
    """As `docs/warehouse.md` says: all fields are accounted for, and so are the spots of the dice."""
    wrong = """
        SELECT match_id, seat FROM fct_summit_seats
        WHERE sherpas <> 10 + fields_forward - fields_back + fields_along - fields_slid - fields_chased
            OR pips + card_pips - unused_pips <> climber + fields_forward + fields_back
            OR abs(3.5 * dice + dice_luck + dice_left + dice_choice - pips) > 1e-9
            OR chases <> chases_yeti_arrived + chases_climber_left + chases_slid
    """
    assert warehouse.execute(wrong).fetchall() == []


def test_views_of_slides_and_chases(warehouse: duckdb.DuckDBPyConnection) -> None:
    for view, kind in (("fct_summit_slides", "slid"), ("fct_summit_chases", "chased")):
        found = rows(warehouse, view)
        for name, each in folds().items():
            moved = [row for row in each.moves if row["kind"] == kind]
            assert in_order(found.get(name, [])) == [{key: row[key] for key in found[name][0]} for row in moved]


def test_the_course_of_every_match(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, "fct_summit_courses")
    courses = {name: row for name, (row,) in found.items()}
    assert courses == {name: each.course for name, each in folds().items()}
    assert {course["ending"] for course in courses.values()} == {"summit", "bad_weather"}
    assert {course["comeback"] for course in courses.values()} == {True, False}
    assert len({course["decisive_round"] for course in courses.values()}) > 3


def test_matches_and_seats_say_how_it_ended(warehouse: duckdb.DuckDBPyConnection) -> None:
    seats = rows_of(warehouse, "dim_seats", "seat, player, label, place, won, ending")
    about = ["game", "status", "players", "rounds", "plies", "events", "winner_seats", "margin", "margin_unit"]
    about += ["nearest", "gap"]
    matches = rows_of(warehouse, "dim_matches", ", ".join(f"dim_matches.{column}" for column in about))
    for name, each in folds().items():
        ended, header = each.replay.ended, each.replay.header
        assert ended
        assert seats[name] == [
            {"seat": i.seat, "player": i.player, "label": i.label, "place": place, "won": place == 1} | {"ending": None}
            for i in header.seats
            for place in [1 + sum(len(g) for g in ended.ranking[: [i.seat in g for g in ended.ranking].index(True)])]
        ]
        last = each.replay.entries[-1]
        size = {"rounds": last.round, "plies": last.ply, "events": len(each.replay.entries)}
        played = {"game": "summit", "status": "finished", "players": len(header.seats)}
        won = {"winner_seats": sorted(ended.ranking[0]), "margin": each.course["margin"], "margin_unit": "fields"}
        near: dict[str, Any] = {"nearest": "ahead" if len(ended.ranking[0]) == 1 else "shared"}
        near |= {"gap": each.course["margin"]}
        if not any(each.replay.states[-1].climbers):
            near = dict.fromkeys(near)
        assert matches[name] == [played | size | won | near]


def test_sums_of_fields(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for (seat, measure, number, place), count in each.fields.items():
            expected[kind_of(each.replay, seat), measure, number, place] += count
    found: Cells = Counter()
    for measure in FIELDS.split():
        sql = f"SELECT round, field, {measure}, {COHORT} FROM agg_summit_fields JOIN dim_cohorts USING (cohort)"
        for number, place, count, *kind in warehouse.execute(sql).fetchall():
            found[tuple(kind), measure, number, place] += count
    assert +found == +expected
    assert {measure for _, measure, *_ in expected} == set(FIELDS.split())


def test_how_many_seats_stood_how_high(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for row in each.standings:
            for figure in ("climber", "sherpas"):
                expected[kind_of(each.replay, row["seat"]), row["round"], figure, row[figure]] += 1
    sql = f"SELECT round, figure, value, seats, {COHORT} FROM agg_summit_standings JOIN dim_cohorts USING (cohort)"
    assert {(tuple(row[4:]), *row[:3]): row[3] for row in warehouse.execute(sql).fetchall()} == expected


def test_a_check_finds_nothing(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert check(warehouse) == []


def test_nothing_of_one_game_is_in_the_tables_of_the_other(warehouse: duckdb.DuckDBPyConnection) -> None:
    games = dict(warehouse.execute("SELECT match_id, game FROM dim_matches").fetchall())
    for table in sql_tables():
        if table.game and "match_id" in table.grain:
            ids = {number for (number,) in warehouse.execute(f"SELECT DISTINCT match_id FROM {table.name}").fetchall()}
            assert {games[number] for number in ids} == {table.game}

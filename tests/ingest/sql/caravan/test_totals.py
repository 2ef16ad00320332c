"""The totals of seats, the courses of matches and the sums by cohort are what folding the logs gives."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import duckdb
import pytest

from himalaya_core.replay import Replay
from ingest.care.integrity import check
from ingest.pipeline import ingest
from ingest.tables.definitions import create_tables, sql_tables
from tests.ingest.helping import FIVE, FOUR, SIX, THREE, VARIANTS, log, write
from tests.ingest.kinds import COHORT, Cells, kind_of, rows_of
from tests.ingest.sql.caravan.folding import INFLUENCES, Course, Fold, fold

SIZES = (THREE, FOUR, FIVE, SIX)
CHOICES = [tuple(v for v, on in zip(VARIANTS, bits, strict=True) if on) for bits in product((0, 1), repeat=3)]
STUPAS_DECIDE = {
    "league/8": ("pilgrim", "envoy", "trader", "greedy"),
    "league/4": ("balanced", "greedy", "pilgrim", "trader"),
}
"""Lucks that these players meet so that after some rounds the number of stupas breaks a tie, against that of yaks."""
RECOUNT_DECIDES = {
    "league/15": ("envoy", "trader", "balanced", "pilgrim"),
    "league/7": ("envoy", "trader", "balanced", "greedy"),
    "league/3": ("pilgrim", "balanced", "random", "greedy"),
    "league/2": ("envoy", "trader", "balanced", "greedy"),
    "five/40": ("pilgrim", "greedy", "balanced", "trader", "envoy"),
}
"""Others, after which it matters that regions of the seat that left, from 0 to 4 in this order, fall to the next."""
MEASURES = {
    "agg_caravan_villages": "arrivals collected delivered voided too_late contested stupas stupa_levels",
    "agg_caravan_regions": "delegations leads flips_won",
    "agg_caravan_goods": "collected spent",
    "agg_caravan_supply": "supplied demanded",
}


@cache
def folds() -> dict[str, Fold]:
    """Return matches of every size with every choice of options, by strategies and by random players, folded."""
    found = {}
    at_random = [("random",) * len(line_up) for line_up in SIZES]
    for number, ((place, line_up), options) in enumerate(product(enumerate((*SIZES, *at_random)), CHOICES)):
        if (place + place // len(SIZES) + len(options)) % 2:
            continue  # each choice once for each size, by strategies or by random players in turn
        name = f"t.{number}"
        found[name] = fold(Replay.read(log(name, line_up, options=options)))
    for number in range(6):  # of the same kinds, so that cohorts have several seats
        found[f"m.{number}"] = fold(Replay.read(log(f"m.{number}", FOUR)))
    for luck, line_up in (STUPAS_DECIDE | RECOUNT_DECIDES).items():
        name, options = luck.replace("/", "."), ("tokens",) if luck == "five/40" else ()
        found[name] = fold(Replay.read(log(name, line_up, luck, options)))
    return found


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder: Path = tmp_path_factory.mktemp("totals")
    logs = [
        log(name, tuple(i.player for i in each.replay.header.seats), each.replay.header.luck or "", chosen(each))
        for name, each in folds().items()
    ]
    ingest([write(folder / "a.jsonl", *logs, log("unfinished")[:250])], folder / "w.duckdb", processes=0)
    with duckdb.connect(str(folder / "w.duckdb"), read_only=True) as connection:
        yield connection


FINALS = "religious, political, economic, eliminated_by, tie_break"
"""What seats ended with, compared with the fold in `test_marts.py`."""


def chosen(each: Fold) -> tuple[str, ...]:
    return tuple(variant for variant in VARIANTS if each.replay.header.options.get(variant))


def test_every_total_of_a_seat(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "fct_caravan_seats", f"fct_caravan_seats.* EXCLUDE (match_id, {FINALS})")
    assert found.keys() == folds().keys()
    for name, each in folds().items():
        totals = {row.pop("seat"): row for row in found[name]}
        assert totals == {seat: {key: count[key] for key in totals[seat]} for seat, count in enumerate(each.totals)}
    every = [count for each in folds().values() for count in each.totals]
    columns = {key for each in found.values() for key in each[0]}
    assert {key for count in every for key in count} <= columns
    assert {key for key in columns if not any(count[key] for count in every)} <= {"voided_declined"}


def test_trades_that_came_too_late(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "(FROM fct_caravan_trades WHERE too_late)", "seq")
    late = {name: {row["seq"] for row in rows} for name, rows in found.items() if name != "unfinished"}
    assert late == {name: each.late for name, each in folds().items() if each.late}


def test_how_every_round_would_end_were_it_the_last(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "fct_caravan_standings", "round, seat, eliminated_by, wins")
    for name, each in folds().items():
        standings: dict[int, tuple[dict[int, str], set[int]]] = {number: ({}, set()) for number in each.standings}
        for row in found[name]:
            if row["eliminated_by"]:
                standings[row["round"]][0][row["seat"]] = row["eliminated_by"]
            if row["wins"]:
                standings[row["round"]][1].add(row["seat"])
        assert standings == each.standings
        assert len(found[name]) == 12 * len(each.totals)


def test_the_course_of_every_match(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "fct_caravan_courses", "fct_caravan_courses.* EXCLUDE (match_id)")
    courses = {name: Course(**row) for name, (row,) in found.items()}
    assert courses == {name: each.course for name, each in folds().items()}
    assert {course.comeback for course in courses.values()} == {True, False}
    assert len({course.decisive_round for course in courses.values()}) > 5


def test_the_margin_of_every_elimination(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "fct_caravan_eliminations", "seat, influence, value, margin")
    for name, each in folds().items():
        margins = {row["seat"]: row["margin"] for row in found.get(name, ())}
        expected, gone = {}, set[int]()
        final = each.replay.states[-1]
        for out in final.eliminated:
            values = getattr(final.scores, out.influence)
            gone.add(out.seat)
            expected[out.seat] = min(value for seat, value in enumerate(values) if seat not in gone) - out.value
        assert margins == expected


def test_what_stands_on_the_board_after_every_round(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows_of(warehouse, "fct_caravan_influence", "round, seat, stupas, delegations")
    for name, each in folds().items():
        states = [
            (e.round, s)
            for e, s in zip(each.replay.entries, each.replay.states, strict=True)
            if s.round_over and e.type == "round_ended"
        ]
        expected = {
            (number, seat): (state.stupas.count(seat), sum(row[seat] for row in state.delegations))
            for number, state in states
            for seat in state.seats
        }
        assert {(row["round"], row["seat"]): (row["stupas"], row["delegations"]) for row in found[name]} == expected


def test_a_cohort_is_what_seats_have_in_common(warehouse: duckdb.DuckDBPyConnection) -> None:
    kinds = f"""
        SELECT match, sat, {COHORT} FROM dim_cohorts
        JOIN (SELECT match, seat AS sat, cohort FROM dim_seats JOIN raw_matches USING (match_id)) USING (cohort)
    """
    found = {(match, seat): tuple(kind) for match, seat, *kind in warehouse.execute(kinds).fetchall()}
    expected = {
        (name, seat): kind_of(each.replay, seat) for name, each in folds().items() for seat in range(len(each.totals))
    }
    assert found == expected
    assert warehouse.execute("SELECT count(*) FROM dim_cohorts").fetchall() == [(len(set(expected.values())),)]
    assert len(set(expected.values())) < len(expected)


def test_sums_of_villages_regions_goods_and_supply(warehouse: duckdb.DuckDBPyConnection) -> None:
    for table, places in (
        ("agg_caravan_villages", "round, village"),
        ("agg_caravan_regions", "round, region"),
        ("agg_caravan_goods", "round, village, resource"),
        ("agg_caravan_supply", "round, village, resource"),
    ):
        expected: Cells = Counter()
        for each in folds().values():
            for (seat, measure, *place), count in getattr(each, table.removeprefix("agg_caravan_")).items():
                if measure in MEASURES[table].split():
                    expected[kind_of(each.replay, seat), measure, *place] += count
        found: Cells = Counter()
        for measure in MEASURES[table].split():
            sql = f"SELECT {places}, {table}.{measure}, {COHORT} FROM {table} JOIN dim_cohorts USING (cohort)"
            width = len(places.split())
            for row in warehouse.execute(sql).fetchall():
                found[tuple(row[width + 1 :]), measure, *row[:width]] += row[width]
        assert +found == +expected


def test_sums_of_roads(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for (seat, *place), count in each.roads.items():
            expected[kind_of(each.replay, seat), *place] += count
    columns = f"round, village_a, village_b, road, journeys, {COHORT}"
    sql = f"SELECT {columns} FROM agg_caravan_roads JOIN dim_cohorts USING (cohort)"
    assert {(tuple(row[5:]), *row[:4]): row[4] for row in warehouse.execute(sql).fetchall()} == expected


def test_how_many_seats_had_how_much_influence(warehouse: duckdb.DuckDBPyConnection) -> None:
    expected: Cells = Counter()
    for each in folds().values():
        for number, scores in each.influences.items():
            for influence, seat in product(INFLUENCES, range(len(each.totals))):
                expected[kind_of(each.replay, seat), number, influence, getattr(scores, influence)[seat]] += 1
    sql = f"SELECT round, influence, value, seats, {COHORT} FROM agg_caravan_influence JOIN dim_cohorts USING (cohort)"
    assert {(tuple(row[4:]), *row[:3]): row[3] for row in warehouse.execute(sql).fetchall()} == expected


def test_a_check_finds_nothing(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert check(warehouse) == []


def test_who_took_it_or_lacked_the_goods_was_not_too_late() -> None:
    """Seat 0 delivers salt and tries again with salt in hand; seat 1 comes with salt, seat 2 without."""
    with duckdb.connect() as connection:
        create_tables(connection)
        connection.execute(
            """
            CREATE TEMP TABLE batch AS SELECT 1 AS match_id;
            INSERT INTO stg_caravan_caravan_placed BY NAME
                SELECT 1 AS match_id, seat AS seq, 0 AS ply, 0 AS round, seat, 7 AS village
                FROM range(3) AS seats (seat);
            INSERT INTO stg_caravan_collected BY NAME
                SELECT 1 AS match_id, 3 + nth AS seq, 0 AS ply, 1 AS round, [0, 0, 1][nth + 1] AS seat, 1 AS step,
                    9 AS village, 'salt' AS resource FROM range(3) AS cubes (nth);
            INSERT INTO stg_caravan_delivered BY NAME
                SELECT 1 AS match_id, 6 AS seq, 0 AS ply, 1 AS round, 0 AS seat, 1 AS step, 7 AS village,
                    1 AS spent_salt, 1 AS order_demand_salt, COLUMNS('(?:spent|demand)_(?:barley|tea|jade|gold)')
                FROM (SELECT 0 AS spent_barley, 0 AS spent_tea, 0 AS spent_jade, 0 AS spent_gold,
                    0 AS order_demand_barley, 0 AS order_demand_tea, 0 AS order_demand_jade, 0 AS order_demand_gold);
            INSERT INTO stg_caravan_action_voided BY NAME
                SELECT 1 AS match_id, 7 + seat AS seq, 0 AS ply, 1 AS round, seat, 2 AS step, 'trade' AS action,
                    'nothing_here' AS reason FROM range(3) AS seats (seat);
            """
        )
        (fill,) = [table.fill for table in sql_tables() if table.name == "int_caravan_voided_trades"]
        assert fill
        connection.execute(fill)
        late = connection.execute("SELECT seat, too_late FROM int_caravan_voided_trades ORDER BY seat").fetchall()
    assert late == [(0, False), (1, True), (2, False)]

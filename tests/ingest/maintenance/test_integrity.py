"""`himalaya check` finds nothing in a sound warehouse, and reports every violated assertion."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from himalaya_core.winprob import review
from himalaya_core.winprob.key_moments import GameReview
from ingest.maintenance import integrity
from ingest.maintenance.integrity import check, check_operation
from ingest.opening import open_for_reading
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.tables.definitions import SCHEMA_VERSION, event_tables, sql_tables
from ingest.tables.marts import Promise
from tests.ingest.helping import SIX, VARIANTS, climbers_log, log, summit_log, write

Connection = duckdb.DuckDBPyConnection

TABLES = [table for table in sql_tables() if not table.is_view]
OF_MATCHES = [table.name for table in TABLES if "match_id" in table.grain and table.name != "raw_matches"]
VIEWS = {
    "fct_caravan_village_visits": "stg_caravan_caravan_placed",
    "fct_caravan_road_visits": "stg_caravan_moved",
    "fct_caravan_trades": "int_caravan_voided_trades",
    "fct_summit_slides": "fct_summit_moves",
    "fct_summit_chases": "fct_summit_moves",
    "fct_summit_supply": "stg_summit_supply_played",
    "fct_climbers_ladders": "fct_climbers_climbs",
}
"""The underlying table of each view."""
OTHERS = """
    INSERT INTO forgotten_matches VALUES ('digest', NULL, 1);
    INSERT INTO receipts VALUES ('digest', 1, '2026-01-01 00:00:00', 'local', 'taken', '{}');
    INSERT INTO fct_playouts SELECT * EXCLUDE model, 20 FROM fct_values;
    INSERT INTO fct_confirmations SELECT match_id, 'digest', 9, 0, false, 0, NULL, NULL, NULL, 'No.' FROM raw_matches;
"""
ONLY_KNOWN = "only matches of raw_matches"
EVENTFUL = "luck-1"
"""Name of a match of climbers that has rows in every table."""
EMPTY = {"watched_files"}
"""Tables that are empty in this warehouse."""
COUNT = ("events", "as many events of a match as it has lines")
SEQ = ("events", "seq 0, 1, 2, … of a match, each once")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    write(folder / "a.jsonl", log("a"), log("b")[4:], log("c")[:250])
    write(folder / "b.jsonl", log("b", SIX, options=VARIANTS), log("a", luck="other"))
    ingest([folder], folder / "w.duckdb", processes=0)
    others = [summit_log("d", ("random",) * 5, "golden-27"), climbers_log("e", ("random",) * 5, EVENTFUL)]
    later = write(folder / "c.jsonl", log("c"), *others)
    ingest([later], folder / "w.duckdb", processes=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(review, "review_of", lambda _: GameReview(has_split=True))
        run_operation(folder / "w.duckdb", "review", {})
    with duckdb.connect(str(folder / "w.duckdb")) as connection:
        connection.execute(OTHERS)
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def copied(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    file = tmp_path_factory.mktemp("copied") / "w.duckdb"
    file.write_bytes(sound.read_bytes())
    with duckdb.connect(str(file)) as connection:
        yield connection


class Within:
    """A connection whose nested transactions do nothing, as it is already within one."""

    def __init__(self, connection: Connection) -> None:
        self.execute = connection.execute

    def begin(self) -> None: ...

    def rollback(self) -> None: ...


@pytest.fixture
def warehouse(copied: Connection) -> Iterator[Connection]:
    """A warehouse that is restored after each test."""
    copied.begin()
    within: Any = Within(copied)
    yield within
    copied.rollback()


def found(connection: Connection) -> set[tuple[str, str]]:
    """Return the violated assertions with their tables."""
    return {(finding.table, finding.expected) for finding in check(connection)}


def filled(connection: Connection) -> list[str]:
    """Return the event tables that have rows."""
    return [t.name for t in event_tables() if connection.execute(f"FROM {t.name} LIMIT 1").fetchall()]


@pytest.mark.slow("every table")
def test_a_row_that_is_there_twice(warehouse: Connection) -> None:
    events = filled(warehouse)
    for table in [*events, *(table.name for table in TABLES)]:
        warehouse.execute(f"INSERT INTO {table} FROM {table}")
    expected = {(table, "one row for each match_id, seq") for table in events}
    expected |= {(table.name, f"one row for each {', '.join(table.grain)}") for table in TABLES}
    expected |= {(view, "one row for each match_id, seq") for view in VIEWS}
    empty = {table.name for table in TABLES if not warehouse.execute(f"FROM {table.name} LIMIT 1").fetchall()}
    assert empty == EMPTY
    assert {promise for promise in expected if promise[0] not in empty} | {COUNT} <= found(warehouse)


@pytest.mark.slow("every table")
def test_a_row_of_a_match_that_is_not_there(warehouse: Connection) -> None:
    tables = [*filled(warehouse), *OF_MATCHES]
    for table in tables:
        warehouse.execute(f"INSERT INTO {table} SELECT * REPLACE (match_id + 99 AS match_id) FROM {table}")
    expected = {(table, ONLY_KNOWN) for table in [*tables, *VIEWS]}
    assert {promise for promise in found(warehouse) if promise[1] == ONLY_KNOWN} == expected


@pytest.mark.slow("every column")
def test_a_value_that_is_missing(warehouse: Connection) -> None:
    keys = {table.name: table.grain[-1] for table in TABLES} | dict.fromkeys(filled(warehouse), "ply")
    warehouse.execute("DROP INDEX raw_matches_by_match")  # DuckDB can't alter a table with an index
    for table, key in keys.items():
        warehouse.execute(f"ALTER TABLE {table} ALTER {key} DROP NOT NULL")
        warehouse.execute(f"UPDATE {table} SET {key} = NULL")
    missing = {table for table, expected in found(warehouse) if expected.startswith("a value in ")}
    assert set(keys) - missing == EMPTY


DAMAGES = {
    "an event is lost": ("DELETE FROM stg_caravan_rested WHERE seq = (SELECT min(seq) FROM stg_caravan_rested)", COUNT),
    "all events of a kind are lost": ("DELETE FROM stg_caravan_moved", COUNT),
    "an event is not where it was": ("UPDATE stg_caravan_moved SET seq = seq + 1 WHERE match_id = 1", SEQ),
    "an event stands for another": (
        """WITH rests AS (FROM stg_caravan_rested WHERE match_id = 1)
        UPDATE stg_caravan_rested SET seq = (SELECT min(seq) FROM rests)
        WHERE match_id = 1 AND seq = (SELECT max(seq) FROM rests)""",
        SEQ,
    ),
    "a name is taken twice": ("UPDATE raw_matches SET match = 'a'", ("raw_matches", "each name once")),
    "a match is not shown": (
        "DELETE FROM dim_matches WHERE match_id = 2",
        ("dim_matches", "a row for every match, equal to its log"),
    ),
    "a match is shown as it was before": (
        "UPDATE dim_matches SET events = 250 WHERE match = 'c'",
        ("dim_matches", "a row for every match, equal to its log"),
    ),
    "a seat is empty": (
        "DELETE FROM dim_seats WHERE seat = 5",
        ("dim_seats", "one row for each seat that the first line of a match names"),
    ),
    "a seat says that its player was asked, and its match does not": (
        "UPDATE dim_seats SET player_verdict = 'repeats' WHERE match_id = 2 AND seat = 1",
        ("dim_seats", "the player source that the log or the manifest names, and the verdict on the player"),
    ),
    "a seat names a source that its log does not": (
        "UPDATE dim_seats SET source_sha256 = 'abc' WHERE match_id = 2 AND seat = 1",
        ("dim_seats", "the player source that the log or the manifest names, and the verdict on the player"),
    ),
    "a player was asked of whom nothing is known": (
        "UPDATE raw_matches SET player_verdicts = 'repeats' WHERE match_id = 1",
        ("raw_matches", "a verdict for each seat, once the players were asked"),
    ),
    "what came of asking a player is no verdict": (
        """UPDATE raw_matches SET player_verdicts =
        (SELECT string_agg('perhaps', ',') FROM dim_seats WHERE match_id = 1) WHERE match_id = 1""",
        ("raw_matches", "a verdict for each seat, once the players were asked"),
    ),
    "a seat is in another cohort": (
        "UPDATE dim_seats SET cohort = (SELECT max(cohort) FROM dim_seats) WHERE match_id = 1 AND seat = 0",
        ("dim_seats", "the cohort of the seat and its match, once the match is finished"),
    ),
    "a seat of an unfinished match is in a cohort": (
        "UPDATE dim_matches SET status = 'unfinished' WHERE match_id = 1",
        ("dim_seats", "the cohort of the seat and its match, once the match is finished"),
    ),
    "a cohort has no seats": (
        "INSERT INTO dim_cohorts SELECT * REPLACE (99 AS cohort, 9 AS seat) FROM dim_cohorts LIMIT 1",
        ("dim_cohorts", "only cohorts that have seats"),
    ),
    "a cohort is there under two numbers": (
        "INSERT INTO dim_cohorts SELECT * REPLACE (99 AS cohort) FROM dim_cohorts LIMIT 1",
        ("dim_cohorts", "each cohort once"),
    ),
    "a seat has no totals": (
        "DELETE FROM fct_caravan_seats WHERE match_id = 1 AND seat = 1",
        ("fct_caravan_seats", "the seats of every finished match of caravan, and no others"),
    ),
    "an unfinished match has totals": (
        "UPDATE dim_matches SET status = 'unfinished' WHERE match_id = 1",
        ("fct_caravan_standings", "the seats of every finished match of caravan, and no others"),
    ),
    "a margin is another": (
        "UPDATE dim_matches SET margin = margin + 1 WHERE match = 'd'",
        ("dim_matches", "the margins that follow from the tables of summit"),
    ),
    "a margin is missing": (
        "UPDATE dim_matches SET margin = NULL WHERE match = 'a'",
        ("dim_matches", "the margins that follow from the tables of caravan"),
    ),
    "a seat went out by something else": (
        "UPDATE dim_seats SET ending = 'religious' WHERE match_id = 1 AND ending = 'political'",
        ("dim_seats", "the endings that follow from the tables of caravan"),
    ),
    "a match has no course": (
        "DELETE FROM fct_caravan_courses WHERE match_id = 1",
        ("fct_caravan_courses", "every finished match of caravan, and no others"),
    ),
    "a seat of summit has no totals": (
        "DELETE FROM fct_summit_seats WHERE seat = 1",
        ("fct_summit_seats", "the seats of every finished match of summit, and no others"),
    ),
    "a match of summit has the course of another game": (
        "INSERT INTO fct_summit_courses SELECT * REPLACE (1 AS match_id) FROM fct_summit_courses",
        ("fct_summit_courses", "every finished match of summit, and no others"),
    ),
    "a sum is lost": (
        "DELETE FROM agg_caravan_roads WHERE rowid = 3",
        ("agg_caravan_roads", "the sums over the finished matches"),
    ),
    "what was forgotten is still there": (
        "INSERT INTO forgotten_matches SELECT bytes_sha256, NULL, 2 FROM raw_matches WHERE match_id = 1",
        ("forgotten_matches", "no row of a forgotten match"),
    ),
    "what was forgotten is still in quarantine": (
        "INSERT INTO forgotten_matches SELECT sha256, NULL, 2 FROM quarantine LIMIT 1",
        ("forgotten_matches", "no row of a forgotten match"),
    ),
    "a run took fewer matches": (
        "UPDATE ingest_runs SET matches = 1",
        ("ingest_runs", "at least as many matches loaded as raw_matches has of the run"),
    ),
    "a run quarantined less": (
        "UPDATE ingest_runs SET quarantined = 1",
        ("ingest_runs", "at least as many rejections as quarantine has of the run"),
    ),
    "a run read fewer files": (
        "UPDATE ingest_runs SET files = 1",
        ("ingest_runs", "at least as many files read as ingested_files has of the run"),
    ),
    "a file gave fewer matches": (
        "UPDATE ingested_files SET matches = 0",
        ("ingested_files", "at least as many matches loaded from the file as raw_matches has of it"),
    ),
    "a match came in before its lines were rejected": (
        "UPDATE quarantine SET resolved_in = 0 WHERE quarantine_id = 1",
        ("quarantine", "no entry resolved before it was quarantined"),
    ),
    "a column has another type": (
        "ALTER TABLE fct_caravan_influence ALTER political TYPE BIGINT",
        ("fct_caravan_influence", f"the columns of schema {SCHEMA_VERSION}"),
    ),
    "a table is missing": ("DROP TABLE receipts", ("receipts", f"the columns of schema {SCHEMA_VERSION}")),
    "a match is reviewed that is not finished": (
        "UPDATE dim_matches SET status = 'unfinished' WHERE match = 'd'",
        ("dim_reviews", "only finished matches with the verdict clean"),
    ),
    "a match is reviewed that may depart from the rules": (
        "UPDATE dim_matches SET verdict = 'unjudged' WHERE match = 'd'",
        ("dim_reviews", "only finished matches with the verdict clean"),
    ),
    "a match that is valued has no chances": (
        "DELETE FROM fct_values WHERE match_id = 1",
        ("fct_values", "the reviewed matches and no others, each with its model"),
    ),
    "chances are of another model": (
        "UPDATE fct_values SET model = 'abc' WHERE match_id = 1",
        ("fct_values", "the reviewed matches and no others, each with its model"),
    ),
    "a match that is not valued has chances": (
        "UPDATE dim_reviews SET not_valued = 'for some reason' WHERE match_id = 1",
        ("fct_values", "the reviewed matches and no others, each with its model"),
    ),
    "a chance of a seat is lost": (
        "DELETE FROM fct_values WHERE match_id = 1 AND seat = 1 AND chance = 0",
        ("fct_values", "a chance for each seat after a decision; they sum to one"),
    ),
    "a chance is another": (
        "UPDATE fct_values SET chance = chance + 0.0001 WHERE match_id = 1 AND seat = 1 AND seq < 60",
        ("fct_values", "a chance for each seat after a decision; they sum to one"),
    ),
    "the last decisions are lost": (
        "DELETE FROM fct_values WHERE match_id = 1 AND seq > 60",
        ("fct_values", "the outcome after the last decision"),
    ),
    "a share of playouts is lost": (
        "DELETE FROM fct_playouts WHERE match_id = 1 AND seat = 0",
        (
            "fct_playouts",
            "a share of the wins for each seat after a decision; they sum to one, and the last are the outcome",
        ),
    ),
    "the last playouts are lost": (
        "DELETE FROM fct_playouts WHERE match_id = 1 AND seq > 60",
        (
            "fct_playouts",
            "a share of the wins for each seat after a decision; they sum to one, and the last are the outcome",
        ),
    ),
    "a moment is lost": (
        "DELETE FROM fct_moments WHERE match_id = 1 AND number = 1",
        (
            "fct_moments",
            "key moments of reviewed matches, numbered from 1, none smaller than the model's error",
        ),
    ),
    "a moment is of a match that is not valued": (
        "UPDATE dim_reviews SET not_valued = 'for some reason' WHERE match_id = 1",
        (
            "fct_moments",
            "key moments of reviewed matches, numbered from 1, none smaller than the model's error",
        ),
    ),
    "a moment changes next to nothing": (
        "UPDATE fct_moments SET swing = 0.001, cost = 0.001 WHERE match_id = 1 AND number = 1",
        (
            "fct_moments",
            "key moments of reviewed matches, numbered from 1, none smaller than the model's error",
        ),
    ),
    "what a cause changed is lost": (
        "DELETE FROM fct_causes WHERE match_id = 1 AND seat = 1 AND round = 3",
        ("fct_causes", "amounts that add up, with the first chances, to the outcome of each seat"),
    ),
    "a cause changed something in a match that is not valued": (
        "DELETE FROM fct_values WHERE match_id = 1",
        ("fct_causes", "amounts that add up, with the first chances, to the outcome of each seat"),
    ),
    "the lowest chance of a winner is another": (
        "UPDATE dim_reviews SET lowest = lowest + 0.01 WHERE match_id = 1",
        (
            "dim_reviews",
            "the winner's lowest chance in the second half, and the highest of another seat",
        ),
    ),
    "how a match turned is lost": (
        "UPDATE dim_reviews SET lowest = NULL, rival = NULL, decided_round = NULL WHERE match_id = 1",
        (
            "dim_reviews",
            "the winner's lowest chance in the second half, and the highest of another seat",
        ),
    ),
    "what a cause changed over all rounds is lost": (
        "DELETE FROM fct_seat_causes WHERE match_id = 1 AND seat = 1",
        ("fct_seat_causes", "the sums of fct_causes over all rounds of a seat"),
    ),
}


@pytest.mark.slow("every sum")
def test_every_wrong_sum_is_found(warehouse: Connection) -> None:
    sums = {table.name: table.sums.summed[0] for table in TABLES if table.sums}
    for table, column in sums.items():
        warehouse.execute(f"UPDATE {table} SET {column} = {column} + 1 WHERE rowid = 3")
    assert found(warehouse) == {(table, "the sums over the finished matches") for table in sums}


@pytest.mark.slow("every promise")
@pytest.mark.parametrize("damage", DAMAGES)
def test_broken_data_is_found(damage: str, warehouse: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the affected assertion is checked; all together take two seconds, and other tests check them."""
    sql, promise = DAMAGES[damage]
    promises = integrity._promises

    def that_one(structure: integrity.Structure) -> list[Promise]:
        return [each for each in promises(structure) if (each.table, each.expected) == promise]

    monkeypatch.setattr(integrity, "_promises", that_one)
    warehouse.execute(sql)
    assert promise in found(warehouse)


def test_a_finding_names_one_of_the_rows(warehouse: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    promises = integrity._promises
    of_seats = lambda structure: [each for each in promises(structure) if each.table == "dim_seats"]  # noqa: E731
    monkeypatch.setattr(integrity, "_promises", of_seats)
    warehouse.execute("DELETE FROM dim_seats WHERE match_id = 3 AND seat > 3")
    (finding, *_) = [finding for finding in check(warehouse) if finding.table == "dim_seats"]
    assert str(finding) == (
        "dim_seats: expected one row for each seat that the first line of a match names; "
        "1 wrong, for example match_id 3: 4 rows, 6 seats"
    )


def test_a_sound_warehouse_passes_all_checks_with_progress_reports(sound: Path) -> None:
    reports: list[dict[str, int]] = []
    with open_for_reading(sound) as warehouse:
        assert check_operation(warehouse, {}, reports.append) == {"findings": []}
    assert [report["done"] for report in reports] == list(range(1, reports[-1]["total"] + 1))

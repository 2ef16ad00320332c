"""Logs of all games in one warehouse: every operation works for all of them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from himalaya_core.games import GAMES
from himalaya_core.names import normalize_name, visible
from ingest.maintenance.integrity import check
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.read import tail
from ingest.tables.definitions import fill_tables, sql_tables, take_out
from ingest.validate import pool as workers
from tests.copies import copied
from tests.core.log.damage import at, renumber, resign, rewrite
from tests.ingest.follow.following import Folder, tables
from tests.ingest.helping import THREE, climbers_log, contents, live, log, quarantined_texts, rows, summit_log, write

PAIR = ("random", "greedy")
MIXED = [
    log("c.1", THREE),
    summit_log("s.1", PAIR),
    log("c.2", THREE)[:200],
    summit_log("s.2"),
    summit_log("s.3", PAIR)[:120],
    summit_log("s.4", PAIR)[4:],
    log("c.3", THREE),
    climbers_log("k.1"),
    climbers_log("k.2", PAIR)[:60],
]
GOOD = summit_log("s.1", PAIR)
WITH_PLACES = ("raw_matches", "dim_matches", "quarantine", "quarantine_numbers", "ingested_files", "ingest_runs")
WRITTEN = re.compile(r"(?:INSERT INTO|DELETE FROM|MERGE INTO|UPDATE) (\w+)")


def sound(database: Path) -> dict[str, list[Any]]:
    """Check a warehouse, and return its contents."""
    with duckdb.connect(str(database), read_only=True) as connection:
        assert check(connection) == []
    return contents(database, by_match=True)


def differing(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> list[str]:
    """Return the tables that differ, ignoring the source file of a match."""
    return [table for table in expected if table not in WITH_PLACES and found[table] != expected[table]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of all games, loaded from one log file."""
    folder = tmp_path_factory.mktemp("all")
    ingest([write(folder / "a.jsonl", *MIXED)], folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


@pytest.mark.slow("all games, another order and processes")
def test_neither_their_order_nor_the_number_of_processes_changes_anything(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "WORTHWHILE", 1)
    for number, lines in enumerate(reversed(MIXED)):
        write(tmp_path / f"{number}.jsonl", lines)
    ingest([tmp_path], tmp_path / "other.duckdb", processes=2)
    assert differing(contents(tmp_path / "other.duckdb", by_match=True), sound(made)) == []
    assert rows(made, "SELECT game, status, count(*) FROM dim_matches GROUP BY ALL ORDER BY ALL") == [
        ("caravan", "finished", 2),
        ("caravan", "unfinished", 1),
        ("climbers", "finished", 1),
        ("climbers", "unfinished", 1),
        ("summit", "finished", 2),
        ("summit", "unfinished", 1),
    ]


@pytest.mark.parametrize("lines", [log("one", THREE), summit_log("one"), climbers_log("one")], ids=list(GAMES))
def test_a_match_that_has_just_begun_needs_no_line_end(lines: Sequence[bytes], tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines[0].removesuffix(b"\n"))
    ingest([tmp_path / "a.jsonl"], tmp_path / "w.duckdb", processes=0)
    assert quarantined_texts(tmp_path / "w.duckdb") == []
    assert rows(tmp_path / "w.duckdb", "SELECT match, status, events FROM dim_matches") == [("one", "unfinished", 1)]


class Noted:
    """A connection that records the games whose tables are written."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.games = set[str | None]()

    def extract_statements(self, sql: str) -> list[duckdb.Statement]:
        return self.connection.extract_statements(sql)

    def execute(self, statement: str | duckdb.Statement, *values: Any) -> duckdb.DuckDBPyConnection:
        if written := WRITTEN.match(statement if isinstance(statement, str) else statement.query):
            self.games |= {made.game for made in sql_tables() if made.name == written[1]}
        return self.connection.execute(statement, *values)


@pytest.mark.slow("all games, in parts")
@pytest.mark.parametrize(("game", "match"), [("caravan", "c.1"), ("summit", "s.1"), ("climbers", "k.1")])
def test_a_match_costs_nothing_in_the_tables_of_other_games(game: str, match: str, database: Path) -> None:
    before = contents(database)
    with duckdb.connect(str(database)) as connection:
        batch = "CREATE TEMP TABLE batch AS SELECT match_id FROM raw_matches WHERE match = $match"
        connection.execute(batch, {"match": match})
        noted: Any = Noted(connection)
        take_out(noted)
        fill_tables(noted)
    assert noted.games == {None, game}
    assert contents(database) == before


@pytest.mark.slow("another hostile name")
def test_names_are_stored_with_invisible_characters_written_out(tmp_path: Path) -> None:
    names = ["\u202egreedy", "a\u200d\u200b\x1b", "می\u200cم \u2028", "Zoë 李明"]
    lines = summit_log("s.1")
    info = json.loads(lines[0])["data"]["seats"]
    seats = [one | {"player": name, "label": name} for one, name in zip(info, names, strict=True)]
    ingest([write(tmp_path / "a.jsonl", resign(rewrite(lines, 0, data__seats=seats)))], tmp_path / "w.duckdb")
    shown = [visible(normalize_name(name)) for name in names]
    assert rows(tmp_path / "w.duckdb", "SELECT player, label FROM dim_seats ORDER BY seat") == [
        (name, visible(label)) for name, label in zip(shown, names, strict=True)
    ]
    assert rows(tmp_path / "w.duckdb", "SELECT line_up FROM dim_matches") == [", ".join(shown)]


def test_dice_are_no_figures_of_seats(tmp_path: Path) -> None:
    """Summit throws five dice for two players, which is allowed; caravan's figures must be as many as its seats."""
    counts = log("c.1", THREE)
    lacking = resign(rewrite(counts, at("influence_scored", counts), data__religious=[1, 2]))
    thrower = summit_log("s.3", PAIR)
    stranger = resign(rewrite(thrower, at("dice_rolled", thrower, 2), data__thrower=3))
    ingest([write(tmp_path / "a.jsonl", GOOD, lacking, stranger)], tmp_path / "w.duckdb", processes=0)
    assert rows(tmp_path / "w.duckdb", "SELECT match FROM dim_matches") == ["s.1"]
    assert rows(tmp_path / "w.duckdb", "SELECT message FROM quarantine ORDER BY quarantine_id") == [
        "data.religious: expected 3 values, one per seat, found 2",
        "data.thrower: expected a seat 0..1 (logs count seats from 0), found 3",
    ]
    assert rows(tmp_path / "w.duckdb", "SELECT DISTINCT len(faces) FROM stg_summit_dice_rolled") == [5]


UNRULY = {
    "no dice": ("dice_rolled", 1, {"data__values": []}),
    "forty dice": ("dice_rolled", 1, {"data__values": [6] * 40}),
    "a die that was not thrown": ("die_taken", 3, {"data__face": 6}),
    "a turn twice": ("turn_started", 2, {"data__no": 2}),
    "a Sherpa along with itself": ("take_along", 0, {"data__movers": ["S1", "S1", "S0"]}),
    "a pawn beyond everything": ("pawn_moved", 0, {"data__to": 999}),
    "a card that nobody has": ("supply_played", 0, {"data__card": "9/9"}),
}


LEFT_OUT = ("turn_started", "dice_rolled", "die_taken", "pawn_moved", "yeti_moved")


CLIMBED = climbers_log("k.1")
UNRULY_CLIMBS = {
    "a turn twice": ("turn_started", 1, {"data__no": 1}),
    "a turn of two": ("turn_started", 1, {"round": 1}),
    "a block far up": ("block_moved", 0, {"data__to_pose__z": 90}),
    "a block on another": ("block_placed", 1, {"data__block": 33}),
    "a step down": ("climber_stepped", 1, {"data__to_level": 0}),
    "a colour of two": ("colour_assigned", 1, {"data__player": 0}),
}
CLIMBS_LEFT_OUT = ("turn_started", "block_placed", "colour_assigned", "climber_stepped", "turn_ended", "block_moved")


@pytest.mark.slow("all games, against the rules")
@pytest.mark.parametrize(
    ("lines", "unruly", "left_out"),
    [(GOOD, UNRULY, LEFT_OUT), (CLIMBED, UNRULY_CLIMBS, CLIMBS_LEFT_OUT)],
    ids=["summit", "climbers"],
)
def test_tables_accept_illegal_events_until_they_are_verified(
    lines: Sequence[bytes], unruly: Mapping[str, Any], left_out: Sequence[str], tmp_path: Path
) -> None:
    name = b'"match":' + json.dumps(json.loads(lines[0])["match"]).encode()
    logs = [rewrite(lines, at(kind, lines, number), **changes) for kind, number, changes in unruly.values()]
    logs += [renumber([line for line in lines if f'"{kind}"'.encode() not in line]) for kind in left_out]
    named = [
        resign([line.replace(name, f'"match":"{number}"'.encode()) for line in each])
        for number, each in enumerate(logs)
    ]
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", *named)], database, processes=0, judge="later")
    finished = [("finished", "waiting", len(logs))]
    assert rows(database, "SELECT status, verdict, count(*) FROM dim_matches GROUP BY ALL") == finished
    sound(database)
    assert run_operation(database, "judge", {})["departed"] == len(logs)
    assert rows(database, "SELECT count(*) FROM raw_matches") == [0]
    assert rows(database, "SELECT reason, count(*) FROM quarantine GROUP BY 1") == [("departs", len(logs))]
    sound(database)


# --- Quarantine with several games


@pytest.mark.slow("all games, quarantined")
def test_quarantined_matches_are_loaded_once_repaired(tmp_path: Path) -> None:
    gap = [*GOOD[:20], *GOOD[21:]]
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", gap, live("c.1"))], database, processes=0)
    assert rows(database, "SELECT match, reason FROM quarantine") == [("s.1", "seq_gap")]
    assert quarantined_texts(database) == [b"".join(gap)]
    ingest([write(tmp_path / "b.jsonl", GOOD)], database, processes=0)
    assert run_operation(database, "retry_quarantine", {"choice": {}})["open"] == 0
    ingest([write(tmp_path / "c.jsonl", live("c.1"), GOOD)], tmp_path / "fresh.duckdb", processes=0)
    assert differing(sound(database), contents(tmp_path / "fresh.duckdb", by_match=True)) == []


@pytest.mark.slow("all games, quarantined")
def test_a_rival_replaces_another_only_on_request_even_if_from_the_other_game(tmp_path: Path) -> None:
    database, rival = tmp_path / "w.duckdb", live("s.1")
    ingest([write(tmp_path / "a.jsonl", GOOD)], database, processes=0)
    before = contents(database, by_match=True)
    ingest([write(tmp_path / "b.jsonl", rival)], database, processes=0)
    assert rows(database, "SELECT match, reason FROM quarantine") == [("s.1", "conflict")]
    assert differing(contents(database, by_match=True), before) == []
    run_operation(database, "retry_quarantine", {"choice": {}, "replace": True})
    ingest([write(tmp_path / "c.jsonl", rival)], tmp_path / "fresh.duckdb", processes=0)
    assert differing(sound(database), contents(tmp_path / "fresh.duckdb", by_match=True)) == []


@pytest.mark.slow("all games, forgotten")
def test_forgotten_matches_are_in_no_table(database: Path, tmp_path: Path) -> None:
    run_operation(database, "forget", {"matches": ["s.1", "s.3", "c.1", "k.1"]})
    kept = [MIXED[number] for number in (2, 3, 5, 6, 8)]
    ingest([write(tmp_path / "b.jsonl", *kept)], tmp_path / "fresh.duckdb", processes=0)
    assert differing(sound(database), contents(tmp_path / "fresh.duckdb", by_match=True)) == ["forgotten_matches"]


# --- Copies of a warehouse with several games


@pytest.mark.slow("all games, restored")
def test_a_restored_backup_holds_all_games(database: Path, tmp_path: Path) -> None:
    before = contents(database)
    run_operation(database, "backup", {"file": str(tmp_path / "kept.duckdb")})
    ingest([write(tmp_path / "b.jsonl", climbers_log("k.3")[:60], live("c.4"))], database, processes=0)
    run_operation(database, "restore", {"file": str(tmp_path / "kept.duckdb")})
    assert contents(database) == before


@pytest.mark.slow("all games, a lake")
def test_a_lake_has_separate_files_for_each_game(database: Path, tmp_path: Path) -> None:
    run_operation(database, "lake", {"folder": str(tmp_path / "lake")})
    for made in sql_tables():
        if made.grain[0] in {"match_id", "cohort"}:
            games = {"caravan", "climbers", "summit"} if made.game is None else {made.game}
            found = [path.name.partition("-")[0] for path in (tmp_path / "lake" / made.name).iterdir()]
            assert sorted(found) == sorted(games)
    moves = pl.read_parquet(tmp_path / "lake" / "fct_summit_moves")
    found = moves.group_by("match_id", "kind").agg(pl.len(), pl.col("fields").sum()).sort("match_id", "kind").rows()
    sql = "SELECT match_id, kind::VARCHAR, count(*), sum(fields) FROM fct_summit_moves GROUP BY ALL ORDER BY 1, 2"
    assert found == rows(database, sql)


# --- A match that grows


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    yield Folder(tmp_path)
    tail.forget()


@pytest.mark.slow("all games, in parts")
def test_followed_matches_of_all_games_equal_matches_loaded_whole(folder: Folder) -> None:
    logs = {"s.jsonl": summit_log("s.1", PAIR), "c.jsonl": log("c.1", THREE), "k.jsonl": climbers_log("k.1")}
    for part in range(3):
        for name, lines in logs.items():
            size = len(lines) // 2
            folder.write(name, lines[part * size : (part + 1) * size])
        folder.follow()
        if part == 0:
            moved = "SELECT count(*) > 0 FROM fct_summit_moves JOIN dim_matches USING (match_id) WHERE match = 's.1'"
            assert folder.rows(moved) == [True]
            assert folder.rows("SELECT count(*) FROM fct_summit_seats") == [0]
    assert [row[:2] for row in folder.matches()] == [(name, "finished") for name in ("c.1", "k.1", "s.1")]
    assert tables(folder.database) == folder.at_once(*logs.values())

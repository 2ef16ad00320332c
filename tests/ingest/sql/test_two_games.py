"""Two games in one warehouse whose different events have the same name."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest

from himalaya_core.game import Range, fact
from himalaya_core.games import GAMES
from ingest.pipeline import ingest
from tests.core.log.damage import at, renumber, resign, rewrite
from tests.ingest.helping import log, rows, write
from tests.toy.installing import distribution, installed


@fact
class Moved:
    seat: Annotated[int, Range(0, 5)]
    block: str
    height: Annotated[int, Range(0, 9)]


LADDER = replace(GAMES["caravan"], name="ladder", event_types={"moved": Moved})


def ladder(match: str) -> list[bytes]:
    """Return the log of a match of the other game, which has one step, an end, and no rules."""
    played = log(match)
    lines = [rewrite(played, 0, data__game="ladder")[0]]
    lines += rewrite([played[at("moved", played)]], 0, seat=1, ply=0, round=0, data={"block": "teal", "height": 3})
    return resign(renumber([*lines, played[-1]]))


@pytest.fixture(autouse=True)
def two_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("ladder")
    with installed(distribution(folder, "ladder", f"[himalaya.games]\nladder = {__name__}:LADDER\n")):
        yield


@pytest.mark.slow("another order")
def test_each_game_has_its_own_table_of_an_event_that_both_know(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    write(tmp_path / "a.jsonl", log("a"))
    write(tmp_path / "b.jsonl", ladder("b"))
    summary = ingest([tmp_path], database, processes=0, judge="later")
    assert (summary.matches, summary.quarantined) == (2, ())
    assert rows(database, "SELECT match_id, seat, block, height FROM stg_ladder_moved") == [(2, 1, "teal", 3)]
    assert rows(database, "SELECT DISTINCT match_id FROM stg_caravan_moved") == [1]
    assert rows(database, "SELECT match_id, game FROM stg_match_started ORDER BY 1") == [(1, "caravan"), (2, "ladder")]
    (_, moved, _) = rows(database, "SELECT data FROM events WHERE match_id = 2 ORDER BY seq")
    assert json.loads(moved) == {"block": "teal", "height": 3}
    assert rows(database, "SELECT match, game, status, events FROM dim_matches ORDER BY 1")[1] == (
        "b",
        "ladder",
        "finished",
        3,
    )


def test_a_file_may_hold_matches_of_both(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    mixed = [log("a"), ladder("b"), ladder("c")[:2], log("d"), ladder("e"), ladder("f")[1:], log("g")[:-1], [b"{\n"]]
    summary = ingest([write(tmp_path / "a.jsonl", *mixed)], database, processes=0, judge="later")
    assert [(problem.match, problem.reason) for problem in summary.quarantined] == [
        ("f", "no_start"),
        ("g", "not_json"),
    ]
    starts = [1 + sum(map(len, mixed[:number])) for number in range(5)]
    assert rows(database, "SELECT match, first_line FROM raw_matches ORDER BY 1") == list(
        zip("abcde", starts, strict=True)
    )
    assert rows(database, "SELECT game, status, count(*) FROM dim_matches GROUP BY ALL ORDER BY ALL") == [
        ("caravan", "finished", 2),
        ("ladder", "finished", 2),
        ("ladder", "unfinished", 1),
    ]
    assert rows(database, "SELECT matches, quarantined FROM ingested_files") == [(5, 2)]

"""A match split over two files is one match, in any order of the files."""

from pathlib import Path
from typing import Any

import pytest

from ingest.pipeline import ingest
from tests.core.log.damage import rewrite
from tests.ingest.follow.following import tables
from tests.ingest.helping import begun, log, quarantined_texts, rows, short, summit_log, write

WHOLE = short("a")
PARTS = (WHOLE[:50], WHOLE[50:100], WHOLE[100:])
LIVE = begun("a")
AT_ONCE = pytest.mark.slow("both from one run")
OTHERS = [*((order, False) for order in ((0, 1, 2), (1, 0, 2), (1, 2, 0), (2, 0, 1))), ((0, 2, 1), True)]


def ingested(folder: Path, *logs: tuple[bytes, ...] | list[bytes], at_once: bool = False) -> Path:
    """Ingest logs from separate files, in separate runs or together."""
    folder.mkdir()
    paths = [write(folder / f"{number}.jsonl", lines) for number, lines in enumerate(logs)]
    for group in [paths] if at_once else [[path] for path in paths]:
        ingest(group, folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return tables(ingested(tmp_path_factory.mktemp("whole") / "w", LIVE))


@pytest.mark.parametrize(
    ("order", "at_once"),
    [
        ((0, 2, 1), False),
        pytest.param((2, 1, 0), False, marks=pytest.mark.slow("another order of the parts")),
        ((1, 2, 0), True),
        *(
            pytest.param(order, at_once, marks=pytest.mark.soak("every order of the parts"))
            for order, at_once in OTHERS
        ),
    ],
)
def test_parts_of_a_match_are_joined_in_any_order(
    tmp_path: Path, order: tuple[int, ...], at_once: bool, whole: dict[str, Any]
) -> None:
    parts = (LIVE[:20], LIVE[20:40], LIVE[40:])
    database = ingested(tmp_path / "parts", *(parts[place] for place in order), at_once=at_once)
    assert tables(database) == whole


def test_a_known_rest_is_skipped(tmp_path: Path) -> None:
    database = ingested(tmp_path / "w", PARTS[0], PARTS[1], PARTS[2], [*PARTS[1], *begun("b")])
    assert rows(database, "SELECT match, status FROM dim_matches ORDER BY 1") == [
        ("a", "finished"),
        ("b", "unfinished"),
    ]
    assert rows(database, "SELECT skipped FROM ingest_runs ORDER BY run")[-1] == 1


@pytest.mark.slow("another rest of a match")
def test_a_rest_with_a_gap_before_it_stays_in_quarantine_until_the_gap_is_closed(tmp_path: Path) -> None:
    database = ingested(tmp_path / "w", PARTS[0], PARTS[2])
    assert rows(database, "SELECT events FROM dim_matches") == [50]
    assert rows(database, "SELECT reason FROM quarantine WHERE resolved_in IS NULL") == ["no_start"]
    ingest([write(tmp_path / "gap.jsonl", PARTS[1])], database, processes=0)
    assert rows(database, "SELECT status FROM dim_matches") == ["finished"]
    assert rows(database, "SELECT reason FROM quarantine WHERE resolved_in IS NULL") == []


def test_a_rest_of_another_course_of_the_match_is_not_joined(tmp_path: Path) -> None:
    other = short("a", "other")
    database = ingested(tmp_path / "w", PARTS[0], other[50:])
    assert rows(database, "SELECT events FROM dim_matches") == [50]
    assert quarantined_texts(database) == [b"".join(other[50:])]


def test_a_rest_with_a_bad_line_is_kept_as_it_is(tmp_path: Path) -> None:
    bad = [*rewrite(list(PARTS[1]), 5, ply="x"), *PARTS[2]]
    database = ingested(tmp_path / "w", PARTS[0], bad)
    assert rows(database, "SELECT match, reason FROM quarantine") == [("a", "bad_field")]
    assert quarantined_texts(database) == [b"".join(bad)]


@pytest.mark.slow("every game")
@pytest.mark.parametrize("at_once", [pytest.param(True, marks=AT_ONCE), False])
@pytest.mark.parametrize(
    "played",
    [
        short("k"),
        log("c"),
        summit_log("s"),
    ],
    ids=["climbers", "caravan", "summit"],
)
def test_parts_of_every_game_are_joined_within_one_run_and_across_runs(
    tmp_path: Path, played: tuple[bytes, ...], at_once: bool
) -> None:
    for order in ((0, 1), (1, 0)):
        parts = played[:40], played[40:]
        between = [parts[order[0]], begun("b"), parts[order[1]]]
        database = ingested(tmp_path / str(order), *between, at_once=at_once)
        assert rows(database, "SELECT events FROM dim_matches WHERE match <> 'b'") == [len(played)]
        assert rows(database, "SELECT * FROM quarantine WHERE resolved_in IS NULL") == []


@pytest.mark.slow("another rest of a match")
@pytest.mark.parametrize("at_once", [pytest.param(True, marks=AT_ONCE), False])
def test_a_rest_continues_the_course_it_belongs_to(tmp_path: Path, at_once: bool) -> None:
    other = short("a", "other")
    database = ingested(tmp_path / "w", WHOLE[:50], other[:80], WHOLE[50:], at_once=at_once)
    assert rows(database, "SELECT status FROM dim_matches") == ["finished"]
    assert quarantined_texts(database) == [b"".join(other[:80])]


@pytest.mark.slow("another rest of a match")
@pytest.mark.parametrize("at_once", [pytest.param(True, marks=AT_ONCE), False])
def test_a_rest_of_a_complete_match_adds_nothing(tmp_path: Path, at_once: bool) -> None:
    database = ingested(tmp_path / "w", WHOLE, WHOLE[50:], at_once=at_once)
    assert rows(database, "SELECT sum(skipped) FROM ingest_runs") == [1]
    assert quarantined_texts(database) == []


@pytest.mark.slow("another rest of a match")
@pytest.mark.parametrize("at_once", [pytest.param(True, marks=AT_ONCE), False])
def test_a_rest_of_another_course_stays_in_quarantine_when_the_match_is_loaded(tmp_path: Path, at_once: bool) -> None:
    rest = short("a", "other")[50:]
    database = ingested(tmp_path / "w", rest, WHOLE, at_once=at_once)
    assert rows(database, "SELECT status FROM dim_matches") == ["finished"]
    assert rows(database, "SELECT size FROM quarantine WHERE resolved_in IS NULL") == [len(b"".join(rest))]

"""Ingest reads the sources of players from the tournament's manifest next to the log."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from dashboards.queries.filters import Filter
from dashboards.queries.provenance import sources_under
from dashboards.queries.reader import Reader
from himalaya_core.tournament.manifest import SUFFIX
from ingest.load.summary import Summary
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.pipeline import Request, ingest, take_in
from tests.core.log.damage import resign, rewrite
from tests.core.tournament.test_asking import first
from tests.ingest.follow.following import Folder
from tests.ingest.helping import rows, summit_log, write

PAIR: Final = ("greedy", "random")
BEFORE, AFTER, RANDOM, OUTSIDE = ("1" * 64, "2" * 64, "3" * 64, "4" * 64)
SEATS: Final = """
SELECT match, player, source_sha256 FROM dim_seats JOIN dim_matches USING (match_id) ORDER BY match, seat
"""


def of(tournament: str, match: str, **seat: Any) -> tuple[bytes, ...]:
    """Return the log of a tournament match; `seat` has the first player's header entry without its name."""
    lines = first([*summit_log(match, PAIR)], **seat)
    return tuple(resign(rewrite(lines, 0, data__tournament=tournament)))


def manifest(folder: Path, tournament: str, text: str = "", **sources: Any) -> Path:
    """Write a tournament's manifest with the sources of its players, or with any text."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{tournament}{SUFFIX}"
    path.write_text(text or json.dumps({"name": tournament, "shards": [], "sources": sources}))
    return path


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of two tournaments; in between, the code of `greedy` changed, but not its version."""
    made = tmp_path_factory.mktemp("made")
    for tournament, source in {"spring": BEFORE, "autumn": AFTER}.items():
        folder = made / tournament
        manifest(folder, tournament, greedy=source, random=RANDOM)
        write(folder / "a.jsonl", of(tournament, f"{tournament}.1"), summit_log(f"{tournament}.none", PAIR))
    ingest([made], made / "w.duckdb", processes=0)
    return made / "w.duckdb"


@pytest.mark.slow("another manifest")
def test_a_seat_records_the_source_of_its_player_at_the_start_of_the_tournament(changed: Path) -> None:
    assert rows(changed, SEATS) == [
        ("autumn.1", "greedy", AFTER),
        ("autumn.1", "random", RANDOM),
        ("autumn.none", "greedy", None),
        ("autumn.none", "random", None),
        ("spring.1", "greedy", BEFORE),
        ("spring.1", "random", RANDOM),
        ("spring.none", "greedy", None),
        ("spring.none", "random", None),
    ]
    with open_warehouse(changed) as warehouse, warehouse.reading() as connection:
        assert [str(finding) for finding in check(connection)] == []


def test_a_player_that_changed_within_its_version_is_reported(changed: Path) -> None:
    with open_warehouse(changed) as warehouse:
        said = [str(each) for each in sources_under(Reader(warehouse), Filter())]
        assert sources_under(Reader(warehouse), Filter(tournaments=("spring",))) == ()
    two = "greedy (version 2) was played from 2 different sources: 1 seat from 11111111…, 1 from 22222222…"
    assert said == [f"{two}, 2 from sources that neither log nor manifest names"]


@pytest.mark.slow("another manifest")
def test_the_log_takes_precedence_over_the_manifest(tmp_path: Path) -> None:
    manifest(tmp_path, "cup", greedy=BEFORE, random=RANDOM)
    write(tmp_path / "a.jsonl", of("cup", "m", source_sha256=OUTSIDE))
    ingest([tmp_path / "a.jsonl"], tmp_path / "w.duckdb", processes=0)
    assert rows(tmp_path / "w.duckdb", SEATS) == [("m", "greedy", OUTSIDE), ("m", "random", RANDOM)]


@pytest.mark.slow("another manifest")
def test_seats_of_a_followed_match_have_their_sources_from_its_first_line_on(tmp_path: Path) -> None:
    folder, lines = Folder(tmp_path), of("cup", "m")
    expected = [("m", "greedy", BEFORE), ("m", "random", RANDOM)]
    manifest(folder.path, "cup", **{"greedy:depth=3": BEFORE, "random": RANDOM})
    folder.write("cup.jsonl", lines[:20])
    folder.follow()
    assert folder.rows(SEATS) == expected
    folder.write("cup.jsonl", lines[20:], old=True)
    folder.follow()
    assert (folder.rows(SEATS), folder.matches()) == (expected, [("m", "finished", len(lines))])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "not a tournament manifest"),
        ("{", "not a tournament manifest: it is not JSON in UTF-8"),
        ('{"shards": [], "sources": 3}', "not a tournament manifest"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_named_and_its_matches_count(text: str, reason: str, tmp_path: Path) -> None:
    path = manifest(tmp_path, "cup", text)
    summary = taken(tmp_path, of("cup", "m.1"), of("cup", "m.2"))
    assert [(failure.file, failure.reason) for failure in summary.failed] == [(path, reason)]
    assert summary.matches == 2


def test_an_unreadable_manifest_is_named_while_following_logs_too(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    path = manifest(folder.path, "cup", "[]")
    folder.write("cup.jsonl", of("cup", "m"), old=True)
    followed = folder.follow()
    assert [Path(failure["file"]) for failure in followed["failed"]] == [path]
    assert followed["matches"] == 1


def test_a_source_that_is_no_digest_says_nothing(tmp_path: Path) -> None:
    manifest(tmp_path, "cup", greedy="<b>new</b>", random=None)
    assert taken(tmp_path, of("cup", "m")).failed == ()
    assert {source for *_, source in rows(tmp_path / "w.duckdb", SEATS)} == {None}


def test_a_match_records_the_model_named_before_its_tournament_s_first_match(tmp_path: Path) -> None:
    named = {"name": "cup", "shards": [], "sources": {"greedy": BEFORE}, "model": AFTER}
    manifest(tmp_path, "cup", json.dumps(named))
    manifest(tmp_path, "other", json.dumps({"name": "other", "shards": [], "model": "the best"}))
    taken(tmp_path, of("cup", "m.1"), of("other", "m.2"), summit_log("m.3", PAIR))
    found = rows(tmp_path / "w.duckdb", "SELECT match, model FROM raw_matches ORDER BY match")
    assert found == [("m.1", AFTER), ("m.2", None), ("m.3", None)]


@pytest.mark.slow("another manifest")
@pytest.mark.parametrize("tournament", ["../cup", "c" * 300, "a\0b"])
def test_a_tournament_with_an_invalid_file_name_has_no_manifest(tournament: str, tmp_path: Path) -> None:
    manifest(tmp_path, "cup", greedy=BEFORE)
    (tmp_path / "logs").mkdir()
    assert taken(tmp_path / "logs", of(tournament, "m")).failed == ()
    assert {source for *_, source in rows(tmp_path / "logs" / "w.duckdb", SEATS)} == {None}


def test_uploaded_logs_have_no_manifest_wherever_the_server_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest(tmp_path, "cup", greedy=BEFORE)
    monkeypatch.chdir(tmp_path)
    taken(tmp_path, of("cup", "m"), shown="received 123")
    assert {source for *_, source in rows(tmp_path / "w.duckdb", SEATS)} == {None}


def taken(folder: Path, *logs: tuple[bytes, ...], shown: str | None = None) -> Summary:
    """Load logs from a folder into a warehouse in it, under the name of their file or another."""
    path = write(folder / "a.jsonl", *logs)
    with open_warehouse(folder / "w.duckdb") as warehouse:
        names = {} if shown is None else {path: shown}
        return take_in(warehouse, Request((path,), jobs=0, names=names), lambda _: None)

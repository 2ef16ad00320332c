"""Quarantine: entries are listed, shown unchanged, repaired and retried, or dropped by hand; none is lost."""

import base64
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard

from ingest.errors import WarehouseError
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.read import split as read
from ingest.validate import validation as validate
from tests.core.log.damage import rewrite
from tests.ingest.helping import begun, contents, quarantined_texts, rows, short, write
from tests.once import once

GOOD = begun("a")
GAP = [*GOOD[:20], *GOOD[21:]]
WHOLE = short("a")
"""A finished match: text after an unfinished match would count as a part of it."""
WHOLE_GAP = [*WHOLE[:20], *WHOLE[21:]]
OTHER = tuple(rewrite(GOOD, 0, data__luck="other"))
LATER = ("ingested_files", "ingest_runs", "quarantine")


def ask(database: Path, name: str, **arguments: Any) -> dict[str, Any]:
    return run_operation(database, name, arguments)


def listed(database: Path, **choice: Any) -> list[tuple[int, str]]:
    found = ask(database, "list_quarantine", choice=choice)
    assert found["total"] == len(found["rows"]) == sum(found["reasons"].values())
    return [(row["id"], row["reason"]) for row in found["rows"]]


def retry(database: Path, *ids: int, **more: Any) -> tuple[int, list[str]]:
    """Retry some entries or all; return the number loaded, and the reasons for the others."""
    done = ask(database, "retry_quarantine", choice={"ids": ids}, **more)
    assert done["open"] == len(done["problems"])
    return done["tried"] - done["open"], [problem["reason"] for problem in done["problems"]]


def filled(tmp_path: Path, *logs: Sequence[bytes]) -> Path:
    """Return a database with one file of these logs."""
    ingest([write(tmp_path / "x.jsonl", *logs)], tmp_path / "w.duckdb")
    return tmp_path / "w.duckdb"


# --- Listing the quarantine


def test_a_list_shows_the_entries_and_counts_the_reasons(tmp_path: Path) -> None:
    database = filled(tmp_path, WHOLE_GAP, short("b"), short("c")[1:], short("b", luck="other"), [b"{\n"])
    found = ask(database, "list_quarantine")
    assert [(row["match"], row["line"], row["reason"]) for row in found["rows"]] == [
        ("a", 21, "seq_gap"),
        ("c", len(WHOLE_GAP) + len(short("b")) + 1, "no_start"),
        (None, len(WHOLE_GAP) + len(short("b")) + len(short("c")) + len(short("b", luck="other")), "not_json"),
        ("b", len(WHOLE_GAP) + len(short("b")) + len(short("c")), "conflict"),
    ]
    assert found["reasons"] == {"conflict": 1, "no_start": 1, "not_json": 1, "seq_gap": 1}
    assert {row["file"] for row in found["rows"]} == {str(tmp_path / "x.jsonl")}


def test_a_list_is_narrowed_and_paged(tmp_path: Path) -> None:
    database = filled(tmp_path, *(short(name)[1:] for name in "abcd"), [b"{\n"])
    (tmp_path / "y").mkdir()
    ingest([write(tmp_path / "y" / "y.jsonl", [b"[\n"])], database)
    assert listed(database, reason="not_json") == [(5, "not_json"), (6, "not_json")]
    assert listed(database, files=[str(tmp_path / "y")]) == [(6, "not_json")]
    assert listed(database, files=[str(tmp_path / "x")]) == []
    page = ask(database, "list_quarantine", choice={"after": 2}, limit=2)
    assert ([row["id"] for row in page["rows"]], page["total"]) == ([3, 4], 4)


NOISE = bytes(range(256)) * 40 + b"\xff\x00"


def test_the_original_is_shown_byte_for_byte(tmp_path: Path) -> None:
    database = filled(tmp_path, [NOISE])
    texts = []
    for number, _ in listed(database):
        found = ask(database, "show_quarantine", id=number)
        texts.append(base64.b64decode(found["text"]))
        assert found["row"]["size"] == len(texts[-1])
    assert b"".join(texts) == NOISE


@pytest.mark.parametrize("name", ["show_quarantine", "retry_quarantine", "drop_quarantine"])
def test_a_number_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    database = filled(tmp_path, GAP)
    with pytest.raises(WarehouseError, match=r"^quarantine has no entry 7; `himalaya quarantine list` shows all$"):
        ask(database, name, id=7, choice={"ids": [1, 7]})
    assert listed(database) == [(1, "seq_gap")]


# --- Retrying quarantined entries


@pytest.mark.slow("quarantined, further on")
def test_a_stored_text_is_loaded_if_today_s_validation_accepts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as strict:
        strict.setattr(validate, "_header_fault", lambda *_: validate.Fault(0, "too_strict", "no"))
        database = filled(tmp_path, GOOD, begun("b"))
    assert listed(database) == [(1, "too_strict"), (2, "too_strict")]
    (tmp_path / "x.jsonl").unlink()
    assert retry(database, 2) == (1, [])
    assert rows(database, "SELECT match, raw_matches.file, status FROM dim_matches JOIN raw_matches USING (match)") == [
        ("b", str(tmp_path / "x.jsonl"), "unfinished")
    ]
    assert rows(database, "SELECT quarantine_id, resolved_in FROM quarantine ORDER BY 1") == [(1, None), (2, 2)]
    assert rows(database, "SELECT run, source, matches FROM ingest_runs WHERE run = 2") == [(2, "retry", 1)]
    with pytest.raises(WarehouseError, match=r"^entry 2 is resolved: its match was loaded later, in run 2$"):
        retry(database, 2)
    assert retry(database) == (1, [])
    assert listed(database) == []


@pytest.mark.slow("quarantined, further on")
def test_a_text_refused_by_new_validation_shows_the_new_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as strict:
        strict.setattr(validate._Validation, "_order_fault", lambda *_: validate.Fault(0, "too_strict", "no"))
        database = filled(tmp_path, GOOD[:10], [*begun("b")[:4], *begun("b")[5:9]])
    assert listed(database) == [(1, "too_strict"), (2, "too_strict")]
    (tmp_path / "x.jsonl").unlink()
    assert retry(database) == (1, ["seq_gap"])
    assert listed(database) == [(2, "seq_gap")]
    assert rows(database, "SELECT DISTINCT file FROM ingested_files") == [str(tmp_path / "x.jsonl")]


def test_a_file_that_was_repaired_is_read_again(tmp_path: Path) -> None:
    database = filled(tmp_path, WHOLE_GAP, [b"{\n"], short("c")[1:])
    assert retry(database) == (0, ["seq_gap", "not_json"])
    write(tmp_path / "x.jsonl", WHOLE, short("c")[1:])
    assert retry(database, 1) == (1, [])
    assert rows(database, "SELECT match, events FROM raw_matches") == [("a", len(WHOLE))]
    write(tmp_path / "x.jsonl", WHOLE, short("c"))
    assert retry(database) == (2, [])
    assert rows(database, "SELECT match FROM dim_matches ORDER BY 1") == ["a", "c"]


@pytest.mark.slow("quarantined, further on")
def test_a_bad_line_outside_any_match_is_resolved_when_its_file_is_clean(tmp_path: Path) -> None:
    database = filled(tmp_path, WHOLE, [b"{\n"])
    assert retry(database) == (0, ["not_json"])
    write(tmp_path / "x.jsonl", WHOLE)
    assert retry(database) == (1, [])


def test_a_repaired_file_is_loaded_by_a_plain_ingest_too(tmp_path: Path) -> None:
    database = filled(tmp_path, GAP, begun("b"))
    summary = ingest([write(tmp_path / "x.jsonl", GOOD, begun("b"))], database)
    assert (summary.matches, summary.skipped, summary.resolved, summary.in_quarantine) == (1, 1, 1, 0)
    assert listed(database) == []


@pytest.mark.slow("quarantined, further on")
def test_a_file_that_broke_off_between_two_matches_is_resolved_when_complete(tmp_path: Path) -> None:
    frame = zstandard.ZstdCompressor().compressobj()
    cut = frame.compress(b"".join(GOOD)) + frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    database = filled(tmp_path, [cut])
    assert listed(database) == [(1, "file_cut")]
    summary = ingest([write(tmp_path / "x.jsonl", [cut, frame.flush()])], database)
    assert (summary.resolved, listed(database)) == (1, [])


def test_a_repaired_text_is_loaded_for_its_row(tmp_path: Path) -> None:
    database = filled(tmp_path, [b"{\n"], begun("b"), GAP)
    assert retry(database, 1, repaired=str(write(tmp_path / "r.jsonl", begun("c")))) == (1, [])
    assert retry(database, 2, repaired=str(write(tmp_path / "r.jsonl", GOOD))) == (1, [])
    assert listed(database) == []
    sql = "SELECT match FROM raw_matches WHERE file LIKE '%r.jsonl' ORDER BY 1"
    assert rows(database, sql) == ["a", "c"]


def test_a_repaired_text_that_is_still_bad_changes_nothing_and_says_why(tmp_path: Path) -> None:
    database = filled(tmp_path, GAP)
    before = contents(database)
    bad = write(tmp_path / "r.jsonl", [*GOOD[:30], *GOOD[31:]])
    done = ask(database, "retry_quarantine", choice={"ids": [1]}, repaired=str(bad))
    (problem,) = done["problems"]
    assert (done["open"], done["runs"]) == (1, [])
    assert (problem["id"], problem["file"], problem["line"], problem["reason"]) == (1, str(bad), 31, "seq_gap")
    assert contents(database) == before


def test_the_valid_part_of_a_repaired_text_is_loaded_and_the_row_stays(tmp_path: Path) -> None:
    database = filled(tmp_path, [b"{\n"])
    repaired = write(tmp_path / "r.jsonl", begun("a"), begun("b")[1:], begun("c"))
    assert retry(database, 1, repaired=str(repaired)) == (0, ["no_start"])
    assert rows(database, "SELECT match FROM dim_matches ORDER BY 1") == ["a", "c"]
    assert listed(database) == [(1, "not_json")]


def test_a_repaired_text_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match=r"r\.jsonl: no such file"):
        retry(filled(tmp_path, GAP), 1, repaired=str(tmp_path / "r.jsonl"))


@pytest.mark.slow("quarantined, further on")
def test_the_parts_of_a_line_stay_what_they_are_until_a_repaired_text_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MOST_BYTES", 2 << 20)
    monkeypatch.setattr(read, "CHUNK_BYTES", 1 << 20)
    database = filled(tmp_path, [b'{"match":"a","x":"' + b"y" * (5 << 20) + b'"}\n'])
    before = rows(database, "FROM quarantine ORDER BY quarantine_id")
    assert retry(database) == (0, ["part_of_line"] * 3)
    assert rows(database, "FROM quarantine ORDER BY quarantine_id") == before
    assert retry(database, 1, repaired=str(write(tmp_path / "r.jsonl", GOOD))) == (1, [])


def test_a_database_is_no_repaired_text(tmp_path: Path) -> None:
    database = filled(tmp_path, GAP)
    with pytest.raises(WarehouseError, match="it is the database itself"):
        retry(database, 1, repaired=str(database))


# --- Entries in conflict with a loaded match


@pytest.fixture
def rivals(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which GOOD of `a.jsonl` counts, and OTHER conflicts with it."""

    def make(folder: Path) -> None:
        ingest([write(folder / "a.jsonl", GOOD)], folder / "w.duckdb")
        ingest([write(folder / "b.jsonl", begun("b"), OTHER)], folder / "w.duckdb")

    made = once(tmp_path_factory, "rivals", make)
    return Path(shutil.copyfile(made / "w.duckdb", tmp_path / "w.duckdb"))


@pytest.mark.slow("rivals, further on")
def test_a_conflict_stays_and_names_its_rival(rivals: Path) -> None:
    database = rivals
    before = contents(database)
    done = ask(database, "retry_quarantine", choice={})
    assert done["open"] == 1
    assert re.search(r"expected the same log as in \S+/once/rivals/a\.jsonl:1", done["problems"][0]["message"])
    assert contents(database) == before


def test_a_rival_can_be_chosen_to_count_and_nothing_counts_twice(rivals: Path, tmp_path: Path) -> None:
    database, fresh = rivals, tmp_path / "fresh.duckdb"
    assert retry(database, 1, replace=True) == (1, [])
    assert rows(database, "SELECT match, luck FROM dim_matches ORDER BY 1") == [("a", "other"), ("b", "b")]
    assert quarantined_texts(database, "WHERE resolved_in IS NULL") == [b"".join(GOOD)]
    assert rows(database, "SELECT source, matches, events FROM ingest_runs WHERE run = 3") == [("retry", 1, len(OTHER))]
    (file,) = rows(database, "SELECT DISTINCT file FROM raw_matches")
    ingest([Path(file)], fresh)
    raw = ("quarantine", "quarantine_numbers", "ingest_runs", "ingested_files")
    assert contents(database, *raw, by_match=True) == contents(fresh, *raw, by_match=True)


@pytest.mark.slow("rivals, further on")
def test_rivals_that_were_swapped_are_swapped_back(rivals: Path) -> None:
    database, marks = rivals, ("ingest_runs", "quarantine_numbers")
    before = contents(database, *marks)
    assert retry(database, 1, replace=True) == (1, [])
    assert listed(database) == [(2, "conflict")]
    assert retry(database, 2, replace=True) == (1, [])
    assert listed(database) == [(1, "conflict")]
    ask(database, "drop_quarantine", choice={"ids": [2], "resolved": True})
    assert contents(database, *marks) == before


def test_a_rival_is_loaded_when_the_counted_one_is_gone(rivals: Path) -> None:
    database = rivals
    with duckdb.connect(str(database)) as connection:
        for (table,) in connection.execute(
            "SELECT table_name FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (table_name) "
            "WHERE column_name = 'match_id'"
        ).fetchall():
            connection.execute(f"DELETE FROM {table} WHERE match_id = 1")
    assert retry(database) == (1, [])
    assert rows(database, "SELECT match, luck FROM dim_matches ORDER BY 1") == [("a", "other"), ("b", "b")]


def test_forgotten_matches_are_not_loaded_by_a_retry(rivals: Path) -> None:
    database = rivals
    with duckdb.connect(str(database)) as connection:
        connection.execute("INSERT INTO forgotten_matches SELECT sha256, NULL, 2 FROM quarantine")
    assert retry(database, 1, replace=True) == (0, ["forgotten"])
    assert rows(database, "SELECT luck FROM dim_matches WHERE match = 'a'") == ["a"]


# --- Dropping quarantined entries


def test_a_file_read_again_reports_its_dropped_entries(tmp_path: Path) -> None:
    database = filled(tmp_path, GAP, begun("b")[1:], begun("c"))
    assert ask(database, "drop_quarantine", choice={"ids": [1]}) == {"dropped": 1}
    again = ingest([tmp_path / "x.jsonl"], database)
    assert (again.matches, again.skipped, again.known, again.dropped) == (0, 1, 1, 1)
    assert "\n1 not loaded: dropped from quarantine before" in str(again)


@pytest.mark.slow("numbers after a vacuum and a restore")
def test_the_number_of_a_dropped_row_is_given_to_no_other(tmp_path: Path) -> None:
    database, copy = filled(tmp_path, WHOLE_GAP, [b"{\n"]), tmp_path / "copy.duckdb"
    run_operation(database, "backup", {"file": str(copy)})
    for number, lines in ((2, short("b")[1:]), (3, short("c")[1:])):
        assert ask(database, "drop_quarantine", choice={"ids": [number]}) == {"dropped": 1}
        run_operation(database, "vacuum" if number % 2 else "restore", {"file": str(copy)})
        ingest([write(tmp_path / f"{number}.jsonl", lines)], database)
        assert listed(database, resolved=True)[-1][0] == number + 1


def test_a_dropped_entry_is_removed_with_its_text(tmp_path: Path) -> None:
    database = filled(tmp_path, WHOLE_GAP, short("b")[1:], [b"{\n"])
    assert ask(database, "drop_quarantine", choice={"ids": [2]}) == {"dropped": 1}
    assert [number for number, _ in listed(database, resolved=True)] == [1, 3]
    assert ask(database, "drop_quarantine", choice={"reason": "seq_gap"}) == {"dropped": 1}
    assert ask(database, "drop_quarantine", choice={}) == {"dropped": 1}
    assert rows(database, "SELECT count(*) FROM quarantine") == [0]


@pytest.mark.slow("quarantined, further on")
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_damaged_match_stays_open_when_another_of_its_name_is_loaded(tmp_path: Path, order: str) -> None:
    whole = begun("same", luck="one")
    damaged = [*whole[:3], b"{\n", *whole[4:]]
    files = [
        write(tmp_path / f"{name}.jsonl", lines) for name, lines in zip(order, (damaged, begun("same")), strict=True)
    ]
    summary = ingest(files, tmp_path / "w.duckdb")
    assert (summary.matches, summary.resolved, summary.in_quarantine) == (1, 0, 1)

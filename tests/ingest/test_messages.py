"""Messages about unreadable files and invalid logs: file, reason and exit code."""

import errno
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.errors import plain_reason
from ingest.read import source
from ingest.tables.marts import Finding
from tests.core.cli.commands import Command
from tests.ingest.helping import begun, rows, write

DATABASE = Path("himalaya.duckdb")
GOOD, BAD = Path("logs/good.jsonl"), Path("logs/bad.jsonl")


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HIMALAYA_DB", raising=False)
    GOOD.parent.mkdir()
    write(GOOD, begun("good"))
    return Command(capsys)


def refuse(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Make the system refuse to open the bad log."""
    write(BAD, begun("bad"))

    def opened(path: str, flags: int) -> int:
        if Path(path).name == BAD.name:
            raise OSError(number, os.strerror(number), path)
        return os.open(path, flags)

    monkeypatch.setattr(source, "_open", opened)


def no_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, errno.EACCES)


def vanished(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, errno.ENOENT)


def missing(_: pytest.MonkeyPatch) -> None:
    BAD.unlink(missing_ok=True)


UNREADABLE: list[tuple[Callable[[pytest.MonkeyPatch], None], str]] = [
    (no_permission, "no permission"),
    (vanished, "no such file or folder"),
    (missing, "no such file or folder"),
]


@pytest.mark.parametrize(("spoil", "reason"), UNREADABLE)
def test_an_unreadable_log_is_named_and_the_rest_is_loaded(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None], reason: str
) -> None:
    spoil(monkeypatch)
    answer = himalaya("ingest", str(BAD), str(GOOD), "--jobs", "0")
    assert answer.code == 3
    assert answer.out.splitlines()[1:] == [f"cannot read {BAD}: {reason}"]
    assert rows(DATABASE, "SELECT match FROM raw_matches") == ["good"]


def test_a_truncated_log_is_quarantined_and_the_rest_is_loaded(himalaya: Command) -> None:
    packed = Path("logs/cut.jsonl.gz")
    packed.write_bytes(gzip.compress(b"".join(begun("cut")))[:-20])
    answer = himalaya("ingest", "logs", "--jobs", "0")
    assert answer.code == 3
    assert answer.out.splitlines()[2].startswith(f"  {packed}:")
    assert "expected a complete gzip file, found its end missing (match cut)" in answer.out
    assert rows(DATABASE, "SELECT match FROM raw_matches") == ["good"]


def test_a_line_that_is_no_json_is_reported_with_its_place_alone(himalaya: Command) -> None:
    BAD.write_text('{"match":"x", nonsense\n')
    answer = himalaya("ingest", "logs", "--jobs", "0")
    expected = f'{BAD}:1: line: expected one JSON object, found …atch":"x", nonsense at column 15 (match x)'
    assert (answer.code, answer.out.splitlines()[2].strip()) == (3, expected)


def test_logs_are_allowed_again_only_if_all_can_be_read(himalaya: Command) -> None:
    assert himalaya("ingest", "logs", "--jobs", "0").code == 0
    assert himalaya("forget", "--match", "good", "--yes").code == 0
    answer = himalaya("forget", "--again", str(GOOD), str(BAD))
    reason = f"cannot read {BAD.absolute()}: no such file or folder; nothing was changed"
    assert (answer.code, answer.err) == (2, f"himalaya: {reason}\n")
    assert rows(DATABASE, "SELECT count(*) FROM forgotten_matches") == [1]


def test_the_reason_of_a_refused_file_is_in_plain_words() -> None:
    assert plain_reason(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "x")) == "no such file or folder"
    assert plain_reason(OSError(errno.ENODEV, "No such device")) == "no such device"
    assert plain_reason(OSError("closed")) == "closed"


def test_a_failed_assertion_names_table_expectation_and_an_example() -> None:
    finding = Finding("dim_seats", "one row for each match_id, seat", 1_200, "match_id 3, seat 0")
    expected = "dim_seats: expected one row for each match_id, seat; 1,200 wrong, for example match_id 3, seat 0"
    assert str(finding) == expected

"""Validation in several processes gives the same result as in one process."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

from ingest.errors import WarehouseError
from ingest.pipeline import ingest
from ingest.read.split import Chunk, chunk_of
from ingest.validate import pool as pools
from ingest.validate.pool import ValidationPool, answered
from ingest.validate.validation import ValidatedChunks, validate_any
from tests.ingest.helping import live, log, write


@pytest.fixture
def worthwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate process for any amount of work."""
    monkeypatch.setattr(pools, "WORTHWHILE", 1)


@pytest.mark.usefixtures("worthwhile")
def test_processes_end_with_the_run_and_import_nothing_from_where_they_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "msgspec.py").write_text("raise SystemExit")
    assert ingest([write(tmp_path / "a.jsonl", live("a"))], tmp_path / "w.duckdb", processes=1).matches == 1
    assert not active_children()


@pytest.mark.slow("starts processes")
@pytest.mark.usefixtures("worthwhile")
def test_no_process_is_started_for_files_that_were_read_before(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", log("a"))
    ingest([file], tmp_path / "w.duckdb", processes=1)
    with ValidationPool(1) as pool:
        assert not list(pool.check([]))
        assert not active_children()


@pytest.mark.usefixtures("worthwhile")
@pytest.mark.parametrize("times", [1, 2])
def test_lines_at_which_a_process_is_killed_are_validated_by_another_then_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    monkeypatch.setattr(pools, "validate_any", partial(killed, tmp_path, times))
    chunk = chunk_of(Path("a.jsonl"), b"".join(log("a")))
    with ValidationPool(1) as pool:
        if times == 2:
            with pytest.raises(WarehouseError, match=r"killed 2 times in a row, at a\.jsonl, line 1 .* run the same"):
                list(pool.check([chunk]))
        else:
            ((_, checked),) = pool.check([chunk])
            assert [match.match for match in checked.matches] == ["a"]


def killed(folder: Path, times: int, asked: Chunk, *, judges: bool) -> ValidatedChunks:
    """Validate a chunk, but kill this process the first `times` times."""
    before = len(list(folder.iterdir()))
    if before < times:
        (folder / str(before)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return validate_any(asked, judges=judges)


@pytest.mark.slow("starts processes")
@pytest.mark.usefixtures("worthwhile")
def test_text_in_transit_is_bounded_for_chunks_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "AHEAD_BYTES", 400_000)
    data = b"".join(log("a"))
    made = 0

    def endless() -> Iterator[Chunk]:
        nonlocal made
        while True:
            made += len(data)
            yield chunk_of(Path("a.jsonl"), data)

    with ValidationPool(1) as pool:
        chunk, checked = next(pool.check(endless()))
    assert ([match.match for match in checked.matches], chunk.data) == (["a"], b"")
    assert made <= 400_000 + 2 * len(data)


def test_large_expected_work_uses_processes_from_the_first_chunk_on() -> None:
    chunks = [chunk_of(Path("a.jsonl"), b"".join(log(f"w.{number}"))) for number in range(2)]
    with ValidationPool(1) as pool:
        assert not list(pool.check([], expected=pools.WORTHWHILE - 1))
        assert [len(checked.matches) for _, checked in pool.check(chunks)] == [1, 1]
        assert not active_children()
        answers = pool.check(iter(chunks), expected=pools.WORTHWHILE)
        assert [each.match for each in next(answers)[1].matches] == ["w.0"]
        assert len(active_children()) == 1


@pytest.mark.slow("more processes")
@pytest.mark.usefixtures("worthwhile")
def test_a_fault_in_a_process_is_reported_in_full() -> None:
    impossible = replace(chunk_of(Path("a.jsonl"), b"".join(log("a"))), spans=(None,))
    with ValidationPool(1) as pool, pytest.raises(AttributeError) as raised:
        list(pool.check([impossible], expected=1))
    assert "ingest/validate/validation.py" in str(raised.value.__cause__)


def test_a_process_stops_when_its_answers_are_no_longer_wanted(tmp_path: Path) -> None:
    chunks = [chunk_of(tmp_path / name, b"any") for name in ("quick", "slow")]
    with suppress(KeyboardInterrupt), closing(answered(asleep, chunks, 1)) as answers:
        assert next(answers) == "quick"
        raise KeyboardInterrupt
    assert not active_children()


def asleep(chunk: Chunk) -> str:
    """Answer immediately, or only after a very long time."""
    name = chunk.spans[0].path.name
    time.sleep(600 if name == "slow" else 0)
    return name

"""Backpressure: an ingest pauses while others read, continues right afterwards, and never waits forever."""

import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.games import GAMES
from ingest.load import load
from ingest.opening import open_warehouse
from ingest.pipeline import Request, take_in
from ingest.read import split as read
from ingest.tables.schema import schema_of
from ingest.transactions import LATELY, LONGEST, PATIENCE, Backpressure
from tests.ingest.helping import begun, write

STEP = 0.01


class Time(threading.Condition):
    """A clock that advances only during a wait, or when set; `meanwhile` is called when a wait begins."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self) -> float:
        return self.now

    def wait_for(self, predicate: Callable[[], Any], timeout: float | None = None) -> Any:
        if not predicate():
            self.meanwhile()
        if not predicate():
            self.now += timeout or 0
        return predicate()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def backpressure(time: Time) -> Backpressure:
    return Backpressure(time, time)


def rests(backpressure: Backpressure, time: Time, step: float) -> float:
    """Return how long the work pauses after a step of this duration."""
    backpressure.yield_to_readers()
    time.now += step
    before = time.now
    backpressure.yield_to_readers()
    return time.now - before


def test_work_pauses_for_readers_in_proportion_to_its_step(backpressure: Backpressure, time: Time) -> None:
    with backpressure.reading():
        assert rests(backpressure, time, STEP) == pytest.approx(PATIENCE * STEP)
        assert rests(backpressure, time, 2 * STEP) == pytest.approx(PATIENCE * 2 * STEP)


def test_work_does_not_pause_without_readers(backpressure: Backpressure, time: Time) -> None:
    assert rests(backpressure, time, STEP) == 0
    with backpressure.reading():
        pass
    assert rests(backpressure, time, STEP) == 0


def test_work_resumes_as_soon_as_the_last_reader_is_done(backpressure: Backpressure, time: Time) -> None:
    first, last = backpressure.reading(), backpressure.reading()
    first.__enter__()
    last.__enter__()
    first.__exit__(None, None, None)
    time.meanwhile = lambda: last.__exit__(None, None, None)
    assert rests(backpressure, time, STEP) == 0
    assert not backpressure._inside


def test_even_an_endless_reader_delays_work_for_a_limited_time(backpressure: Backpressure, time: Time) -> None:
    with backpressure.reading():
        assert rests(backpressure, time, 3600) == LONGEST


def test_portions_are_small_until_there_has_been_no_reader_for_a_while(backpressure: Backpressure, time: Time) -> None:
    assert not backpressure.has_readers
    with backpressure.reading():
        time.now += 3600
        assert backpressure.has_readers
    time.now += LATELY / 2
    assert backpressure.has_readers
    time.now += LATELY
    assert not backpressure.has_readers


@pytest.mark.slow("beside other work")
@pytest.mark.parametrize("is_read", [False, True])
def test_an_ingest_yields_between_steps_and_loads_small_portions_for_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, time: Time, *, is_read: bool
) -> None:
    for number in range(4):
        write(tmp_path / f"{number}.jsonl", begun(f"t.{number}"))
    monkeypatch.setattr(read, "CHUNK_BYTES", 1)
    monkeypatch.setattr(load, "PORTION_EVENTS", 1)
    rested: list[None] = []
    time.meanwhile = lambda: rested.append(None)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        warehouse.backpressure = Backpressure(time, time)
        seen: list[int] = []
        with warehouse.backpressure.reading() if is_read else nullcontext():
            take_in(warehouse, Request((tmp_path,), jobs=0), lambda at: seen.append(at.matches))
    assert seen == ([1, 2, 3, 4, 4] if is_read else [0, 0, 0, 0, 4])
    steps = 4 * (len(schema_of(GAMES["climbers"]).tables) // 2)
    assert len(rested) > steps if is_read else not rested

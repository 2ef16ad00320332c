"""Process pools: every result once, in order, even if processes fail."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from himalaya_core.pool import WAITING_PER_JOB, WorkerLost, ordered


def double(number: int) -> int:
    return 2 * number


def long_answer(number: int) -> bytes:
    return b"%d" % number * 100_000


def slow_first(number: int) -> int:
    return sum(range(3_000_000)) * 0 if number == 0 else number


def die_at_five(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once_at_five(folder: Path, number: int) -> int:
    if number == 5 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def sleep_after_one(number: int) -> int:
    if number:
        time.sleep(600)
    return number


def fail_at_five(number: int) -> int:
    if number == 5:
        raise ValueError("five it is")
    return number


@pytest.mark.parametrize(
    ("tasks", "jobs"),
    [
        *((0, 1), (7, 1), (60, 3)),
        *(
            pytest.param(*case, marks=pytest.mark.slow("more numbers of processes"))
            for case in ((0, 2), (1, 3), (7, 2), (60, 2))
        ),
    ],
)
def test_answers_arrive_in_the_order_of_the_tasks(tasks: int, jobs: int) -> None:
    assert list(ordered(double, range(tasks), jobs)) == [2 * number for number in range(tasks)]


def test_answers_larger_than_a_pipe_arrive() -> None:
    assert [len(answer) for answer in ordered(long_answer, range(10), 2)] == [100_000] * 10


def test_a_slow_task_delays_a_bounded_number_of_answers() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(400):
            taken += 1
            yield number

    with closing(ordered(slow_first, tasks(), 2)) as answers:
        assert next(answers) == 0
        assert taken <= 2 * WAITING_PER_JOB + 1
        assert list(answers) == list(range(1, 400))


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_can_be_endless(jobs: int) -> None:
    with closing(ordered(double, count(), jobs)) as answers:
        assert list(islice(answers, 5)) == [0, 2, 4, 6, 8]


def test_the_task_of_a_killed_process_is_done_by_another(tmp_path: Path) -> None:
    assert list(ordered(partial(die_once_at_five, tmp_path), range(100), 2)) == [*range(100)]


def test_a_task_that_kills_every_process_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    found = list[int]()
    with pytest.raises(WorkerLost, match=r"killed 2 times in a row, at task [45] or just after it"):
        found.extend(ordered(die_at_five, range(100), 2, "task {}".format))
    assert found == [*range(len(found))]
    assert capsys.readouterr().err == ""


def test_an_exception_in_a_task_is_raised() -> None:
    with pytest.raises(ValueError, match="five it is"):
        list(ordered(fail_at_five, range(100), 2))


def test_processes_end_when_the_answers_are_closed() -> None:
    with closing(ordered(sleep_after_one, count(), 2)) as answers:
        assert next(answers) == 0
        begun = time.monotonic()
    assert time.monotonic() - begun < 30

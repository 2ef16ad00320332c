"""Work handed out to processes: every answer once, in order, whatever the processes do."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice

import pytest

from himalaya_core.arena.work import WAITING_PER_JOB, WorkerLost, ordered


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


def fail_at_five(number: int) -> int:
    if number == 5:
        raise ValueError("five it is")
    return number


@pytest.mark.parametrize(
    ("tasks", "jobs", "ahead"),
    [
        *((0, 1, 2), (1, 1, 1), (7, 1, 1), (60, 1, 2), (60, 3, 2)),
        *(
            pytest.param(*case, marks=pytest.mark.slow("more numbers of processes"))
            for case in ((0, 2, 1), (1, 3, 2), (7, 2, 2), (7, 3, 1), (60, 2, 1))
        ),
    ],
)
def test_answers_come_in_the_order_of_the_tasks(tasks: int, jobs: int, ahead: int) -> None:
    assert list(ordered(double, range(tasks), jobs, ahead=ahead)) == [2 * number for number in range(tasks)]


def test_answers_larger_than_a_pipe_come_through() -> None:
    assert [len(answer) for answer in ordered(long_answer, range(10), 2, ahead=2)] == [100_000] * 10


def test_a_slow_task_holds_back_a_bounded_number_of_answers() -> None:
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
def test_tasks_may_be_endless(jobs: int) -> None:
    with closing(ordered(double, count(), jobs)) as answers:
        assert list(islice(answers, 5)) == [0, 2, 4, 6, 8]


def test_a_process_that_is_killed_is_noticed() -> None:
    with pytest.raises(WorkerLost):
        list(ordered(die_at_five, range(100), 2))


def test_what_a_task_raises_is_raised_with_its_place() -> None:
    with pytest.raises(RuntimeError, match="ValueError: five it is"):
        list(ordered(fail_at_five, range(100), 2))

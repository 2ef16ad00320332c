"""A child process that answers in lines can be killed, and ends with its last user."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from himalaya_core.child import Child, serve

SOON = 60.0
PARENT = """
import json, sys, time
from himalaya_core.child import Child
child = Child("tests.core.test_child:main")
child.ask("pid")
print(child.line(60).decode(), flush=True)
child.ask("sleep")
time.sleep(600)
"""


def main() -> None:
    """Run the main loop of the child process."""
    serve(answer, 1)


def once() -> None:
    """Answer one question."""
    serve(answer, 1, once=True)


def idle() -> None:
    """Answer nothing."""
    time.sleep(600)


def answer(asked: str, say: Callable[[Any], None]) -> None:
    """Answer a question like the process under test."""
    sys.stdout.write("not an answer\n")
    if asked == "sleep":
        time.sleep(600)
    say({"pid": os.getpid()} if asked == "pid" else [asked, asked])


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child("tests.core.test_child:main")
    yield made
    made.end()


def test_questions_are_answered_in_order_and_prints_are_ignored(child: Child) -> None:
    child.ask("a")
    child.ask("b")
    assert [child.line(SOON) for _ in range(2)] == [b'["a","a"]\n', b'["b","b"]\n']
    assert not child.is_over


def test_a_child_that_does_not_answer_in_time_can_be_stopped(child: Child) -> None:
    child.ask("a")
    assert child.line(SOON)
    child.ask("sleep")
    with pytest.raises(TimeoutError):
        child.line(0.1)
    child.end()
    child.ask("b")
    assert [child.line(SOON), child.line(SOON), child.is_over] == [None, None, True]


def test_a_child_can_end_after_one_question() -> None:
    child = Child("tests.core.test_child:once")
    child.ask("a")
    assert [child.line(SOON), child.line(SOON)] == [b'["a","a"]\n', None]
    child.end()


@pytest.mark.slow("a process and its child")
def test_a_busy_child_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        number = int(parent.stdout.readline().split(b":")[1].strip(b"}\n"))
        parent.send_signal(signal.SIGKILL)
    until = time.monotonic() + SOON
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.kill(number, 0)
            time.sleep(0.05)
        pytest.fail("it goes on")

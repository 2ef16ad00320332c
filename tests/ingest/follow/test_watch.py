"""Folders are watched until stopped: changes are followed within moments."""

import os
import random
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ingest.cli.loading import stopped_by_signals
from ingest.errors import WarehouseError
from ingest.follow import watch
from ingest.follow.request import Followed, FollowRequest
from ingest.opening import open_warehouse
from tests.forked import HIMALAYA, Popen
from tests.ingest.follow.following import at_once, tables
from tests.ingest.helping import quarantined_texts, rows, short, write

WHOLE = short("a")


@contextmanager
def himalaya(*arguments: str | Path) -> Iterator[Popen]:
    command = [*HIMALAYA, *map(str, arguments)]
    with Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def said(process: Popen, pattern: str) -> str:
    """Wait until the process prints this line."""
    assert process.stdout is not None
    for line in process.stdout:
        if re.search(pattern, line):
            return line
    raise AssertionError(f"{pattern} was never said; {process.stderr and process.stderr.read()}")


def is_watching(process: Popen) -> None:
    """Wait until the process has followed everything."""
    assert process.stderr is not None
    assert any("watching" in line for line in process.stderr)


class Watched:
    """Watches a folder in a thread; `requests` are those it made, and an exception from `answer` fails one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: list[FollowRequest] = []
        self.complaints: list[str] = []
        self.answers: list[Followed | WarehouseError] = []
        self.told = threading.Condition()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        watch.watch([self.folder], self.follow, lambda _: None, self.complain, self.stop)

    def follow(self, request: FollowRequest) -> Followed:
        with self.told:
            self.requests.append(request)
            self.told.notify_all()
            answer = self.answers.pop(0) if self.answers else Followed()
        if isinstance(answer, WarehouseError):
            raise answer
        return answer

    def complain(self, problem: str) -> None:
        with self.told:
            self.complaints.append(problem)
            self.told.notify_all()

    def wait(self, done: Callable[[list[FollowRequest]], Any]) -> FollowRequest:
        """Wait until a condition holds, and return the last request."""
        with self.told:
            assert self.told.wait_for(lambda: done(self.requests), 60), self.requests
            return self.requests[-1]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(watch, "RETRY", 0.1)
    monkeypatch.setattr(watch, "RESCAN", 0.2)
    (tmp_path / "logs").mkdir()
    watching = Watched(tmp_path / "logs")
    yield watching
    watching.stop.set()
    watching.thread.join(60)
    assert not watching.thread.is_alive()


def asked(name: str) -> Callable[[list[FollowRequest]], bool]:
    return lambda requests: any(path.name == name for request in requests for path in (*request.files, *request.gone))


def test_existing_files_are_followed_first_then_changes(watched: Watched) -> None:
    write(watched.folder / "x.jsonl", WHOLE)
    write(watched.folder / "notes.txt", WHOLE)
    watched.thread.start()
    first = watched.wait(asked("x.jsonl"))
    assert (first.files, first.folders) == ((watched.folder / "x.jsonl",), (watched.folder,))
    write(watched.folder / "y.jsonl", WHOLE)
    assert watched.wait(asked("y.jsonl")).files == (watched.folder / "y.jsonl",)
    (watched.folder / "y.jsonl").unlink()
    assert watched.wait(lambda requests: requests[-1].gone).gone == (watched.folder / "y.jsonl",)
    assert len({request.started for request in watched.requests}) == 1


def test_a_link_out_of_the_folder_is_not_followed_and_reported_once(watched: Watched) -> None:
    secrets = [write(watched.folder.parent / f"secret-{number}.jsonl", WHOLE) for number in range(2)]
    (watched.folder / "first.jsonl").symlink_to(secrets[0])
    watched.thread.start()
    watched.wait(len)
    (watched.folder / "later.jsonl").symlink_to(secrets[1])
    write(watched.folder / "x.jsonl", WHOLE)
    watched.wait(asked("x.jsonl"))
    (watched.folder / "deep").mkdir()
    (watched.folder / "inside.jsonl").symlink_to(write(watched.folder / "deep" / "y.jsonl", WHOLE))
    watched.wait(lambda requests: asked("y.jsonl")(requests) or asked("inside.jsonl")(requests))
    watched.wait(lambda _: len(watched.complaints) > 1)
    followed = {path.name for request in watched.requests for path in request.files}
    assert followed & {"first.jsonl", "later.jsonl"} == set()
    assert sorted(watched.complaints) == [
        f"{watched.folder / name}: not followed, as it links to a file outside the folder; watch that folder too"
        for name in ("first.jsonl", "later.jsonl")
    ]


@pytest.mark.parametrize("notified", [True, False])
def test_files_in_new_folders_are_found_notified_or_not(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, notified: bool
) -> None:
    if not notified:

        def none_left(*_: object, **__: object) -> None:
            raise OSError("the system watches too many already")

        monkeypatch.setattr(watch, "notifications", none_left)
    watched.thread.start()
    watched.wait(len)
    for number in range(5):
        (watched.folder / f"{number}" / "deep").mkdir(parents=True)
        write(watched.folder / f"{number}" / "deep" / f"{number}.jsonl", WHOLE)
    for number in range(5):
        watched.wait(asked(f"{number}.jsonl"))


@pytest.mark.slow("another way in which a file changes")
def test_an_unchanged_folder_causes_no_work(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    write(watched.folder / "x.jsonl", WHOLE)
    looks = threading.Semaphore(0)
    walk = os.walk

    def counted(folder: Path) -> Any:
        looks.release()
        return walk(folder)

    monkeypatch.setattr(watch.os, "walk", counted)
    watched.thread.start()
    for _ in range(4):
        assert looks.acquire(timeout=60)
    assert len(watched.requests) == 1


def test_a_file_is_checked_again_when_due(watched: Watched) -> None:
    path = write(watched.folder / "x.jsonl", WHOLE)
    watched.answers = [Followed(again={path: 0.1})]
    watched.thread.start()
    assert watched.wait(lambda requests: len(requests) == 2).files == (path,)


def test_a_failure_is_reported_once_and_retried_until_it_succeeds(watched: Watched) -> None:
    watched.answers = [Followed(), WarehouseError("in use"), WarehouseError("in use"), Followed()]
    watched.thread.start()
    watched.wait(len)
    path = write(watched.folder / "x.jsonl", WHOLE)
    watched.wait(lambda requests: len(requests) == 4)
    assert [request.files for request in watched.requests[1:]] == [(path,)] * 3
    assert watched.complaints == ["in use; trying again"]


def test_the_end_of_watching_is_reported(watched: Watched) -> None:
    watched.thread.start()
    watched.wait(len)
    watched.stop.set()
    assert watched.wait(lambda requests: requests[-1].stopped).folders == (watched.folder,)


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak("more kills"))])
def test_the_command_follows_a_log_until_it_is_stopped(tmp_path: Path, number: signal.Signals) -> None:
    path = write(tmp_path / "x.jsonl", WHOLE[:50])
    with himalaya("ingest", "--watch", tmp_path, "--db", tmp_path / "w.duckdb") as process:
        assert "x.jsonl: 50 lines, a is live" in said(process, "x.jsonl")
        with path.open("ab") as file:
            file.write(b"".join(WHOLE[50:]))
        assert f"x.jsonl: {len(WHOLE) - 50} lines, 1 match" in said(process, "x.jsonl")
        process.send_signal(number)
        assert process.wait(60) == 0
    assert rows(tmp_path / "w.duckdb", "SELECT match, status FROM dim_matches") == [("a", "finished")]


def test_a_signal_stops_watching_during_an_event() -> None:
    stop = threading.Event()
    with stopped_by_signals(stop):
        with vars(stop)["_cond"]:  # held for a moment, as `wait` does
            signal.raise_signal(signal.SIGTERM)
        assert stop.wait(60)


@pytest.mark.slow("a watch and a server")
def test_the_command_leaves_the_work_to_a_server_that_comes_and_goes(tmp_path: Path) -> None:
    database, folder = tmp_path / "w.duckdb", tmp_path / "logs"
    folder.mkdir()
    with himalaya("ingest", "--watch", folder, "--db", database) as watching:
        write(folder / "x.jsonl", WHOLE)
        said(watching, "x.jsonl")
        with himalaya("serve", "--db", database, "--port", "0") as server:
            said(server, "Himalaya is at")
            write(folder / "y.jsonl", short("b"))
            said(watching, "y.jsonl")
            server.terminate()
            server.wait(60)
        write(folder / "z.jsonl", short("c"))
        said(watching, "z.jsonl")
        watching.terminate()
        _, errors = watching.communicate()
    assert errors.count("open and does the work") == 1
    assert rows(database, "SELECT match FROM dim_matches ORDER BY 1") == ["a", "b", "c"]


@pytest.mark.slow("starts a server")
def test_a_server_follows_folders_itself(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    with himalaya("serve", "--db", tmp_path / "w.duckdb", "--port", "0", "--watch", folder) as server:
        said(server, "Himalaya is at")
        write(folder / "x.jsonl", WHOLE[:50])
        assert "50 lines, a is live" in said(server, "x.jsonl")
        server.terminate()
        assert server.wait(60) == 0
    assert rows(tmp_path / "w.duckdb", "SELECT live FROM watched_files") == [None]


@pytest.mark.slow("a watch that is killed")
@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.soak("more kills"))])
def test_a_killed_watch_resumes_from_its_last_position(tmp_path: Path, kills: int) -> None:
    """Kills come at random moments while a log grows and is rotated."""
    folder, database, moments = tmp_path / "logs", tmp_path / "w.duckdb", random.Random(kills)
    folder.mkdir()
    logs = [short(f"m.{number}") for number in range(min(kills + 1, 6))]
    lines = [line for lines in logs for line in lines]
    for kill in range(kills):
        with himalaya("ingest", "--watch", folder, "--db", database) as process:
            if kill:
                is_watching(process)
            part = lines[kill * len(lines) // kills : (kill + 1) * len(lines) // kills]
            with (folder / "x.jsonl").open("ab", buffering=0) as file:
                for start in range(0, len(part), 100):
                    file.write(b"".join(part[start : start + 100]))
            if moments.random() < 0.3:
                (folder / "x.jsonl").rename(folder / f"x.jsonl-2026{kill:04}")
            with suppress(subprocess.TimeoutExpired):
                process.wait(moments.uniform(0, 1))
            process.kill()
    with himalaya("ingest", "--watch", folder, "--db", database) as process:
        is_watching(process)
        process.terminate()
        assert process.wait(60) == 0
    assert quarantined_texts(database) == []
    assert tables(database) == at_once(tmp_path, *logs)


def test_only_a_folder_can_be_watched(tmp_path: Path) -> None:
    with himalaya("ingest", "--watch", tmp_path / "none", "--db", tmp_path / "w.duckdb") as process:
        _, errors = process.communicate()
    assert errors == f"himalaya: {tmp_path / 'none'}: not a folder; --watch follows folders\n"


def test_a_bug_does_not_end_the_watch_of_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failed, worked = threading.Event(), threading.Event()

    def broken_once(*_: object) -> Followed:
        if not failed.is_set():
            failed.set()
            raise RuntimeError("a detail")
        worked.set()
        return Followed()

    monkeypatch.setattr(watch, "follow", broken_once)
    monkeypatch.setattr(watch, "RETRY", 0.01)
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, watch.watching(warehouse, [tmp_path], lambda _: None):
        assert worked.wait(60)
    assert "a detail" in caplog.text

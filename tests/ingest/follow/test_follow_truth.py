"""After any changes to a followed log, the tables equal those of the whole log loaded in one run."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.follow.follow import follow
from ingest.follow.request import FollowRequest
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.read import tail
from ingest.read.tail import Checkpoints
from ingest.warehouse import Warehouse
from tests.ingest.follow.following import tables
from tests.ingest.helping import log, quarantined_texts

BAD = b"{" + b"".join(log("bad", luck="x"))
STREAM = b"".join([*log("a"), BAD, *log("b")])
NAME = "x.jsonl"
STARTED = datetime(2026, 11, 21)  # noqa: DTZ001  as the database has it

writes = st.integers(1, len(STREAM) // 3)
happenings = st.sampled_from(["follow", "follow", "rename", "copy", "restart", "killed"])
histories = st.lists(writes | happenings, min_size=4, max_size=12)


class Killed(Exception):
    pass


class Log:
    """A log that is written, rotated and followed in turns."""

    def __init__(self, folder: Path, warehouse: Warehouse) -> None:
        self.folder = folder
        self.warehouse = warehouse
        self.written = 0

    def write(self, size: int) -> None:
        with (self.folder / NAME).open("ab") as file:
            file.write(STREAM[self.written : self.written + size])
        self.written = min(self.written + size, len(STREAM))

    def end_line(self) -> None:
        """Write the rest of a line, as log rotation does not split lines."""
        if self.written and STREAM[self.written - 1 : self.written] != b"\n":
            self.write(STREAM.index(b"\n", self.written) + 1 - self.written)

    def rotate(self, *, copy: bool) -> None:
        self.end_line()
        for number in range(9, 0, -1):
            with suppress(FileNotFoundError):
                (self.folder / f"{NAME}.{number}").rename(self.folder / f"{NAME}.{number + 1}")
        if copy:
            shutil.copyfile(self.folder / NAME, self.folder / f"{NAME}.1")
            (self.folder / NAME).write_bytes(b"")
        else:
            (self.folder / NAME).rename(self.folder / f"{NAME}.1")
            (self.folder / NAME).touch()

    def follow(self) -> None:
        files = tuple(sorted(self.folder.glob(f"{NAME}*")))
        request = FollowRequest(files, folders=(self.folder,), started=STARTED, jobs=0)
        follow(self.warehouse, request, lambda _: None)

    def happens(self, what: int | str) -> None:
        match what:
            case int():
                self.write(what)
            case "follow":
                self.follow()
            case "rename" | "copy":
                self.rotate(copy=what == "copy")
            case "restart":
                tail.forget()
            case _:
                with killed(), suppress(Killed):
                    self.follow()
                tail.forget()


@contextmanager
def killed() -> Iterator[None]:
    """Within the block, following ends before its first transaction is committed."""

    def die(*_: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoints, "write", die)
        yield


@cache
def at_once() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, NAME)
        path.write_bytes(STREAM)
        ingest([path], Path(folder, "w.duckdb"), processes=0)
        return tables(Path(folder, "w.duckdb"))


def covered(texts: Sequence[bytes]) -> bool:
    """Return whether these texts are parts of the bad match that together cover all of its bytes."""
    parts = sorted((BAD.index(text), len(text)) for text in texts)
    reached = 0
    for start, size in parts:
        if start > reached:
            return False
        reached = max(reached, start + size)
    return reached == len(BAD)


@pytest.mark.slow("logs of all games that are renamed and cut")
@settings(max_examples=max(4, settings().max_examples // 25))
@given(histories)
def test_following_gives_the_tables_of_one_ingest(history: list[int | str]) -> None:
    tail.forget()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "w.duckdb")
        (Path(folder) / "logs").mkdir()
        with open_warehouse(database) as warehouse:
            written = Log(Path(folder) / "logs", warehouse)
            written.write(0)
            for what in [*history, len(STREAM), "follow"]:
                written.happens(what)
        found, expected = tables(database), at_once()
        assert [name for name in expected if name != "quarantine" and found[name] != expected[name]] == []
        assert covered(quarantined_texts(database))
        with duckdb.connect(str(database), read_only=True) as connection:
            runs = connection.execute("SELECT matches, events FROM ingest_runs").fetchall()
        assert runs == [(2, len(log("a")) + len(log("b")))]

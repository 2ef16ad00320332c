"""One sync of a folder serves all requests made before it began; later requests need another sync."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingest import files
from ingest.files import SharedSync


class Disk:
    """A fake disk whose first sync blocks until it is released."""

    def __init__(self) -> None:
        self.syncs = 0
        self.fails = 0
        self.began, self.goes_on = threading.Event(), threading.Event()

    def sync(self, _: Path) -> None:
        self.syncs += 1
        if self.syncs == 1:
            self.began.set()
            assert self.goes_on.wait(30)
        if self.fails:
            self.fails -= 1
            raise OSError("no disk")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk()
    monkeypatch.setattr(files, "sync", made.sync)
    return made


def test_callers_during_a_sync_share_the_next_one(disk: Disk, tmp_path: Path) -> None:
    shared = SharedSync(tmp_path)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(shared)
        assert disk.began.wait(30)
        others = [pool.submit(shared) for _ in range(8)]
        while len(shared._changed._waiters) < 8:  # type: ignore[attr-defined]
            threading.Event().wait(0.001)
        assert not any(each.done() for each in [first, *others])
        disk.goes_on.set()
        for each in [first, *others]:
            each.result(30)
    assert disk.syncs == 2


def test_a_failed_sync_does_not_count(disk: Disk, tmp_path: Path) -> None:
    shared = SharedSync(tmp_path)
    disk.goes_on.set()
    disk.fails = 1
    with pytest.raises(OSError, match="no disk"):
        shared()
    shared()
    assert disk.syncs == 2

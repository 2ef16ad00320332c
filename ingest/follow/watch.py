"""Watches folders and follows changed logs; costs almost nothing while no file changes.

File system notifications miss files in newly created folders, and some file systems send none. So all folders are also
scanned every few seconds. A link to a file outside all watched folders is ignored. Otherwise, a user with write access
to a watched folder could make this process read any file.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from watchfiles import watch as notifications

from ingest.errors import Stopped, WarehouseError
from ingest.follow.follow import follow
from ingest.follow.request import Followed, FollowRequest
from ingest.load.summary import counted
from ingest.read.discover import in_letters
from ingest.read.tail import is_followed
from ingest.warehouse import Warehouse

__all__ = ["Follow", "described", "watch", "watching"]

log = logging.getLogger(__name__)

DEBOUNCE: Final = 0.5
"""Maximum seconds to collect further changes after the first one."""
RESCAN: Final = 2.0
"""Minimum seconds between two scans of the folders."""
IDLE: Final = 50
"""Inverse of the maximum share of time spent on scans: 50 limits scans to 2% of the time."""
RETRY: Final = 5.0
"""Seconds until a failed request is tried again."""

LONGEST_PAUSE: Final = 5.0
"""Maximum seconds of a pause between requests.

A pause is as long as the work before it, so that other processes get half of the time.
"""
MOST_SHOWN: Final = 20

Follow = Callable[[FollowRequest], Followed]
Seen = tuple[int, ...]


def watch(
    folders: Sequence[Path],
    follow: Follow,
    tell: Callable[[Followed], None],
    complain: Callable[[str], None],
    stop: threading.Event,
) -> None:
    """Follow the logs in folders until `stop` is set or `follow` raises `Stopped`.

    `tell` is called with the result of each change. A `WarehouseError` from the first request is raised. Later ones are
    passed to `complain`, and the request is tried again.
    """
    watching = _Watching(folders, follow, complain)
    with suppress(Stopped):
        try:
            tell(watching.first())
            problem = ""
            for changed in watching.changes(stop):
                start = time.monotonic()
                try:
                    followed = watching.follow(changed)
                except WarehouseError as error:
                    if str(error) != problem:
                        problem = str(error)
                        complain(f"{problem}; trying again")
                    stop.wait(RETRY)
                    continue
                problem = ""
                if followed:
                    tell(followed)
                    stop.wait(min(time.monotonic() - start, LONGEST_PAUSE))
        finally:
            # If this fails, matches are shown as live until their logs are followed again.
            with suppress(WarehouseError):
                watching.end()


@contextmanager
def watching(warehouse: Warehouse, folders: Sequence[Path], say: Callable[[str], None]) -> Iterator[None]:
    """Follow the logs in folders into an open warehouse during the block; `say` is called with lines about changes."""
    stop = threading.Event()

    def stop_if_wanted(_: object) -> None:
        if stop.is_set():
            raise Stopped

    def tell(followed: Followed) -> None:
        for line in described(followed):
            say(line)

    def run() -> None:
        while not stop.is_set():
            try:
                watch(folders, lambda request: follow(warehouse, request, stop_if_wanted), tell, say, stop)
            except WarehouseError as error:
                say(str(error))
                stop.wait(RETRY)
            except Exception:
                log.exception("watching %s failed; starting again", ", ".join(map(str, folders)))
                stop.wait(RETRY)

    thread = threading.Thread(target=run, name="watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def described(followed: Followed, show: Callable[[Path], str] = str) -> Iterator[str]:
    """Yield lines for people about the result of a request; `show` formats a file's path."""
    at = datetime.now().astimezone().strftime("%H:%M:%S %Z")
    if len(followed.growth) > MOST_SHOWN:
        yield f"{at}  {followed.files:,} files: {followed.events:,} lines, {counted(followed.matches, 'match', 'es')}"
    else:
        for growth in followed.growth:
            said = [f"{growth.lines:,} line{'' if growth.lines == 1 else 's'}"]
            said += [counted(growth.matches, "match", "es")] if growth.matches else []
            said += [f"{growth.skipped:,} loaded before"] if growth.skipped else []
            said += [f"{growth.live} is live"] if growth.live else []
            yield f"{at}  {show(growth.file)}: {', '.join(said)}"
    for problem in followed.problems[:MOST_SHOWN]:
        yield f"{at}  quarantined: {problem.text(show)}"
    if followed.put_aside > MOST_SHOWN:
        yield f"{at}  and {followed.put_aside - MOST_SHOWN:,} more; `himalaya quarantine list` shows all"
    yield from (f"{at}  cannot read {show(failure.file)}: {failure.reason}" for failure in followed.failed)


class _Watching:
    """The watched folders, and their files at the last scan."""

    def __init__(self, folders: Sequence[Path], follow: Follow, complain: Callable[[str], None]) -> None:
        self._folders = tuple(folders)
        self._follow = follow
        self._complain = complain
        self._led_out: set[Path] = set()
        self._started = datetime.now(UTC).replace(tzinfo=None)
        self._seen: dict[Path, Seen] = {}
        self._due: dict[Path, float] = {}
        self._pending: set[Path] = set()
        self._scanned = self._took = 0.0

    def first(self) -> Followed:
        """Follow all existing files."""
        self._scan()
        followed = self._follow(FollowRequest(tuple(sorted(self._seen)), (), self._folders, self._started))
        self._expect(followed)
        return followed

    def follow(self, changed: Iterable[Path]) -> Followed | None:
        """Follow files that changed or are due; return `None` if there are none."""
        self._pending.update(path for path in changed if self._has_changed(path))
        if time.monotonic() >= self._scanned + max(RESCAN, self._took * IDLE):
            self._pending |= self._scan()
        now = time.monotonic()
        self._pending.update(path for path, due in self._due.items() if due <= now)
        if not self._pending:
            return None
        files = tuple(sorted(path for path in self._pending if path in self._seen))
        gone = tuple(sorted(self._pending - set(files)))
        followed = self._follow(FollowRequest(files, gone, (), self._started))
        for path in self._pending:
            self._due.pop(path, None)
        self._pending = set()
        self._expect(followed)
        return followed

    def end(self) -> None:
        """Record in the warehouse that the folders are no longer followed."""
        self._follow(FollowRequest(folders=self._folders, stopped=True))

    def changes(self, stop: threading.Event) -> Iterator[set[Path]]:
        """Yield the changed paths of each notification; at intervals, yield an empty set so that due files are read."""
        while not stop.is_set():
            try:
                yield from self._notified(stop)
            except (OSError, RuntimeError):  # a folder was deleted, or the system's limit of watches is reached
                yield set()
                stop.wait(RESCAN)

    def _notified(self, stop: threading.Event) -> Iterator[set[Path]]:
        said = notifications(
            *(folder for folder in self._folders if in_letters(folder) == folder and folder.exists()),
            watch_filter=None,
            debounce=int(DEBOUNCE * 1000),
            step=100,
            rust_timeout=int(RESCAN * 1000),
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        )
        for changes in said:
            yield {path for _, name in changes if is_followed((path := Path(name)).name)}

    def _expect(self, followed: Followed) -> None:
        now = time.monotonic()
        self._due |= {path: now + seconds for path, seconds in followed.again.items()}

    def _has_changed(self, path: Path) -> bool:
        """Return whether a file has changed since the last check, and remember its present state."""
        try:
            found = _seen(path.stat())
        except OSError:
            return self._seen.pop(path, None) is not None
        if not self._stays_inside(path):
            return False
        before, self._seen[path] = self._seen.get(path), found
        return before != found

    def _stays_inside(self, path: Path) -> bool:
        """Return whether a file, with links resolved, is inside a watched folder; if not, report it once."""
        if not path.is_symlink():
            return True
        real = Path(os.path.realpath(path))
        if any(real.is_relative_to(os.path.realpath(folder)) for folder in self._folders):
            return True
        if path not in self._led_out:
            self._led_out.add(path)
            self._complain(f"{path}: not followed, as it links to a file outside the folder; watch that folder too")
        return False

    def _scan(self) -> set[Path]:
        """Scan all folders, and return the changed and deleted files."""
        start = time.monotonic()
        found = {path: _seen(at) for path, at in _logs(self._folders) if self._stays_inside(path)}
        changed = {path for path in found.keys() | self._seen.keys() if found.get(path) != self._seen.get(path)}
        self._seen = found
        self._scanned = time.monotonic()
        self._took = self._scanned - start
        return changed


def _seen(found: os.stat_result) -> Seen:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _logs(folders: Sequence[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the log files in folders. A file with several names is yielded once, under the first."""
    found: dict[tuple[int, int], tuple[Path, os.stat_result]] = {}
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in sorted(names):
                if not is_followed(name):
                    continue
                path = Path(root, name)
                try:
                    at = path.stat()
                except OSError:
                    continue
                key = at.st_dev, at.st_ino
                if key not in found or (found[key][0].is_symlink() and not path.is_symlink()):
                    found[key] = path, at
    yield from found.values()

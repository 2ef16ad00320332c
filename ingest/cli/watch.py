"""The option `himalaya ingest --watch`: follows growing logs until it is stopped."""

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from himalaya_core.cli.command import CommandError
from himalaya_core.cli.progress import progress_bar
from ingest.errors import Stopped
from ingest.follow.request import Followed
from ingest.follow.watch import described, watch
from ingest.operations import run_operation

__all__ = ["stopped_by_signals", "watch_folders", "watched"]


def watched(words: Sequence[str | Path]) -> list[Path]:
    """Return the folders that the arguments name; only folders can be watched."""
    folders = [Path(word).absolute() for word in words]
    for folder in folders:
        if not folder.is_dir():
            raise CommandError(f"{folder}: not a folder; --watch follows folders")
    return folders


def watch_folders(options: argparse.Namespace, shown: Callable[[Path], str]) -> int:
    """Follow the folders of the options until Ctrl-C or SIGTERM; `shown` names a file for the user."""
    folders = watched(options.paths)
    stop = threading.Event()
    with stopped_by_signals(stop), ExitStack() as bar:
        watching = _Watching(options, stop, bar, shown)
        with suppress(KeyboardInterrupt):
            watch(folders, watching.follow, watching.tell, watching.complain, stop)
    print("himalaya: stopped; what is loaded stays loaded. Run the same command again to resume", file=sys.stderr)
    return 0


class _Watching:
    """One run of the command: a progress bar for the backlog, then a line for each change."""

    def __init__(
        self, options: argparse.Namespace, stop: threading.Event, bar: ExitStack, shown: Callable[[Path], str]
    ) -> None:
        self._options = options
        self._stop = stop
        self._bar = bar
        self._show: Callable[..., None] | None = bar.enter_context(progress_bar("loading", None))
        self._shown = shown
        self._said = ""

    def follow(self, request: Any) -> Any:
        """Run a `FollowRequest` here or in the server that has the database open, and return its `Followed`."""
        options = self._options
        arguments = request.as_json() | {"tournament": options.tournament}
        if options.jobs is not None:
            arguments["jobs"] = options.jobs
        return _done(options.db, arguments, self._report, self._say)

    def tell(self, followed: Any) -> None:
        """Print the result of a request."""
        if self._show:
            self._bar.close()
            self._show = None
            print("himalaya: watching (Ctrl-C stops it)", file=sys.stderr)
        _print(followed, self._shown)

    def complain(self, problem: str) -> None:
        """Print a problem."""
        print(f"himalaya: {problem}", file=sys.stderr)

    def _say(self, text: str) -> None:
        """Print once which server does the work."""
        if text != self._said:
            print(text, file=sys.stderr)
            self._said = text

    def _report(self, at: dict[str, Any]) -> None:
        if self._stop.is_set():
            raise Stopped
        if self._show:
            self._show(at["bytes_read"], at["bytes_total"], f"{at['matches']:,} matches")


def _done(
    database: Path, arguments: dict[str, Any], report: Callable[[dict[str, Any]], None], say: Callable[[str], None]
) -> Any:
    return Followed.read(run_operation(database, "follow", arguments, report, say))


def _print(followed: Any, shown: Callable[[Path], str]) -> None:
    for line in described(followed, shown):
        print(line, flush=True)


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the watch at its next safe point.

    A handler may interrupt its thread while that holds the lock of the event; setting the event would then deadlock. So
    the handler puts the signal into a queue, which is safe anywhere, and another thread sets the event.
    """
    heard: SimpleQueue[int | None] = SimpleQueue()

    def listen() -> None:
        if heard.get() is not None:
            stop.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _: heard.put(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        heard.put(None)
        listener.join()

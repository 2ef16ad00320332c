"""Runs `himalaya ingest` and `--watch`; a separate module because it is slow to import."""

import argparse
import json
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from himalaya_core.cli.command import CommandError
from himalaya_core.cli.progress import progress_bar
from himalaya_core.errors import HimalayaError
from ingest.cli.operations import FAILED_TO_LOAD, INTERRUPTED, NOT_ALL_LOADED, operate, shown
from ingest.errors import Stopped, WarehouseError, WarehouseInUse, plain_reason
from ingest.follow.request import Followed
from ingest.load.summary import Summary
from ingest.opening import open_for_reading
from ingest.operations import run_operation
from ingest.pipeline import ingest_logs
from ingest.read.discover import named
from ingest.validate import PROCESSES
from ingest.validate.pool import ValidationPool

__all__ = ["load", "stopped_by_signals", "watch_folders", "watched"]


def watched(words: Sequence[str | Path]) -> list[Path]:
    """Return the named folders. Raises `CommandError` for a file, as only folders can be watched."""
    folders = [Path(word).absolute() for word in words]
    for folder in folders:
        if not folder.is_dir():
            raise CommandError(f"{folder}: not a folder; --watch follows folders")
    return folders


def watch_folders(options: argparse.Namespace, shown: Callable[[Path], str]) -> int:
    """Follow the named folders until Ctrl-C or SIGTERM; `shown` formats a file's path for users."""
    from ingest.follow.watch import watch  # imports polars, which a plain load does without

    folders = watched(options.paths)
    stop = threading.Event()
    with stopped_by_signals(stop), ExitStack() as bar:
        watching = _Watching(options, stop, bar, shown)
        with suppress(KeyboardInterrupt):
            watch(folders, watching.follow, watching.tell, watching.complain, stop)
    print("himalaya: stopped; what is loaded stays loaded. Run the same command again to resume", file=sys.stderr)
    return 0


class _Watching:
    """One run of `ingest --watch`: a progress bar for existing logs, then a line for each change."""

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
        """Run a `FollowRequest` and return its `Followed`.

        If a server has the database open, the server runs it.
        """
        options = self._options
        arguments = request.as_json() | {"tournament": options.tournament}
        if options.jobs is not None:
            arguments["jobs"] = options.jobs
        return _done(options.db, arguments, self._report, self._say)

    def tell(self, followed: Any) -> None:
        """Print the result of a follow request."""
        if self._show:
            self._bar.close()
            self._show = None
            print("himalaya: watching (Ctrl-C stops it)", file=sys.stderr)
        _print(followed, self._shown)

    def complain(self, problem: str) -> None:
        """Print a problem on stderr."""
        print(f"himalaya: {problem}", file=sys.stderr)

    def _say(self, text: str) -> None:
        """Print which server does the work, unless the last message was the same."""
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
    from ingest.follow.watch import described

    for line in described(followed, shown):
        print(line, flush=True)


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the watch at its next safe point.

    A signal handler may interrupt a thread that holds the event's lock. Setting the event in the handler would then
    deadlock. So the handler puts the signal into a queue, which is always safe, and another thread sets the event.
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


STANDARD_INPUT: Final = "-"
BLOCK: Final = 1 << 20


def load(options: argparse.Namespace) -> int:
    """Load logs and return the exit code. The code of a failure differs from that of a wrong command line."""
    loaded = 0

    def report(at: dict[str, Any]) -> None:
        nonlocal loaded
        loaded = at["matches"]
        note = _matches(loaded) + (f", {at['put_aside']:,} quarantined" if at["put_aside"] else "")
        show(at["bytes_read"], at["bytes_total"], note)

    try:
        if options.watch:
            return watch_folders(options, shown)
        with ExitStack() as stack:
            jobs = PROCESSES if options.jobs is None else options.jobs
            pool = stack.enter_context(ValidationPool(jobs, judges=options.judge == "now"))
            arguments = _arguments(options, stack)
            show = stack.enter_context(progress_bar("loading", None))
            ours = {"ingest": partial(ingest_logs, pool=pool)}
            result = operate(options, "ingest", arguments, report, ours)
        return _tell(result, as_json=options.json)
    except HimalayaError as error:
        raise CommandError(str(error), FAILED_TO_LOAD) from None
    except KeyboardInterrupt:
        stays = f"what is loaded stays loaded{f' (at least {_matches(loaded)})' if loaded else ''}"
        stays = "nothing was changed" if options.dry_run else f"{stays}. Run the same command again to resume"
        print(f"himalaya: stopped; {stays}", file=sys.stderr)
        return INTERRUPTED


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _arguments(options: argparse.Namespace, stack: ExitStack) -> dict[str, Any]:
    """Return the arguments of the operation; `stack` removes its temporary files."""
    words = [word for word in options.paths if word != STANDARD_INPUT]
    paths, names = [str(path) for path in named(words)], dict[str, str]()
    if len(words) < len(options.paths):
        spooled = str(stack.enter_context(_spooled()))
        paths.append(spooled)
        names[spooled] = "standard input"
    if options.dry_run and options.db.exists():
        _expect_today(options.db)
    elif options.dry_run:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="himalaya-"))
        options.db = Path(folder, "dry-run.duckdb")
    arguments = {"paths": paths, "names": names, "tournament": options.tournament, "dry_run": options.dry_run}
    arguments["judge"] = options.judge
    return arguments if options.jobs is None else arguments | {"jobs": options.jobs}


def _tell(result: dict[str, Any], *, as_json: bool) -> int:
    """Print the summary of a load and return the exit code."""
    summary = Summary.read(result)
    print(json.dumps(result) if as_json else summary.text(shown))
    return NOT_ALL_LOADED if summary.failed or summary.in_quarantine else 0


def _expect_today(database: Path) -> None:
    """Refuse a dry run on a database of an earlier version, because opening the database would upgrade it."""
    try:
        open_for_reading(database).close()
    except WarehouseInUse:
        return  # the process that has the database open has already upgraded it
    except WarehouseError as error:
        if "older" not in str(error):
            raise
        older = "written by an older himalaya; leave out --dry-run, which does not upgrade it"
        raise CommandError(f"{database}: {older}") from None


@contextmanager
def _spooled() -> Iterator[Path]:
    """Copy standard input to a temporary file for the duration of the block.

    A server can then read it, and it can be read more than once.
    """
    with tempfile.NamedTemporaryFile(prefix="himalaya-") as file:
        try:
            shutil.copyfileobj(sys.stdin.buffer, file, BLOCK)
            file.flush()
        except OSError as error:
            raise CommandError(f"cannot read standard input: {plain_reason(error)}") from None
        if file.tell() == 0:
            raise CommandError("standard input is empty; send the lines of a log")
        yield Path(file.name)

"""Progress display of commands: a bar on a terminal, occasional lines in a file or pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Final

from himalaya_core.cli.command import in_bytes

__all__ = ["progress_bar"]

PAUSE: Final = 10.0
"""Seconds between progress lines when the output is not a terminal."""


def progress_bar(what: str, total: int | None, *, quiet: bool = False) -> AbstractContextManager[Callable[..., None]]:
    """Show progress on standard error; yields the function to call with each count.

    The first count is work done earlier; it does not affect the rate. With a `total`, counts are matches. Without it,
    counts are bytes, and each call also passes the total. Each call may pass a `note`, shown after the count. With
    `quiet`, a terminal still gets a bar, but files and pipes get no lines.
    """
    if sys.stderr and sys.stderr.isatty():
        return _drawn(what, total)
    return nullcontext(lambda *_, **_named: None) if quiet else _written(what, total)


@contextmanager
def _drawn(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    count = (MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    amount = (DownloadColumn(), TransferSpeedColumn())
    ends = (TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    columns = (TextColumn("{task.description}"), BarColumn(), *(count if total else amount), *ends)
    bar = Progress(*columns, console=Console(stderr=True))
    task = bar.add_task(what, total=total, rate="", note="")

    def show(done: int, of: int | None = total, note: str = "") -> None:
        if not bar.live.is_started:
            bar.start()
            bar.reset(task, completed=done)
        speed = bar.tasks[0].speed
        bar.update(task, completed=done, total=of, rate=f"{speed:,.1f}/s" if speed else "", note=note)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def _written(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Write a progress line after each pause, and one at the end, even after an error."""
    latest = ""
    due = time.monotonic() + PAUSE

    def show(done: int, of: int | None = total, note: str = "") -> None:
        nonlocal latest, due
        shown = "{:,}".format if total else in_bytes
        latest = f"{what}: {shown(done)}{f' of {shown(of)}' if of else ''}{', ' if note else ''}{note}"
        if time.monotonic() >= due:
            _say(latest)
            latest, due = "", time.monotonic() + PAUSE

    try:
        yield show
    finally:
        if latest:
            _say(latest)


def _say(line: str) -> None:
    with suppress(OSError, ValueError):  # continue even if standard error is closed
        print(line, file=sys.stderr, flush=True)

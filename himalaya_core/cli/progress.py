"""The progress bar of commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(what: str, total: int | None, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Show a bar with rate and time left on standard error, from the first count on; yields what moves it to a count.

    The first count is what was done before, so it says nothing about the rate. Matches have a total from the start;
    without one the work is bytes, and what moves the bar takes their total too. A `note` stands behind it. `quiet`
    shows a bar only on a terminal, none in a file or a pipe.
    """
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
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, disable=quiet and not console.is_terminal)
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

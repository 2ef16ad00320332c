"""Helpers shared by the commands: run an operation here or in a server, show progress, format paths."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.progress import progress_bar
from ingest.maintenance.lake.tables import is_lake
from ingest.operations import OPERATIONS, run_operation

__all__ = [
    "FAILED_TO_LOAD",
    "INTERRUPTED",
    "NOT_ALL_LOADED",
    "bars",
    "make_readable",
    "operate",
    "say_on_stderr",
    "shown",
]

FAILED_TO_LOAD: Final = 1
NOT_ALL_LOADED: Final = 3
INTERRUPTED: Final = 130


def make_readable(lake: Path) -> None:
    """Create the DuckDB file through which a lake is queried, if it is missing or outdated.

    Shows progress. Raises `WarehouseError`.
    """
    from ingest.maintenance.lake.contents import served_file

    with bars() as report:
        served_file(lake, report)


def operate(
    options: argparse.Namespace,
    name: str,
    arguments: Mapping[str, Any],
    report: Callable[[dict[str, Any]], None] = lambda _: None,
    operations: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Run an operation on the database named by `--db`, and return its result. Raises `WarehouseError`.

    If a server has the database open, `arguments` are sent to the server, so paths in them must be absolute.
    `operations` replaces the default table of operations.
    """
    if is_lake(options.db):
        make_readable(options.db)
    return run_operation(options.db, name, arguments, report, say_on_stderr, operations=operations or OPERATIONS)


def say_on_stderr(text: str) -> None:
    """Print a remark on stderr, apart from the result on stdout."""
    print(text, file=sys.stderr)


@contextmanager
def bars() -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield a callback that shows progress reports, with one progress bar for each step."""
    with ExitStack() as bars:
        shown: dict[str, Callable[..., None]] = {}

        def report(at: dict[str, Any]) -> None:
            what = at["what"]
            if what not in shown:
                bars.close()
                shown[what] = bars.enter_context(progress_bar(what, max(at["total"], 1), quiet=True))
            shown[what](at["done"], max(at["total"], 1))

        yield report


def shown(path: Path) -> str:
    """Return a path as shown to users: relative if it is inside the current folder."""
    here = Path.cwd()
    name = path.relative_to(here) if path.is_relative_to(here) else path
    return os.fsencode(name).decode(errors="backslashreplace")  # a file name may not be valid Unicode

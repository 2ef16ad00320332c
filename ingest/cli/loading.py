"""The work of `himalaya ingest` after parsing its arguments; imported late, as it takes long."""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import CommandError
from himalaya_core.cli.progress import progress_bar
from himalaya_core.errors import HimalayaError
from ingest.cli.operations import FAILED_TO_LOAD, INTERRUPTED, QUARANTINED, operate, shown
from ingest.errors import WarehouseError, WarehouseInUse, plain_reason
from ingest.load.summary import Summary
from ingest.opening import open_for_reading
from ingest.pipeline import ingest_logs
from ingest.read.globbing import named
from ingest.validate import PROCESSES
from ingest.validate.pool import ValidationPool

__all__ = ["load"]

STANDARD_INPUT: Final = "-"
BLOCK: Final = 1 << 20


def load(options: argparse.Namespace) -> int:
    """Load logs and return the exit code; failures have a different one from a wrong command line."""
    loaded = 0

    def report(at: dict[str, Any]) -> None:
        nonlocal loaded
        loaded = at["matches"]
        note = _matches(loaded) + (f", {at['put_aside']:,} quarantined" if at["put_aside"] else "")
        show(at["bytes_read"], at["bytes_total"], note)

    try:
        if options.watch:
            from ingest.cli.watch import watch_folders

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
    """Return the arguments of the operation; its temporary files are left to the stack."""
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
    """Print the result and return the exit code."""
    summary = Summary.read(result)
    print(json.dumps(result) if as_json else summary.text(shown))
    if summary.failed:
        return FAILED_TO_LOAD
    return QUARANTINED if summary.in_quarantine else 0


def _expect_today(database: Path) -> None:
    """Refuse a database of an earlier version: opening it for a dry run would upgrade it."""
    try:
        open_for_reading(database).close()
    except WarehouseInUse:
        return  # the process that has it open has upgraded it
    except WarehouseError as error:
        if "older" not in str(error):
            raise
        older = "written by an older himalaya; leave out --dry-run, which does not upgrade it"
        raise CommandError(f"{database}: {older}") from None


@contextmanager
def _spooled() -> Iterator[Path]:
    """Copy standard input to a file while the block runs, so that a server can read it, and more than once."""
    with tempfile.NamedTemporaryFile(prefix="himalaya-") as file:
        try:
            shutil.copyfileobj(sys.stdin.buffer, file, BLOCK)
            file.flush()
        except OSError as error:
            raise CommandError(f"cannot read standard input: {plain_reason(error)}") from None
        if file.tell() == 0:
            raise CommandError("standard input is empty; send the lines of a log")
        yield Path(file.name)

"""The command `himalaya ingest`: logs into the database, each match exactly once."""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.shared import log_name, progress_bar, whole
from himalaya_core.errors import HimalayaError
from ingest.cli.operations import add_database, operate
from ingest.cli.watch import add_follow_links, watch_folders
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.load.summary import Summary
from ingest.opening import open_for_reading
from ingest.read.globbing import named

__all__ = ["FAILED_TO_LOAD", "QUARANTINED", "add_ingest", "shown"]

FAILED_TO_LOAD: Final = 1
QUARANTINED: Final = 3
INTERRUPTED: Final = 130
STANDARD_INPUT: Final = "-"
MOST_JOBS: Final = 64
BLOCK: Final = 1 << 20


def add_ingest(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _ingest,
        "himalaya ingest logs --db himalaya.duckdb",
        "himalaya ingest 'logs/**/*.jsonl.zst' --tournament autumn --dry-run",
        "himalaya ingest --watch logs",
        "zstd -dc match.jsonl.zst | himalaya ingest -",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="logs, folders of logs, patterns in quotes ('logs/**/*.jsonl'), or - for standard input",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="how many processes check the lines, besides this one (default: 1 on two cores, 2 on more)",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="the tournament of the matches whose log names none"
    )
    parser.add_argument(
        "--watch", action="store_true", help="follow the logs in folders as they grow, until stopped with Ctrl-C"
    )
    add_follow_links(parser)
    parser.add_argument(
        "--judge",
        choices=("now", "later"),
        default="now",
        help="when the rules judge the matches: now, before they are counted (default), or later, by `himalaya check "
        "--rules`; until then they count only where a filter asks for them",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would happen without changing anything")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_database(parser)


def _jobs(text: str) -> int:
    if (number := whole(text)) > MOST_JOBS:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {MOST_JOBS}, found {text!r}")
    return number


def _ingest(options: argparse.Namespace) -> int:
    """Load logs; failures have another exit code than a wrong command line."""
    if options.watch and (options.dry_run or options.json):
        raise CommandError("--watch cannot be combined with --dry-run or --json")
    if options.follow_links and not options.watch:
        raise CommandError("--follow-links is for --watch; without it links are followed anyway")
    if options.watch and options.judge == "later":
        raise CommandError("--watch works only with --judge now: every event that arrives is judged at once")
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
            arguments = _arguments(options, stack)
            show = stack.enter_context(progress_bar("loading", None))
            result = operate(options, "ingest", arguments, report)
        return _tell(result, as_json=options.json)
    except HimalayaError as error:
        raise CommandError(str(error), FAILED_TO_LOAD) from None
    except KeyboardInterrupt:
        stays = f"what was loaded so far stays{f' (at least {_matches(loaded)})' if loaded else ''}"
        stays = "nothing was changed" if options.dry_run else f"{stays}; run the same command again to resume"
        print(f"himalaya: stopped; {stays}", file=sys.stderr)
        return INTERRUPTED


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _arguments(options: argparse.Namespace, stack: ExitStack) -> dict[str, Any]:
    """Return the arguments of the operation; temporary files that it needs are left to the stack."""
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
    print(json.dumps(result, ensure_ascii=False) if as_json else summary.text(shown))
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
        older = "written by an older himalaya, and a dry run does not upgrade it; leave --dry-run out"
        raise CommandError(f"{database}: {older}") from None


@contextmanager
def _spooled() -> Iterator[Path]:
    """Write standard input to a file while the block runs, which a server can read, and more than once."""
    with tempfile.NamedTemporaryFile(prefix="himalaya-") as file:
        try:
            shutil.copyfileobj(sys.stdin.buffer, file, BLOCK)
            file.flush()
        except OSError as error:
            raise CommandError(f"standard input: {error.strerror or error}") from None
        if file.tell() == 0:
            raise CommandError("standard input: expected logs, found nothing")
        yield Path(file.name)


def shown(path: Path) -> str:
    """Return a path as it is shown to people: relative to the current folder if it is inside."""
    here = Path.cwd()
    name = path.relative_to(here) if path.is_relative_to(here) else path
    return os.fsencode(name).decode(errors="backslashreplace")  # a name may be no text

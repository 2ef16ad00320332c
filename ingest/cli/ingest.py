"""The command `himalaya ingest`: loads logs into the database, each match once."""

import argparse
import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Final

from himalaya_core.cli.command import CommandError, Parser, command, log_name, whole
from himalaya_core.pool import ONE_BLAS_THREAD, start_fork_server
from ingest.cli.commands import add_database
from ingest.validate import WORTHWHILE

__all__ = ["add_ingest"]

MOST_JOBS: Final = 64
LOG: Final = ".jsonl"
NEEDED: Final = "duckdb"
"""A package from the optional dependencies. If it is missing, the command names the extra to install."""


def add_ingest(parser: Parser) -> None:
    """Add the arguments of `himalaya ingest` to its parser."""
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
        help="name logs, folders of logs, patterns in quotes ('logs/**/*.jsonl'), or - for standard input",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="validate lines in N more processes, 0 for none (default: one for each core, at most 3)",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="give this tournament to matches whose log names none"
    )
    parser.add_argument(
        "--watch", action="store_true", help="follow the logs in folders as they grow, until stopped with Ctrl-C"
    )
    parser.add_argument(
        "--judge",
        choices=("now", "later"),
        default="now",
        help="verify matches by the rules before they count (now, the default), or later with `himalaya check --rules`",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would happen, and change nothing")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_database(parser)


def _jobs(text: str) -> int:
    if (number := whole(text)) > MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {MOST_JOBS}")
    return number


def _ingest(options: argparse.Namespace) -> int:
    if options.watch and (options.dry_run or options.json):
        raise CommandError("--watch cannot be combined with --dry-run or --json")
    if options.watch and options.judge == "later":
        raise CommandError("--watch cannot be combined with --judge later: it verifies each event when it arrives")
    if options.jobs != 0 and _is_much(options):
        start_fork_server("ingest.validate.validation")
    for variable, value in ONE_BLAS_THREAD.items():
        os.environ.setdefault(variable, value)
    from ingest.cli.loading import load

    return load(options)


def _is_much(options: argparse.Namespace) -> bool:
    """Return whether the logs are large enough to be worth starting worker processes.

    `False` if the database exists, because the logs may already be loaded.
    """
    is_new = not (options.watch or options.db.exists()) and find_spec(NEEDED) is not None
    return is_new and any(size >= WORTHWHILE for size in accumulate(map(_size, _files(options.paths))))


def _files(words: Iterable[str]) -> Iterator[Path]:
    """Yield the named files, and files in named folders with names that look like logs."""
    for word in words:
        yield Path(word)
        yield from (Path(folder, name) for folder, _, names in os.walk(word) for name in names if LOG in name)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0  # the error is reported when the file is read

"""The command `himalaya derive`: builds a lake from logs without a database, on several processes or a cluster."""

import argparse
import json
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import CommandError, Parser, command, in_bytes, log_name, whole
from himalaya_core.errors import HimalayaError
from ingest.cli.operations import FAILED_TO_LOAD, INTERRUPTED, NOT_ALL_LOADED, bars, shown
from ingest.load.summary import counted
from ingest.maintenance.derive.run import Derived, LocalWorkers, SparkWorkers, Workers, derive
from ingest.maintenance.lake.bucket import SCHEME

__all__ = ["add_derive"]

LOCAL: Final = "local"
SPARK: Final = "spark"
MOST_WORKERS: Final = 256


def add_derive(parser: Parser) -> None:
    """Add the arguments of `himalaya derive` to its parser."""
    command(
        parser,
        _derive,
        "himalaya derive logs --out lake",
        "himalaya derive 'seasons/**/*.jsonl.zst' --out lake --on local:8",
        "himalaya derive s3://federation/logs --out lake",
        "himalaya derive /shared/logs --out /shared/lake --on spark://head:7077",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="name logs, folders of logs, patterns in quotes, or s3://BUCKET/PREFIX (see AWS_… for keys and endpoint)",
    )
    parser.add_argument(
        "--out",
        type=_folder,
        required=True,
        metavar="DIR",
        help="write the lake into this folder, with the matches of these logs and no others",
    )
    parser.add_argument(
        "--on",
        type=_workers,
        default=LOCAL,
        metavar="WHERE",
        help="run on local:N processes of up to 1 GB (default: local, one for each core), spark, or spark://HOST:PORT",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="give this tournament to matches whose log names none"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON, with the counts of ingest")


def _folder(text: str) -> Path:
    if text.startswith(SCHEME):
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder; a lake is derived into a folder")
    return Path(text)


def _workers(text: str) -> Callable[[], AbstractContextManager[Workers]]:
    """Parse the value of `--on` into a factory of workers: local processes or a Spark cluster."""
    where, colon, more = text.partition(":")
    if text == LOCAL:
        return lambda: nullcontext(LocalWorkers())
    if where == LOCAL and more.isdecimal() and 1 <= whole(more) <= MOST_WORKERS:
        return lambda: nullcontext(LocalWorkers(int(more)))
    if where == SPARK and (not colon or re.fullmatch(r"//[^/:]+:\d+", more)):
        return lambda: SparkWorkers(text if colon else None)
    kinds = f"local, local:N with N from 1 to {MOST_WORKERS}, spark, or spark://HOST:PORT"
    raise argparse.ArgumentTypeError(f"{text!r} is not {kinds}")


def _derive(options: argparse.Namespace) -> int:
    """Derive a lake. The exit code of a failure differs from that of a wrong command line."""
    try:
        with options.on() as workers, bars() as report:
            derived = derive(
                options.paths, options.out.absolute(), workers, tournament=options.tournament, report=report
            )
    except HimalayaError as error:
        raise CommandError(str(error), FAILED_TO_LOAD) from None
    except KeyboardInterrupt:
        print("himalaya: stopped; the lake is unchanged. Run the same command again to resume", file=sys.stderr)
        return INTERRUPTED
    print(json.dumps(_as_json(derived)) if options.json else _as_text(derived, options.out))
    return NOT_ALL_LOADED if derived.summary.failed or derived.summary.in_quarantine else 0


def _as_json(derived: Derived) -> dict[str, Any]:
    return asdict(derived) | {"summary": derived.summary.as_json()}


def _as_text(derived: Derived, lake: Path) -> str:
    summary, has_all = derived.summary, f"the table quarantine in {lake} has all"
    in_all = f"{counted(derived.matches, 'match', 'es')}, {in_bytes(derived.size)}"
    if derived.is_new:
        return f"{summary.text(shown, has_all)}\n{lake} is written: {in_all}"
    quarantined = f"; {summary.in_quarantine:,} quarantined, {has_all}" if summary.in_quarantine else ""
    return f"{lake} is up to date, none of these logs has changed: {in_all}{quarantined}"

"""The commands that maintain a warehouse: lake, backup, restore, vacuum, forget, doctor."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from himalaya_core.cli.command import CommandError, Parser, command, in_bytes
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import bars, operate, say_on_stderr
from ingest.errors import WarehouseError, WarehouseInUse
from ingest.maintenance.backup import Keep, backup_name, backups_in, drop_old
from ingest.maintenance.doctor import unreadable
from ingest.maintenance.restore import restore_database
from ingest.operations import run_operation

__all__ = ["add_backup", "add_doctor", "add_forget", "add_lake", "add_restore", "add_vacuum"]

UNSOUND: Final = 1
MOST_KEPT: Final = 10_000
MOST_NAMED: Final = 20
"""Maximum number of names listed in one line of output."""


def add_lake(parser: Parser) -> None:
    """Add the arguments of `himalaya lake` to its parser."""
    command(
        parser,
        _lake,
        "himalaya lake lake --db himalaya.duckdb",
        "himalaya lake s3://research/himalaya",
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="write into this folder, or s3://BUCKET/PREFIX (see AWS_… for keys and endpoint)",
    )
    add_database(parser)


def _lake(options: argparse.Namespace) -> int:
    is_folder = not options.folder.startswith("s3://")
    folder = str(Path(options.folder).absolute()) if is_folder else options.folder
    done = _operate(options, "lake", {"folder": folder})
    print(f"{_count(done['matches'], 'match', 'es')} in {_count(done['partitions'], 'partition')} of {options.folder}")
    wrote = f"{_count(done['files'], 'file')} written, {in_bytes(done['bytes'])}"
    print(wrote if done["files"] else "nothing has changed since the last time")
    return 0


def add_backup(parser: Parser) -> None:
    """Add the arguments of `himalaya backup` to its parser."""
    command(
        parser,
        _backup,
        "himalaya backup himalaya-monday.duckdb",
        "himalaya backup /backups --keep-daily 7 --keep-weekly 4",
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="write the copy here; name a folder with --keep-daily or --keep-weekly"
    )
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    for name, period in (("daily", "days"), ("weekly", "weeks")):
        parser.add_argument(
            f"--keep-{name}",
            type=_number,
            default=0,
            metavar="N",
            help=f"name the copy by its time, and keep the last copy of each of N {period}",
        )
    add_database(parser)


def _backup(options: argparse.Namespace) -> int:
    keep, now = Keep(options.keep_daily, options.keep_weekly), datetime.now(UTC)
    has_retention = keep != Keep()
    if has_retention and not options.file.is_dir():
        raise CommandError(f"{options.file}: no such folder; make it first")
    file = options.file / backup_name(options.db, now) if has_retention else options.file
    done = _operate(options, "backup", {"file": str(file.absolute()), "force": options.force})
    rows = sum(done["rows"].values())
    matches = _count(done["rows"]["raw_matches"], "match", "es")
    print(f"{matches}, {_count(rows, 'row')} in all, {in_bytes(done['size'])} in {file}")
    if has_retention:
        removed = drop_old(options.file, options.db, keep, now)
        print(f"{_count(len(removed), 'older backup')} removed, {len(backups_in(options.file, options.db)):,} kept")
    return 0


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_KEPT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_KEPT}")
    return int(text)


def add_restore(parser: Parser) -> None:
    """Add the arguments of `himalaya restore` to its parser."""
    command(
        parser,
        _restore,
        "himalaya restore himalaya-monday.duckdb",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="restore this copy, written by `himalaya backup`")
    add_database(parser)


def _restore(options: argparse.Namespace) -> int:
    with bars() as report:
        done = restore_database(options.db, options.file, report, say_on_stderr)
    print(f"{_count(done['rows']['raw_matches'], 'match', 'es')} restored from {options.file}")
    if done["kept"]:
        print(f"the former database is kept as {done['kept']}")
    if done["forgotten"]:
        print(f"{_count(done['forgotten'], 'match', 'es')} of the copy not restored: forgotten since it was written")
    if not done["carried"]:
        print("the former database cannot be read: the copy may bring back forgotten matches and revoked tokens")
    return 0


def add_vacuum(parser: Parser) -> None:
    """Add the arguments of `himalaya vacuum` to its parser."""
    command(
        parser,
        _vacuum,
        "himalaya vacuum --db himalaya.duckdb",
    )
    add_database(parser)


def _vacuum(options: argparse.Namespace) -> int:
    done = _operate(options, "vacuum", {})
    print(f"{in_bytes(done['before'])} before, {in_bytes(done['after'])} now")
    return 0


def add_forget(parser: Parser) -> None:
    """Add the arguments of `himalaya forget` to its parser."""
    command(
        parser,
        _forget,
        "himalaya forget --match friday-0007",
        "himalaya forget --tournament friday --yes",
        'himalaya forget --player "Anna Miller"',
        "himalaya forget --again logs/friday-0007.jsonl",
    )
    parser.add_argument("--match", nargs="+", default=[], action="extend", metavar="NAME", help="forget these matches")
    parser.add_argument(
        "--tournament",
        nargs="+",
        default=[],
        action="extend",
        metavar="NAME",
        help="forget all matches of these tournaments",
    )
    parser.add_argument(
        "--player",
        nargs="+",
        default=[],
        action="extend",
        metavar="NAME",
        help="forget all matches of these people, and replace their names in notes by (forgotten)",
    )
    parser.add_argument(
        "--again",
        nargs="+",
        default=[],
        type=Path,
        metavar="PATH",
        help="allow these logs to be loaded again if they were forgotten",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    add_database(parser)


def _forget(options: argparse.Namespace) -> int:
    if bool(options.again) == bool(options.match or options.tournament or options.player):
        raise CommandError(
            "add --match, --tournament or --player to forget, or --again to allow logs to be loaded again"
        )
    if options.again:
        done = _operate(options, "allow_again", {"paths": [str(path.absolute()) for path in options.again]})
        print(f"{_count(done['matches'], 'forgotten match', 'es')} may be loaded again with `himalaya ingest`")
        return 0
    wanted = {"matches": options.match, "tournaments": options.tournament, "players": options.player}
    if not options.yes:
        found = _operate(options, "forget", {**wanted, "dry_run": True})
        print("\n".join(_forgotten(found, "to forget")))
        if not sys.stdin.isatty():
            raise CommandError("no terminal to ask in; confirm with --yes")
        if input("forget all this permanently? [y/N] ").strip().lower() not in {"y", "yes"}:
            print("nothing was forgotten")
            return 0
    done = _operate(options, "forget", wanted)
    print("\n".join(_forgotten(done, "forgotten")))
    for name in done["live"]:
        print(f"{name} is still being written; it stays forgotten when its log grows")
    print("\n".join(_not_reached(done)))
    return 0


def _forgotten(done: dict[str, Any], what: str) -> Iterator[str]:
    """Yield lines that count the data to forget, or the forgotten data."""
    names = f": {_some(done['names'], done['matches'])}" if done["names"] else ""
    yield (
        f"{what}: {_count(done['matches'], 'match', 'es')}, {_count(done['events'], 'event')}, "
        f"{done['quarantine']:,} in quarantine, {_count(done['receipts'], 'receipt')}, "
        f"{_count(done['bookmarks'], 'bookmark')}, {_count(done['branches'], 'branch', 'es')}, "
        f"{_count(done['drafts'], 'recording')}, {_count(done['chapters'], 'chapter')} and "
        f"{done['studies']:,} whole {'study' if done['studies'] == 1 else 'studies'}{names}"
    )
    if tournaments := [f"{name or 'none'} ({number:,})" for name, number in done["tournaments"]]:
        yield f"matches by tournament: {_some(tournaments)}"
    if done["others"]:
        yield f"also in these matches: {_some(done['others'])}"
    if replaced := [f"{rows:,} in {table}" for table, rows in sorted(done["mentions"].items())]:
        yield f"names replaced by (forgotten): {', '.join(replaced)}"
    for file in done["copies"]:
        yield f"also forgotten in {file}"


def _not_reached(done: dict[str, Any]) -> Iterator[str]:
    """Yield lines that list places where forgotten data may remain, such as log files and other copies."""
    yield "not erased: log files, exports, backups, and lakes until `himalaya lake` writes them again"
    for file in done["logs"]:
        yield f"not erased: the log file {file}"
    for path in done["elsewhere"]:
        yield f"not erased: {path}, which may still hold it; check it and remove it"
    if done["same"]:
        yield f"not erased: copies of these matches, loaded as {_some(done['same'])}; forget them too if you want"
    for name in done["tokens"]:
        yield f"not erased: the token {name}; remove it with `himalaya token revoke`"
    if done["remaining"]:
        yield (
            "not erased: logs of other people's matches that name the person; remove them with `himalaya forget "
            "--match`: "
            f"{_some(done['remaining'])}"
        )


def _some(names: Sequence[str], total: int | None = None) -> str:
    """Return the first `MOST_NAMED` names, and how many more there are."""
    more = (len(names) if total is None else total) - len(names[:MOST_NAMED])
    return f"{', '.join(names[:MOST_NAMED])}{f' and {more:,} more' if more > 0 else ''}"


def add_doctor(parser: Parser) -> None:
    """Add the arguments of `himalaya doctor` to its parser."""
    command(
        parser,
        _doctor,
        "himalaya doctor --db himalaya.duckdb",
        "himalaya doctor --deep --json",
    )
    parser.add_argument("--deep", action="store_true", help="read everything, and check every log against its digests")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    add_database(parser)


def _doctor(options: argparse.Namespace) -> int:
    require_database(options)
    try:
        with bars() as report:
            found = run_operation(options.db, "doctor", {"deep": options.deep}, report, say_on_stderr)
    except WarehouseInUse:
        raise
    except WarehouseError as error:
        found = unreadable(options.db, str(error))
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        _print_examined(found)
    return UNSOUND if found["findings"] else 0


def _print_examined(found: dict[str, Any]) -> None:
    versions, space, findings = found["versions"], found["space"], found["findings"]
    print("himalaya {himalaya}, schema {schema}, DuckDB {duckdb}, Python {python}".format(**versions))
    print(
        f"{space['database']}: {in_bytes(space['size'])}, of which {in_bytes(space.get('inside', 0))} unused, "
        f"and {in_bytes(space['wal'])} not yet written to it; {in_bytes(space['free'])} free on the disk"
    )
    for name, size in space["beside"].items():
        print(f"  next to it: {name}, {in_bytes(size)}")
    if counts := found.get("counts"):
        print(
            f"{_count(counts['matches'], 'match', 'es')}, {_count(counts['events'], 'event')}; "
            "{unfinished:,} unfinished, {live:,} of them live; "
            "{quarantine:,} open in quarantine; {inbox:,} in the inbox; {forgotten:,} forgotten".format(**counts)
        )
    if runs := found.get("runs"):
        table = Table(*runs[0], title="last runs", title_justify="left", box=SIMPLE_HEAD)
        for run in runs:
            table.add_row(*(f"{value:,}" if isinstance(value, int) else value for value in run.values()))
        Console(width=None if sys.stdout.isatty() else 120).print(table)
    if checked := found.get("checked"):
        print(f"read again: {_count(checked['rows'], 'row')}, {_count(checked['logs'], 'log')}")
    for remark in found.get("remarks", ()):
        print(f"note: {remark}")
    print("\n".join(f"not sound: {finding}" for finding in findings) if findings else "all checks passed")


# --- Shared by the commands


def _operate(options: argparse.Namespace, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run an operation on an existing database with progress bars."""
    require_database(options)
    with bars() as report:
        return operate(options, name, arguments, report)


def _count(number: int, what: str, plural: str = "s") -> str:
    return f"{number:,} {what}{'' if number == 1 else plural}"

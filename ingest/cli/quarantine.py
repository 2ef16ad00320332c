"""The command `himalaya quarantine`: lists, shows, retries or drops rejected lines and matches."""

import argparse
import base64
import json
import sys
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from himalaya_core.cli.command import CommandError, Parser, add_command, command, positive, whole
from himalaya_core.cli.progress import progress_bar
from himalaya_core.errors import HimalayaError
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import FAILED_TO_LOAD, NOT_ALL_LOADED, operate, shown
from ingest.errors import plain_reason

__all__ = ["add_quarantine"]

MOST_SHOWN: Final = 20
WIDTH: Final = 160


def add_quarantine(parser: Parser) -> None:
    """Add the subcommands of `himalaya quarantine` to its parser."""
    kinds = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_command(kinds, "list", "list quarantined lines, and why they were rejected", _add_list)
    add_command(kinds, "show", "print the quarantined text, and why it was rejected", _add_show)
    add_command(
        kinds,
        "retry",
        "validate quarantined logs again: their changed file, or the quarantined text",
        _add_retry,
    )
    add_command(kinds, "drop", "drop entries from quarantine, with their text", _add_drop)


def _add_list(parser: Parser) -> None:
    command(
        parser,
        _list,
        "himalaya quarantine list --reason seq_gap",
        "himalaya quarantine list --file logs/autumn --json",
    )
    parser.add_argument("--all", action="store_true", help="include entries whose match was loaded later")
    _add_filters(parser)
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="list at most N entries (default: 50)")
    parser.add_argument("--after", type=whole, default=0, metavar="ID", help="list entries after this id")
    parser.add_argument("--json", action="store_true", help="print as JSON")
    add_database(parser)


def _add_show(parser: Parser) -> None:
    command(
        parser,
        _show,
        "himalaya quarantine show 12 --out repair.jsonl",
    )
    parser.add_argument("id", type=positive, metavar="ID", help="name the entry by its id in the list")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the text to a new file")
    add_database(parser)


def _add_retry(parser: Parser) -> None:
    command(
        parser,
        _retry,
        "himalaya quarantine retry --all",
        "himalaya quarantine retry 12 --from repair.jsonl",
        "himalaya quarantine retry 12 --replace",
    )
    _add_chosen(parser)
    parser.add_argument("--from", dest="repaired", type=Path, metavar="FILE", help="load this repaired text instead")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace the loaded log by the conflicting one, and quarantine the former",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    add_database(parser)


def _add_drop(parser: Parser) -> None:
    command(
        parser,
        _drop,
        "himalaya quarantine drop 12 13",
        "himalaya quarantine drop --all --reason not_json --yes",
    )
    _add_chosen(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    add_database(parser)


def _add_chosen(parser: Parser) -> None:
    parser.add_argument("ids", nargs="*", type=positive, metavar="ID", help="name entries by their ids")
    parser.add_argument("--all", action="store_true", help="take all entries, narrowed by --reason and --file")
    _add_filters(parser)


def _add_filters(parser: Parser) -> None:
    parser.add_argument("--reason", metavar="REASON", help="take only entries with this reason: conflict, not_json, …")
    parser.add_argument("--file", metavar="FILE", help="take only entries from this file or folder")


def _choice(options: argparse.Namespace, **more: Any) -> dict[str, Any]:
    """Convert the filters of the command line to arguments of an operation, in the form of a `Choice`."""
    files = [options.file, str(Path(options.file).absolute())] if options.file else []
    return {"reason": options.reason, "files": files, **more}


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    filters = options.all or options.reason or options.file
    if bool(options.ids) == bool(filters):
        raise CommandError("name ids from `himalaya quarantine list`, or --all; not both")
    if not options.ids and not options.all:
        raise CommandError("--reason and --file narrow --all; add --all")
    return _choice(options, ids=options.ids)


def _ask(options: argparse.Namespace, name: str, arguments: dict[str, Any], *report: Any) -> dict[str, Any]:
    """Run an operation on an existing database."""
    require_database(options)
    return operate(options, name, arguments, *report)


# --- himalaya quarantine list


def _list(options: argparse.Namespace) -> int:
    choice = _choice(options, after=options.after, resolved=options.all)
    found = _ask(options, "list_quarantine", {"choice": choice, "limit": options.limit})
    if options.json:
        print(json.dumps(found))
        return 0
    rows = found["rows"]
    if not rows:
        print("quarantine is empty")
        return 0
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    console.print(_table(rows, resolved=options.all))
    print(", ".join(f"{count:,} {reason}" for reason, count in found["reasons"].items()))
    if found["total"] > len(rows):
        print(f"{found['total'] - len(rows):,} more: add --after {rows[-1]['id']} for the next, or raise --limit")
    return 0


def _table(rows: list[dict[str, Any]], *, resolved: bool) -> Table:
    table = Table("id", "where", "match", "reason", "message", *(["loaded"] if resolved else []), box=SIMPLE_HEAD)
    table.columns[0].justify = "right"
    table.columns[4].ratio = 1
    for row in rows:
        cells = [str(row["id"]), f"{shown(Path(row['file']))}:{row['line']}", row["match"] or "", row["reason"]]
        run = [f"run {row['resolved_in']}" if row["resolved_in"] else ""] if resolved else []
        table.add_row(*(Text(cell, overflow="fold") for cell in [*cells, row["message"], *run]))
    return table


# --- himalaya quarantine show


def _show(options: argparse.Namespace) -> int:
    found = _ask(options, "show_quarantine", {"id": options.id})
    row, text = found["row"], base64.b64decode(found["text"])
    came_in = f"; loaded later, in run {row['resolved_in']}" if row["resolved_in"] else ""
    print(f"{_line(row)} [{row['reason']}, {row['size']:,} bytes{came_in}]", file=sys.stderr)
    if options.out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return 0
    try:
        with options.out.open("xb") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {plain_reason(error)}") from None
    print(f"{len(text):,} bytes written to {options.out}; once repaired, load them with")
    print(f"  himalaya quarantine retry {row['id']} --from {options.out}")
    return 0


def _line(row: dict[str, Any]) -> str:
    about = f" (match {row['match']})" if row["match"] else ""
    return f"{row['id']}: {shown(Path(row['file']))}:{row['line']}: {row['message']}{about}"


# --- himalaya quarantine retry


def _retry(options: argparse.Namespace) -> int:
    choice = _chosen(options)
    if options.repaired and len(options.ids) != 1:
        raise CommandError("--from repairs a single entry; name its id")
    repaired = str(options.repaired.absolute()) if options.repaired else None
    arguments = {"choice": choice, "repaired": repaired, "replace": options.replace}
    try:
        with progress_bar("trying", 1, quiet=True) as show:
            done = _ask(options, "retry_quarantine", arguments, lambda at: show(at["done"], at["total"]))
    except HimalayaError as error:
        raise CommandError(str(error), FAILED_TO_LOAD) from None
    print(json.dumps(done) if options.json else _outcome(done, replace=options.replace))
    return NOT_ALL_LOADED if done["open"] else 0


def _outcome(done: dict[str, Any], *, replace: bool) -> str:
    """Return the result of a retry as lines for people."""
    if not done["tried"]:
        return "quarantine is empty"
    taken = done["tried"] - done["open"]
    runs = f" (run {', '.join(map(str, done['runs']))})" if done["runs"] else ""
    lines = [f"{taken:,} of {done['tried']:,} loaded{runs}"]
    if done["open"]:
        lines.append(f"{done['open']:,} still in quarantine:")
        lines += [f"  {_line(row)}" for row in done["problems"][:MOST_SHOWN]]
    if done["open"] > MOST_SHOWN:
        lines.append(f"  and {done['open'] - MOST_SHOWN:,} more; `himalaya quarantine list` shows all")
    if not replace and any(row["reason"] == "conflict" for row in done["problems"]):
        lines.append("add --replace to load a conflicting log instead of the loaded one")
    return "\n".join(lines)


# --- himalaya quarantine drop


def _drop(options: argparse.Namespace) -> int:
    choice = _chosen(options)
    if not options.yes:
        listed = {"choice": choice | {"resolved": bool(options.ids)}, "limit": 1}
        total = _ask(options, "list_quarantine", listed)["total"]
        _agree(f"drop {total:,} {'entry' if total == 1 else 'entries'} from quarantine, with the text?")
    dropped = _ask(options, "drop_quarantine", {"choice": choice | {"resolved": bool(options.ids)}})["dropped"]
    print(f"{dropped:,} dropped")
    return 0


def _agree(question: str) -> None:
    if not sys.stdin.isatty():
        raise CommandError("no terminal to ask in; confirm with --yes")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise CommandError("nothing was dropped", FAILED_TO_LOAD)

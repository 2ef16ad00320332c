"""Logs that are sent over HTTP: `himalaya push`, `himalaya token`, and the limits of `himalaya serve`."""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.shared import CommandError, Parser, command, log_name, progress_bar
from ingest.cli.ingest import QUARANTINED, shown
from ingest.cli.operations import add_database, operate, require_database
from ingest.errors import PushError, WarehouseError

__all__ = ["add_limits", "add_push", "add_token", "limits"]

TOKEN: Final = "HIMALAYA_TOKEN"  # noqa: S105  the name of it
FAILED_TO_PUSH: Final = 1
INTERRUPTED: Final = 130
UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
MOST_BODY: Final = 1 << 40


def add_limits(parser: Parser) -> None:
    """Add what a server accepts."""
    parser.add_argument(
        "--max-body",
        type=_size,
        metavar="SIZE",
        help="the largest body of logs it accepts, as it is sent: 256M, 1G (default: 256M); 16 times as much unpacked",
    )
    parser.add_argument("--max-lines", type=_count, metavar="N", help="the most lines in a body (default: 5000000)")
    parser.add_argument(
        "--rate", type=_count, metavar="N", help="the most bodies a minute from one sender (default: 60)"
    )


def limits(options: argparse.Namespace) -> Any:
    """Return what a server accepts, for `dashboards.server.serve`."""
    from ingest.receive.inbox import Limits

    given = {"body": options.max_body, "lines": options.max_lines, "rate": options.rate}
    return Limits(**{name: value for name, value in given.items() if value is not None})


def add_push(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "push",
        _push,
        "send logs to a server; what it has already is not sent again",
        "himalaya push logs --to http://127.0.0.1:8050",
        f"{TOKEN}=himalaya_… himalaya push logs/*.jsonl.zst --to https://logs.example --tournament autumn",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="logs, folders of logs, or patterns in quotes")
    parser.add_argument("--to", required=True, metavar="URL", help="the address of the server")
    parser.add_argument(
        "--token",
        default=os.environ.get(TOKEN),
        metavar="SECRET",
        help=f"what `himalaya token create` printed (default: ${TOKEN}, which no list of processes shows)",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="the tournament of the matches whose log names none"
    )
    parser.add_argument("--no-wait", action="store_true", help="leave once all is safe there, before it is taken in")


def _push(options: argparse.Namespace) -> int:
    """Push files; failures have another exit code than a wrong command line."""
    from ingest.receive.push import Server, in_all

    try:
        server = Server(options.to, options.token)
    except PushError as error:
        raise CommandError(str(error)) from None
    if server.sends_in_clear:
        print(f"himalaya: the token goes to {server.url} for everybody on the way to read; use https", file=sys.stderr)
    all_sent: list[Any] = []
    try:
        _collect(options, server, all_sent)
    except PushError as error:
        raise CommandError(str(error), FAILED_TO_PUSH) from None
    except KeyboardInterrupt:
        print("himalaya: stopped; what was sent stays there, the same command sends the rest", file=sys.stderr)
        return INTERRUPTED
    print(in_all(all_sent))
    if any(sent.refused or sent.problem for sent in all_sent):
        return FAILED_TO_PUSH
    return QUARANTINED if any(sent.in_quarantine for sent in all_sent) else 0


def _collect(options: argparse.Namespace, server: Any, all_sent: list[Any]) -> None:
    """Push under a progress bar, and say what became of each file once the bar is gone, however it went."""
    from ingest.receive.push import push

    files = _files(options.paths)
    try:
        with progress_bar("sending", None) as show:
            for sent in push(files, server, tournament=options.tournament, wait=not options.no_wait, report=show):
                all_sent.append(sent)  # noqa: PERF402  kept if the next is an error
    finally:
        for sent in all_sent:
            print(sent.text(shown))


def _files(words: list[str]) -> tuple[Path, ...]:
    from ingest.read.discover import discover
    from ingest.read.globbing import named

    try:
        found = discover(named(words))
    except WarehouseError as error:
        raise CommandError(str(error)) from None
    for path in found.unfinished:
        print(f"{path}: still being written, left alone", file=sys.stderr)
    return found.logs


def add_token(commands: Any) -> None:
    """Add the command."""
    parser: Parser = commands.add_parser("token", help="tokens that logs may be sent to a server with")
    kinds = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    create = command(
        kinds,
        "create",
        _create,
        "make a token and print its secret, once: only a digest of it is kept",
        "himalaya token create laptop --db himalaya.duckdb",
    )
    create.add_argument("name", metavar="NAME", help="whose it is: 1 to 64 of A-Z a-z 0-9 . _ -")
    listing = command(kinds, "list", _list, "name the tokens and when they were made", "himalaya token list")
    revoke = command(kinds, "revoke", _revoke, "end a token at once", "himalaya token revoke laptop")
    revoke.add_argument("name", metavar="NAME", help="whose it is")
    for each in (create, listing, revoke):
        add_database(each)


def _create(options: argparse.Namespace) -> int:
    print(operate(options, "create_token", {"name": options.name})["secret"])
    return 0


def _list(options: argparse.Namespace) -> int:
    require_database(options)
    for token in operate(options, "list_tokens", {})["tokens"]:
        print(f"{token['created_at']} UTC  {token['name']}")
    return 0


def _revoke(options: argparse.Namespace) -> int:
    require_database(options)
    operate(options, "revoke_token", {"name": options.name})
    print(f"the token {options.name} is revoked")
    return 0


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,12}", text):
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return int(text)


def _size(text: str) -> int:
    found = re.fullmatch(r"([1-9][0-9]{0,15})([KMG]?)", text)
    size = int(found[1]) * UNITS[found[2]] if found else 0
    if not 1 <= size <= MOST_BODY:
        raise argparse.ArgumentTypeError(f"expected a size like 64K, 256M or 1G, found {text!r}")
    return size

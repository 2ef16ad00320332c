"""The command `himalaya push`: sends logs over HTTP."""

import argparse
import os
import sys
from typing import Any, Final

from himalaya_core.cli.command import CommandError, Parser, command, log_name
from himalaya_core.cli.progress import progress_bar
from ingest.cli.operations import NOT_ALL_LOADED, shown
from ingest.errors import PushError
from ingest.inbox.push import Server, in_all, push
from ingest.read.discover import Found, discover, named

__all__ = ["add_push"]

TOKEN: Final = "HIMALAYA_TOKEN"  # noqa: S105  the name of the variable, not a secret
FAILED_TO_PUSH: Final = 1
INTERRUPTED: Final = 130


def add_push(parser: Parser) -> None:
    """Add the arguments of `himalaya push` to its parser."""
    command(
        parser,
        _push,
        "himalaya push logs --to http://127.0.0.1:8050",
        f"{TOKEN}=himalaya_… himalaya push logs/*.jsonl.zst --to https://logs.example --tournament autumn",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="name logs, folders of logs, or patterns in quotes")
    parser.add_argument("--to", required=True, metavar="URL", help="name the address of the server")
    parser.add_argument(
        "--token",
        default=os.environ.get(TOKEN),
        metavar="SECRET",
        help=f"send this secret of `himalaya token create` (default: ${TOKEN}, hidden from process lists)",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="give this tournament to matches whose log names none"
    )
    parser.add_argument(
        "--no-wait",
        action="store_true",
        help="return once the server has stored everything, before it is loaded",
    )


def _push(options: argparse.Namespace) -> int:
    """Push files. The exit code of a failure differs from that of a wrong command line."""
    server = Server(options.to, options.token, say=lambda text: print(f"himalaya: {text}", file=sys.stderr))
    if server.sends_in_clear:
        print(f"himalaya: the token is sent to {server.url} without encryption; use https", file=sys.stderr)
    all_sent: list[Any] = []
    try:
        is_complete = _collect(options, server, all_sent)
    except PushError as error:
        raise CommandError(str(error), FAILED_TO_PUSH) from None
    except KeyboardInterrupt:
        print(
            "himalaya: stopped; the server keeps what was sent. Run the same command again to send the rest",
            file=sys.stderr,
        )
        return INTERRUPTED
    print(in_all(all_sent))
    if not is_complete or any(sent.refused or sent.problem for sent in all_sent):
        return FAILED_TO_PUSH
    return NOT_ALL_LOADED if any(sent.in_quarantine for sent in all_sent) else 0


def _collect(options: argparse.Namespace, server: Any, all_sent: list[Any]) -> bool:
    """Push files with a progress bar, then print the result of each file, even after a failure.

    Return whether all named files could be read.
    """
    found = discover(named(options.paths))
    _print_left_out(found)
    try:
        with progress_bar("sending", None) as show:
            for sent in push(found.logs, server, tournament=options.tournament, wait=not options.no_wait, report=show):
                all_sent.append(sent)  # noqa: PERF402  results so far are kept if a later file raises
    finally:
        for sent in all_sent:
            print(sent.text(shown))
    return not found.failed


def _print_left_out(found: Found) -> None:
    for path in found.unfinished:
        resumed = "if its tournament was stopped, run that again"
        print(f"{shown(path)}: not complete, so not sent; {resumed}", file=sys.stderr)
    for path in found.archives:
        print(f"{shown(path)}: an archive, not sent; unpack it first", file=sys.stderr)
    for error in found.failed:
        print(f"cannot read {shown(error.path)}: {error.reason}", file=sys.stderr)

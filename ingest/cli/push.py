"""The command `himalaya push`: sends logs over HTTP."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.progress import progress_bar
from himalaya_core.cli.words import log_name
from ingest.cli.operations import QUARANTINED, shown
from ingest.errors import PushError
from ingest.read.discover import discover
from ingest.read.globbing import named
from ingest.receive.push import Server, in_all, push

__all__ = ["add_push"]

TOKEN: Final = "HIMALAYA_TOKEN"  # noqa: S105  the name of it
FAILED_TO_PUSH: Final = 1
INTERRUPTED: Final = 130


def add_push(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _push,
        "himalaya push logs --to http://127.0.0.1:8050",
        f"{TOKEN}=himalaya_… himalaya push logs/*.jsonl.zst --to https://logs.example --tournament autumn",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="logs, folders of logs, or patterns in quotes")
    parser.add_argument("--to", required=True, metavar="URL", help="the address of the server")
    parser.add_argument(
        "--token",
        default=os.environ.get(TOKEN),
        metavar="SECRET",
        help=f"what `himalaya token create` printed (default: ${TOKEN}, which process lists do not show)",
    )
    parser.add_argument(
        "--tournament", type=log_name, metavar="NAME", help="the tournament of the matches whose log names none"
    )
    parser.add_argument(
        "--no-wait",
        action="store_true",
        help="return once everything is safe there, without waiting for it to be loaded",
    )


def _push(options: argparse.Namespace) -> int:
    """Push files; failures have a different exit code from a wrong command line."""
    server = Server(options.to, options.token, say=lambda text: print(f"himalaya: {text}", file=sys.stderr))
    if server.sends_in_clear:
        print(f"himalaya: the token is sent to {server.url} unencrypted; use https", file=sys.stderr)
    all_sent: list[Any] = []
    try:
        _collect(options, server, all_sent)
    except PushError as error:
        raise CommandError(str(error), FAILED_TO_PUSH) from None
    except KeyboardInterrupt:
        print(
            "himalaya: stopped; what was sent stays there; run the same command again to send the rest", file=sys.stderr
        )
        return INTERRUPTED
    print(in_all(all_sent))
    if any(sent.refused or sent.problem for sent in all_sent):
        return FAILED_TO_PUSH
    return QUARANTINED if any(sent.in_quarantine for sent in all_sent) else 0


def _collect(options: argparse.Namespace, server: Any, all_sent: list[Any]) -> None:
    """Push under a progress bar, then print the result of each file, also after a failure."""
    files = _files(options.paths)
    try:
        with progress_bar("sending", None) as show:
            for sent in push(files, server, tournament=options.tournament, wait=not options.no_wait, report=show):
                all_sent.append(sent)  # noqa: PERF402  kept if the next is an error
    finally:
        for sent in all_sent:
            print(sent.text(shown))


def _files(words: list[str]) -> tuple[Path, ...]:
    found = discover(named(words))
    for path in found.unfinished:
        print(f"{path}: still being written, left alone", file=sys.stderr)
    for path in found.archives:
        print(f"{path}: not read; unpack it first", file=sys.stderr)
    return found.logs

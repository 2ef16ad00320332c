"""The commands about logs that are sent over HTTP: `himalaya token`, and the limits of `himalaya serve`."""

import argparse
import re
from typing import Any, Final

from himalaya_core.cli_operations import add_database, operate
from himalaya_core.cli_shared import Parser, command

__all__ = ["add_limits", "add_token", "limits"]

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
    from ingest.inbox import Limits

    given = {"body": options.max_body, "lines": options.max_lines, "rate": options.rate}
    return Limits(**{name: value for name, value in given.items() if value is not None})


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
    for token in operate(options, "list_tokens", {})["tokens"]:
        print(f"{token['created_at']} UTC  {token['name']}")
    return 0


def _revoke(options: argparse.Namespace) -> int:
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

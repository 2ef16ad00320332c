"""The commands `himalaya token` and `himalaya audit`: access tokens, and the audit log of their use."""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from himalaya_core.cli.command import Parser, add_command, command
from ingest.app_store import AppStore
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import say_on_stderr
from ingest.errors import WarehouseError
from ingest.maintenance.lake.tables import is_lake
from ingest.opening import open_store
from ingest.people.audit import latest, note_command
from ingest.people.tokens import (
    GRACE,
    USUAL_ROLES,
    USUAL_SCOPES,
    Role,
    Scope,
    Token,
    all_tokens,
    create_token,
    names_of,
    revoke_token,
    rotate_token,
    scopes_of,
)

__all__ = ["add_audit", "add_token", "roles", "scopes"]

Name = TypeVar("Name", Role, Scope)

UNITS: Final = {"h": 3600, "d": 24 * 3600}
MEANINGS: Final = (
    "viewer (reads), editor (also writes notes and recordings, runs reports and playouts), operator (also sees all "
    "jobs and metrics), sender (only sends logs)"
)
SHOWN: Final = 100


def add_token(parser: Parser) -> None:
    """Add the subcommands of `himalaya token` to its parser."""
    kinds = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_command(kinds, "create", "create a token, and print its secret once", _add_create)
    add_command(kinds, "list", "list the tokens: roles, end, last use", _add_list)
    add_command(kinds, "rotate", "print a new secret of a token; the former one stays valid for a while", _add_rotate)
    add_command(kinds, "revoke", "revoke a token immediately", _add_revoke)


def _add_create(parser: Parser) -> None:
    command(
        parser,
        _create,
        "himalaya token create laptop --db himalaya.duckdb",
        "himalaya token create league --role sender --expires 90d",
    )
    parser.add_argument("name", metavar="NAME", help="name the token with 1 to 64 of A-Z a-z 0-9 . _ -")
    usual = ",".join(USUAL_ROLES)
    parser.add_argument(
        "--role", type=roles, metavar="LIST", help=f"give these roles: {MEANINGS} (default: {usual})", dest="scopes"
    )
    parser.add_argument("--scopes", type=scopes, help=argparse.SUPPRESS)  # replaced by --role; to be removed in 0.5
    _add_expires(parser, "never")
    add_database(parser)


def _add_list(parser: Parser) -> None:
    command(parser, _list, "himalaya token list", "himalaya token list --json")
    parser.add_argument("--json", action="store_true", help="print them as JSON")
    add_database(parser)


def _add_rotate(parser: Parser) -> None:
    command(parser, _rotate, "himalaya token rotate laptop", "himalaya token rotate laptop --grace 0h")
    parser.add_argument("name", metavar="NAME", help="name the token")
    parser.add_argument(
        "--grace",
        type=_duration,
        default=GRACE,
        metavar="TIME",
        help=f"keep the former secret valid for so long: 0h, 24h, 7d (default: {GRACE // UNITS['h']}h)",
    )
    _add_expires(parser, "as the former secret")
    add_database(parser)


def _add_revoke(parser: Parser) -> None:
    command(parser, _revoke, "himalaya token revoke laptop")
    parser.add_argument("name", metavar="NAME", help="name the token")
    add_database(parser)


def _add_expires(parser: Parser, default: str) -> None:
    parser.add_argument(
        "--expires", type=_lifetime, metavar="TIME", help=f"let it expire after 12h, 90d, … (default: {default})"
    )


def _create(options: argparse.Namespace) -> int:
    with _opened(options) as store:
        secret = create_token(store, options.name, options.scopes or USUAL_SCOPES, options.expires)
        note_command(store, "create_token", vars(options))
    print(secret)
    return 0


def _rotate(options: argparse.Namespace) -> int:
    with _opened(options) as store:
        secret = rotate_token(store, options.name, options.grace, options.expires)
        note_command(store, "rotate_token", vars(options))
    print(secret)
    return 0


def _list(options: argparse.Namespace) -> int:
    with _opened(options) as store:
        tokens = [_as_listed(token) for token in all_tokens(store)]
    if options.json:
        print(json.dumps(tokens, indent=2))
        return 0
    rows = (
        (
            token["name"],
            ",".join(token["roles"]),
            token["created_at"],
            token["expires_at"] or "never",
            token["used_at"] or "never",
            token["state"],
        )
        for token in tokens
    )
    _print_table(("name", "roles", "created (UTC)", "ends (UTC)", "last used (UTC)", ""), rows)
    return 0


def _revoke(options: argparse.Namespace) -> int:
    with _opened(options) as store:
        revoke_token(store, options.name)
        note_command(store, "revoke_token", vars(options))
    print(f"the token {options.name} is revoked")
    return 0


def add_audit(parser: Parser) -> None:
    """Add the arguments of `himalaya audit` to its parser."""
    command(parser, _audit, "himalaya audit", "himalaya audit --last 1000 --json")
    parser.add_argument(
        "--last", type=_number, default=SHOWN, metavar="N", help=f"list the last N entries (default: {SHOWN})"
    )
    parser.add_argument("--json", action="store_true", help="print them as JSON")
    add_database(parser)


def _audit(options: argparse.Namespace) -> int:
    with _opened(options) as store:
        rows = [asdict(row) for row in latest(store, options.last)]
    entries = [{name: _as_shown(value) for name, value in row.items()} for row in rows]
    if options.json:
        print(json.dumps(entries, indent=2))
        return 0
    columns = ("last_at", "times", "who", "how", "address", "action", "what", "outcome")
    heads = ("last (UTC)", *columns[1:])
    _print_table(heads, (tuple(str(entry[column]) for column in columns) for entry in entries))
    return 0


def _print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    table = Table(box=SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 160, markup=False).print(table)


def _opened(options: argparse.Namespace) -> closing[AppStore]:
    """Open the app store. This works even while another process has the database open."""
    require_database(options)
    if is_lake(options.db):
        raise WarehouseError(f"{options.db}: a lake can only be read; name a database")
    return closing(open_store(options.db, say_on_stderr))


def _as_listed(token: Token) -> dict[str, Any]:
    """Return the fields of a token as listed for users, without the digest of its secret."""
    moments = {name: _as_shown(getattr(token, name)) for name in ("created_at", "expires_at", "used_at")}
    state = "replaced" if token.replaced_at and token.is_live else "" if token.is_live else "expired"
    return {
        "name": token.name,
        "roles": names_of(token.scopes),
        "scopes": [scope for scope in Scope if scope in token.scopes],
        **moments,
        "state": state,
    }


def _as_shown(value: Any) -> Any:
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else value


# --- Parsing option values


def roles(text: str) -> frozenset[Scope]:
    """Parse the value of `--role` into the scopes that its roles include."""
    return scopes_of(_some_of(Role, text))


def scopes(text: str) -> frozenset[Scope]:
    """Parse the value of `--scopes`."""
    return frozenset(_some_of(Scope, text))


def _some_of(kind: type[Name], text: str) -> list[Name]:
    names = [name.strip() for name in text.split(",")]
    if strange := [name for name in names if name not in set(kind)]:
        raise argparse.ArgumentTypeError(f"{strange[0]!r} is not one of {', '.join(kind)}")
    return [each for each in kind if each in names]


def _duration(text: str) -> int:
    found = re.fullmatch(r"([0-9]{1,5})([hd])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time like 24h or 90d")
    return int(found[1]) * UNITS[found[2]]


def _lifetime(text: str) -> int:
    seconds = _duration(text)
    if not seconds:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time like 24h or 90d")
    return seconds


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)

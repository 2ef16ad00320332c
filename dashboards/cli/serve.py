"""The command `himalaya serve`."""

import argparse
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import CommandError, Parser, command
from ingest.cli.commands import add_database
from ingest.cli.loading import watched
from ingest.cli.operations import make_readable, say_on_stderr
from ingest.cli.token import roles, scopes
from ingest.inbox.inbox import Limits
from ingest.maintenance.lake.tables import is_lake

__all__ = ["add_address", "add_serve", "say"]

UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
MOST_BODY: Final = 1 << 40
OWN_PATHS: Final = ("/api", "/assets", "/csv", "/docs")
"""Paths with routes below them; a path prefix must not begin with any of these."""


def add_serve(parser: Parser) -> None:
    """Add the command's arguments to its parser."""
    command(
        parser,
        _serve,
        "himalaya serve --db himalaya.duckdb --port 8050",
        "himalaya serve --watch logs",
        "himalaya serve --replica backup.duckdb",
        "himalaya serve --replica lake",
        "himalaya serve --trusted-proxy 127.0.0.1 --user-header X-Remote-User",
    )
    add_database(parser)
    parser.add_argument(
        "--replica",
        type=Path,
        metavar="PATH",
        help="serve a backup or a lake's folder for reading only, and follow its newer versions",
    )
    add_address(parser)
    _add_proxies(parser)
    _add_limits(parser)
    parser.add_argument(
        "--watch", action="append", default=[], metavar="DIR", help="follow the logs in a folder as they grow"
    )
    parser.add_argument(
        "--log",
        choices=["json", "text", "none"],
        default="none",
        help="write a line for each request to standard error (default: none, only warnings)",
    )


def add_address(parser: Parser) -> None:
    """Add the options for the address to listen on."""
    parser.add_argument("--host", default="127.0.0.1", help="listen on this address (default: 127.0.0.1)")
    parser.add_argument("--port", default=8050, type=_port, help="listen on this port (default: 8050)")
    parser.add_argument(
        "--public-read",
        action="store_true",
        help="let everybody read, also from other machines and through a proxy",
    )
    parser.add_argument(
        "--require-token",
        action="store_true",
        help="require a token from users of this machine too, if several people share it",
    )


def _add_proxies(parser: Parser) -> None:
    """Add the option that lists trusted proxies."""
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        type=_network,
        metavar="ADDRESS",
        help="trust the X-Forwarded-For, -Proto and -Host of this proxy or network (10.0.0.0/8)",
    )
    parser.add_argument(
        "--path-prefix",
        type=_path_prefix,
        default="",
        metavar="PATH",
        help="serve below this path of a proxy, such as /himalaya",
    )
    parser.add_argument(
        "--user-header",
        type=_header,
        metavar="NAME",
        help="read the signed-in user from this header of a trusted proxy",
    )
    parser.add_argument(
        "--user-role",
        type=roles,
        metavar="LIST",
        dest="user_scopes",
        help="give such users these roles (default: editor)",
    )
    parser.add_argument("--user-scopes", type=scopes, help=argparse.SUPPRESS)  # deprecated name, accepted until 0.5


def _add_limits(parser: Parser) -> None:
    """Add the options for a server's limits."""
    parser.add_argument(
        "--max-body",
        type=_size,
        metavar="SIZE",
        help="accept bodies of logs up to this size as sent (default: 256M), and 16 times that unpacked",
    )
    parser.add_argument(
        "--max-lines", type=_count, metavar="N", help="accept at most N lines in a body (default: 5000000)"
    )
    parser.add_argument(
        "--max-per-minute",
        type=_size,
        metavar="SIZE",
        help="accept at most so many bytes a minute from one sender (default: 1G)",
    )
    parser.add_argument(
        "--max-waiting",
        type=_size,
        metavar="SIZE",
        help="let at most so many bytes wait to be loaded, then refuse more for a while (default: 2G)",
    )


def _limits(options: argparse.Namespace) -> Limits:
    given = {
        "body": options.max_body,
        "lines": options.max_lines,
        "bytes_per_minute": options.max_per_minute,
        "waiting_bytes": options.max_waiting,
    }
    return Limits(**{name: value for name, value in given.items() if value is not None})


def _serve(options: argparse.Namespace) -> int:
    from dashboards.server import serve  # imports all pages, which would slow down `--help`
    from dashboards.web.policy import Policy
    from dashboards.web.request_log import LogKind, log_to

    replica = options.replica or (options.db if is_lake(options.db) else None)
    if replica and options.watch:
        raise CommandError("--watch writes to the database, and a replica is only read; leave out one of them")
    log_to(LogKind(options.log))
    if replica and is_lake(replica):
        make_readable(replica)
    is_new = not replica and not options.db.exists()

    def ready(address: str) -> None:
        if is_new:
            say_on_stderr(f"himalaya: created an empty database, {options.db.absolute()}; `himalaya ingest` loads logs")
        say(f"Himalaya is at {address} (Ctrl-C stops it)")

    who = {name: getattr(options, name) for name in ("public_read", "require_token", "user_header")}
    users: dict[str, Any] = {} if options.user_scopes is None else {"user_scopes": frozenset(options.user_scopes)}
    serve(
        replica or options.db,
        options.host,
        options.port,
        ready,
        _limits(options),
        watched(options.watch),
        say,
        trusted_proxies=tuple(options.trusted_proxy),
        prefix=options.path_prefix,
        policy=Policy(**who, **users),
        is_replica=replica is not None,
    )
    return 0


def say(text: str) -> None:
    """Print a line and flush it, so that it appears immediately even in a pipe."""
    print(text, flush=True)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _path_prefix(text: str) -> str:
    prefix = text.rstrip("/")
    if prefix and not re.fullmatch(r"(/[A-Za-z0-9][A-Za-z0-9._~-]*)+", prefix):
        raise argparse.ArgumentTypeError(f"{text!r} is not a path such as /himalaya")
    if f"{prefix}/".startswith(tuple(f"{path}/" for path in OWN_PATHS)):
        own = ", ".join(OWN_PATHS)
        raise argparse.ArgumentTypeError(f"{text!r} begins with a path of the server ({own}); choose another")
    return prefix


def _network(text: str) -> str:
    try:
        return str(ip_network(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address or a network like 10.0.0.0/8") from None


def _header(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]{1,64}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a header")
    return text


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,12}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def _size(text: str) -> int:
    found = re.fullmatch(r"([1-9][0-9]{0,15})([KMG]?)", text)
    size = int(found[1]) * UNITS[found[2]] if found else 0
    if not 1 <= size <= MOST_BODY:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size like 64K, 256M or 1G")
    return size

"""Words of a command line that mean numbers and names, both ways; imported by all commands, so it imports no games."""

import argparse
import re
import sys
from io import TextIOWrapper
from typing import Any, Final

from himalaya_core.names import TOURNAMENT_NAME

__all__ = ["add_renamed", "in_bytes", "log_name", "positive", "print_file", "seat_index", "whole"]

MOST: Final = 1_000_000


def add_renamed(parser: argparse.ArgumentParser, name: str, former: str, **settings: Any) -> None:
    """Add an option that is also accepted under its former name, which no help shows."""
    added = parser.add_argument(name, **settings)
    hidden = {"dest": added.dest, "default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
    parser.add_argument(former, **{**settings, **hidden})


def log_name(text: str) -> str:
    """Return a text that can begin the names of matches."""
    if not re.fullmatch(TOURNAMENT_NAME, text):
        raise argparse.ArgumentTypeError(f"expected 1 to 57 of A-Z a-z 0-9 . _ -, found {text!r}")
    return text


def positive(text: str) -> int:
    """Return a number from 1."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST}, found {text!r}")
    return int(text)


def whole(text: str) -> int:
    """Return a number from 0."""
    if not text.isdecimal() or int(text) > MOST:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {MOST}, found {text!r}")
    return int(text)


def seat_index(text: str) -> int:
    """Return the index of a seat, from 0; people count seats from 1."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected the number of a seat, from 1, found {text!r}")
    return int(text) - 1


def in_bytes(size: float) -> str:
    """Return a number of bytes as people read it."""
    units = ["bytes", "KB", "MB", "GB", "TB"]
    while size >= 1_000 and len(units) > 1:
        size /= 1_000
        units.pop(0)
    return f"{size:,.0f} {units[0]}" if units[0] == "bytes" else f"{size:,.1f} {units[0]}"


def print_file(text: str) -> None:
    """Print a text for a program to read: it is UTF-8 unless a terminal shows it."""
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")

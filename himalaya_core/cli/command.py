"""Registers `himalaya` commands without importing them; also their argument parser and option types."""

import argparse
import re
import sys
from collections.abc import Callable
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final, NamedTuple, NoReturn

from himalaya_core.errors import HimalayaError
from himalaya_core.names import TOURNAMENT_NAME

__all__ = [
    "FAILED",
    "Command",
    "CommandError",
    "Parser",
    "add_command",
    "add_registered",
    "add_renamed",
    "command",
    "in_bytes",
    "log_name",
    "not_installed",
    "positive",
    "print_file",
    "seat_index",
    "seconds",
    "whole",
]


FAILED: Final = 2


class CommandError(HimalayaError):
    """An error that the user can fix; the message says how. `code` is the exit code of the command."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code


class Command(NamedTuple):
    """A command, as a package registers it under `himalaya.commands`.

    `place` is `module:function`. The module is imported when the command is used; the function defines its arguments.
    If a module is missing then, the error names the optional dependency `extra`. Help lists commands by `group` and
    `order`.
    """

    name: str
    summary: str
    place: str
    order: int = 1_000
    extra: str | None = None
    group: str = "Other"


class Parser(argparse.ArgumentParser):
    """An argument parser with one-line errors. A subcommand's arguments are defined only when it is used."""

    def __init__(self, *, summary: str = "", fill: Callable[["Parser"], None] | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.summary = summary
        self._fill = fill

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        """Define this command's arguments first, then parse."""
        self.fill()
        found, left = super().parse_known_args(*args, **named)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")  # argparse lets the outermost parser report it
        return found, left

    def fill(self) -> None:
        """Define the arguments, unless this was done before."""
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)

    def print_help(self, file: Any = None) -> None:
        """Print the help. Unlike argparse's method, this one raises an error if writing fails."""
        print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Exit with the message."""
        self.exit(FAILED, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def add_command(commands: Any, name: str, summary: str, fill: Callable[[Parser], None]) -> None:
    """Add a subcommand. `fill` defines its arguments when the subcommand is used."""
    commands.add_parser(name, help=summary, summary=summary, fill=fill)


def add_registered(commands: Any, registered: Command) -> None:
    """Add a subcommand that a package registered."""

    def fill(parser: Parser) -> None:
        parser.set_defaults(command=registered)
        module, _, function = registered.place.partition(":")
        try:
            getattr(import_module(module), function)(parser)
        except ModuleNotFoundError as error:
            raise not_installed(registered, error) from error

    add_command(commands, registered.name, registered.summary, fill)


def not_installed(registered: Command, error: ModuleNotFoundError) -> Exception:
    """Return an error that names the extra to install, or the original error if no extra provides the module."""
    own = registered.place.partition(".")[0]
    if registered.extra is None or (error.name or "").partition(".")[0] == own:
        return error
    name, extra = registered.name, registered.extra
    what = f"{name!r} needs the extra {extra!r}, which is not installed"
    return CommandError(f"{what}: run pip install '.[{extra}]' in the folder of Himalaya's sources")


def command(parser: Parser, run: Callable[[argparse.Namespace], int], *examples: str) -> None:
    """Set the function that runs the command. Its help starts with the summary and ends with the examples."""
    parser.description = f"{parser.summary[0].upper()}{parser.summary[1:]}."
    parser.epilog = "\n".join(["example:" if len(examples) == 1 else "examples:", *(f"  {line}" for line in examples)])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(run=run)


MOST: Final = 1_000_000


def add_renamed(parser: argparse.ArgumentParser, name: str, former: str, **settings: Any) -> None:
    """Add an option that also accepts its former name, hidden in the help."""
    added = parser.add_argument(name, **settings)
    hidden = {"dest": added.dest, "default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
    parser.add_argument(former, **{**settings, **hidden})


def log_name(text: str) -> str:
    """Parse a text that is allowed at the start of match names."""
    if not re.fullmatch(TOURNAMENT_NAME, text):
        raise argparse.ArgumentTypeError(f"expected 1 to 57 of A-Z a-z 0-9 . _ -, found {text!r}")
    return text


def seconds(text: str) -> float:
    """Parse a positive number of seconds."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < MOST:
        raise argparse.ArgumentTypeError(f"expected seconds, such as 0.5, found {text!r}")
    return found


def positive(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST}, found {text!r}")
    return int(text)


def whole(text: str) -> int:
    """Parse a whole number of at least 0."""
    if not text.isdecimal() or int(text) > MOST:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {MOST}, found {text!r}")
    return int(text)


def seat_index(text: str) -> int:
    """Parse a seat number, counted from 1, as an index from 0."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected the number of a seat, from 1, found {text!r}")
    return int(text) - 1


def in_bytes(size: float) -> str:
    """Format a number of bytes with a unit."""
    units = ["bytes", "KB", "MB", "GB", "TB"]
    while size >= 1_000 and len(units) > 1:
        size /= 1_000
        units.pop(0)
    return f"{size:,.0f} {units[0]}" if units[0] == "bytes" else f"{size:,.1f} {units[0]}"


def print_file(text: str) -> None:
    """Print text for other programs: in UTF-8 unless standard output is a terminal."""
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")

"""A command of `himalaya`: how packages list it before it is imported, and the parser that it then fills."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NamedTuple, NoReturn

from himalaya_core.errors import HimalayaError

__all__ = ["FAILED", "Command", "CommandError", "Parser", "add_command", "add_registered", "command", "not_installed"]

FAILED: Final = 2


class CommandError(HimalayaError):
    """An error that the user can fix; the message says how, and the command ends with the code."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code


class Command(NamedTuple):
    """A command that a package registers, with others, under `himalaya.commands`.

    `place` is `module:function`: it is imported when the command is used, and the function fills its parser. `extra`
    names the extra of this package to install if a module is missing then. The help lists a command under its `group`,
    by `order`.
    """

    name: str
    summary: str
    place: str
    order: int = 1_000
    extra: str | None = None
    group: str = "Other"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and which is filled when it is used: listing a command imports nothing."""

    def __init__(self, *, summary: str = "", fill: Callable[["Parser"], None] | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self.summary = summary
        self._fill = fill

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        """Parse the rest of the line; for a command, that begins with its own arguments."""
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return super().parse_known_args(*args, **named)

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse's own, this fails if it cannot be written."""
        print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Leave with the message."""
        self.exit(FAILED, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def add_command(commands: Any, name: str, summary: str, fill: Callable[[Parser], None]) -> None:
    """List a command among others, to be filled when it is used."""
    commands.add_parser(name, help=summary, summary=summary, fill=fill)


def add_registered(commands: Any, registered: Command) -> None:
    """List a command that a package registered."""

    def fill(parser: Parser) -> None:
        parser.set_defaults(command=registered)
        module, _, function = registered.place.partition(":")
        try:
            getattr(import_module(module), function)(parser)
        except ModuleNotFoundError as error:
            raise not_installed(registered, error) from error

    add_command(commands, registered.name, registered.summary, fill)


def not_installed(registered: Command, error: ModuleNotFoundError) -> Exception:
    """Return the error for a command that lacks a module: the extra to install, if that is all."""
    own = registered.place.partition(".")[0]
    if registered.extra is None or (error.name or "").partition(".")[0] == own:
        return error
    name, extra = registered.name, registered.extra
    what = f"{name!r} needs the extra {extra!r}, which is not installed"
    return CommandError(f"{what}: run pip install '.[{extra}]' in the folder of Himalaya's sources")


def command(parser: Parser, run: Callable[[argparse.Namespace], int], *examples: str) -> None:
    """Set the function of a command; its help begins with its summary and ends with the examples."""
    parser.description = f"{parser.summary[0].upper()}{parser.summary[1:]}."
    parser.epilog = "\n".join(["example:" if len(examples) == 1 else "examples:", *(f"  {line}" for line in examples)])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(run=run)

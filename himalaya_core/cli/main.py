"""The command `himalaya`: finds the commands that packages register, and runs one.

A command that cannot do its task prints one line on standard error and exits with 2. `verify` exits with 1 if a log is
damaged or diverges from the rules. `ingest` exits with 1 if it fails, and with 3 after a quarantine.

A failure to write standard output also prints one line and exits with 2, unless the reader closed the pipe: then
nothing is printed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain
from typing import Final, NoReturn

from himalaya_core import __version__
from himalaya_core.cli.command import FAILED, Command, CommandError, Parser, add_registered, not_installed
from himalaya_core.errors import HimalayaError
from himalaya_core.games import Registry
from himalaya_core.names import did_you_mean

__all__ = ["main", "parser", "run_and_exit"]

INTERRUPTED: Final = 130
GROUPS: Final = ("Play", "Logs", "Data", "Serve")
COMMANDS: Final[Registry[Sequence[Command]]] = Registry("himalaya.commands")
"""All registered commands, by package."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _prepare_streams()
    try:
        return _run(arguments)
    except HimalayaError as error:
        return _failed(str(error), getattr(error, "code", FAILED))
    except BrokenPipeError:
        _drop_output()
        return FAILED
    except OSError as error:
        _drop_output()
        return _failed(f"{error.filename or 'cannot write'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return _failed("stopped; what was finished is kept, run the same command again to resume", INTERRUPTED)


def _run(arguments: Sequence[str] | None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    made = parser()
    name = next((text for text in given if not text.startswith("-")), None)
    names = [command.name for command in chain.from_iterable(COMMANDS.values())]
    if name is not None and name not in names:
        raise CommandError(f"there is no command {name!r}{did_you_mean(name, names)} (see 'himalaya --help')")
    options = made.parse_args(given)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        code = run(options)
    except ModuleNotFoundError as error:
        raise not_installed(options.command, error) from error
    sys.stdout.flush()
    return code


def _prepare_streams() -> None:
    """Make standard output escape characters it cannot encode, and replace closed streams.

    Otherwise the next opened file would get the closed stream's descriptor. A replaced input is empty, a replaced
    output raises an error, and a replaced standard error drops its lines.
    """
    for name, mode, access in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode, encoding="utf-8"))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _failed(message: str, code: int = FAILED) -> int:
    with suppress(OSError):
        print(f"himalaya: {message}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Discard output that could not be written; otherwise Python would try to write it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> Parser:
    """Return the parser of `himalaya`. The modules of a command are imported only when it is used."""
    made = Parser(
        prog="himalaya",
        usage="himalaya [-h] [--version] COMMAND ...",
        description="Play board games, keep their event logs, and see why they were won.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"himalaya {__version__}", help="print the version")
    commands = made.add_subparsers(required=True, prog="himalaya", metavar="COMMAND", help=argparse.SUPPRESS)
    missing = list(COMMANDS.failures.values())
    listed = list[Command]()
    for registered in sorted(chain.from_iterable(COMMANDS.values()), key=lambda command: command.order):
        if registered.name in commands.choices:
            missing.append(f"there is a second command {registered.name!r}, {registered.place}")
        else:
            add_registered(commands, registered)
            listed.append(registered)
    made.epilog = _in_groups(listed)
    if missing:
        made.epilog += f"\n\nnot there: {'; '.join(missing)}"
    return made


def _in_groups(commands: Sequence[Command]) -> str:
    """Return the list of commands by group, with unknown groups last."""
    groups = {group: list[str]() for group in GROUPS}
    width = max((len(command.name) for command in commands), default=0)
    for each in commands:
        groups.setdefault(each.group, []).append(f"  {each.name:{width}}  {each.summary}")
    parts = ["\n".join([f"{group}:", *lines]) for group, lines in groups.items() if lines]
    return "\n\n".join([*parts, "'himalaya COMMAND --help' explains a command."])


def run_and_exit() -> NoReturn:
    """Run the command, then exit without freeing memory, which saves a quarter of a second."""
    code = main()
    with suppress(OSError):  # the reader of our output has closed the pipe
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run_and_exit()

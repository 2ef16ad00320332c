"""Generates the command reference from the `--help` texts."""

import argparse
import os
from collections.abc import Iterator
from itertools import chain
from unittest.mock import patch

from himalaya_core.cli.command import Parser
from himalaya_core.cli.main import COMMANDS, GROUPS, parser

__all__ = ["names", "page"]

BEGINS = """\
# Commands

Everything that `himalaya COMMAND --help` prints, for each command. An option in square brackets may be left out.

"""
WIDTH = "100"


def names() -> list[str]:
    """Return the names of all commands, in the order of `himalaya --help`."""
    found = sorted(chain.from_iterable(COMMANDS.values()), key=lambda command: command.order)
    return [command.name for group in GROUPS for command in found if command.group == group]


def page() -> str:
    """Return the command reference as Markdown."""
    found = {command.name: command for command in chain.from_iterable(COMMANDS.values())}
    parts, group = [BEGINS], ""
    with patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}):
        for name in names():
            if found[name].group != group:
                group = found[name].group
                parts.append(f"## {group}\n\n")
            parts.append(f"### himalaya {name}\n\n{found[name].summary[0].upper()}{found[name].summary[1:]}.\n\n")
            parts += (f"```text\n{text.rstrip()}\n```\n\n" for text in _helps(name))
    return "".join(parts)


def _helps(name: str) -> Iterator[str]:
    """Yield the help text of a command, then those of its subcommands."""
    found = _filled(parser(), name)
    yield found.format_help()
    for action in found._actions:  # noqa: SLF001  argparse has no public list
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for each in action.choices:
                yield _filled(found, each).format_help()


def _filled(above: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return a subcommand's parser with its arguments, which are otherwise defined only on first use."""
    for action in above._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            made = action.choices[name]
            assert isinstance(made, Parser)
            made.fill()
            return made
    raise KeyError(name)

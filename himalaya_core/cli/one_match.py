"""Shared by commands about one match of a log: selecting the match, and reading it."""

import argparse
from pathlib import Path

from himalaya_core.cli.command import CommandError, Parser
from himalaya_core.cli.shared import given_board
from himalaya_core.files import read_lines
from himalaya_core.log.matches import Found, matches, name_on
from himalaya_core.names import did_you_mean
from himalaya_core.replay import Replay, ReplayError

__all__ = ["add_match", "one_match"]


def add_match(parser: Parser) -> None:
    """Add the options that select a match of a log, and its board."""
    parser.add_argument("--match", metavar="NAME", help="which match, if the log holds several")
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the log names but does not carry")


def one_match(options: argparse.Namespace) -> Replay:
    """Return the selected match of `options.log`, folded; `CommandError` says why it cannot be."""
    path, name = options.log, options.match
    board = given_board(options.board)
    found: list[Found] = []
    stray: list[Found] = []
    others: list[str] = []
    for numbers, lines in matches(read_lines(path)):
        here = name_on(lines[0])
        if here is None:
            stray.append((numbers, lines))
        elif name in (None, here):
            found.append((numbers, lines))
        else:
            others.append(here)
        if found and name is not None:
            break
        if len(found) > 1:
            raise CommandError(f"{path} holds several matches; say which with --match")
    if not found and name is None:
        found = stray[:1]
    if not found:
        near = did_you_mean(name, others) if name else ""
        raise CommandError(f"{path} has no match {name!r}{near}" if name else "there is no match in this file")
    numbers, lines = found[0]
    try:
        return Replay.read(lines, board)
    except ReplayError as error:
        raise CommandError(f"{path}:{numbers[error.line - 1]}: {error.reason}") from None

"""The command `himalaya players`: list the players of each game."""

import argparse
import inspect
import shutil
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Any, Final

from himalaya_core.cli.arguments import game_named
from himalaya_core.cli.command import Parser, command
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.players import NamedPlayer, players_of
from himalaya_core.players.named import in_full

__all__ = ["add_players"]

WIDTH: Final = 120
"""Width of lines written to a file or a pipe."""


def add_players(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(parser, _players, "himalaya players", "himalaya players caravan")
    parser.add_argument(
        "game", metavar="GAME", type=game_named, nargs="?", help=f"the game: {', '.join(GAMES)} (default: all)"
    )


def _players(options: argparse.Namespace) -> int:
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    games = GAMES.values() if options.game is None else [options.game]
    for game in games:
        print(*_listed(game, width), "", sep="\n")
    print("--players takes a name, with settings that differ from these defaults: NAME:KEY=VALUE:KEY=VALUE")
    return 0


def _listed(game: Game[Any, Any, Any], width: int) -> Iterator[str]:
    players = {name: make("", {}) for name, make in players_of(game).items()}
    column = max(map(len, players)) + 4
    yield game.name
    for name, player in players.items():
        lines = wrap(_sentence(player), width - column)
        if player.params:
            settings = in_full("settings", player.params).split(":")
            lines += wrap(f"{settings[0]}: {', '.join(settings[1:])}", width - column)
        first, *rest = lines or [""]
        yield f"  {name}".ljust(column) + first
        yield from (" " * column + line for line in rest)


def _sentence(player: NamedPlayer) -> str:
    return (inspect.getdoc(type(player)) or "").partition("\n")[0]

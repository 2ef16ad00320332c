"""Shared command-line arguments: game, players, board and options, and the selection of a match in a log."""

import argparse
from pathlib import Path
from typing import Any

from himalaya_core.cli.command import CommandError, Parser, positive, seat_index, seconds, whole
from himalaya_core.errors import BoardError
from himalaya_core.files import load_board, read_lines
from himalaya_core.game import SEAT, Game, Option
from himalaya_core.games import GAMES
from himalaya_core.log.matches import Found, matches, name_on
from himalaya_core.names import did_you_mean
from himalaya_core.players import PLAYERS
from himalaya_core.players.program import Limits
from himalaya_core.replay import Replay, ReplayError

__all__ = [
    "add_board",
    "add_game",
    "add_limits",
    "add_match",
    "add_variants",
    "game_named",
    "given_board",
    "limits",
    "one_match",
    "player_names",
    "variants",
]


def add_game(parser: Parser, *, required: bool = True) -> None:
    """Add the arguments for the game, its players and its board."""
    parser.add_argument(
        "game", metavar="GAME", type=game_named, nargs=None if required else "?", help=f"the game: {', '.join(GAMES)}"
    )
    players = "; ".join(f"{game}: {', '.join(names)}" for game, names in PLAYERS.items())
    parser.add_argument(
        "--players",
        required=required,
        metavar="A,B,C,D",
        type=player_names,
        help=f"who plays, in seat order ({players}; with settings: rollout:playouts=80:horizon=2; your own: "
        "FILE.py:CLASS or package.module:CLASS, =NAME after it calls it NAME; a program: 'prog:COMMAND =NAME')",
    )
    add_board(parser)


def add_board(parser: Parser) -> None:
    """Add the argument for the board."""
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="another board: a file, or the id of one that ships with the game"
    )


def given_board(path: Path | None) -> Any | None:
    """Return the board in a file, tried as a board of each game. Raises `BoardError` if no game accepts it."""
    refused: dict[str, list[str]] = {}
    for game in GAMES.values() if path else ():
        try:
            return load_board(game, path)
        except BoardError as error:
            refused.setdefault(str(error), []).append(game.name)
    if refused:
        why = [f"{error} ({', '.join(games)})" for error, games in refused.items()]
        raise BoardError("; ".join(why) if len(why) > 1 else next(iter(refused)))
    return None


def add_variants(parser: Parser) -> None:
    """Add the options of all games, except the number of players. Each help text names the games with that option."""
    there: dict[str, tuple[Option, list[str]]] = {}
    for game in GAMES.values():
        for option in game.options:
            there.setdefault(option.name, (option, []))[1].append(f"{game.name}: {option.text}")
    for option, texts in there.values():
        text, flag = "; ".join(texts), _flag(option.name)
        if option.number == SEAT:
            text += "; seats count from 1"
        if option.number is None:
            parser.add_argument(flag, action="store_true", default=None, help=text)
        else:
            kind = seat_index if option.number == SEAT else whole
            parser.add_argument(flag, type=kind, metavar=option.number, help=text)


def add_limits(parser: Parser) -> None:
    """Add the limits of players that are programs."""
    group = parser.add_argument_group(
        "limits of programs (prog:COMMAND)", "A program that breaks a limit has failed, and is killed."
    )
    group.add_argument("--time-per-move", type=seconds, metavar="S", help="seconds for a decision")
    group.add_argument("--time-per-match", type=seconds, metavar="S", help="seconds for all decisions of a match")
    group.add_argument("--memory", type=positive, metavar="MB", help="address space of the process")


def limits(options: argparse.Namespace) -> Limits:
    """Return the limits that were given."""
    return Limits(options.time_per_move, options.time_per_match, options.memory)


def variants(options: argparse.Namespace, game: Game[Any, Any, Any] | None = None) -> dict[str, Any]:
    """Return the game options that were given. Defaults are left out, as in logs.

    Raises `CommandError` for an option that the given game does not have.
    """
    names = dict.fromkeys(option.name for each in GAMES.values() for option in each.options)
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    there = [option.name for option in game.options] if game else list(names)
    for name in given:
        if game and name not in there:
            own = f"it has {', '.join(map(_flag, there))}" if there else "it has none"
            raise CommandError(f"{game.name} has no option {_flag(name)}; {own}")
    return given


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def game_named(name: str) -> Game[Any, Any, Any]:
    """Return the game with this name. Raises an error if there is none."""
    if name not in GAMES:
        there = f"there are {', '.join(GAMES)}{did_you_mean(name, GAMES)}"
        raise argparse.ArgumentTypeError(f"the game {name!r} is unknown; {there}")
    return GAMES[name]


def player_names(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list."""
    return tuple(name.strip() for name in text.split(","))


def add_match(parser: Parser) -> None:
    """Add the arguments that select a match in a log, and its board."""
    parser.add_argument("--match", metavar="NAME", help="which match, if the log holds several")
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the log names but does not carry")


def one_match(options: argparse.Namespace) -> Replay:
    """Return the selected match of `options.log`. Raises `CommandError` if it cannot be read."""
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

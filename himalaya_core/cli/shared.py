"""What the commands share: common arguments, the progress bar."""

import argparse
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.command import Parser
from himalaya_core.errors import BoardError
from himalaya_core.files import load_board
from himalaya_core.game import Game, Option
from himalaya_core.games import GAMES
from himalaya_core.names import TOURNAMENT_NAME, did_you_mean
from himalaya_core.players import PLAYERS

__all__ = [
    "add_board",
    "add_game",
    "add_variants",
    "game_named",
    "given_board",
    "log_name",
    "player_names",
    "positive",
    "progress_bar",
    "variants",
    "whole",
]

MOST: Final = 1_000_000


def add_game(parser: Parser, *, required: bool = True) -> None:
    """Add the game, who plays it, and on which board."""
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
        "FILE.py:CLASS or package.module:CLASS, =NAME after it calls it NAME)",
    )
    add_board(parser)


def add_board(parser: Parser) -> None:
    """Add the board."""
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="another board: a file, or the id of one that ships with the game"
    )


def given_board(path: Path | None) -> Any | None:
    """Return the board in a file, whichever game it is of; `BoardError` if it is none."""
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
    """Add the options that the games have beside the number of players, each with the games that have it."""
    there: dict[str, tuple[Option, list[str]]] = {}
    for game in GAMES.values():
        for option in game.options:
            there.setdefault(option.name, (option, []))[1].append(f"{game.name}: {option.text}")
    for option, texts in there.values():
        text, flag = "; ".join(texts), f"--{option.name.replace('_', '-')}"
        if option.number is None:
            parser.add_argument(flag, action="store_true", default=None, help=text)
        else:
            parser.add_argument(flag, type=whole, metavar=option.number, help=text)


def variants(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the game that were given; a log names only those."""
    names = dict.fromkeys(option.name for game in GAMES.values() for option in game.options)
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def game_named(name: str) -> Game[Any, Any, Any]:
    """Return the game with a name."""
    if name not in GAMES:
        there = f"there are {', '.join(GAMES)}{did_you_mean(name, GAMES)}"
        raise argparse.ArgumentTypeError(f"the game {name!r} is unknown; {there}")
    return GAMES[name]


def player_names(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list."""
    return tuple(name.strip() for name in text.split(","))


def log_name(text: str) -> str:
    """Return a text that is fit to begin the names of matches."""
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


@contextmanager
def progress_bar(what: str, total: int | None, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Show a bar with rate and time left on standard error, from the first count on; yields what moves it to a count.

    The first count is what was done before, so it says nothing about the rate. Matches have a total from the start;
    without one the work is bytes, and what moves the bar takes their total too. A `note` stands behind it. `quiet`
    shows a bar only on a terminal, none in a file or a pipe.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    count = (MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    amount = (DownloadColumn(), TransferSpeedColumn())
    ends = (TimeRemainingColumn(), TextColumn("{task.fields[note]}"))
    columns = (TextColumn("{task.description}"), BarColumn(), *(count if total else amount), *ends)
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, disable=quiet and not console.is_terminal)
    task = bar.add_task(what, total=total, rate="", note="")

    def show(done: int, of: int | None = total, note: str = "") -> None:
        if not bar.live.is_started:
            bar.start()
            bar.reset(task, completed=done)
        speed = bar.tasks[0].speed
        bar.update(task, completed=done, total=of, rate=f"{speed:,.1f}/s" if speed else "", note=note)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()

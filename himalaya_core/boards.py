"""The board of a match: shipped with its game, loaded from a file, or included in the log."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from himalaya_core.defaults import NO_BOARD
from himalaya_core.errors import BoardError
from himalaya_core.game import Game
from himalaya_core.games import GAMES

__all__ = ["board_for", "boards_of", "carried", "shipped_board", "shipped_boards"]


@cache
def boards_of(game: Game[Any, Any, Any]) -> Mapping[str, Any]:
    """Return the boards that ship with a game, by id. A game without boards has one empty board."""
    if game.boards is None:
        return {NO_BOARD.id: game.parse_board(NO_BOARD.document)}
    folder = resources.files(game.boards) / "boards"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    boards = [game.parse_board(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return {board.id: board for board in boards}


def shipped_boards(game: str) -> Mapping[str, Any]:
    """Return the boards that ship with the named game, by id."""
    return boards_of(GAMES[game])


def shipped_board(game: str) -> Any:
    """Return the default board of the named game."""
    return shipped_boards(game)[GAMES[game].default_board]


def carried(game: Game[Any, Any, Any], board: Any) -> Mapping[str, Any] | None:
    """Return the board document to include in a log; `None` for a shipped board, which logs only name."""
    document: Mapping[str, Any] = board.document
    return None if board in boards_of(game).values() else document


def board_for(
    game: Game[Any, Any, Any], name: str, sha256: str, extra: Mapping[str, Any], given: Any | None = None
) -> Any:
    """Return the board that a log's first line names: included in that line, passed as `given`, or shipped.

    Raises `BoardError` if none of these has the named id and digest.
    """
    document = extra.get("board")
    candidates = [given] if given is not None else []
    if isinstance(document, Mapping):
        candidates.append(game.parse_board(document))
    candidates.extend(boards_of(game).values())
    for board in candidates:
        if board.sha256 == sha256:
            return board
    raise BoardError(f"the match was played on a board {name} that the log does not carry: name its file with --board")

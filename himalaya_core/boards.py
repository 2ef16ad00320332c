"""Which board a match is played on: one that ships with its game, one from a file, or the one its log carries."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from himalaya_core.game import BoardError, Game
from himalaya_core.games import GAMES

__all__ = ["board_for", "carried", "shipped_board"]


@cache
def shipped_board(name: str) -> Any:
    """Return the default board of a game, by the game's name."""
    game = GAMES[name]
    file = resources.files(f"himalaya_core.{name}") / "boards" / f"{game.default_board}.json"
    return game.parse_board(json.loads(file.read_text(encoding="utf-8")))


def carried(game: Game[Any, Any, Any], board: Any) -> Mapping[str, Any] | None:
    """Return the document that a log must carry so that it alone rebuilds the match; none for a shipped board."""
    document: Mapping[str, Any] = board.document
    return None if board == shipped_board(game.name) else document


def board_for(
    game: Game[Any, Any, Any], name: str, sha256: str, extra: Mapping[str, Any], given: Any | None = None
) -> Any:
    """Return the board that a log's first line names: carried by the line, given by the caller, or shipped.

    Raises `BoardError` if none of them is that board.
    """
    document = extra.get("board")
    candidates = [given] if given is not None else []
    if isinstance(document, Mapping):
        candidates.append(game.parse_board(document))
    candidates.append(shipped_board(game.name))
    for board in candidates:
        if board.sha256 == sha256:
            return board
    raise BoardError(f"the match was played on board {name} ({sha256[:12]}…), which is neither carried nor given")

"""Model documents for tests, for any game with features; their weights were never fitted."""

from typing import Any

from himalaya_core.boards import boards_of
from himalaya_core.game import Game
from himalaya_core.winprob.model import Model


def document_of(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """Return a model document that is marked as checked for all options and players of the game."""
    assert game.features is not None
    return {
        "format": 1,
        "game": game.name,
        "rules_version": game.rules_version,
        "temperature": 1.5,
        "features": {
            name: [0.1 * (place % 3), -0.2 + 0.1 * (place % 5)] for place, name in enumerate(game.features.names)
        },
        "checked": {
            "players": dict.fromkeys("23456", 50),
            "boards": {board.sha256: 50 for board in boards_of(game).values()},
            "options": {option.name: {"on": 50, "off": 50} for option in game.options},
        },
        "checked_on": {"tournament": "cup"},
        "quality": {"calibration_error": 0.01},
        "reliability": [],
    }


def model_of(game: Game[Any, Any, Any]) -> Model:
    return Model.of(document_of(game), game)

"""What the parts that all games have are called in each: rounds, margins. A game that is not here has plain words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["GAME_WORDS", "PLAIN", "GameWords", "words_of"]


@dataclass(frozen=True, slots=True)
class GameWords:
    """How a game calls what the envelope of its events calls rounds, and how many there are at most.

    `round` is one of them and `rounds` several; `first` says what the round 0 is; `steps` are the numbers written on a
    slider over them; `margin` says what the margin of a match is in the list of matches, and `unit` is one of what it
    counts. `endings` are the ways in which a match of it ends, and what they are called; none if what became of each
    seat tells that.
    """

    round: str
    rounds: str
    first: str
    last: int
    steps: tuple[int, ...]
    margin: str
    unit: str
    endings: Mapping[str, str] = field(default_factory=dict)


PLAIN: Final = GameWords(
    "round", "rounds", "0 is the set-up", 20, (0, 5, 10, 15, 20), "By how much the winner won", "point"
)
GAME_WORDS: Final[Mapping[str, GameWords]] = {
    "caravan": GameWords(
        "round",
        "rounds",
        "0 is the set-up",
        12,
        (0, 3, 6, 9, 12),
        "Yaks of the winner less the most of the others still in; three can win with fewer",
        "yak",
    ),
    "summit": GameWords(
        "throw",
        "throws",
        "0 is before the first",
        20,
        (0, 5, 10, 15, 20),
        "Fields from the climber of the winner to the next-highest; 0 if the win is shared",
        "field",
        {"summit": "summit", "bad_weather": "bad weather"},
    ),
    "climbers": GameWords(
        "turn",
        "turns",
        "0 is the opening",
        40,
        (0, 10, 20, 30, 40),
        "Levels from the winner to the next-highest climber; 0 if as high",
        "level",
        {"highest": "highest alone", "earlier": "came there first", "table": "shared on the table"},
    ),
}
"""The first is the game that a database without any match is about."""


def words_of(game: str) -> GameWords:
    """Return the words of a game."""
    return GAME_WORDS.get(game, PLAIN)

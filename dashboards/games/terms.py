"""The words of a game for what all games have: rounds, margins, endings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["PLAIN", "Terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a game for rounds, margins and endings, and how many rounds there are at most.

    `round` is one of them and `rounds` several; `first` says what the round 0 is; `steps` are the numbers written on a
    slider over them; `margin` says what the margin of a match is in the list of matches. `endings` are the ways in
    which a match of it ends, and what they are called; none if what became of each seat tells that.

    `close` says in a sentence what had to go otherwise for another to win, by its word in `dim_matches.nearest`, with
    ` tied` behind it where nothing was between them; in it stand `{winner}`, `{gap}` and `{unit}`.

    `words` are what else a reader of its pages may ask about, with what they mean.
    """

    round: str
    rounds: str
    first: str
    last: int
    steps: tuple[int, ...]
    margin: str
    endings: Mapping[str, str] = field(default_factory=dict)
    close: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)

    def counted(self, rounds: int) -> str:
        """Return how many rounds there were, in words: `12 rounds`, `1 throw`."""
        return f"{rounds} {self.round if rounds == 1 else self.rounds}"

    def how_close(self, nearest: str, gap: int, unit: str, winner: str) -> str:
        """Say by how little a match was won."""
        usual = self.close.get(nearest, "{winner} won by {gap} {unit}")
        said = usual if gap else self.close.get(f"{nearest} tied", usual)
        return said.format(winner=winner, gap=gap, unit=unit)


PLAIN: Final = Terms("round", "rounds", "0 is the set-up", 20, (0, 5, 10, 15, 20), "By how much the winner won")
"""The words of a game that defines none."""

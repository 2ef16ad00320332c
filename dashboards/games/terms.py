"""Words of a game for concepts that all games share: rounds, margins, endings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["PLAIN", "Terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a game for rounds, margins and endings, and its maximum number of rounds.

    `round` is singular and `rounds` plural; `first` explains round 0; `steps` are the numbers written on a slider over
    them; `margin` explains the margin in the list of matches. `endings` are the ways in which a match of it ends, with
    their names; empty if the results of seats show the ending.

    `close` describes in a sentence the change that would have made another seat win. Its keys are the words in
    `dim_matches.nearest`, with ` tied` behind it for a gap of zero; its placeholders are `{winner}`, `{gap}` and
    `{unit}`.

    `words` are other terms on its pages, with their meanings.
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
        """Return the number of rounds in words: `12 rounds`, `1 throw`."""
        return f"{rounds} {self.round if rounds == 1 else self.rounds}"

    def how_close(self, nearest: str, gap: int, unit: str, winner: str) -> str:
        """Describe how close a match was."""
        usual = self.close.get(nearest, "{winner} won by {gap} {unit}")
        said = usual if gap else self.close.get(f"{nearest} tied", usual)
        return said.format(winner=winner, gap=gap, unit=unit)


PLAIN: Final = Terms("round", "rounds", "0 is the set-up", 20, (0, 5, 10, 15, 20), "By how much the winner won")
"""The words of a game that defines none."""

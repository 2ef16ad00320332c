"""Default components of a `Game`: no board, the number of players as the only option, no hidden information."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.document import as_json, digest, field_of
from himalaya_core.errors import BoardError, OptionsError

__all__ = [
    "NO_BOARD",
    "Players",
    "SimpleBoard",
    "described",
    "facts",
    "no_chance",
    "nothing",
    "open_to_all",
    "players_from",
    "set_up",
    "simple_board",
]


@dataclass(frozen=True, slots=True)
class SimpleBoard:
    """A board with no data besides its JSON document."""

    id: str
    sha256: str
    document: Mapping[str, Any] = field(repr=False, compare=False)


def simple_board(document: Mapping[str, Any]) -> SimpleBoard:
    """Return the board for a JSON document that has an id."""
    name = field_of(document, "board", "id", str)
    if not name:
        raise BoardError("board.id: expected a name, found ''")
    return SimpleBoard(name, digest(document), document)


NO_BOARD: Final = simple_board(MappingProxyType({"id": "none"}).copy())
"""The board of a game without boards. It exists because a log must name a board."""


@dataclass(frozen=True, slots=True)
class Players:
    """Options of a game that lets users choose only the number of players."""

    players: int


def players_from(least: int, most: int) -> Callable[[Mapping[str, Any]], Players]:
    """Return an options parser for a game with only the number of players as an option; the default is `least`."""

    def read(data: Mapping[str, Any]) -> Players:
        unknown = sorted(set(data) - {"players"})
        if unknown:
            raise OptionsError(f"the game has no option {unknown[0]!r}")
        players = data.get("players", least)
        if type(players) is not int or not least <= players <= most:
            raise OptionsError(f"the game needs {least} to {most} players; you named {as_json(players)}")
        return Players(players)

    return read


def no_chance(_state: Any, _seed: Any) -> Any:
    """Raise an error: the game has no chance, so nothing can be rolled."""
    raise NotImplementedError("the game has a chance event but no `sample_chance`: add one")


def nothing(_state: Any) -> None:
    """Return `None`: the game has no automatic events."""


def set_up(_state: Any) -> int:
    """Return 0, the round of every position: the game does not count rounds."""
    return 0


def open_to_all(state: Any, _seat: int) -> Any:
    """Return the position unchanged: the game has no hidden information."""
    return state


def facts(state: Any) -> dict[str, Any]:
    """Return the fields of a position, which must be a dataclass of plain values."""
    return asdict(state)


def described(state: Any, names: Sequence[str]) -> str:
    """Return a position as text: one line with the players, then one line per field."""
    return "\n".join([", ".join(names), *(f"{key}: {value}" for key, value in facts(state).items())])

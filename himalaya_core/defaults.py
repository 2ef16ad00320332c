"""Defaults for a game: no board, the number of players as the only option, nothing hidden."""

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
    """A board that consists of its document alone."""

    id: str
    sha256: str
    document: Mapping[str, Any] = field(repr=False, compare=False)


def simple_board(document: Mapping[str, Any]) -> SimpleBoard:
    """Return the board for a document that has an id."""
    name = field_of(document, "board", "id", str)
    if not name:
        raise BoardError("board.id: expected a name, found ''")
    return SimpleBoard(name, digest(document), document)


NO_BOARD: Final = simple_board(MappingProxyType({"id": "none"}).copy())
"""Board of a game that is played without one: a log always names a board."""


@dataclass(frozen=True, slots=True)
class Players:
    """Options of a game that has no others."""

    players: int


def players_from(least: int, most: int) -> Callable[[Mapping[str, Any]], Players]:
    """Return the reader of options for a game set up by its number of players alone; the least is the default."""

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
    """Refuse to roll: for games without chance."""
    raise NotImplementedError("the game has a chance event but no `sample_chance`: add one")


def nothing(_state: Any) -> None:
    """Return `None`: the game has no automatic events."""


def set_up(_state: Any) -> int:
    """Return round 0, for games that do not count rounds."""
    return 0


def open_to_all(state: Any, _seat: int) -> Any:
    """Return all of a position: no seat has a secret."""
    return state


def facts(state: Any) -> dict[str, Any]:
    """Return the fields of a position that is a dataclass of plain values."""
    return asdict(state)


def described(state: Any, names: Sequence[str]) -> str:
    """Return a position as text: a line of players, then a line for each of its fields."""
    return "\n".join([", ".join(names), *(f"{key}: {value}" for key, value in facts(state).items())])

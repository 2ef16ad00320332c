"""Players by game and name.

The random player plays any game. Installed packages register other players as `game:name` in the entry point group
`himalaya.players`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from inspect import signature
from typing import Any, Final, Protocol

from himalaya_core.game import Game
from himalaya_core.games import GAMES, Registry
from himalaya_core.players.random import RandomPlayer

__all__ = ["PLAYERS", "Maker", "NamedPlayer", "players_of"]

RANDOM: Final = RandomPlayer.name


class NamedPlayer(Protocol):
    """A player with the metadata that log headers contain."""

    name: str
    version: str
    """Increase this whenever the player would choose differently."""
    params: Mapping[str, Any]

    def choose(self, view: Any, seat: int, /) -> Any:
        """Return a legal action.

        Random draws must depend only on the player's seed, so that the same match gives the same choices. A player that
        cannot promise this, e.g. because of a time limit, has an attribute `is_repeatable` that is false.
        """
        ...


class Maker(Protocol):
    """A function that creates a player for one match from a seed and the parameters that are not defaults."""

    def __call__(self, seed: str, settings: Mapping[str, Any], /) -> NamedPlayer:
        """Return a player."""
        ...


def _check(_: str, maker: Any) -> None:
    """Raise `ValueError` for an object that cannot be called with a seed and settings."""
    try:
        signature(maker).bind("", {})
    except TypeError:
        raise ValueError("a player is made from a seed and settings: def __init__(self, seed, settings)") from None


class _PlayersOf(Mapping[str, Maker]):
    """The players of one game. The random player is the first."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._registered = Registry[Maker]("himalaya.players", prefix=f"{game.name}:", check=_check)

    def __getitem__(self, name: str) -> Maker:
        return self._random if name == RANDOM else self._registered[name]

    def __contains__(self, name: object) -> bool:
        return name == RANDOM or name in self._registered

    def __iter__(self) -> Iterator[str]:
        yield RANDOM
        yield from (name for name in self._registered if name != RANDOM)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _random(self, seed: str, _settings: Mapping[str, Any]) -> NamedPlayer:
        return RandomPlayer(self._game, seed)


class _Players(Mapping[str, Mapping[str, Maker]]):
    """Maps each game to its players."""

    def __getitem__(self, game: str) -> Mapping[str, Maker]:
        return players_of(GAMES[game])

    def __contains__(self, game: object) -> bool:
        return game in GAMES

    def __iter__(self) -> Iterator[str]:
        return iter(GAMES)

    def __len__(self) -> int:
        return len(GAMES)


@cache
def players_of(game: Game[Any, Any, Any]) -> Mapping[str, Maker]:
    """Return the players of a game by name, in the order in which they are listed."""
    return _PlayersOf(game)


PLAYERS: Final[Mapping[str, Mapping[str, Maker]]] = _Players()

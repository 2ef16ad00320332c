"""The players there are, by game and name: the random one, which plays any game, and those that installed packages
register under `himalaya.players` as `game:name`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, Protocol

from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.players.random import RandomPlayer
from himalaya_core.registry import Registry

__all__ = ["PLAYERS", "Maker", "NamedPlayer", "players_of"]

RANDOM: Final = RandomPlayer.name


class NamedPlayer(Protocol):
    """A player, with what the header of a log says about it."""

    name: str
    version: str
    """To be raised whenever the strategy would choose differently."""
    params: Mapping[str, Any]

    def choose(self, view: Any, seat: int, /) -> Any:
        """Return a legal action.

        What it draws is a function of the seed it was made with, so that it chooses the same when it is asked again;
        a player that does not (on a budget of time, say) has an attribute `is_repeatable` that is false.
        """
        ...


class Maker(Protocol):
    """Makes a player for one match from a seed and settings for some of its params."""

    def __call__(self, seed: str, settings: Mapping[str, Any], /) -> NamedPlayer:
        """Return the player."""
        ...


class _PlayersOf(Mapping[str, Maker]):
    """The players of one game, the random one first."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = game
        self._registered = Registry[Maker]("himalaya.players", prefix=f"{game.name}:")

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
    """The players of every game."""

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
    """Return the players of a game, by name, in the order in which they are listed."""
    return _PlayersOf(game)


PLAYERS: Final[Mapping[str, Mapping[str, Maker]]] = _Players()

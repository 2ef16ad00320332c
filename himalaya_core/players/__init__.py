"""The players there are, by game and name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Protocol

from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.players.caravan.balanced import Balanced
from himalaya_core.players.caravan.envoy import Envoy
from himalaya_core.players.caravan.greedy import Greedy
from himalaya_core.players.caravan.pilgrim import Pilgrim
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.caravan.rollout import Rollout
from himalaya_core.players.caravan.trader import Trader
from himalaya_core.players.random import RandomPlayer

__all__ = ["PLAYERS", "NamedPlayer", "UnknownPlayer", "make_player"]


class UnknownPlayer(ValueError):
    """A name that no player of the game has; the message lists those there are."""


class NamedPlayer(Protocol):
    """A player and what a log's header says of it."""

    name: str
    version: str
    """Raised whenever the strategy would choose otherwise."""
    params: Mapping[str, Any]

    def choose(self, view: Any, seat: int, /) -> Any:
        """Return a legal action."""
        ...


CARAVAN_PLAYERS: Mapping[str, Callable[[str], NamedPlayer]] = {
    "random": partial(RandomPlayer, GAMES["caravan"]),
    "greedy": lambda _seed: Greedy(),
    "pilgrim": lambda _seed: Pilgrim(),
    "envoy": lambda _seed: Envoy(),
    "trader": lambda _seed: Trader(),
    "balanced": lambda _seed: Balanced(),
    "planner": lambda _seed: Planner(),
    "rollout": Rollout,
}
PLAYERS: Final[Mapping[str, Mapping[str, Callable[[str], NamedPlayer]]]] = {"caravan": CARAVAN_PLAYERS}


def make_player(game: Game[Any, Any, Any], name: str, seed: str) -> NamedPlayer:
    """Return a player for one match; whatever it draws is a function of the seed."""
    try:
        maker = PLAYERS[game.name][name]
    except KeyError:
        known = ", ".join(PLAYERS[game.name])
        raise UnknownPlayer(f"player {name!r} is unknown; {game.name} has {known}") from None
    return maker(seed)

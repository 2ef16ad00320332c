"""The players there are, by game and name."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from himalaya_core.games import GAMES
from himalaya_core.players.caravan.balanced import Balanced
from himalaya_core.players.caravan.envoy import Envoy
from himalaya_core.players.caravan.greedy import Greedy
from himalaya_core.players.caravan.pilgrim import Pilgrim
from himalaya_core.players.caravan.planner import Planner
from himalaya_core.players.caravan.rollout import Rollout
from himalaya_core.players.caravan.trader import Trader
from himalaya_core.players.climbers.blocker import Blocker
from himalaya_core.players.climbers.greedy import Greedy as GreedyAlpinist
from himalaya_core.players.climbers.search import Search as SearchingAlpinist
from himalaya_core.players.random import RandomPlayer
from himalaya_core.players.summit.greedy import Greedy as GreedyMountaineer
from himalaya_core.players.summit.porter import Porter
from himalaya_core.players.summit.racer import Racer
from himalaya_core.players.summit.search import Search

__all__ = ["PLAYERS", "Maker", "NamedPlayer"]


class NamedPlayer(Protocol):
    """A player, with what the header of a log says about it."""

    name: str
    version: str
    """To be raised whenever the strategy would choose differently."""
    params: Mapping[str, Any]

    def choose(self, view: Any, seat: int, /) -> Any:
        """Return a legal action."""
        ...


class Maker(Protocol):
    """Makes a player for one match from a seed and settings for some of its params."""

    def __call__(self, seed: str, settings: Mapping[str, Any], /) -> NamedPlayer:
        """Return the player."""
        ...


def _random(game: str) -> Maker:
    return lambda seed, _settings: RandomPlayer(GAMES[game], seed)


CARAVAN_PLAYERS: Mapping[str, Maker] = {
    "random": _random("caravan"),
    "greedy": Greedy,
    "pilgrim": Pilgrim,
    "envoy": Envoy,
    "trader": Trader,
    "balanced": Balanced,
    "planner": Planner,
    "rollout": Rollout,
}
SUMMIT_PLAYERS: Mapping[str, Maker] = {
    "random": _random("summit"),
    "greedy": GreedyMountaineer,
    "porter": Porter,
    "racer": Racer,
    "search": Search,
}
CLIMBERS_PLAYERS: Mapping[str, Maker] = {
    "random": _random("climbers"),
    "greedy": GreedyAlpinist,
    "blocker": Blocker,
    "search": SearchingAlpinist,
}
PLAYERS: Final[Mapping[str, Mapping[str, Maker]]] = {
    "caravan": CARAVAN_PLAYERS,
    "summit": SUMMIT_PLAYERS,
    "climbers": CLIMBERS_PLAYERS,
}

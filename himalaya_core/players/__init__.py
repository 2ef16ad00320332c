"""The players there are, by game and name."""

from collections.abc import Mapping
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
from himalaya_core.players.climbers.blocker import Blocker
from himalaya_core.players.climbers.greedy import Greedy as GreedyAlpinist
from himalaya_core.players.climbers.search import Search as SearchingAlpinist
from himalaya_core.players.random import RandomPlayer
from himalaya_core.players.summit.greedy import Greedy as GreedyMountaineer
from himalaya_core.players.summit.porter import Porter
from himalaya_core.players.summit.racer import Racer
from himalaya_core.players.summit.search import Search

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


def make_player(game: Game[Any, Any, Any], name: str, seed: str) -> NamedPlayer:
    """Return a player for one match, e.g. `rollout` or `rollout:playouts=80:horizon=2`.

    Whatever it draws is a function of the seed. Raises `UnknownPlayer`, which says what there is.
    """
    known, *settings = name.split(":")
    if known not in PLAYERS[game.name]:
        raise UnknownPlayer(f"player {known!r} is unknown; {game.name} has {', '.join(PLAYERS[game.name])}")
    maker = PLAYERS[game.name][known]
    defaults = maker(seed, {}).params
    try:
        return maker(seed, dict(_setting(defaults, text) for text in settings))
    except ValueError as error:
        raise UnknownPlayer(f"player {known!r}: {error}") from None


def _setting(defaults: Mapping[str, Any], text: str) -> tuple[str, Any]:
    """Return one `key=value` as a param of the kind that its default is."""
    key, _, value = text.partition("=")
    if key not in defaults:
        there = f"there are {', '.join(defaults)}" if defaults else "there are none"
        raise ValueError(f"setting {key!r} is unknown; {there}")
    kind = type(defaults[key])
    try:
        return key, kind(value)
    except ValueError:
        expected = "a whole number" if kind is int else "a number"
        raise ValueError(f"setting {key}: expected {expected}, found {value!r}") from None

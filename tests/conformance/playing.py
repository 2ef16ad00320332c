"""Matches for tests: every game and number of players, played randomly or by named players, from a named seed."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from himalaya_core.boards import shipped_board
from himalaya_core.engine import step
from himalaya_core.game import CHANCE, Game, IllegalAction
from himalaya_core.games import GAMES
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from himalaya_core.tournament.plan import Pairing, play

AnyMatch = Match[Any, Any, Any]


@dataclass(frozen=True)
class Variant:
    """A game, number of players and options, with a line-up of players that causes all its events."""

    name: str
    line_up: tuple[str, ...]
    on: tuple[str, ...] = ()

    @property
    def game(self) -> Game[Any, Any, Any]:
        return GAMES[self.name]

    @property
    def options(self) -> Mapping[str, Any]:
        return {"players": len(self.line_up), **dict.fromkeys(self.on, True)}

    def __str__(self) -> str:
        more = ("advanced",) if self.on and self.on == switches(self.name) else self.on
        return "-".join([self.name, str(len(self.line_up)), *more])


def switches(game: str) -> tuple[str, ...]:
    """Return the on/off options of a game that add rules or pieces."""
    return tuple(option.name for option in GAMES[game].options if option.number is None and not option.reading)


def readings(game: str) -> tuple[str, ...]:
    """Return the options of a game that change how a rule is read."""
    return tuple(option.name for option in GAMES[game].options if option.reading)


def variants(game: str, line_ups: Sequence[tuple[str, ...]]) -> tuple[Variant, ...]:
    """Return variants of a game for each line-up: without options and, if it has on/off options, with all of them."""
    return tuple(Variant(game, line_up, on) for on in dict.fromkeys(((), switches(game))) for line_up in line_ups)


LINE_UPS = (
    ("pilgrim", "trader", "random"),
    ("envoy", "greedy", "trader", "random"),
    ("balanced", "pilgrim", "envoy", "trader", "random"),
    ("greedy", "balanced", "pilgrim", "random", "trader", "envoy"),
)
EXPEDITIONS = (
    ("racer", "random"),
    ("porter", "random", "greedy"),
    ("search:width=2", "racer", "random", "porter"),
    ("random",) * 5,
)
ROPES = (
    ("greedy", "random"),
    ("blocker:width=1", "random", "greedy"),
    ("search:width=2:takes=1:first=2:deep=1:replies=1", "random", "random", "random"),
    ("random", "blocker:width=1", "greedy", "random", "random"),
)
ADVANCED = switches("caravan")
CARAVANS = variants("caravan", LINE_UPS)
SUMMITS = variants("summit", EXPEDITIONS)
CLIMBS = variants("climbers", ROPES)
VARIANTS = (*CARAVANS, *SUMMITS, *CLIMBS)
"""Every number of players, each without options and with all additions."""
FEW = {"caravan-3", "caravan-4-advanced", "summit-2", "summit-3", "climbers-2", "climbers-3"}
EVERY = [
    pytest.param(variant, marks=() if str(variant) in FEW else pytest.mark.soak("every number of players"))
    for variant in VARIANTS
]
"""The same as test parameters; `make test` runs only a few of them."""
READ_DIFFERENTLY = tuple(
    Variant(variant.name, variant.line_up, (reading,))
    for variant in (CARAVANS[0], CLIMBS[0])
    for reading in readings(variant.name)
)
"""The fewest players, with each alternative reading of the rules."""


SHARED = "logging"
"""The default seed, shared so that each variant is played only once randomly and once by its players."""


def new_match(variant: Variant) -> AnyMatch:
    return Match(variant.game, shipped_board(variant.name), variant.options)


def play_on(match: AnyMatch, choose: Callable[[Sequence[Any]], Any], seed: str) -> AnyMatch:
    """Play a match to its end: one of the seats to act is drawn each time, and one of its legal actions."""
    keyed = Seed(seed)
    while match.actors:
        actor = choose(match.actors)
        match.play(match.sample_chance(keyed) if actor == CHANCE else choose(match.legal_actions(actor)))
    return match


@cache
def random_match(variant: Variant, seed: str) -> AnyMatch:
    """Return a match of random actions; it is cached and shared, so do not continue it."""
    return play_on(new_match(variant), random.Random(seed).choice, seed)


@cache
def recorded(variant: Variant, seed: str) -> tuple[AnyMatch, tuple[bytes, ...]]:
    """Play a match with the variant's line-up; return it and its log lines, which are both cached and shared."""
    match, log = play(variant.game, shipped_board(variant.name), variant.options, Pairing(seed, variant.line_up, seed))
    return match, tuple(log.splitlines(keepends=True))


def positions(match: AnyMatch) -> list[Any]:
    """Return the initial position of a match and the position after each event."""
    return [match.start, *(step.state for step in match.history)]


def decisions(match: AnyMatch) -> list[Any]:
    """Return the positions of a match in which a seat must choose."""
    return [state for state, step in zip(positions(match), match.history, strict=False) if step.action is not None]


def accepts(game: Game[Any, Any, Any], state: Any, action: Any) -> bool:
    """Return whether an action is legal, by trying it."""
    try:
        step(game, state, action)
    except IllegalAction:
        return False
    return True

"""Quality of reviews over many matches: they find planted blunders, and dice favour no player."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import fmean, stdev
from typing import Final

import pytest

from himalaya_core.api import play
from himalaya_core.players.caravan.hindsight import luck as dice_alone
from tests.conformance.playing import ADVANCED
from tests.core.winprob.planted import planted, value

said = logging.getLogger(__name__)

BLUNDERS: Final = 200
FOUND: Final = 0.9
"""Minimum share of planted blunders that are among the three largest key moments.

In a match that is still open for the seat, a blunder replaces a plan that would have delivered by six rests. It must
cost at least the model's error. All players are planners. With mixed players, who also blunder unplanned, fewer are
found.
"""
MATCHES: Final = 10_000
PLANNER: Final = "planner:samples=1"
PLAYERS: Final = ("trader", "greedy", "envoy", "pilgrim", "balanced", "random", PLANNER)


@pytest.mark.soak("reviews hundreds of matches")
def test_a_planted_blunder_is_among_the_three_largest_moments() -> None:
    found = sum(match.is_found for match in planted(BLUNDERS))
    said.info("%d of %d planted blunders are among the three largest moments of their match", found, BLUNDERS)
    assert found >= FOUND * BLUNDERS


@pytest.mark.soak("reviews hundreds of matches")
def test_dice_favour_no_seat_and_no_player() -> None:
    """The effects of a match's dice add up to zero on average; a player in several seats counts once."""
    sums: dict[str, list[float]] = defaultdict(list)
    with ProcessPoolExecutor() as processes:
        for done, lucks in enumerate(processes.map(luck_of, range(MATCHES), chunksize=20), start=1):
            for name, luck in lucks.items():
                sums[name].append(luck)
            if done % 500 == 0:
                said.info("%d matches: %s", done, standard_errors(sums))
    assert max(map(abs, standard_errors(sums).values())) < 3


def luck_of(number: int) -> dict[str, float]:
    """Return the effect of a match's dice on each of its seats and players."""
    draws = Random(f"luck {number}")
    line_up = [draws.choice(PLAYERS) for _ in range(3 + number % 4)]
    options = {option: draws.random() < 0.3 for option in ADVANCED}
    options["tokens"] &= PLANNER not in line_up  # a planner takes seconds for each token
    replay = play("caravan", line_up, seed=f"luck-{number}", options=options).replay
    dice = [swing.amounts for swing in dice_alone(replay, value())]
    found: dict[str, float] = defaultdict(float)
    for seat, luck in enumerate(map(sum, zip(*dice, strict=True))):
        found[f"seat {seat + 1} of {len(line_up)}"] = luck
        found[line_up[seat]] += luck
    return found


def standard_errors(sums: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return each mean in units of its standard error."""
    return {name: round(fmean(lucks) / (stdev(lucks) / len(lucks) ** 0.5), 2) for name, lucks in sums.items()}

"""How often intervals hold the truth, counted over simulated tournaments."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import polars as pl

from dashboards.stats.compare import WON
from dashboards.stats.differences import differences
from dashboards.stats.intervals import t_quantile
from dashboards.stats.lineups import lineups_of
from dashboards.stats.ratings import ratings
from dashboards.stats.sampled import difference_sums, trials_of
from tests.dashboards.stats.tournaments import STRENGTH, simulated

STRENGTHS: Final = {"a": 0.0, "b": 0.5, "c": 1.0}
FIGURES: Final[dict[str, tuple[str, Callable[[pl.DataFrame], pl.DataFrame]]]] = {
    "win_share": ("win-share", STRENGTH["win-share"]),
    "better_share": ("head-to-head", STRENGTH["head-to-head"]),
    "place_share": ("placement", STRENGTH["placement"]),
    "seat_effect": ("seat-effect", STRENGTH["seat-effect"]),
    "paired_difference": ("paired", STRENGTH["paired"]),
    "side_difference": ("compared", lambda frame: differences(lineups_of(frame), [("c", "a")], "win", WON)),
    "rating": ("ratings", lambda frame: ratings(frame, replicas=200)),
}
KINDS: Final[dict[str, dict[str, Any]]] = {
    "each match its luck": {"per_luck": 1},
    "four matches a seed": {"per_luck": 4, "luck": 1.0},
    "shared places": {"per_luck": 2, "luck": 0.5, "step": 1.0},
    "four matches a seed, shared places": {"per_luck": 4, "luck": 1.0, "step": 1.0},
}
SEEDS: Final = 60
MANY: Final = 20_000
"""Seeds from which the truth is taken; it is then known some eighteen times as well as from one tournament."""


def coverage(kind: str, tournaments: int, seeds: int = SEEDS) -> dict[str, float]:
    """Return for each metric the share of tournaments in which the interval of its first row held the truth.

    Intervals of one tournament hang together, so only one of each is counted.
    """
    many = simulated(np.random.default_rng(99), STRENGTHS, MANY, **KINDS[kind])
    truths = {value: figure(many)[value][0] for value, (name, figure) in FIGURES.items() if name != "ratings"}
    truths["rating"] = ratings(many, replicas=1)["rating"][0]
    random = np.random.default_rng(17)
    held: Counter[str] = Counter()
    for _ in range(tournaments):
        frame = simulated(random, STRENGTHS, seeds, **KINDS[kind])
        for value, (_, figure) in FIGURES.items():
            first = figure(frame).row(0, named=True)
            held[value] += first[f"{value}_low"] <= truths[value] <= first[f"{value}_high"]
    return {value: held[value] / tournaments for value in FIGURES}


def rating_coverage(tournaments: int, seeds: int, *, per_luck: int = 2, luck: float = 0.7) -> float:
    """Return the share of tournaments of so many seeds in which the interval of the first rating held the truth."""
    kind = {"per_luck": per_luck, "luck": luck}
    many = simulated(np.random.default_rng(98), STRENGTHS, max(MANY, 100 * seeds), **kind)
    truth = dict(ratings(many, replicas=0).select("player", "rating").iter_rows())
    random = np.random.default_rng(18)
    held = 0
    for _ in range(tournaments):
        first = ratings(simulated(random, STRENGTHS, seeds, **kind), replicas=200).row(0, named=True)
        held += first["rating_low"] <= truth[first["player"]] <= first["rating_high"]
    return held / tournaments


def difference_coverage(tournaments: int, seeds: int = 60) -> float:
    """Return how often the interval of the difference of two shares held it: winners and losers of the same seeds.

    What a seed brings to the place it brings to both; both travel more or less in it.
    """
    random = np.random.default_rng(19)
    places = pl.DataFrame({"place": ["p", "q"]})
    held = 0
    for _ in range(tournaments):
        common = random.beta(4, 12, seeds)
        sides = []
        for share in (common, np.clip(common + 0.05 * random.normal(size=seeds), 0.01, 0.99)):
            trials = random.integers(20, 60, seeds)
            there = random.binomial(trials, share)
            units = np.arange(seeds)
            amounts = pl.concat(
                [
                    pl.DataFrame({"place": ["p"] * seeds, "unit": units, "x": there}),
                    pl.DataFrame({"place": ["q"] * seeds, "unit": units, "x": trials - there}),
                ]
            )
            sides.append((amounts, trials_of(amounts)))
        found = difference_sums(places, ["place"], sides[0], sides[1]).row(0, named=True)
        shares = [a.filter(place="p")["x"].sum() / t["n"].sum() for a, t in sides]
        held += abs(shares[0] - shares[1]) <= t_quantile(seeds) * found["variance"] ** 0.5
    return held / tournaments

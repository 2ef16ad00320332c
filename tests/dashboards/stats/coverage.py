"""Coverage of confidence intervals, counted over simulated tournaments."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from dashboards.stats.compare import BETWEEN, WON, by_sides
from dashboards.stats.differences import differences
from dashboards.stats.intervals import difference_sums, mean_intervals, t_quantile, trials_of
from dashboards.stats.ratings import ratings
from dashboards.stats.results import lineups_of
from tests.dashboards.stats.tournaments import STRENGTH, simulated

COUNTS: Final = 20
"""Successes from which on, and seeds, an interval may not be too wide either."""
SEEDS: Final = 30
SPREAD: Final = 0.7
"""Of strengths, in natural logarithms: who is one of it better wins two of three against the mean."""
SETS: Final = 5
"""Sets of strengths of a kind, for how often the truth is held goes up and down with it (Brown, Cai, DasGupta 2001)."""
TOGETHER: Final = 20
"""Tournaments that are counted in one frame, with their own players and seeds."""
KEYS: Final = ("player", "other", "players", "seat", "place")
SHARES: Final = {"place_share": "played", "better_share": "pairs", "seat_share": "played"}
"""Shares, and what they are shares of; that of first places is the win share."""
Figure = Callable[[pl.DataFrame], pl.DataFrame]


def against_the_next(frame: pl.DataFrame) -> pl.DataFrame:
    """Return by how much first players win more than second ones, at the same tables."""
    lineups = lineups_of(frame)
    first = sorted(name for name in lineups.seats["player"].unique() if name.startswith("a"))
    return differences(lineups, [(name, f"b{name[1:]}") for name in first], "win", WON)


def against_itself(frame: pl.DataFrame) -> pl.DataFrame:
    """Return by how much first players win more in one half of their seeds than in the other, which is nothing."""
    half = pl.when(pl.col("luck").str.slice(1, 6).cast(pl.Int64) % 2 == 0).then(pl.lit("t")).otherwise(pl.lit("u"))
    lineups = lineups_of(by_sides(frame.with_columns(half.alias("tournament")), "tournament", ["t", "u"]))
    first = sorted(name for name in lineups.seats["player"].unique() if name.startswith("a") and name.endswith("t"))
    found = differences(lineups, [(name, f"{name[:-1]}u") for name in first], "win", "apart_difference")
    return found.with_columns(pl.col("player").str.split(BETWEEN).list.first()).drop("other")


TOGETHER_FIGURES: Final[dict[str, Figure]] = {
    "better_share": STRENGTH["head-to-head"],
    "place_share": STRENGTH["placement"],
    "paired_difference": STRENGTH["paired"],
    WON: against_the_next,
    "apart_difference": against_itself,
}
ALONE_FIGURES: Final[dict[str, Figure]] = {"seat_share": STRENGTH["seat-effect"], "rating": ratings}
"""By metric, figures that know nothing of other tournaments in a frame, and figures that would."""


@dataclass(frozen=True)
class Kind:
    """How tournaments are played: so many players and matches a seed, and what a seed gives (see `simulated`)."""

    players: int
    per_luck: int
    luck: float = 0.0
    step: float = 0.0
    rotated: bool = False
    many: int = 20_000
    """Seeds from which the truth is taken; of 100 seeds it is then known fourteen times as well as they know it."""
    sets: int = SETS

    def play(self, random: np.random.Generator, one: int, seeds: int) -> pl.DataFrame:
        """Return the results of a tournament of one of the sets of strengths."""
        strengths = np.random.default_rng(one).normal(0, SPREAD, self.players).tolist()
        names = dict(zip("abcdef", strengths, strict=False))
        return simulated(
            random, names, seeds, per_luck=self.per_luck, luck=self.luck, step=self.step, rotated=self.rotated
        )

    def truths(self, one: int) -> dict[str, pl.DataFrame]:
        """Return for each metric its keys and what it is, from so many seeds."""
        many = self.play(np.random.default_rng(99), one, self.many)
        found = {
            value: figure(many) for value, figure in (TOGETHER_FIGURES | ALONE_FIGURES).items() if value != "rating"
        }
        found["rating"] = ratings(many, bounds=False)
        found["apart_difference"] = found["apart_difference"].with_columns(apart_difference=0.0)
        return {value: frame.select(*_keys(frame), pl.col(value).alias("truth")) for value, frame in found.items()}


KINDS: Final = {
    "each match its seed": Kind(4, 1),
    "each match its seed, shared places": Kind(3, 1, step=1.0),
    "rotated": Kind(4, 4, rotated=True),
    "rotated, strong seeds": Kind(4, 4, luck=3.0, rotated=True),
    "rotated, strong seeds, shared places": Kind(3, 3, luck=3.0, step=1.0, rotated=True),
    "six rotated, strong seeds": Kind(6, 6, luck=3.0, rotated=True, many=5_000),
    "seeds that favour players": Kind(4, 4, luck=1.0),
    "seeds that favour players strongly": Kind(3, 3, luck=3.0),
}


def coverage(kind: Kind, tournaments: int, seeds: int, values: Collection[str] = ()) -> pl.DataFrame:
    """Return `value, tournament, held, enough`: which part of the intervals held the truth, of all and of some.

    Intervals of one tournament hang together, so tournaments are what is counted. Those of enough counts have `COUNTS`
    successes and failures, by the truth; null if there are none. `values`: of these metrics only, if any are given.
    """
    random = np.random.default_rng(17)
    found = []
    for one in range(kind.sets):
        truths = kind.truths(one)
        for start in range(0, tournaments // kind.sets, TOGETHER):
            count = min(TOGETHER, tournaments // kind.sets - start)
            frames = [kind.play(random, one, seeds) for _ in range(count)]
            together = pl.concat(
                frame.with_columns(pl.concat_str(name, pl.lit(f"~{at:04}")) for name in ("match", "luck", "player"))
                for at, frame in enumerate(frames, start + one * tournaments)
            )
            played = {value: [(0, figure(together))] for value, figure in TOGETHER_FIGURES.items()} | {
                value: [(at, figure(frame)) for at, frame in enumerate(frames, start + one * tournaments)]
                for value, figure in ALONE_FIGURES.items()
            }
            for value, counted in played.items():
                if not values or value in values:
                    found += [_held(frame, truths[value], value, at) for at, frame in counted]
    return pl.concat(found)


def _keys(frame: pl.DataFrame) -> list[str]:
    return [key for key in KEYS if key in frame.columns]


def _held(frame: pl.DataFrame, truths: pl.DataFrame, value: str, at: int) -> pl.DataFrame:
    """Return the rows of `coverage` of a metric; tournament `at`, or those that players are named after."""
    number = pl.lit(f"{at:04}")
    if "player" in frame.columns:
        told = pl.col("player").str.split("~").list
        number = pl.coalesce(told.get(1, null_on_oob=True), number)
        frame = frame.with_columns(
            number.alias("tournament"),
            *(pl.col(name).str.split("~").list.first() for name in ("player", "other") if name in frame.columns),
        )
    else:
        frame = frame.with_columns(number.alias("tournament"))
    holds = pl.col("truth").is_between(pl.col(f"{value}_low") - 1e-9, pl.col(f"{value}_high") + 1e-9)
    rows = frame.join(truths, on=_keys(frame)).with_columns(holds.fill_null(value=True).cast(pl.Float64).alias("held"))
    return rows.group_by("tournament").agg(
        pl.lit(value).alias("value"),
        pl.col("held").filter(_enough(value)).mean().alias("enough"),
        pl.col("held").mean(),
    )


def _enough(value: str) -> pl.Expr:
    if value not in SHARES:
        return pl.lit(value=True)
    trials, truth = pl.col(SHARES[value]), pl.col("truth")
    return pl.min_horizontal(truth, 1 - truth) * trials >= COUNTS


def counted(random: np.random.Generator, tournaments: int, seeds: int) -> Iterator[tuple[str, float, float]]:
    """Yield kinds of counts with how often the intervals of their means held the truth, and how many were counted.

    Four matches a seed; what is counted is drawn by Poisson, with a mean that is the same in all matches, varies by
    match, or by seed (gamma of shape 2, so that counts are negative binomial), and lengths, that vary little.
    """
    shape = (tournaments, seeds, 4)
    for mean in (0.05, 0.5, 5.0):
        by_seed = random.gamma(2, mean / 2, (tournaments, seeds, 1)) * np.ones(4)
        yield _means(f"{mean} a match", random.poisson(mean, shape), mean)
        yield _means(f"{mean} a match, by match", random.poisson(random.gamma(2, mean / 2, shape)), mean)
        yield _means(f"{mean} a match, by seed", random.poisson(by_seed), mean)
    yield _means("lengths", random.normal(80, 10, shape) + random.normal(0, 10, (tournaments, seeds, 1)), 80.0)


def _means(kind: str, counts: "np.ndarray[Any, np.dtype[Any]]", truth: float) -> tuple[str, float, float]:
    tournaments, seeds, matches = counts.shape
    rows = pl.DataFrame(
        {
            "tournament": np.repeat(np.arange(tournaments), seeds * matches),
            "group": np.tile(np.repeat(np.arange(seeds), matches), tournaments),
            "x": counts.reshape(-1).astype(float),
        }
    )
    found = mean_intervals(rows, ["tournament"], "x", "mean")
    held = found.select(pl.lit(truth).is_between("mean_low", "mean_high").mean()).item()
    return kind, float(held), truth * seeds * matches


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

"""Coverage of confidence intervals, measured over simulated tournaments."""

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
"""Number of successes, and of seeds, from which intervals are also checked for being too wide."""
SEEDS: Final = 30
SPREAD: Final = 0.7
"""Standard deviation of strengths (natural logarithms): one above the mean wins two of three against it."""
SETS: Final = 5
"""Number of strength sets per kind, since coverage oscillates with the strengths (Brown, Cai, DasGupta 2001)."""
TOGETHER: Final = 20
"""Number of tournaments per frame, each with its own players and seeds."""
KEYS: Final = ("player", "other", "players", "seat", "place")
SHARES: Final = {"place_share": "played", "better_share": "pairs", "seat_share": "played"}
"""Each share's column and its denominator; the share of first places is the win share."""
Figure = Callable[[pl.DataFrame], pl.DataFrame]


def against_the_next(frame: pl.DataFrame) -> pl.DataFrame:
    """Return how many more wins first players have than second players at the same tables."""
    lineups = lineups_of(frame)
    first = sorted(name for name in lineups.seats["player"].unique() if name.startswith("a"))
    return differences(lineups, [(name, f"b{name[1:]}") for name in first], "win", WON)


def against_itself(frame: pl.DataFrame) -> pl.DataFrame:
    """Compare the wins of first players in two halves of their seeds; the true difference is zero."""
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
"""Figures by metric: those that can compute several tournaments in one frame, and those that need separate frames."""


@dataclass(frozen=True)
class Kind:
    """How tournaments are played: number of players, matches per seed, and effects of a seed (see `simulated`)."""

    players: int
    per_luck: int
    luck: float = 0.0
    step: float = 0.0
    rotated: bool = False
    many: int = 20_000
    """Number of seeds for the true values, which are then fourteen times as precise as with 100 seeds."""
    sets: int = SETS

    def play(self, random: np.random.Generator, one: int, seeds: int) -> pl.DataFrame:
        """Return the results of a tournament with one of the strength sets."""
        strengths = np.random.default_rng(one).normal(0, SPREAD, self.players).tolist()
        names = dict(zip("abcdef", strengths, strict=False))
        return simulated(
            random, names, seeds, per_luck=self.per_luck, luck=self.luck, step=self.step, rotated=self.rotated
        )

    def truths(self, one: int) -> dict[str, pl.DataFrame]:
        """Return the true value of each metric by its keys, from a large number of seeds."""
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
    """Return `value, tournament, held, enough`: the share of intervals with the true value, for each tournament.

    Intervals of one tournament depend on each other, so the observations are tournaments. `enough` is the share among
    intervals with at least `COUNTS` expected successes and failures; null if there are none. `values` limits the
    metrics.
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
    """Return the rows of `coverage` for a metric, for tournament `at` or for the tournaments in the players' names."""
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
    """Yield for several kinds of counts how often intervals contain the true mean, and the expected total count.

    There are four matches per seed. Counts are drawn from a Poisson distribution. Its mean is constant, or varies by
    match or by seed (gamma of shape 2, so that counts are negative binomial). Lengths, which vary little, are included.
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
    """Return how often the interval contains the true difference of two shares: winners and losers of the same seeds.

    A seed has the same effect on both, and the amount of travel varies with the seed.
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

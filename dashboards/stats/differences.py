"""Differences in score between pairs of players, over comparable matches and over the same seeds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, Self

import numpy as np
import polars as pl

from dashboards.stats.claims import WINS, corrected
from dashboards.stats.intervals import DIFFERENCE, ROUNDING, clipped, mean_test, means, t_quantile, unvaried
from dashboards.stats.resampling import BUNDLES, bundled, flip_tests, swap_tests
from dashboards.stats.results import Lineups, lineups_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Ground",
    "Pair",
    "Score",
    "Side",
    "Tables",
    "difference_of",
    "differences",
    "paired",
    "paired_by_luck",
    "with_holm_over_pairs",
]


Score = Literal["win", "beaten"]
"""Score to compare: wins (a shared win counts in part), or the share of opponents that a seat beats."""
Pair = tuple[str, str]
Ground = Literal["luck", "table", "matches"]
"""Basis of a difference: seeds that both played, tables at which both sat, or matches on different seeds."""
ENDS: Final = ("", "_low", "_high", "_p")


def differences(
    lineups: Lineups, pairs: Iterable[Pair], score: Score, name: str, *, of_matches: bool = False
) -> pl.DataFrame:
    """Return `player, other, ground, groups, {name}` with its bounds and `_p`: one row per pair, in the given order.

    The difference is that of mean scores over kept seats. Its interval is a t interval over seeds, linearised. The
    residual e of a seed is (x − mean · n) / Σn of one player minus that of the other; the variance is G/(G−1) · Σ e²
    (Cochran 1977, section 6.3, for a difference of two ratios). Players without a common seed have Welch's degrees of
    freedom. The test (`resampling.py`) flips signs in seeds that both played, or exchanges seeds between the two
    players. A pair that no tables connect has nulls. Sides that are kinds of matches (`of_matches`) never share a
    table, so all their matches are compared.
    """
    tables = None if of_matches else Tables(lineups)
    found = [_row(lineups, tables, pair, score) for pair in pairs]
    frame = pl.DataFrame(
        found,
        schema={
            **dict.fromkeys(("player", "other", "ground"), pl.String),
            "groups": pl.Int64,
            **{f"{name}{end}": pl.Float64 for end in ENDS},
        },
        orient="row",
    )
    return clipped(unvaried(frame, name), name, DIFFERENCE)


def _row(lineups: Lineups, tables: "Tables | None", pair: Pair, score: Score) -> tuple[object, ...]:
    weights = tables.weights(pair) if tables else (1.0, 1.0)
    if weights is None:
        return (*pair, None, None, *(None for _ in ENDS))
    one, other = Side.of(lineups, pair[0], score, weights[0]), Side.of(lineups, pair[1], score, weights[1])
    if not (one.n.any() and other.n.any()):
        return (*pair, None, None, *(None for _ in ENDS))
    return (*pair, *difference_of(lineups, one, other))


class Tables:
    """Players at each table, and the matches in which two players can be compared."""

    def __init__(self, lineups: Lineups) -> None:
        self._lineups = lineups
        seated = lineups.seats.group_by("match").agg(pl.col("player").sort()).sort("match")["player"].to_list()
        numbers = {players: number for number, players in enumerate(dict.fromkeys(map(tuple, seated)))}
        self._tables = list(numbers)
        of_lineup = np.array([numbers[tuple(players)] for players in seated], np.int64)
        self._table = of_lineup[lineups.lineup]

    def matched(self, pair: Pair) -> "NDArray[np.bool_]":
        """Return a mask of comparable matches: both players sat there, or each had the same opponents on one seed."""
        key, mine, theirs = self._keys(pair)
        cell = self._lineups.group * (int(key.max(initial=0)) + 1) + key
        found: NDArray[np.bool_] = (mine & np.isin(cell, cell[theirs])) | (theirs & np.isin(cell, cell[mine]))
        return found

    def weights(self, pair: Pair) -> "tuple[NDArray[np.float64], NDArray[np.float64]] | None":
        """Return the weight of each match for each of two players; `None` if nothing connects the players.

        If the two share fewer than two seeds, tables with the same opponents are used. They are weighted so that both
        players have the same mix of opponents.
        """
        matched = self.matched(pair)
        if len(np.unique(self._lineups.group[matched])) > 1:
            return matched.astype(float), matched.astype(float)
        key, *sat = self._keys(pair)
        mine, theirs = (np.bincount(key[seats], minlength=int(key.max(initial=0)) + 1) for seats in sat)
        mix = np.minimum(mine, theirs)
        if not mix.any():
            return None
        shares = [mix / np.maximum(number, 1) for number in (mine, theirs)]
        one, other = (np.where(seats, (share / share.max())[key], 0) for seats, share in zip(sat, shares, strict=True))
        return one, other

    def _keys(self, pair: Pair) -> "tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]":
        """Return a number per match that encodes its size and opponents, and for each player a mask of its matches."""
        others: dict[tuple[str, ...], int] = {}
        key = [
            others.setdefault((str(len(table)), *(player for player in table if player not in pair)), len(others))
            for table in self._tables
        ]
        one, other = (np.array([player in table for table in self._tables], dtype=bool) for player in pair)
        return np.array(key, np.int64)[self._table], one[self._table], other[self._table]


def with_holm_over_pairs(frame: pl.DataFrame, name: str, share: float = WINS) -> pl.DataFrame:
    """Add `{name}_holm` to a frame of pairs; a pair in both directions is one comparison.

    The p-values are corrected by Holm over all pairs, and for the figure's `share` of the risk of a report
    (`claims.py`).
    """
    ends = {"first": pl.min_horizontal("player", "other"), "second": pl.max_horizontal("player", "other")}
    both = frame.with_columns(**ends)
    pairs = both.group_by(*ends).agg(pl.col(f"{name}_p").max().alias("p")).sort(*ends)
    pairs = pairs.with_columns(pl.Series(f"{name}_holm", corrected(pairs["p"].to_list(), share), pl.Float64))
    return both.join(pairs.drop("p"), on=list(ends), how="left", maintain_order="left").drop(*ends)


@dataclass(frozen=True, slots=True)
class Side:
    """One player's weighted number of seats and total score in each group."""

    n: "NDArray[np.float64]"
    x: "NDArray[np.float64]"

    @classmethod
    def of(cls, lineups: Lineups, player: str, score: Score, weight: "NDArray[np.float64] | float" = 1.0) -> Self:
        """Return a player's side from its seats marked `kept`; each match counts by its weight."""
        seats = lineups.seats.filter((pl.col("player") == player) & pl.col("kept"))
        at, values, weights = (seats[name].to_numpy() for name in ("match", score, "weight"))
        counted = (np.bincount(at, weights=each, minlength=lineups.count) for each in (weights, weights * values))
        n, x = (
            np.bincount(lineups.group, weights=each[lineups.lineup] * weight, minlength=lineups.groups).astype(float)
            for each in counted
        )
        return cls(n, x)

    def within(self, groups: "NDArray[np.bool_]") -> "Side":
        """Return the side restricted to the groups of a mask."""
        return Side(np.where(groups, self.n, 0), np.where(groups, self.x, 0))

    @property
    def mean(self) -> float:
        """Return the mean score per seat."""
        return float(self.x.sum() / self.n.sum())

    def moved(self, mean: float) -> "NDArray[np.float64]":
        """Return each group's contribution to the deviation of the mean score from `mean`."""
        found: NDArray[np.float64] = (self.x - mean * self.n) / self.n.sum()
        return found


def difference_of(lineups: Lineups, one: Side, other: Side) -> tuple[Ground, int, float, float, float, float]:
    """Return the basis, number of groups, difference, its bounds and p-value, for two sides that both have seats."""
    common = (one.n > 0) & (other.n > 0)
    together = int(common.sum()) > 1
    if together:
        one, other = one.within(common), other.within(common)
    met = (one.n > 0) | (other.n > 0)
    groups = int(met.sum())
    moved = one.moved(one.mean) - other.moved(other.mean)
    difference, low, high, p = mean_test(1, one.mean - other.mean, groups, float((moved**2).sum()))
    if together:
        mean = float((one.x.sum() + other.x.sum()) / (one.n.sum() + other.n.sum()))
        p = float(flip_tests((one.moved(mean) - other.moved(mean))[met, None] * groups)[0])
        ground: Ground = "luck" if lineups.groups < len(lineups.lineup) else "table"
        return ground, groups, difference, low, high, p
    if not common.any():
        low, high = _apart(difference, one, other) or (low, high)
    swapped = None if common.any() else swap_tests((one.n, one.x), (other.n, other.x))
    return "matches", groups, difference, low, high, p if swapped is None else max(p, swapped)


def _apart(difference: float, one: Side, other: Side) -> tuple[float, float] | None:
    """Return the interval of a difference over different seeds; `None` if one side has a single seed.

    Each side has its own variance, so t has Welch's degrees of freedom (Welch 1947, Biometrika 34).
    """
    counts = [int((side.n > 0).sum()) for side in (one, other)]
    if min(counts) < 2:
        return None
    pairs = zip((one, other), counts, strict=True)
    parts = [count / (count - 1) * float((side.moved(side.mean) ** 2).sum()) for side, count in pairs]
    if sum(parts) <= ROUNDING**2:
        return None
    freedom = sum(parts) ** 2 / sum(part**2 / (count - 1) for part, count in zip(parts, counts, strict=True))
    reach = t_quantile(1 + freedom) * sqrt(sum(parts))
    return difference - reach, difference + reach


PAIR: Final = ["player", "other"]
SCHEMA: Final = {
    "player": pl.String,
    "other": pl.String,
    "trials": pl.Int64,
    "total": pl.Float64,
    "groups": pl.Int64,
    "residual": pl.Float64,
    "unpaired_width": pl.Float64,
}


def paired_by_luck(results: pl.DataFrame | Lineups, player: str, other: str, score: Score = "win") -> pl.DataFrame:
    """Return `group, luck_difference`: for each shared seed, the mean score of `player` minus that of `other`.

    `group` is the index of the seed in sorted order.
    """
    lineups = lineups_of(results)
    only = Tables(lineups).matched((player, other))
    mine, theirs = (_ByLuck(lineups, name, score, only, kept=kept) for name, kept in ((player, True), (other, False)))
    both = np.flatnonzero((mine.seats > 0) & (theirs.seats > 0))
    return pl.DataFrame(
        {"group": both, "luck_difference": (mine.mean - theirs.mean)[both]},
        schema={"group": pl.Int64, "luck_difference": pl.Float64},
    )


def paired(results: pl.DataFrame | Lineups, score: Score = "win", *, of_matches: bool = False) -> pl.DataFrame:
    """Return one row for each two players with a seed in common, in both directions, sorted by player.

    A seed is common if both sat at one table, or each with the same opponents (`differences`). For kinds of matches
    (`of_matches`) it is any seed that both have.

    Columns: `player, other, groups, paired_difference` and its bounds; `paired_difference` is the mean of
    `luck_difference`. The suffix `_p` marks its p-value (`resampling.flip_tests`), and `_holm` the p-value corrected
    for all pairs. `narrowing` is the width of the interval with every match on a different seed, divided by its width
    here. Below 1, pairing has widened the interval. `worth` is the square of `narrowing`: how many times more matches
    would be needed without shared seeds.
    """
    lineups = lineups_of(results)
    pairs = list(_pairs(lineups, score, None if of_matches else Tables(lineups)))
    sums = pl.DataFrame([pair.sums() for pair in pairs], schema=SCHEMA, orient="row")
    endless = (float("-inf"), float("inf"))  # `width` refers to the unclipped interval
    found = means(sums, PAIR, "paired_difference", endless).with_columns(sums["unpaired_width"])
    tests = flip_tests(np.array([pair.moved for pair in pairs]).reshape(len(pairs), min(lineups.groups, BUNDLES)).T)
    found = found.with_columns(pl.Series("paired_difference_p", tests, pl.Float64)).sort(PAIR)
    width = pl.col("paired_difference_high") - pl.col("paired_difference_low")
    ratio = pl.when((width > ROUNDING) & width.is_finite()).then(pl.col("unpaired_width") / width)
    found = found.with_columns(ratio.alias("narrowing")).with_columns((pl.col("narrowing") ** 2).alias("worth"))
    found = clipped(unvaried(found.drop("unpaired_width"), "paired_difference"), "paired_difference", DIFFERENCE)
    return with_holm_over_pairs(found, "paired_difference")


@dataclass(frozen=True, slots=True)
class _Pair:
    """Differences between two players on the seeds that both played: sum, sum of squares, and sums by bundles of seeds.

    `unpaired_width` is the width of the interval if all matches were independent trials.
    """

    player: str
    other: str
    moved: "NDArray[np.float64]"
    seeds: int
    total: float
    squares: float
    unpaired_width: float | None

    def sums(self) -> tuple[object, ...]:
        """Return the values of a row of `SCHEMA`."""
        residual = max(self.squares - self.total**2 / self.seeds, 0.0)
        return self.player, self.other, self.seeds, self.total, self.seeds, residual, self.unpaired_width


class _ByLuck:
    """One player's seats and mean score in each seed, and seats and total score in each match."""

    def __init__(
        self, lineups: Lineups, player: str, score: Score, only: "NDArray[np.bool_] | None" = None, *, kept: bool
    ) -> None:
        rows = lineups.seats.filter((pl.col("player") == player) & (pl.col("kept") | (not kept)))
        at, values = rows["match"].to_numpy(), rows[score].to_numpy()
        counts = 1.0 if only is None else only
        self.match_seats = np.bincount(at, minlength=lineups.count)[lineups.lineup] * counts
        self.match_score = np.bincount(at, weights=values, minlength=lineups.count)[lineups.lineup] * counts
        self.seats = np.bincount(lineups.group, weights=self.match_seats, minlength=lineups.groups)
        total = np.bincount(lineups.group, weights=self.match_score, minlength=lineups.groups)
        self.mean = total / np.where(self.seats > 0, self.seats, 1)

    def moved(self, lineups: Lineups, both: "NDArray[np.bool_]") -> "NDArray[np.float64]":
        """Return the effect of each match on the player's mean over seeds; 0 in matches outside the mask `both`.

        The effect of a seat is (its score − that mean) / (seeds · seats of the player in the seed).
        """
        middle, seeds = self.mean[both].mean(), both.sum()
        share = np.where(both, 1 / (seeds * np.where(self.seats > 0, self.seats, 1)), 0)[lineups.group]
        found: NDArray[np.float64] = (self.match_score - middle * self.match_seats) * share
        return found


def _pairs(lineups: Lineups, score: Score, tables: Tables | None) -> Iterator[_Pair]:
    """Yield each pair of players that have a seed in common, in both directions."""
    names = lineups.seats["player"].unique().sort().to_list()
    kept = set(lineups.seats.filter("kept")["player"])
    whole = bool(lineups.seats["kept"].all())
    theirs = {name: _ByLuck(lineups, name, score, kept=False) for name in names}
    mine = theirs if whole else {name: _ByLuck(lineups, name, score, kept=True) for name in kept}
    for player in names:
        for other in names:
            if player == other or player not in kept or (whole and player > other):
                continue
            first, second = mine[player], theirs[other]
            both = (first.seats > 0) & (second.seats > 0)
            only = tables.matched((player, other)) if tables else None
            if only is not None and not only[both[lineups.group] & (first.match_seats + second.match_seats > 0)].all():
                first = _ByLuck(lineups, player, score, only, kept=True)
                second = _ByLuck(lineups, other, score, only, kept=False)
                both = (first.seats > 0) & (second.seats > 0)
            seeds = int(both.sum())
            if not seeds:
                continue
            difference = np.where(both, first.mean - second.mean, 0.0)
            moved = first.moved(lineups, both) - second.moved(lineups, both)
            trials = int((both[lineups.group] & (first.match_seats + second.match_seats > 0)).sum())
            error = sqrt(trials / (trials - 1) * float((moved**2).sum())) if trials > 1 else None
            width = None if error is None else 2 * t_quantile(trials) * error
            total, squares, parts = float(difference.sum()), float((difference**2).sum()), bundled(difference)
            yield _Pair(player, other, parts, seeds, total, squares, width)
            if whole:
                yield _Pair(other, player, -parts, seeds, -total, squares, width)

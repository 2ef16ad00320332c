"""Results for testing the figures of strength: a tiny tournament to be counted by hand, and simulated ones."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl

from dashboards import stats
from dashboards.stats.intervals import mean_intervals

STRENGTH: Final[dict[str, Callable[[pl.DataFrame], pl.DataFrame]]] = {
    "win-share": stats.win_share,
    "ratings": stats.ratings,
    "head-to-head": stats.head_to_head,
    "placement": stats.placement,
    "seat-effect": stats.seat_effect,
    "paired": stats.paired,
}
"""Functions from results to a frame, by name of the figure."""

SCHEMA: Final = {
    "match": pl.String,
    "luck": pl.String,
    "tournament": pl.String,
    "seat": pl.Int64,
    "player": pl.String,
    "version": pl.String,
    "place": pl.Int64,
}


def results(*matches: tuple[str | None, Mapping[str, int] | Sequence[tuple[str, int]]]) -> pl.DataFrame:
    """Return the results of matches; each is given by its seed and each player's place, in seat order."""
    rows = [
        (f"m{number:05d}", luck, "t", seat, player, "1", place)
        for number, (luck, places) in enumerate(matches)
        for seat, (player, place) in enumerate(places.items() if isinstance(places, Mapping) else places)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


TINY: Final = results(
    ("l0", {"a": 1, "b": 2, "c": 3}),
    ("l0", {"b": 1, "c": 3, "a": 1}),
    ("l1", {"a": 1, "b": 2, "c": 2}),
    ("l1", {"b": 3, "c": 1, "a": 2}),
)
"""Two seeds of two matches; one shared win, one shared second place."""


def simulated(
    random: np.random.Generator,
    strengths: Mapping[str, float],
    seeds: int,
    *,
    per_luck: int = 1,
    luck: float = 0.0,
    step: float = 0.0,
    rotated: bool = False,
) -> pl.DataFrame:
    """Return matches of a Plackett–Luce tournament, with seats drawn for each match.

    `luck` is the standard deviation of a seed's effect on a player in all its matches. Finishes in the same `step`
    share a place (none: never). If `rotated`, players rotate through the seats, and a seed's effect is on seats
    instead.
    """
    names = list(strengths)
    shape = (seeds, per_luck, len(names))
    power = np.array(list(strengths.values())) + random.gumbel(size=shape)
    given = random.normal(0, luck, (seeds, 1, len(names)))
    turned = (np.arange(per_luck)[:, None] + np.arange(len(names))) % len(names)
    power = power + (given[:, 0][:, turned] if rotated else given)
    power = np.floor(power / step) if step else power
    places = 1 + (power[..., None, :] > power[..., :, None]).sum(-1)
    seats = np.broadcast_to(turned, shape)
    if not rotated:
        seats = random.permuted(np.broadcast_to(np.arange(len(names)), shape), axis=-1)
    number = np.broadcast_to(np.arange(seeds * per_luck).reshape(seeds, per_luck, 1), shape)
    group = np.broadcast_to(np.arange(seeds).reshape(seeds, 1, 1), shape)
    players = np.broadcast_to(np.array(names), shape)
    columns = {"match": number, "luck": group, "seat": seats, "player": players, "place": places}
    frame = pl.DataFrame({name: column.reshape(-1) for name, column in columns.items()})
    return frame.with_columns(
        pl.format("m{}", pl.col("match").cast(pl.String).str.zfill(6)).alias("match"),
        pl.format("l{}", pl.col("luck").cast(pl.String).str.zfill(6)).alias("luck"),
        pl.lit("t").alias("tournament"),
        pl.lit("1").alias("version"),
    ).select(list(SCHEMA))


def summed(successes: Mapping[str, int], *, trials: int, seeds: int) -> pl.DataFrame:
    """Return `key, group, x` with the given number of trials per key, spread over the seeds; successes come first."""
    rows = [(key, trial % seeds, float(trial < count)) for key, count in successes.items() for trial in range(trials)]
    return pl.DataFrame(rows, schema={"key": pl.String, "group": pl.Int64, "x": pl.Float64}, orient="row")


def most(*seeds: Sequence[float]) -> float:
    """Return the upper bound of the mean of counts, given for each seed; `test_stats.py` has the formula."""
    rows = [("k", number, float(count)) for number, seed in enumerate(seeds) for count in seed]
    frame = pl.DataFrame(rows, schema={"key": pl.String, "group": pl.Int64, "x": pl.Float64}, orient="row")
    return float(mean_intervals(frame, ["key"], "x", "mean")["mean_high"][0])

"""The metrics of the chances of winning, each defined once; `metrics.py` joins them to the others."""

from typing import Final

from dashboards.catalog.calibration import calibration
from dashboards.catalog.decided import decided_by_chances
from dashboards.catalog.swings import largest_swings, moment_causes
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.reliability import reliability

__all__ = ["CHANCE_METRICS"]

SAMPLED: Final = " Of more than 1,000 seeds, 1,000 are taken."

CHANCE_METRICS: Final = (
    Metric(
        "favourite_share",
        "In what share of matches with a single winner this was the round from which the winner's chance of winning"
        " stayed at one half or more.",
        "matches in which the winner was below one half for the last time just before this round's decision / matches",
        source_of(decided_by_chances, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "favourite_by",
        "In what share of those matches the winner's chance had reached one half for good by this round.",
        "Σ favourite_share over rounds up to this one",
        source_of(decided_by_chances, f"interval: {KORN_GRAUBARD}"),
        "round",
        "share, 0 to 1",
    ),
    Metric(
        "swing",
        "How much the moment changed the chances of the player it affected most; or the cost to its"
        " seat expected when it was chosen, if that is more.",
        "chance after − chance before",
        source_of(largest_swings),
        "match, ply",
        "difference of shares, −1 to 1",
    ),
    Metric(
        "moments",
        "How many key moments come from the cause: changes larger than the model's error, or decisions with"
        " an expected cost above that when they were chosen; at most six per match.",
        "number of key moments",
        source_of(moment_causes),
        "cause",
        "key moments",
    ),
    Metric(
        "moment_share",
        "Share of all key moments from the cause.",
        "moments / Σ moments",
        source_of(moment_causes, f"interval: {KORN_GRAUBARD}"),
        "cause",
        "share, 0 to 1",
    ),
    Metric(
        "chance",
        "The mean chance of winning that the model gave the seats in the bin."
        f" The ten bins hold equally many seats, from up to 32 positions of each match.{SAMPLED}",
        "Σ chance / positions",
        source_of(reliability),
        "bin",
        "share, 0 to 1",
    ),
    Metric(
        "positions",
        "How many observations are in the bin: one per seat and position.",
        "number of (match, position, seat)",
        source_of(reliability),
        "bin",
        "seats in positions",
    ),
    Metric(
        "won_share",
        "Share of the seats in the bin that won.",
        "Σ (1/k if the seat shares the first place with k − 1 others, else 0) / positions",
        source_of(reliability, f"interval: {KORN_GRAUBARD}"),
        "bin",
        "share, 0 to 1",
    ),
    Metric(
        "calibration_difference",
        "How much more often the seats in the bin won than the model predicted. Tests whether it is zero.",
        "won_share − chance",
        source_of(reliability, f"test: binomial, {KORN_GRAUBARD}; Holm 1979 over all bins"),
        "bin",
        "difference of shares, −1 to 1",
    ),
    Metric(
        "calibration_error",
        "How far chances and shares won are apart on average in these matches; the same for all bins. Even a perfect"
        " model shows some, by luck, in this many matches.",
        "Σ |positions · (won_share − chance)| / Σ positions",
        source_of(reliability, "interval: 1,000 resamples of seeds"),
        "any",
        "share, 0 to 1",
    ),
    Metric(
        "checked_error",
        "The calibration error of the model in the held-out tournament that it was checked on.",
        "calibration_error there",
        source_of(calibration),
        "any",
        "share, 0 to 1",
    ),
)

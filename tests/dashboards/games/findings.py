"""Checks the findings of a figure with two small frames: in one the first row leads significantly, in the other not."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.games.analytics import analytics_of

__all__ = [
    "Case",
    "check",
    "differences",
    "finding_of",
    "of_courses",
    "of_players",
    "rows",
    "with_bounds",
    "with_metric",
]

SUPERLATIVE: Final = re.compile(
    r"\b(most|fewest|lowest(?!, not significant)|busiest|quietest|than in any other|least\b(?! religious| political)"
    r"|highest\b(?! level))\b"
)
"""Words that claim a lead; `least religious influence` and `the highest level` are excluded as terms of the rules."""

Pair = tuple[pl.DataFrame, pl.DataFrame]


@dataclass(frozen=True)
class Case:
    """Two frames of a figure and the sentence expected for each; a row leads only in the first frame."""

    apart: pl.DataFrame
    near: pl.DataFrame
    leads: str
    level: str


def check(game: str, name: str, case: Case) -> None:
    """Check that a figure's findings match the case, with at most one interval per sentence."""
    finding = finding_of(game, name)
    assert (finding(case.apart), finding(case.near)) == (case.leads, case.level)
    assert not SUPERLATIVE.search(case.level), case.level
    if "player" in case.apart.columns and case.leads != case.level:  # otherwise the sentence ranks no player first
        assert SUPERLATIVE.search(case.leads), case.leads
    for sentence in f"{case.leads} {case.level}".split(". "):
        assert sentence.count("95% CI") <= 1, sentence


def finding_of(game: str, name: str) -> Callable[[pl.DataFrame], str]:
    """Return the function that writes a figure's finding."""
    return next(figure.finding for figure in analytics_of(game).figures if figure.name == name)


def with_bounds(game: str) -> set[str]:
    """Return the names of the game's figures with a metric that has bounds."""
    return {each.name for each in analytics_of(game).figures if any(name.endswith("_low") for name in each.columns)}


def rows(name: str, keys: Mapping[str, Sequence[Any]], values: Sequence[float], **same: Any) -> Pair:
    """Return two frames of thirty seeds with these values: one with narrow bounds, one with wide bounds.

    `same` has additional columns, each a single value or a list.
    """
    found = pl.DataFrame(dict(keys)).with_columns(
        *(
            pl.Series(key, value) if isinstance(value, list) else pl.lit(value).alias(key)
            for key, value in same.items()
        ),
        groups=30,
    )
    return with_metric((found, found), name, values)


def with_metric(frames: Pair, name: str, values: Sequence[float]) -> Pair:
    """Return two frames with a metric: the first with narrow bounds, the second with wide bounds."""
    metric = pl.Series(name, values)
    narrow, wide = (
        frame.with_columns(metric, (metric - reach).alias(f"{name}_low"), (metric + reach).alias(f"{name}_high"))
        for frame, reach in zip(frames, (max(values) / 50, max(values) / 3), strict=True)
    )
    return narrow, wide


def of_players(name: str, kind: str, kinds: Sequence[str], values: Sequence[float], **same: Any) -> Pair:
    """Return `rows` of players called a, b, …, with the same values for each kind."""
    players = [chr(ord("a") + place) for place in range(len(values))]
    keys = {"player": players * len(kinds), kind: [each for each in kinds for _ in players]}
    return rows(name, keys, list(values) * len(kinds), **same)


def of_courses(name: str, kinds: Sequence[str]) -> Pair:
    """Return `rows` about events in matches of four players."""
    return rows(name, {"kind": kinds}, [10.0 + place for place in range(len(kinds))], players=4, matches=30)


def differences(first: str, second: str) -> Pair:
    """Return `rows` of two kinds in which winners and losers differ, significantly only in the first frame."""
    apart, near = rows("winner_difference", {"kind": [first, second]}, [3.0, -2.0])
    holm = "winner_difference_holm"
    return apart.with_columns(pl.lit(0.01).alias(holm)), near.with_columns(pl.lit(0.5).alias(holm))


def decisive(unit: str) -> Case:
    """Return the case of the figure about when matches are decided, in rounds, turns or throws."""
    pair = rows(
        "decided_share",
        {"round": [1, 2]},
        [0.6, 0.4],
        matches=[6, 4],
        decided_by=[0.6, 1.0],
        decided_by_low=[0.3, 1.0],
        decided_by_high=[0.8, 1.0],
    )
    half = f"Half of the matches are decided by the end of {unit} 1 (95% CI {unit} 1 to {unit} 2)."
    meant = f"Decided: from the end of that {unit} on, scoring after any {unit} gives the same winner."
    leads = f"More matches are decided in {unit} 1 than in any other: 60.0% of 10 matches (95% CI 58.8–61.2)."
    level = f"60.0% of 10 matches are decided in {unit} 1 (95% CI 40.0–80.0; lead not significant)."
    return Case(*pair, f"{half} {leads} {meant}", f"{half} {level} {meant}")

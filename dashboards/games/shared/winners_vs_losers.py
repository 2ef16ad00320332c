"""Differences of means between winners and losers, tested and corrected for all kinds together."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, interval, of_wins
from dashboards.queries.actions import winner_loser_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import STATEMENT, corrected
from dashboards.stats.intervals import mean_test
from dashboards.stats.words import mean, signed, significant, whole

__all__ = ["winner_differences", "winner_finding", "winners_apart"]

ROW: Final = "Winners minus losers"
ACROSS: Final = 3
"""Number of panels side by side."""


def winners_apart(name: str, table: str, kinds: Mapping[str, tuple[str, str]], fraction: int = 1) -> Figure:
    """Return the figure on what winners have more or less of than losers.

    `kinds` maps each kind to its SQL and its label. The SQL counts in whole units of 1/`fraction`.
    """
    columns = {kind: sql for kind, (sql, _) in kinds.items()}
    return Figure(
        name=name,
        title="What sets winners apart",
        section="why",
        count=lambda reader, where: winner_differences(reader, table, where, columns, fraction),
        columns={
            "kind": "What",
            "won_mean": "Winners",
            "lost_mean": "Losers",
            "groups": "Seeds",
            **interval("winner_difference", "Difference"),
            "winner_difference_p": "p (uncorrected)",
            "winner_difference_holm": "p (corrected)",
        },
        finding=winner_finding,
        ignores=BY_OUTCOME,
        is_wide=True,
        narrows=of_wins,
        draw=partial(_draw, {kind: called for kind, (_, called) in kinds.items()}),
    )


def winner_differences(
    reader: Reader, table: str, where: Filter, columns: Mapping[str, str], fraction: int = 1
) -> pl.DataFrame:
    """Return the mean of each kind for winners and for losers, and the difference, winners minus losers.

    Columns: `kind, won_mean, lost_mean, groups, winner_difference`, and its bounds, p-value (`_p`) and corrected
    p-value (`_holm`). Means are per seat and match. The difference furthest from zero, in standard errors, comes first.
    `columns` maps each kind to SQL that counts in whole units of 1/`fraction`.
    """
    found = winner_loser_sums(reader, table, where, columns)
    tests = []
    for row in found.iter_rows(named=True):
        difference = row["won"] / row["won_seats"] - row["lost"] / row["lost_seats"]
        tests.append(mean_test(1, difference, row["groups"], row["residual"]))
    name = "winner_difference"
    ends = [
        pl.Series(f"{name}{end}", [test[place] for test in tests], pl.Float64)
        for place, end in enumerate(("", "_low", "_high", "_p"))
    ]
    holm = pl.Series(f"{name}_holm", corrected([p for *_, p in tests], STATEMENT), pl.Float64)
    scaled = [pl.col(f"{name}{end}") / fraction for end in ("", "_low", "_high")]
    rows = found.select(
        "kind",
        (pl.col("won") / pl.col("won_seats") / fraction).alias("won_mean"),
        (pl.col("lost") / pl.col("lost_seats") / fraction).alias("lost_mean"),
        "groups",
        *ends,
        holm,
    )
    reach = (pl.col(f"{name}_high") - pl.col(f"{name}_low")).clip(lower_bound=1e-12)
    return rows.with_columns(scaled).sort((pl.col(name) / reach).abs(), "kind", descending=[True, False])


def winner_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on what winners have significantly more or less of, after correction for all kinds."""
    if frame.is_empty():
        return "No match with winners and losers fits these filters."
    apart = [row for row in frame.iter_rows(named=True) if significant(row, "winner_difference")]
    respects = whole(frame.height, "respect")
    if not apart:
        row = frame.row(0, named=True)
        return (
            f"No significant difference between winners and losers in any of {respects} (corrected). The clearest sign:"
            f" {_called(row['kind'])}, winners minus losers {mean(row, 'winner_difference', sign=True)}."
        )
    first, *others = apart[:3]
    said = [f"{_called(first['kind'])} {mean(first, 'winner_difference', sign=True)}"]
    said += [f"{_called(row['kind'])} {signed(row['winner_difference'])}" for row in others]
    return (
        f"Significant difference between winners and losers in {len(apart)} of {respects} (corrected). Winners minus"
        f" losers, per player and match: {', '.join(said)}."
    )


def _draw(called: Mapping[str, str], frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the difference between winners and losers for each kind; filled marks are significant.

    Each kind has its own axis, because units differ. `called` gives the labels of kinds.
    """
    parts = []
    for row in frame.iter_rows(named=True):
        heading = f"{called[row['kind']]}: {signed(row['winner_difference'], digits=2)}"
        of_it = frame.filter(kind=row["kind"]).with_columns(row=pl.lit(ROW))
        shape = "circle" if significant(row, "winner_difference") else "circle-open"
        parts.append(Panel(heading, of_it, "winner_difference", partial(signed, digits=2), shape=shape))
    return interval_panels(parts, colours, rows="row", in_a_line=ACROSS)


def _called(kind: str) -> str:
    return kind.replace("_", " ")

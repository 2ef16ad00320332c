"""Yaks by source: what seats earn by discs of barters they keep, and by inventory markers they win."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked_parts
from dashboards.charts.chart import Chart
from dashboards.charts.dots import number
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.stats.by_kind import means_of_seats, with_all_kinds
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means
from dashboards.stats.metric import GROUPED, Metric, source_of
from dashboards.stats.words import NOTHING
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["INCOME"]

SOURCES: Final = {"barter": "f.barter_yaks", "inventory": "f.inventory_yaks"}
CALLED: Final = {"barter": "barter", "inventory": "inventory"}


def income(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, source, played, groups, yaks`, its bounds, `yaks_share` and its bounds, most yaks first."""
    by = ["player", "source"]
    part = means(_sums(reader, where, " + ".join(SOURCES.values())), by, "yaks_share").drop("groups", "yaks_share_p")
    part = part.with_columns(pl.col("yaks_share", "yaks_share_low", "yaks_share_high").clip(0, 1))
    rows = means_of_seats(_sums(reader, where, "1"), by, "yaks").join(part, on=by, how="left", maintain_order="left")
    return rows.sort(pl.col("yaks").sum().over("player"), "player", "source", descending=[True, False, False])


def _sums(reader: Reader, where: Filter, trials: str) -> pl.DataFrame:
    """Return `player, source` with the yaks earned from it; `trials` says how many trials a seat counts as."""
    found = seat_sums(reader, SEATS, where, SOURCES, trials)
    return with_all_kinds(found.rename({"kind": "source"}), "source", SOURCES)


def income_finding(frame: pl.DataFrame) -> str:
    """Say who earns how much by each source."""
    if frame.is_empty():
        return NOTHING
    return " ".join(
        lead_sentence(
            frame.filter(source=source),
            "yaks",
            "player",
            f"{{}} earns the most by {source}: {{}} yaks a match",
            f"{{}} earns {{}} yaks a match by {source}",
        )
        for source in SOURCES
    )


def draw_income(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw yaks a match by where they came from."""
    return stacked_parts(frame, "source", "yaks", CALLED, colours.parts, shown=number)


INCOME: Final = Figure(
    name="income",
    title="Yaks by source",
    section="why",
    count=income,
    columns={
        "player": "Player",
        "source": "Source",
        **OF_PLAYER,
        **interval("yaks", "Yaks per match"),
        **interval("yaks_share", "Share of its yaks"),
    },
    finding=income_finding,
    draw=draw_income,
    metrics=(
        Metric(
            "yaks",
            "How many yaks a seat earns in a match by the source: discs kept (barter), markers won (inventory).",
            "yaks by the source / played",
            source_of(income, f"interval: {GROUPED}"),
            "player, source",
            "yaks per player and match",
        ),
        Metric(
            "yaks_share",
            "What share of the player's yaks comes from the source.",
            "yaks by the source / all yaks of the player",
            source_of(income, f"interval: {GROUPED}"),
            "player, source",
            "share, 0 to 1",
        ),
    ),
)

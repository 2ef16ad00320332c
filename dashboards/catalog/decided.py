"""When matches are decided by the chances of winning: when the winner became favourite for good. For any game."""

from typing import Final

import polars as pl

from dashboards.charts.bars import histogram
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.analytics import terms_of
from dashboards.games.figure import OF_MATCHES, Figure, interval
from dashboards.games.shared.progress import decisive_rounds
from dashboards.stats.claims import lead_sentence
from dashboards.stats.quartiles import quartiles
from dashboards.stats.words import percent, whole
from dashboards.warehouse.choices import game_under
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.reviews import DECIDED

__all__ = ["DECIDED_BY_CHANCES", "NOT_VALUED", "decided_by_chances", "decided_finding"]

NOT_VALUED: Final = "No finished match that fits these filters has chances of winning."
NAMES: Final = {"decided_share": "favourite_share", "decided_by": "favourite_by"}
ENDS: Final = ("", "_low", "_high")


def decided_by_chances(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `round, kind, matches, groups, favourite_share, favourite_by` with bounds, of matches that one seat won.

    Counts matches in which the winner's chance was never below one half again from that round on. `kind` is the game's
    word for a round.
    """
    found = decisive_rounds(reader, where, DECIDED)
    found = found.rename({f"{name}{end}": f"{called}{end}" for name, called in NAMES.items() for end in ENDS})
    kind = pl.lit(terms_of(game_under(reader, where)).round).alias("kind")
    return found.select(pl.col("round") - 1, kind, pl.exclude("round"))


def decided_finding(frame: pl.DataFrame) -> str:
    """Say when the median match is decided by the chances, and in which round most are."""
    if frame.is_empty():
        return NOT_VALUED
    word = frame["kind"][0]
    spread = quartiles(frame.with_columns(of=pl.lit("all")), ["of"], "round", "matches", "at").row(0, named=True)
    median, low, high = (f"{spread[f'at_{end}']:.0f}" for end in ("median", "lower", "upper"))
    total = whole(int(frame["matches"].sum()), "match", "matches")
    most = lead_sentence(
        frame.with_columns(pl.format(f"{word} {{}}", "round").alias("called")),
        "favourite_share",
        "called",
        f"This holds from {{}} on most often: in {{}} of {total}",
        f"In {{1}} of {total} this holds from {{0}} on",
        percent,
    )
    meaning = f"the winner's chance was never again below one half from {word} {median} on"
    return f"In the median match, {meaning} (middle half: {low} to {high}). {most}"


def draw_decided(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how many matches were decided in each round."""
    return histogram(frame, "round", "matches", "favourite_share", colours, heading=frame["kind"][0])


DECIDED_BY_CHANCES: Final = Figure(
    "decided-by-chances",
    "When the winner became favourite for good",
    "chances",
    decided_by_chances,
    {
        "round": "Round",
        "kind": "Unit",
        "matches": "Matches",
        "groups": "Seeds",
        **interval("favourite_share", "From then on"),
        **interval("favourite_by", "By then"),
    },
    decided_finding,
    OF_MATCHES,
    draw=draw_decided,
)

"""Figures on the route of summit: visits to its fields, and the heights of climbers and Sherpas."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import polars as pl

from dashboards.charts.builders import Course
from dashboards.charts.chart import Chart, Column, Columns, finite
from dashboards.charts.theme import Palette
from dashboards.games.figure import Defined
from dashboards.games.shared.course import ByRound, height_finding
from dashboards.games.shared.place_counts import Also, Per, PlaceCounts
from dashboards.games.shared.seat_sums import Kind, SeatSpread
from dashboards.games.summit.terms import FIELDS, SEATS
from dashboards.stats.claims import lead_sentence
from dashboards.stats.words import bounds, hundredths, percent, whole

__all__ = ["HEIGHTS", "HEIGHTS_BY_THROW", "LOST_SHERPAS", "VISITED"]


FIELD: Final = {"field": "Field"}
TERRAIN: Final = {"terrain": "Terrain"}


def _least_visited(frame: pl.DataFrame) -> str:
    """Return a sentence on the fields that no pawn visited, or on the least visited field."""
    never = frame.filter(visits=0).height
    if never:
        return f" No pawn came to {whole(never, 'field')}."
    arrivals = whole(int(frame["visits"].sum()), "arrival")
    plain = f"Field {{field}} ({{terrain}}) has {{1}} of {arrivals}"
    least = f"Field {{field}} ({{terrain}}) is visited least: it has {{1}} of {arrivals}"
    return f" {lead_sentence(frame, 'visit_share', 'field', least, plain, percent, least=True)}"


def _draw_visited(frame: pl.DataFrame, colours: Palette) -> Chart:
    texts = [
        f"{row['visit_share']:.1%} of arrivals{bounds(row, 'visit_share', percent)}:"
        f" climbers {row['climbers']:,}, Sherpas {row['visits'] - row['climbers']:,}"
        f" (by a slide or chase {row['brought']:,})"
        for row in frame.iter_rows(named=True)
    ]
    return _along_the_route(frame, "visit_share", {"visit_share": "arrivals"}, texts, (colours.accent,), ".0%")


def _sent_back(frame: pl.DataFrame) -> str:
    """Return a sentence on how many Sherpas slid, and how many were chased by the Yeti."""
    slid, chased = (whole(int(frame[way].sum()), "Sherpa") for way in ("slid", "chased"))
    return f" In all, {slid} slid and the Yeti chased {chased}."


def _draw_lost(frame: pl.DataFrame, colours: Palette) -> Chart:
    rows = frame.with_columns((pl.col(way) / pl.col("matches")).alias(f"{way}_per_match") for way in ("slid", "chased"))
    texts = [
        f"{row['lost_per_match']:.2f} Sherpas a match: {row['slid']:,} slid, {row['chased']:,} chased"
        for row in frame.iter_rows(named=True)
    ]
    parts = {"slid_per_match": "slid", "chased_per_match": "chased by the Yeti"}
    return _along_the_route(rows, "lost_per_match", parts, texts, colours.parts[:2], "")


def _along_the_route(
    frame: pl.DataFrame, value: str, parts: Mapping[str, str], texts: Sequence[str], hues: Sequence[str], ticks: str
) -> Columns:
    """Return a chart of columns over the fields, split into parts, with the interval of the total."""
    columns = []
    for row, text in zip(frame.iter_rows(named=True), texts, strict=True):
        low, high = (finite(row[f"{value}{end}"]) for end in ("_low", "_high"))
        lengths = tuple(row[part] or 0.0 for part in parts)
        columns.append(Column(row["field"], lengths, f"Field {row['field']} ({row['terrain']}): {text}", "", low, high))
    return Columns(tuple(columns), tuple(zip(parts.values(), hues, strict=True)), "field", ticks)


VISITED: Final = PlaceCounts(
    name="fields",
    title="Fields visited",
    counted=Defined(
        "visits",
        "Arrivals",
        "How often a pawn came to the field: by a die or card, along with others, or by a slide or chase.",
        "number of arrivals, by slides and chases too",
        "arrivals",
    ),
    value=Defined(
        "visit_share",
        "Share",
        "What share of all arrivals were on the field.",
        "arrivals on the field / arrivals anywhere",
    ),
    per=Per.ALL,
    keys=FIELD,
    about=TERRAIN,
    most="Field {field} ({terrain}) is visited most: it has {1} of {of}",
    least="",
    plain="Field {field} ({terrain}) has {1} of {of}",
    none="No pawn came to any field under these filters.",
    shown=percent,
    noun=("arrival",),
    also=Also(
        FIELDS,
        (
            Defined(
                "climbers",
                "Climbers",
                "How often a climber came to the field.",
                "number of arrivals of climbers",
                "arrivals",
            ),
            Defined(
                "sherpas",
                "Sherpas",
                "How often a Sherpa came to the field by a die or card.",
                "number of arrivals of Sherpas by a die or card",
                "arrivals",
            ),
            Defined(
                "alongs",
                "Along",
                "How often a Sherpa moved on to the field by the number of those it met, or was taken along.",
                "number of arrivals of Sherpas in these ways",
                "arrivals",
            ),
            Defined(
                "brought",
                "Slid or chased",
                "How often a Sherpa came to the field by a slide or a chase.",
                "number of arrivals of Sherpas by a slide or chase",
                "arrivals",
            ),
        ),
    ),
    closing=_least_visited,
    is_along=True,
    chart=_draw_visited,
)
LOST_SHERPAS: Final = PlaceCounts(
    name="lost-sherpas",
    title="Where Sherpas are sent back",
    counted=Defined("lost", "Sherpas", "How many Sherpas were sent back from the field.", "slid + chased", "Sherpas"),
    value=Defined(
        "lost_per_match",
        "Per match",
        "How many Sherpas are sent back from the field in a match.",
        "lost / matches",
        "Sherpas per match",
    ),
    per=Per.MATCH,
    keys=FIELD,
    about=TERRAIN,
    most="The most Sherpas are sent back from field {field} ({terrain}): {1} a match",
    least="",
    plain="From field {field} ({terrain}), {1} Sherpas are sent back a match",
    none="No Sherpa was sent back under these filters.",
    shown=hundredths,
    also=Also(
        FIELDS,
        (
            Defined("slid", "Slid", "How many Sherpas slid down from the field.", "number of slides", "Sherpas"),
            Defined(
                "chased", "Chased", "How many Sherpas the Yeti chased from the field.", "number of chases", "Sherpas"
            ),
        ),
    ),
    closing=_sent_back,
    only_counted=True,
    chart=_draw_lost,
)


HEIGHTS: Final = SeatSpread(
    name="heights",
    title="How high climbers and Sherpas got",
    table=SEATS,
    kinds={
        "climber": Kind(
            "f.climber",
            "Field of the climber",
            "On average, {}'s climber ends highest: on field {}",
            "On average, {}'s climber ends on field {}",
        ),
        "sherpas": Kind(
            "f.sherpas",
            "Fields of the Sherpas",
            "On average, {}'s Sherpas end highest: on {} fields in total",
            "On average, {}'s Sherpas end on {} fields in total",
        ),
    },
    mean=Defined(
        "height",
        "Mean",
        "How high a seat is: the field of its climber, or the sum of the fields of its four Sherpas; at the end, or"
        " before the throw that follows each one, if at least a tenth of the player's seats got that far.",
        "mean over seats",
        "fields",
    ),
    keys={"figure": "Pawns", "player": "Player"},
    grain="figure, player (and round)",
)
HEIGHTS_BY_THROW: Final = ByRound(
    name="heights-by-throw",
    title="How high, throw by throw",
    course=Course(
        "figure",
        (("climber", "Climber"), ("sherpas", "Sherpas, sum of fields")),
        "height",
        "throw",
        (1, 5, 10, 15, 20),
    ),
    table="agg_summit_standings",
    heading="Pawns",
    finding=partial(height_finding, figure="climber", name="height", what="field of climbers", word="throw"),
)

"""Figures on blocking between players, and on the effect of blocking discs."""

from typing import Final

import polars as pl

from dashboards.charts.builders import Panel, interval_panels, number, percent_label
from dashboards.charts.chart import Cell, Chart, Matrix
from dashboards.charts.theme import Palette, warming
from dashboards.games.climbers.terms import SEATS
from dashboards.games.figure import OF_PLAYER, Figure, interval
from dashboards.queries.actions import seat_sums
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.results import column_sums
from dashboards.queries.where import SEED_GROUP, player_of, seats_where
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import means, shares
from dashboards.stats.words import GROUPED, KORN_GRAUBARD, NOTHING, Metric, hundredths, source_of

__all__ = ["DISCS", "HINDERED_BY"]

LAID: Final = """(select d.match_id, d.seat, d.round, count(h.seat) as hindered from fct_climbers_discs d
    left join fct_climbers_hindrances h on h.match_id = d.match_id and h.seq = d.seq
    group by d.match_id, d.seat, d.round)"""
"""SQL for one row per disc laid, with the number of opponents it cost a step."""
PANELS: Final = {
    "disc_share": ("Laid", percent_label, ".0%"),
    "disc_turn": ("Turn laid", number, ""),
    "disc_hindered": ("Others hindered by it", number, ""),
}


def discs(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, played, groups, disc_turn, disc_hindered, disc_share` and their bounds, most discs laid first.

    `disc_turn` and `disc_hindered` are means over the discs laid; null for a player that laid none.
    """
    found = seat_sums(reader, SEATS, where, {"used": "f.disc_used::int"})
    rows = shares(found, ["player"], "disc_share", "played").with_columns(pl.col("played").cast(pl.Int64))
    laid = seat_sums(reader, LAID, where, {"turn": "f.round", "hindered": "f.hindered"})
    for kind in ("turn", "hindered"):
        name = f"disc_{kind}"
        ends = [f"{name}{end}" for end in ("", "_low", "_high")]
        found = means(laid.filter(kind=kind), ["player"], name).select("player", *ends)
        rows = rows.join(found, on="player", how="left", maintain_order="left")
    order = [f"{name}{end}" for name in ("disc_turn", "disc_hindered", "disc_share") for end in ("", "_low", "_high")]
    return rows.select("player", "played", "groups", *order).sort("disc_share", "player", descending=[True, False])


def disc_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on who lays discs most often, and how many opponents a disc hinders."""
    if frame.is_empty():
        return NOTHING
    said = lead_sentence(
        frame,
        "disc_share",
        "player",
        "{0} lays its disc most often: in {1} of its {its_matches}",
        "{0} lays its disc in {1} of its {its_matches}",
        percent_label,
    )
    if not frame["disc_hindered"].count():
        return f"{said} No disc was laid."
    laid = (pl.col("disc_share") * pl.col("played")).round().cast(pl.Int64)
    hinders = lead_sentence(
        # the number of seeds with a disc is at most the number of discs
        frame.with_columns(pl.min_horizontal("groups", laid).alias("groups")),
        "disc_hindered",
        "player",
        "A disc of {} hinders the most opponents: {} on average",
        "A disc of {} hinders {} opponents on average",
        hundredths,
    )
    return f"{said} {hinders}"


def draw_discs(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how often discs are laid, in which turn, and how many opponents they hinder."""
    parts = [
        Panel(heading, frame.filter(pl.col(column).is_not_null()), column, shown, axis_format)
        for column, (heading, shown, axis_format) in PANELS.items()
    ]
    return interval_panels([part if part.frame.height else None for part in parts], colours)


DISCS: Final = Figure(
    "discs",
    "Blocking discs",
    "why",
    discs,
    {
        "player": "Player",
        **OF_PLAYER,
        **interval("disc_turn", "Turn laid"),
        **interval("disc_hindered", "Others hindered"),
        **interval("disc_share", "Laid"),
    },
    disc_finding,
    is_wide=True,
    draw=draw_discs,
    metrics=(
        Metric(
            "disc_share",
            "How often a seat lays its blocking disc.",
            "seats that laid it / played",
            source_of(discs, f"interval: {KORN_GRAUBARD}"),
            "player",
            "share, 0 to 1",
        ),
        Metric(
            "disc_turn",
            "In which turn of the match discs are laid.",
            "mean over discs",
            source_of(discs, f"interval: {GROUPED}"),
            "player",
            "number of the turn",
        ),
        Metric(
            "disc_hindered",
            "How many other climbers a disc robs of a step that was open to them just before.",
            "mean over discs",
            source_of(discs, f"interval: {GROUPED}"),
            "player",
            "opponents per disc",
        ),
    ),
)


def hinderers(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, other, pairs, groups, hindered_by` and its bounds: how often `other` hinders `player`."""
    found = _sums(reader, where)
    rows = means(found, ["player", "other"], "hindered_by").with_columns(found["trials"].cast(pl.Int64).alias("pairs"))
    ends = [f"hindered_by{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "other", "pairs", "groups", *ends).sort("player", "other")


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return sums by `player, other` of how often `other` hindered `player`; a trial is a pair of their seats."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    other, _ = player_of(reader, where, "o")
    base = f"""select {player} as player, {other} as other, {SEED_GROUP} as unit,
            count(*) as n, sum(f.hindered_by[o.seat + 1]) as times
        from {SEATS} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        join dim_seats o on o.match_id = s.match_id and o.seat <> s.seat
        where {condition} group by all"""
    return column_sums(reader, base, ["player", "other"], "kind", {"times": "n"}, values | names).drop("kind")


def hinderer_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on who hinders whom most often."""
    if frame.is_empty():
        return NOTHING
    pairs = frame.sort("player", "other").with_columns(pl.format("{} hinders {}", "other", "player").alias("pair"))
    return lead_sentence(
        pairs,
        "hindered_by",
        "pair",
        "{} most often: {} times a match at the same table",
        "{} {} times a match at the same table",
        hundredths,
    )


def draw_hinderers(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw a matrix of how often the row's player is hindered by the column's player."""
    cells = tuple(
        Cell(
            row["player"],
            row["other"],
            row["hindered_by"],
            f"{row['hindered_by']:.2f}",
            f"{row['player']} is hindered by {row['other']} {row['hindered_by']:.2f} times a match",
            row,
        )
        for row in frame.iter_rows(named=True)
    )
    most = max((cell.value for cell in cells), default=0) or 1.0
    players, others = (tuple(sorted(set(frame[side]))) for side in ("player", "other"))
    return Matrix(players, others, cells, warming(colours), 0.0, most, ("hindered", "by"))


HINDERED_BY: Final = Figure(
    "hindered-by",
    "Who blocks whom",
    "why",
    hinderers,
    {
        "player": "Player",
        "other": "By",
        "pairs": "Meetings",
        "groups": "Seeds",
        **interval("hindered_by", "Times per match"),
    },
    hinderer_finding,
    draw=draw_hinderers,
    metrics=(
        Metric(
            "hindered_by",
            "How often a block or disc of the other takes away a step that the player's climber might have taken just"
            " before, in a match that both sit in.",
            "number / pairs",
            source_of(hinderers, f"interval: {GROUPED}"),
            "player, other",
            "times per pair of players and match",
        ),
    ),
)

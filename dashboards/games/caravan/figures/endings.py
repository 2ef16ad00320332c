"""How each player's matches ended: won, eliminated by an influence, or stayed in and lost."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.figures.shared import ELIMINATED_OVER
from dashboards.games.figure import BY_OUTCOME, Figure, interval
from dashboards.stats.claims import told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, percent, whole
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEATS, SEED_GROUP, player_of, seats_where

__all__ = ["FIGURE", "METRICS", "ending_finding", "endings"]

ENDINGS: Final = {
    "won": "won",
    "religious": "out: religious",
    "political": "out: political",
    "outlasted": "stayed in, lost",
}
ENDING: Final = "case when s.won then 'won' else coalesce(s.ending, 'outlasted') end"


def endings(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, ending, seats, played, groups, ending_share` and its bounds, all four endings of each player.

    The player who wins most comes first.
    """
    found = _with_all_endings(_sums(reader, where))
    counted = shares(found, ["player", "ending"], "ending_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("seats")
    )
    best = pl.col("ending_share").filter(pl.col("ending") == "won").first().over("player")
    order = pl.col("ending").replace_strict({name: place for place, name in enumerate(ENDINGS)}, return_dtype=pl.Int64)
    return counted.sort(best, "player", order, descending=[True, False, False]).select(
        "player", "ending", "seats", "played", "groups", "ending_share", "ending_share_low", "ending_share_high"
    )


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, ending` with how many of the player's seats ended so."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    base = f"""select {player} as player, {ENDING} as ending, {SEED_GROUP} as unit, count(*) as x
        from {SEATS} where {condition} group by all"""
    trials = "select player, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["player", "ending"], ["player"], values | names, base)


def _with_all_endings(found: pl.DataFrame) -> pl.DataFrame:
    """Return sums with a row for each ending, also for what never happened to a player."""
    every = found.group_by("player", maintain_order=True).agg(pl.col("trials", "groups").first())
    every = every.join(pl.DataFrame({"ending": list(ENDINGS)}), how="cross")
    known = found.select("player", "ending", "total", "residual")
    return every.join(known, on=["player", "ending"], how="left", maintain_order="left").with_columns(
        pl.col("total", "residual").fill_null(0.0)
    )


def ending_finding(frame: pl.DataFrame) -> str:
    """Say how many seats each influence eliminates, and whose."""
    if frame.is_empty():
        return NOTHING
    lost = frame.filter(pl.col("ending") != "won")["seats"].sum()
    out = {kind: frame.filter(pl.col("ending") == kind) for kind in ELIMINATED_OVER}
    if not any(rows["seats"].sum() for rows in out.values()):
        return f"Nobody was eliminated: all {whole(lost, 'loser')} stayed in to the end."
    said = [
        told(
            rows,
            "ending_share",
            "player",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} most often: in {{1}} of its {{its_matches}}",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} in {{1}} of its {{its_matches}}",
            percent,
        )
        for kind, rows in out.items()
        if rows["seats"].sum()
    ]
    religion, politics = (int(rows["seats"].sum()) for rows in out.values())
    return (
        f"Of {whole(lost, 'loser')}, {religion:,} {'was' if religion == 1 else 'were'} eliminated on religion and"
        f" {politics:,} on politics. {' '.join(said)}"
    )


def draw_endings(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw how each player's matches ended, as parts of a whole bar."""
    wide = frame.pivot("ending", index=["player", "played"], values="seats", maintain_order=True)
    return stacked(wide, ENDINGS, colours.endings, part="ending", whole=wide["played"])


METRICS: Final = (
    Metric(
        "ending_share",
        "How often a player's match ends this way: won (alone or shared), out for least religious or political"
        " influence,"
        " or stayed in and lost.",
        "seats that ended this way / played",
        source_of(endings, f"interval: {KORN_GRAUBARD}"),
        "player, ending",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    name="endings",
    title="How each player's matches ended",
    section="why",
    count=endings,
    columns={
        "player": "Player",
        "ending": "Ending",
        "seats": "Matches",
        "played": "Of",
        "groups": "Seeds",
        **interval("ending_share", "Share"),
    },
    finding=ending_finding,
    ignores=BY_OUTCOME,
    narrows=lambda row: {"result": row["ending"]},
    draw=draw_endings,
    metrics=METRICS,
)

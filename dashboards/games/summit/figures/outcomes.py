"""How each player's matches ended: won or lost, on the summit or by bad weather."""

from typing import Final

import polars as pl

from dashboards.charts.bars import stacked
from dashboards.charts.chart import Chart
from dashboards.charts.colour import mixed
from dashboards.charts.theme import Palette
from dashboards.games.figure import BY_OUTCOME, Figure, Row, interval
from dashboards.games.summit.figures.shared import COURSES
from dashboards.stats.by_kind import in_order, with_all_kinds
from dashboards.stats.claims import told
from dashboards.stats.intervals import shares
from dashboards.stats.metric import KORN_GRAUBARD, Metric, source_of
from dashboards.stats.words import NOTHING, percent
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.sums import unit_sums
from dashboards.warehouse.where import SEED_GROUP, player_of, seats_where

__all__ = ["FIGURE", "METRICS", "outcomes"]

OUTCOME: Final = "case when s.won then 'won_' else 'lost_' end || c.ending::varchar"
OUTCOMES: Final = {
    "won_summit": "won: summit",
    "won_bad_weather": "won: weather",
    "lost_bad_weather": "lost: weather",
    "lost_summit": "lost: summit",
}
"""What each is called: won on the summit, or as the highest in bad weather; lost in bad weather, or to another's
climber on the summit."""


def outcomes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, outcome, seats, played, groups, outcome_share` and its bounds, all four of each player.

    The player who wins most comes first.
    """
    found = with_all_kinds(_sums(reader, where), "outcome", OUTCOMES)
    rows = shares(found, ["player", "outcome"], "outcome_share", "played").with_columns(
        pl.col("played").cast(pl.Int64), found["total"].cast(pl.Int64).alias("seats")
    )
    wins = pl.col("outcome_share").filter(pl.col("outcome").str.starts_with("won")).sum().over("player")
    rows = in_order(rows, "outcome", OUTCOMES).sort(wins, "player", descending=[True, False], maintain_order=True)
    ends = [f"outcome_share{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "outcome", "seats", "played", "groups", *ends)


def _sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, outcome` with how many of the player's seats ended so; a trial is a seat."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    base = f"""select {player} as player, {OUTCOME} as outcome, {SEED_GROUP} as unit, count(*) as x
        from dim_seats s join dim_matches m using (match_id) join {COURSES} c using (match_id)
        where {condition} group by all"""
    trials = "select player, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["player", "outcome"], ["player"], values | names, base)


def outcome_finding(frame: pl.DataFrame) -> str:
    """Say who wins on the summit how often, and who in bad weather."""
    if frame.is_empty():
        return NOTHING
    said = []
    for outcome, how in (("won_summit", "on the summit"), ("won_bad_weather", "in bad weather")):
        rows = frame.filter(outcome=outcome)
        often = told(
            rows,
            "outcome_share",
            "player",
            f"{{0}} wins {how} most often: in {{1}} of its {{its_matches}}",
            f"{{0}} wins {how} in {{1}} of its {{its_matches}}",
            percent,
        )
        said.append(often if rows["seats"].sum() else f"Nobody wins {how}.")
    return " ".join(said)


def draw_outcomes(frame: pl.DataFrame, colours: Palette) -> Chart:
    """How each player's matches ended, as parts of a whole bar."""
    wide = frame.pivot("outcome", index=["player", "played"], values="seats", maintain_order=True)
    return stacked(wide, OUTCOMES, _hues(colours), part="outcome", whole=wide["played"])


def _hues(colours: Palette) -> list[str]:
    """Return two shades of the colour of winners, and two of that of losers."""
    won, *_out, lost = colours.endings
    return [won, mixed(won, 0.5, colours.card), lost, mixed(lost, 0.6, colours.muted)]


def _of_outcome(row: Row) -> dict[str, str]:
    """Return the part of an address that narrows the filter to the matches of a row."""
    result, _, ending = row["outcome"].partition("_")
    return {"result": result, "ending": ending}


METRICS: Final = (
    Metric(
        "outcome_share",
        "How often a player's match ends this way: it won (alone or shared) on the summit or by bad weather, or lost to"
        " another's climber on the summit or by bad weather.",
        "seats that ended this way / played",
        source_of(outcomes, f"interval: {KORN_GRAUBARD}"),
        "player, outcome",
        "share, 0 to 1",
    ),
)
FIGURE: Final = Figure(
    "outcomes",
    "How each player's matches ended",
    "why",
    outcomes,
    {
        "player": "Player",
        "outcome": "Outcome",
        "seats": "Matches",
        "played": "Of",
        "groups": "Seeds",
        **interval("outcome_share", "Share"),
    },
    outcome_finding,
    BY_OUTCOME,
    narrows=_of_outcome,
    draw=draw_outcomes,
    metrics=METRICS,
)

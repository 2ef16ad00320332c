"""Figures on the course of caravan matches: endings, winners against losers, influence by round, costs of plans."""

from typing import Final

import polars as pl

from dashboards.charts.builders import by_part, in_points, interval_panels
from dashboards.charts.chart import Chart
from dashboards.charts.theme import Palette
from dashboards.games.caravan.terms import BY_INFLUENCE, COURSES, ELIMINATED_OVER, SEATS, WITH_ELIMINATION
from dashboards.games.figure import BY_OUTCOME, OF_PLAYER, Defined, Figure, interval
from dashboards.games.shared.course import ByRound, comebacks, decisive_round, medians_told
from dashboards.games.shared.endings import Endings, MatchMeans
from dashboards.games.shared.seat_sums import Kind, SeatSpread
from dashboards.games.shared.winners_vs_losers import winners_apart
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import AMOUNT, cause_sums
from dashboards.stats import words
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import DIFFERENCE
from dashboards.stats.results import in_order, means_of_seats
from dashboards.stats.words import GROUPED, NOTHING, Metric, percent, source_of, whole
from himalaya_core.winprob.key_moments import Cause

__all__ = [
    "COMEBACKS",
    "DECISIVE_ROUND",
    "ENDINGS",
    "FINAL_INFLUENCE",
    "INFLUENCE_BY_ROUND",
    "IN_A_MATCH",
    "PLAN_COSTS",
    "WINNERS",
]


NO_ELIMINATION: Final = (
    "No finished match with four or more players fits these filters; with three, nobody can be eliminated."
)
IN_A_MATCH: Final = MatchMeans(
    name="courses",
    table=COURSES,
    kinds=("lead_changes", "contested_villages", "region_flips"),
    mean=Defined(
        "per_match",
        "Times per match",
        "Events per match. Lead change: the likely winner differs from that at the last round's end with a winner."
        " Contest: two or more want the same goods or order of a village in a round. Region: it passes from one leader"
        " to another.",
        "number / matches",
        "times per match",
    ),
    also="On average, there are {contested_villages} contests over a village, and a region changes hands {region_flips}"
    " times.",
    called={"contested_villages": "Contests over a village", "region_flips": "Regions changing hands"},
)
DECISIVE_ROUND: Final[Figure] = decisive_round("decisive-round", COURSES, "round")
COMEBACKS: Final[Figure] = comebacks(
    "comebacks",
    COURSES,
    "comeback_share",
    "What share of the player's wins at tables of four or more were comebacks: had the match been scored at the end of"
    " some round from 6 on, a winner would have been eliminated.",
    "a winner would have been eliminated, had the match been scored after some round from 6 on. Counts wins at"
    " tables of four or more",
    among=WITH_ELIMINATION,
    nothing=NO_ELIMINATION,
)


def _finding(frame: pl.DataFrame) -> str:
    """Return a sentence on how many seats each influence eliminates, and which player's seats most often."""
    if frame.is_empty():
        return NO_ELIMINATION
    lost = frame.filter(pl.col("ending") != "won")["seats"].sum()
    out = {kind: frame.filter(pl.col("ending") == kind) for kind in ELIMINATED_OVER}
    if not any(rows["seats"].sum() for rows in out.values()):
        return f"No player was eliminated at tables of four or more: all {whole(lost, 'loser')} stayed in to the end."
    said = [
        lead_sentence(
            rows,
            "ending_share",
            "player",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} most often: in {{1}} of its {{its_matches}} there",
            f"{{0}} is eliminated on {ELIMINATED_OVER[kind]} in {{1}} of its {{its_matches}} there",
            percent,
        )
        for kind, rows in out.items()
        if rows["seats"].sum()
    ]
    religion, politics = (int(rows["seats"].sum()) for rows in out.values())
    return (
        f"At tables of four or more, {religion:,} of {whole(lost, 'loser')} {'was' if religion == 1 else 'were'}"
        f" eliminated on religion and {politics:,} on politics. {' '.join(said)}"
    )


ENDINGS: Final = Endings(
    name="endings",
    title="How each player's matches ended",
    section="why",
    table="",
    ending="case when s.won then 'won' else coalesce(s.ending, 'outlasted') end",
    endings={
        "won": "won",
        "religious": "out: religious",
        "political": "out: political",
        "outlasted": "stayed in, lost",
    },
    share=Defined(
        "ending_share",
        "Share",
        "How often a player's match with four or more players ends this way: won (alone or shared), out for least"
        " religious or political influence, or stayed in and lost. With three players nobody can be eliminated.",
        "seats that ended this way / seats at tables of four or more",
    ),
    finding=_finding,
    hues=lambda colours: colours.endings,
    heading="Ending",
    narrows=lambda row: {"result": row["ending"]},
    among=WITH_ELIMINATION,
)


WINNERS: Final = winners_apart(
    "winners-apart",
    SEATS,
    {
        "religious_influence": ("f.religious", "Religious influence"),
        "political_influence": ("f.political", "Political influence"),
        "yaks": ("f.economic", "Yaks at the end"),
        "goods_collected": ("f.collected", "Goods collected"),
        "deliveries": ("f.delivered", "Deliveries"),
        "barters": ("f.barters", "Barters"),
        "stupas": ("f.stupas", "Stupas built"),
        "delegations": ("f.delegations_sent", "Delegations sent"),
        "inventory_markers": ("f.inventory_markers", "Markers won"),
        "void_actions": ("f.voided", "Void actions"),
    },
)


HALF: Final = 6


def _influence_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the range of the players' median yaks, half-way and at the end."""
    yaks = frame.filter(pl.col("influence") == "economic")
    if yaks.is_empty():
        return NOTHING
    first, last = yaks.select(pl.col("round").min(), last=pl.col("round").max()).row(0)
    rounds = dict.fromkeys((max(first, min(HALF, last)), last))
    return f"{medians_told(yaks, 'points', 'economic influence', 'round', rounds)}."


FINAL_INFLUENCE: Final = SeatSpread(
    name="final-influence",
    title="Influence at the end",
    table=SEATS,
    kinds={
        "religious": Kind(
            "f.religious",
            "Religious",
            "On average, {} ends with the most religious influence: {}",
            "On average, {} ends with a religious influence of {}",
        ),
        "political": Kind(
            "f.political",
            "Political",
            "On average, {} ends with the most political influence: {}",
            "On average, {} ends with a political influence of {}",
        ),
        "economic": Kind(
            "f.economic",
            "Economic",
            "On average, {} ends with the most yaks: {}",
            "On average, {} ends with {} yaks",
        ),
    },
    mean=Defined(
        "points",
        "Mean",
        "How much of an influence a seat has: religious and political in points, economic in yaks; at the end, or at"
        " the end of a round, before any elimination.",
        "mean over seats",
        "points; economic: yaks",
    ),
    keys={"player": "Player", "influence": "Influence"},
    grain="player, influence (and round)",
    hues=lambda colours: colours.influences,
)
INFLUENCE_BY_ROUND: Final = ByRound(
    name="influence-by-round",
    title="Influence round by round",
    course=BY_INFLUENCE,
    table="agg_caravan_influence",
    heading="Influence",
    finding=_influence_finding,
)
"""This figure has no metric for `points`: the figure of influence at the end defines it."""


CAUSES: Final = {
    Cause.OWN_PLAN.value: "Own plans",
    Cause.RIVAL_PLAN.value: "Rivals' plans",
    Cause.TRADE.value: "Trades",
    Cause.DICE.value: "Dice",
    Cause.DRIFT.value: "Drift",
    Cause.OWN_MOVE.value: "Own moves",
    Cause.RIVAL_MOVE.value: "Rivals' moves",
}
NOT_SPLIT: Final = "No finished match that fits these filters has its chances of winning split by cause."
SUM: Final = "What all causes change for a player sums to its share of wins less its chances at first."


def plan_costs(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, cause, played, groups, cause_change` and its bounds: the effect of each cause per match."""
    found = cause_sums(reader, where)
    found = found.with_columns(pl.col("total") / AMOUNT, pl.col("residual") / AMOUNT**2)
    return in_order(means_of_seats(found, ["player", "cause"], "cause_change", DIFFERENCE), "cause", CAUSES)


def plan_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the players that gain the most and the least by their own plans."""
    own = frame.filter(cause=Cause.OWN_PLAN.value)
    if own.is_empty():
        return NOT_SPLIT
    plain = "Own plans bring {} {} points a match"
    said = [
        lead_sentence(own, "cause_change", "player", "Own plans bring {} most: {} points a match", plain, in_hundredths)
    ]
    if own.height > 1:
        worst = "Own plans bring {} least: {} points a match"
        said.append(lead_sentence(own, "cause_change", "player", worst, plain, in_hundredths, least=True))
    return f"{' '.join(said)} {SUM}"


def in_hundredths(value: float) -> str:
    """Format a change of chances in percentage points as a number without a unit."""
    return words.signed(100 * value)


def draw_plan_costs(frame: pl.DataFrame, colours: Palette) -> Chart:
    """Draw the change that each cause makes for each player, in percentage points, one panel per cause."""
    named = in_points(frame, "cause_change").with_columns(pl.col("cause").replace_strict(CAUSES))
    return interval_panels(by_part(named, "cause", "cause_change", words.signed, "+d"), colours, in_a_line=3)


PLAN_COSTS: Final = Figure(
    "plan-costs",
    "What plans cost",
    "chances",
    plan_costs,
    {"player": "Player", "cause": "Cause", **OF_PLAYER, **interval("cause_change", "Change per match")},
    plan_finding,
    BY_OUTCOME,
    is_wide=True,
    draw=draw_plan_costs,
    metrics=(
        Metric(
            "cause_change",
            "Change in a player's chances of winning a match by cause, summed over its rounds. Drift is the change if"
            " every seat plans like the reference player (the program planner); no seat causes it. A player's causes"
            " sum to its share of wins less its starting chances.",
            "Σ amounts of the cause / played",
            source_of(plan_costs, f"interval: {GROUPED}"),
            "player, cause",
            "difference of shares, −1 to 1",
        ),
    ),
)

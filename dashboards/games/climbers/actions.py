"""The Climbers: what players did in their matches: levels gained, ladders, blocks, discs, who hindered whom."""

from typing import Final

import polars as pl

from dashboards.games.climbers.queries import hinderer_sums
from dashboards.games.shared.winners_vs_losers import winners_less_losers
from dashboards.stats.by_kind import in_order, means_of_seats, most_of
from dashboards.stats.intervals import means, shares
from dashboards.stats.words import NOTHING, mean, rivals, share
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "block_finding",
    "blocks",
    "disc_finding",
    "discs",
    "gained",
    "gained_finding",
    "hindered",
    "hindered_finding",
    "hinderer_finding",
    "hinderers",
    "ladder_finding",
    "ladders",
    "more_of",
]

TABLE: Final = "fct_climbers_seats"
GAINED: Final = {"own": "f.levels_own", "others": "f.levels_others"}
"""Levels in a player's own turns, and after those of others."""
SPENT: Final = """(select match_id, seat, any_value(d.ladders_left) as ladders_left,
    any_value(d.levels_by_ladder) as levels_by_ladder, count(*) filter (l.ladder = 'short') as short,
    count(*) filter (l.ladder = 'long') as long
    from fct_climbers_seats d left join fct_climbers_ladders l using (match_id, seat) group by match_id, seat)"""
LADDERS: Final = {"left": "f.ladders_left", "short": "f.short", "long": "f.long", "levels": "f.levels_by_ladder"}
"""Ladders left of two, spent of each kind, and how many levels those brought."""
MOVED: Final = """(select match_id, seat, any_value(d.blocks_moved) as moved, any_value(d.blocks_turned) as turned,
    count(*) filter (p.to_level > p.from_level) as raised, count(*) filter (p.to_level < p.from_level) as lowered,
    coalesce(sum(p.shifted), 0) as shifted
    from fct_climbers_seats d left join fct_climbers_placements p using (match_id, seat) group by match_id, seat)"""
BLOCKS: Final = {kind: f"f.{kind}" for kind in ("moved", "turned", "raised", "lowered", "shifted")}
"""Blocks moved; of these, turned in place, with their tops higher or lower than before; climbers set aside for them."""
TAKEN: Final = """(select d.match_id, d.seat, d.round, count(h.seat) as hindered from fct_climbers_discs d
    left join fct_climbers_hindrances h on h.match_id = d.match_id and h.seq = d.seq
    group by d.match_id, d.seat, d.round)"""
HINDERED: Final = {
    "blocks": "f.hindered_by_blocks",
    "discs": "f.hindered_by_discs",
    "hindering": "f.hindering",
    "shifted": "f.shifted",
}
"""How often others' blocks and discs took a step away, it took one of others, others set its climber aside."""
SIDES: Final = {
    kind: f"f.{kind}"
    for kind in (
        *("steps_own", "steps_others", "levels_others", "levels_by_ladder", "ladders_left", "blocks_moved"),
        *("blocks_turned", "hindered", "hindering"),
    )
} | {"discs_laid": "f.disc_used::int"}
"""What winners may have more of than losers."""


def gained(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, levels_gained` and its bounds: in own turns, after others'."""
    found = seat_sums(reader, TABLE, where, GAINED)
    return in_order(means_of_seats(found, ["player", "kind"], "levels_gained"), "kind", GAINED)


def gained_finding(frame: pl.DataFrame) -> str:
    """Say who gains most levels in its own turns, and who after those of others."""
    if frame.is_empty():
        return NOTHING
    own, others = (most_of(frame.filter(kind=kind), "levels_gained") for kind in GAINED)
    return (
        f"{own[0]} gains most levels in its own turns: {own[1]} a match{own[2]}. After turns of others"
        f" {others[0]} does: {others[1]}{others[2]}."
    )


def ladders(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, ladders` and its bounds: left, spent, and the levels that those brought."""
    found = seat_sums(reader, SPENT, where, LADDERS)
    return in_order(means_of_seats(found, ["player", "kind"], "ladders"), "kind", LADDERS)


def ladder_finding(frame: pl.DataFrame) -> str:
    """Say who has most ladders left, and whom they bring most."""
    if frame.is_empty():
        return NOTHING
    left, levels = (most_of(frame.filter(kind=kind), "ladders", 2) for kind in ("left", "levels"))
    return (
        f"{left[0]} has most ladders left at the end: {left[1]} of 2{left[2]}. Ladders bring most to {levels[0]}:"
        f" {levels[1]} levels a match{levels[2]}."
    )


def blocks(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, blocks` and its bounds: moved, turned, raised, lowered; shifted."""
    found = seat_sums(reader, MOVED, where, BLOCKS)
    return in_order(means_of_seats(found, ["player", "kind"], "blocks"), "kind", BLOCKS)


def block_finding(frame: pl.DataFrame) -> str:
    """Say who moves most blocks, and who sets most of them higher."""
    if frame.is_empty():
        return NOTHING
    moved, raised = (most_of(frame.filter(kind=kind), "blocks") for kind in ("moved", "raised"))
    return (
        f"{moved[0]} moves most blocks: {moved[1]} a match{moved[2]}. {raised[0]} sets most of them higher than they"
        f" were: {raised[1]}{raised[2]}."
    )


def discs(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, played, groups, disc_turn, disc_hindered, disc_share` and their bounds, most laid first.

    The first two are means over discs that were laid: none without one.
    """
    found = seat_sums(reader, TABLE, where, {"used": "f.disc_used::int"})
    rows = shares(found, ["player"], "disc_share", "played").with_columns(pl.col("played").cast(pl.Int64))
    laid = seat_sums(reader, TAKEN, where, {"turn": "f.round", "hindered": "f.hindered"})
    for kind in ("turn", "hindered"):
        name = f"disc_{kind}"
        ends = [f"{name}{end}" for end in ("", "_low", "_high")]
        found = means(laid.filter(kind=kind), ["player"], name).select("player", *ends)
        rows = rows.join(found, on="player", how="left", maintain_order="left")
    order = [f"{name}{end}" for name in ("disc_turn", "disc_hindered", "disc_share") for end in ("", "_low", "_high")]
    return rows.select("player", "played", "groups", *order).sort("disc_share", "player", descending=[True, False])


def disc_finding(frame: pl.DataFrame) -> str:
    """Say who lays its disc most often, and whose disc hinders most."""
    if frame.is_empty():
        return NOTHING
    most = frame.row(0, named=True)
    said = f"{most['player']} lays its disc most often: {share(most, 'disc_share')} of its seats"
    said += rivals(frame, "disc_share", "player")
    laid = frame.filter(pl.col("disc_hindered").is_not_null())
    if laid.is_empty():
        return f"{said}. No disc was laid."
    hinders, count, others = most_of(laid, "disc_hindered", 2)
    return f"{said}. A disc of {hinders} takes a step away from most others: {count} of them{others}."


def hindered(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, hindrances` and its bounds: by blocks, by discs, of others; shifted."""
    found = seat_sums(reader, TABLE, where, HINDERED)
    return in_order(means_of_seats(found, ["player", "kind"], "hindrances"), "kind", HINDERED)


def hindered_finding(frame: pl.DataFrame) -> str:
    """Say whom blocks and discs of others hinder most, and who hinders others most."""
    if frame.is_empty():
        return NOTHING
    blocks_, discs_, hinders = (most_of(frame.filter(kind=kind), "hindrances", 2) for kind in list(HINDERED)[:3])
    return (
        f"Blocks of others take a step away from {blocks_[0]} most often: {blocks_[1]} times a match{blocks_[2]};"
        f" discs from {discs_[0]}: {discs_[1]}{discs_[2]}. {hinders[0]} hinders others most: {hinders[1]}{hinders[2]}."
    )


def hinderers(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, other, pairs, groups, hindered_by` and its bounds: how often the other hinders the player."""
    found = hinderer_sums(reader, where)
    rows = means(found, ["player", "other"], "hindered_by").with_columns(found["trials"].cast(pl.Int64).alias("pairs"))
    ends = [f"hindered_by{end}" for end in ("", "_low", "_high")]
    return rows.select("player", "other", "pairs", "groups", *ends).sort("player", "other")


def hinderer_finding(frame: pl.DataFrame) -> str:
    """Say who hinders whom most and least."""
    if frame.is_empty():
        return NOTHING
    ranked = frame.sort("hindered_by", "player", "other", descending=[True, False, False]).with_columns(
        pl.format("{} by {}", "player", "other").alias("pair")
    )
    most, least = ranked.row(0, named=True), ranked.row(-1, named=True)
    said = f"Most often {most['player']} is hindered by {most['other']}: {mean(most, 'hindered_by', 2)} times a match"
    said += f" at one table{rivals(ranked, 'hindered_by', 'pair')}"
    if ranked.height == 1:
        return f"{said}."
    return f"{said}; least often {least['player']} by {least['other']}: {mean(least, 'hindered_by', 2)}."


def more_of(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`, see `sides`."""
    return winners_less_losers(reader, TABLE, where, SIDES)

"""Caravan: what players did in their matches: income, goods, voided actions, rewards, tokens."""

from typing import Final

import polars as pl

from dashboards.games.caravan.queries import effect_sums, token_sums
from dashboards.stats.by_kind import in_order, means_of_seats, most_of, with_all_kinds
from dashboards.stats.intervals import means, shares
from dashboards.stats.words import NOTHING, mean, plain, rivals, share
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "goods",
    "goods_finding",
    "income",
    "income_finding",
    "reward_finding",
    "rewards",
    "token_finding",
    "tokens",
    "void_finding",
    "voids",
]

SOURCES: Final = {"barter": "barter_yaks", "inventory": "inventory_yaks"}
GOODS: Final = {
    "collected": "f.collected",
    **{kind: f"f.collected_{kind}" for kind in ("salt", "barley", "tea", "jade", "gold")},
    "market": "f.market_collected",
    "spent": "f.goods_spent",
    "wasted": "f.goods_left",
    "deliveries": "f.delivered",
}
"""Goods taken, of each kind, at a market; given in deliveries; held at the end, of no more use; and deliveries."""
REASONS: Final = {
    "all": "f.voided",
    "no_road": "f.voided_no_road",
    "yeti": "f.voided_yeti",
    "storm_unfinished": "f.voided_storm_unfinished",
    "on_storm": "f.voided_on_storm",
    "nothing_here": "f.voided_nothing_here",
    "too_late": "f.too_late",
    "already_collected": "f.voided_already_collected",
    "goods_missing": "f.voided_goods_missing",
    "declined": "f.voided_declined",
}
"""Why actions came to nothing; what came too late is counted under its other reason as well."""
PAIRS: Final = {
    "barter_offering": "f.pair_barter_offering",
    "barter_delegation": "f.pair_barter_delegation",
    "offering_delegation": "f.pair_offering_delegation",
    "fewer": "f.single_rewards",
}
TOKENS: Final = {"yeti": "f.yeti_placed", "snowstorm": "f.snowstorm_placed", "market": "f.market_placed"}
EFFECTS: Final = {
    "stopped": ("yeti", "f.stopped_by_yeti"),
    "slowed": ("snowstorm", "f.slowed_by_storm"),
    "gained": ("market", "f.market_gains"),
    "given": ("market", "f.market_given"),
}
"""What a token did: actions of others stopped or slowed, goods gained at one's market, and by others there."""


def income(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, source, played, groups, yaks`, its bounds, `yaks_share` and its bounds, most yaks first."""
    by = ["player", "source"]
    columns = {source: f"f.{column}" for source, column in SOURCES.items()}
    found = with_all_kinds(seat_sums(reader, "fct_seats", where, columns).rename({"kind": "source"}), "source", columns)
    parts = with_all_kinds(
        seat_sums(reader, "fct_seats", where, columns, "f.barter_yaks + f.inventory_yaks").rename({"kind": "source"}),
        "source",
        columns,
    )
    part = means(parts, by, "yaks_share").drop("groups", "yaks_share_p")
    part = part.with_columns(pl.col("yaks_share", "yaks_share_low", "yaks_share_high").clip(0, 1))
    rows = means_of_seats(found, by, "yaks").join(part, on=by, how="left", maintain_order="left")
    return rows.sort(pl.col("yaks").sum().over("player"), "player", "source", descending=[True, False, False])


def income_finding(frame: pl.DataFrame) -> str:
    """Say who earns most by each source."""
    if frame.is_empty():
        return NOTHING
    said = []
    for source in SOURCES:
        player, yaks, others = most_of(frame.filter(pl.col("source") == source), "yaks")
        said.append(f"{player} earns most by {source}: {yaks} yaks a match{others}")
    return f"{'; '.join(said)}."


def goods(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, goods` and its bounds: how many a seat had in a match."""
    found = with_all_kinds(seat_sums(reader, "fct_seats", where, GOODS), "kind", GOODS)
    return in_order(means_of_seats(found, ["player", "kind"], "goods"), "kind", GOODS)


def goods_finding(frame: pl.DataFrame) -> str:
    """Say who collects most and who wastes most."""
    if frame.is_empty():
        return NOTHING
    collects, wastes, delivers = (
        most_of(frame.filter(pl.col("kind") == kind), "goods") for kind in ("collected", "wasted", "deliveries")
    )
    return (
        f"{collects[0]} collects most: {collects[1]} goods a match{collects[2]}. Most deliveries: {delivers[0]} with"
        f" {delivers[1]}{delivers[2]}. Most goods are left over by {wastes[0]}: {wastes[1]}{wastes[2]}."
    )


def voids(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, reason, played, groups, voids` and its bounds: actions that came to nothing, a match."""
    found = with_all_kinds(seat_sums(reader, "fct_seats", where, REASONS).rename({"kind": "reason"}), "reason", REASONS)
    return in_order(means_of_seats(found, ["player", "reason"], "voids"), "reason", REASONS)


def void_finding(frame: pl.DataFrame) -> str:
    """Say for whom most actions come to nothing, and for what reason."""
    if frame.is_empty():
        return NOTHING
    player, count, others = most_of(frame.filter(pl.col("reason") == "all"), "voids")
    own = frame.filter((pl.col("reason") != "all") & (pl.col("player") == player))
    too_late = own.filter(pl.col("reason") == "too_late")["voids"][0]
    rest = pl.when(pl.col("reason") == "nothing_here").then(pl.col("voids") - too_late).otherwise("voids")
    reason = own.with_columns(rest.alias("voids")).sort("voids", "reason", descending=[True, False]).row(0, named=True)
    said = plain(reason["voids"]) if reason["reason"] == "nothing_here" else mean(reason, "voids")  # bounds: of both
    late = most_of(frame.filter(pl.col("reason") == "too_late"), "voids", 2)
    return (
        f"Most actions come to nothing for {player}: {count} a match{others}; most of its own for"
        f" {reason['reason'].replace('_', ' ')}: {said}. {late[0]} comes too late most often:"
        f" {late[1]} times a match{late[2]}."
    )


def rewards(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, pair, deliveries, groups, pair_share` and its bounds: what was taken for a delivery."""
    by = ["player", "pair"]
    found = with_all_kinds(
        seat_sums(reader, "fct_seats", where, PAIRS, "f.delivered").rename({"kind": "pair"}), "pair", PAIRS
    )
    rows = shares(found, by, "pair_share", "deliveries").with_columns(pl.col("deliveries").cast(pl.Int64))
    return in_order(rows, "pair", PAIRS)


def reward_finding(frame: pl.DataFrame) -> str:
    """Say which pair each player takes most."""
    if frame.is_empty():
        return "Nothing was delivered under these filters."
    said = []
    for pair in list(PAIRS)[:3]:
        rows = frame.filter(pl.col("pair") == pair).sort("pair_share", "player", descending=[True, False])
        most, others = rows.row(0, named=True), rivals(rows, "pair_share", "player")
        named = f"{pair.replace('_', ' and ')} by {most['player']}"
        said.append(f"{named}, {share(most, 'pair_share')} of its deliveries{others}")
    text = "; ".join(said)
    return f"Taken most often: {text}."


def tokens(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, token, effect, played, groups, placed_share`, its bounds, `token_effect`, its bounds.

    Of matches with tokens in play: how often a seat places the token, and what one that it placed did.
    """
    placed = with_all_kinds(token_sums(reader, where, TOKENS).rename({"kind": "token"}), "token", TOKENS)
    use = shares(placed, ["player", "token"], "placed_share", "played").with_columns(pl.col("played").cast(pl.Int64))
    found = effect_sums(reader, where, {effect: (column, TOKENS[token]) for effect, (token, column) in EFFECTS.items()})
    effects = means(found.rename({"kind": "effect"}), ["player", "effect"], "token_effect")
    effects = effects.drop("groups", "token_effect_p")
    every = pl.DataFrame({"token": [token for token, _ in EFFECTS.values()], "effect": list(EFFECTS)})
    by = ["player", "token", "effect"]
    rows = use.join(every, on="token", how="inner").join(effects, on=["player", "effect"], how="left")
    return in_order(rows, "effect", EFFECTS).select(
        *by,
        "played",
        "groups",
        *(f"placed_share{end}" for end in ("", "_low", "_high")),
        *(f"token_effect{end}" for end in ("", "_low", "_high")),
    )


def token_finding(frame: pl.DataFrame) -> str:
    """Say what each kind of token does most for whom."""
    if frame.is_empty():
        return "No match with tokens fits these filters."
    said = []
    words = {
        "stopped": "a Yeti stops most for {}: {} actions of others",
        "slowed": "a snowstorm slows most for {}: {} actions of others",
        "gained": "a market gives most to {}: {} goods",
    }
    for effect, text in words.items():
        rows = frame.filter((pl.col("effect") == effect) & (pl.col("token_effect") > 0))
        if rows.height:
            player, count, others = most_of(rows, "token_effect", 2)
            said.append(f"{text.format(player, count)}{others}")
    if not said:
        return "No token had an effect under these filters."
    joined = "; ".join(said)
    return f"{joined[:1].upper()}{joined[1:]}."

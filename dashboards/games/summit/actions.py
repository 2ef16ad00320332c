"""Summit: what players did in their matches: dice, fields gained and lost, Sherpas sent back, cards, turns."""

from typing import Final

import polars as pl

from dashboards.games.shared.winners_vs_losers import winners_less_losers
from dashboards.stats.by_kind import in_order, means_of_seats, most_of, with_all_kinds
from dashboards.stats.intervals import ANY, shares
from dashboards.stats.words import NOTHING, mean, rivals, share, whole
from dashboards.warehouse.actions import seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = [
    "card_finding",
    "cards",
    "climbed",
    "climbed_finding",
    "dice",
    "dice_finding",
    "fall_finding",
    "falls",
    "turn_finding",
    "turns",
    "winners",
]

TABLE: Final = "fct_summit_seats"
FRACTION: Final = 840
"""All means of up to eight dice are whole numbers of these parts, so that sums of them are exact."""
DICE: Final = {
    "luck": f"round({FRACTION} * f.dice_luck)::bigint",
    "left": f"round({FRACTION} * f.dice_left)::bigint",
    "choice": f"round({FRACTION} * f.dice_choice)::bigint",
    "unused": f"{FRACTION} * f.unused_pips",
}
"""What a seat got of its dice, in pips: by the throws, by what others left of them, by its choice; and what of dice and
cards came to nothing."""
CLIMBED: Final = {
    "climber": "f.climber",
    "forward": "f.fields_forward",
    "along": "f.fields_along",
    "back": "-f.fields_back",
    "slid": "-f.fields_slid",
    "chased": "-f.fields_chased",
}
"""Fields of the climber; of Sherpas: by numbers, taken along, back by choice, down slides, from the Yeti."""
FALLS: Final = {
    "all": "f.slides + f.chases",
    "slide": "f.slides",
    "yeti_arrived": "f.chases_yeti_arrived",
    "climber_left": "f.chases_climber_left",
    "slid_to_yeti": "f.chases_slid",
}
"""Why a Sherpa was sent back: it slid, the Yeti came, its climber left the Yeti's field, it slid onto that."""
CARDS: Final = {
    "played": "f.cards_played",
    "moved_by": "f.card_pips",
    "taken_back": "f.cards_taken_back",
    "declined": "f.cards_declined",
}
TURNS: Final = {
    "climber": "f.climber_moves",
    "forward": "f.forward_moves",
    "back": "f.back_moves",
    "forfeit": "f.forfeits",
}
"""What a turn moved: the climber, a Sherpa up, one back, nothing as no die fitted."""
SIDES: Final = {
    "dice_luck": DICE["luck"],
    "dice_left": DICE["left"],
    "dice_choice": DICE["choice"],
    "unused_pips": DICE["unused"],
    **{kind: f"{FRACTION} * f.{kind}" for kind in ("climber_moves", "take_alongs", "slides", "chases", "cards_played")},
}
"""What winners may have more of than losers."""


def dice(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, part, played, groups, dice_pips` and its bounds: what dice and choices gave a seat in a match."""
    found = with_all_kinds(seat_sums(reader, TABLE, where, DICE).rename({"kind": "part"}), "part", DICE)
    found = found.with_columns(pl.col("total") / FRACTION, pl.col("residual") / FRACTION**2)
    return in_order(means_of_seats(found, ["player", "part"], "dice_pips", ANY), "part", DICE)


def dice_finding(frame: pl.DataFrame) -> str:
    """Say whom the dice favour most, and who makes most of them by its choice."""
    if frame.is_empty():
        return NOTHING
    said = []
    for part, words in (("choice", "its own choice gives most to"), ("luck", "the throws give most to")):
        rows = frame.filter(part=part).sort("dice_pips", "player", descending=[True, False])
        most, others = rows.row(0, named=True), rivals(rows, "dice_pips", "player")
        said.append(f"{words} {most['player']}, {mean(most, 'dice_pips', sign=True)}{others}")
    return f"In pips a match against the mean of what there was: {'; '.join(said)}."


def winners(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, won_mean, lost_mean, groups, winner_difference`, its bounds, `_p`, `_holm`, see `sides`."""
    return winners_less_losers(reader, TABLE, where, SIDES, FRACTION)


def climbed(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, fields_climbed` and its bounds: fields gained and lost in a match."""
    found = with_all_kinds(seat_sums(reader, TABLE, where, CLIMBED), "kind", CLIMBED)
    return in_order(means_of_seats(found, ["player", "kind"], "fields_climbed", ANY), "kind", CLIMBED)


def climbed_finding(frame: pl.DataFrame) -> str:
    """Say whose climber gains most, whose Sherpas are taken along most, and who loses most fields."""
    if frame.is_empty():
        return NOTHING
    said = []
    for kind, words in (("climber", "'s climber climbs most"), ("along", "'s Sherpas gain most by going along")):
        player, fields, others = most_of(frame.filter(kind=kind), "fields_climbed")
        said.append(f"{player}{words}: {fields} fields a match{others}")
    return f"{'; '.join(said)}."


def falls(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, fall, played, groups, falls` and its bounds: how often its Sherpas were sent back in a match."""
    found = with_all_kinds(seat_sums(reader, TABLE, where, FALLS).rename({"kind": "fall"}), "fall", FALLS)
    return in_order(means_of_seats(found, ["player", "fall"], "falls"), "fall", FALLS)


def fall_finding(frame: pl.DataFrame) -> str:
    """Say whose Sherpas are sent back most, by slides and by the Yeti."""
    if frame.is_empty():
        return NOTHING
    player, count, others = most_of(frame.filter(fall="all"), "falls")
    slid, yeti = (most_of(frame.filter(fall=fall), "falls", 2) for fall in ("slide", "yeti_arrived"))
    return (
        f"{player}'s Sherpas are sent back most: {count} times a match{others}. Slides take most from {slid[0]}:"
        f" {slid[1]}{slid[2]}; the Yeti comes most often upon those of {yeti[0]}: {yeti[1]}{yeti[2]}."
    )


def cards(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, kind, played, groups, cards` and its bounds: supply cards played and taken back in a match."""
    found = with_all_kinds(seat_sums(reader, TABLE, where, CARDS), "kind", CARDS)
    return in_order(means_of_seats(found, ["player", "kind"], "cards"), "kind", CARDS)


def card_finding(frame: pl.DataFrame) -> str:
    """Say who plays most supply cards and who takes most back."""
    if frame.is_empty():
        return NOTHING
    plays, back = (most_of(frame.filter(kind=kind), "cards", 2) for kind in ("played", "taken_back"))
    return (
        f"{plays[0]} plays most supply cards: {plays[1]} a match{plays[2]}. Most are taken back by {back[0]}:"
        f" {back[1]}{back[2]}."
    )


def turns(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, choice, turns, groups, turn_share` and its bounds: what a player's turns moved."""
    moved = " + ".join(TURNS.values())
    found = with_all_kinds(seat_sums(reader, TABLE, where, TURNS, moved).rename({"kind": "choice"}), "choice", TURNS)
    rows = shares(found, ["player", "choice"], "turn_share", "turns").with_columns(pl.col("turns").cast(pl.Int64))
    return in_order(rows, "choice", TURNS)


def turn_finding(frame: pl.DataFrame) -> str:
    """Say who moves the climber most, and who moves Sherpas back most."""
    if frame.is_empty():
        return NOTHING
    said = []
    for choice, words in (("climber", "moves its climber most: in"), ("back", "moves Sherpas back most: in")):
        rows = frame.filter(choice=choice).sort("turn_share", "player", descending=[True, False])
        most, others = rows.row(0, named=True), rivals(rows, "turn_share", "player")
        said.append(f"{most['player']} {words} {share(most, 'turn_share')} of its turns{others}")
    idle = frame.filter(choice="forfeit")
    nothing = round(float((idle["turn_share"] * idle["turns"]).sum()))
    last = f"In {whole(nothing, 'turn')} no die fitted." if nothing else "There was no turn in which no die fitted."
    return f"{'; '.join(said)}. {last}"

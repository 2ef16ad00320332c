"""Figures on turns of summit: moves, and the value of a seat's dice (luck, dice left by others, own choice)."""

from typing import Final

import polars as pl

from dashboards.games.figure import Defined
from dashboards.games.shared.seat_sums import Kind, SeatSums
from dashboards.games.summit.terms import SEATS
from dashboards.stats.claims import lead_sentence
from dashboards.stats.intervals import ANY
from dashboards.stats.words import NOTHING, percent, signed, whole

__all__ = ["DICE", "FRACTION", "PIPS", "TURNS"]

FRACTION: Final = 840
"""Means are stored as multiples of 1/840, so that means of up to eight dice are exact."""
PIPS: Final = {
    "luck": f"round({FRACTION} * f.dice_luck)::bigint",
    "left": f"round({FRACTION} * f.dice_left)::bigint",
    "choice": f"round({FRACTION} * f.dice_choice)::bigint",
    "unused": f"{FRACTION} * f.unused_pips",
}
"""SQL for the value of a seat's dice in pips: luck of the throws, dice left by others, own choice, and unused pips."""


def _dice_finding(frame: pl.DataFrame) -> str:
    """Return a sentence on the players that gain most by choosing dice and by the luck of the throws."""
    if frame.is_empty():
        return NOTHING
    parts = {"choice": "by its own choice of dice", "luck": "by the luck of the throws"}
    choice, luck = (
        lead_sentence(
            frame.filter(part=part),
            DICE.value,
            "player",
            f"{{}} gains the most {text}: {{}} pips a match",
            f"{{}} gains {{}} pips a match {text}",
            signed,
        )
        for part, text in parts.items()
    )
    is_clear = (frame.filter(part="luck")["dice_pips_low"] > 0).any()
    return f"{choice} {luck if is_clear else f'No player is clearly lucky: {luck}'}"


def _turn_finding(frame: pl.DataFrame) -> str:
    """Return sentences on who makes each kind of move most often, and in how many turns no die fitted."""
    if frame.is_empty():
        return NOTHING
    idle = frame.filter(choice="forfeit")
    nothing = round(float((idle["turn_share"] * idle["turns"]).sum()))
    last = f"In {whole(nothing, 'turn')} no die fitted." if nothing else "A die fitted in every turn."
    return f"{TURNS.sentences(frame)} {last}"


DICE: Final = SeatSums(
    name="dice",
    title="Luck of the dice against choice",
    table=SEATS,
    value="dice_pips",
    definition="Pips of a seat's dice in a match: 3.5 pips a die, plus luck, left and choice. Luck: mean of the throws"
    " it took from, above 3.5. Left: mean of the dice that others had left, above the throw's mean. Choice: the die"
    " taken, above the mean left. Unused: numbers on its dice and cards that moved nothing.",
    unit="pips per player and match",
    formula="Σ over its dice (mean of the throw − 3.5; mean of what is left − mean of the throw; face − mean of what is"
    " left); unused: half of a number moved back by, what is beyond the summit, forfeited dice",
    key="part",
    headings=("Part", "Pips per match"),
    kinds={
        "luck": Kind(PIPS["luck"], "Luck of the throws"),
        "left": Kind(PIPS["left"], "What others left"),
        "choice": Kind(PIPS["choice"], "Own choice"),
        "unused": Kind(PIPS["unused"], "Not used"),
    },
    fraction=FRACTION,
    within=ANY,
    in_a_line=2,
    is_wide=False,
    finding=_dice_finding,
)
TURNS: Final = SeatSums(
    name="turns",
    title="What turns moved",
    table=SEATS,
    value="turn_share",
    definition="What share of the player's turns move its climber, move a Sherpa up, move one back, or move nothing"
    " because no die fits.",
    formula="turns that moved it / turns",
    key="choice",
    headings=("Moved", "Share"),
    of=(
        Defined(
            "turns",
            "Turns",
            "How many turns the player had in which it chose something.",
            "number of turns that ended with a move or a forfeited die",
            "turns",
        ),
        "f.climber_moves + f.forward_moves + f.back_moves + f.forfeits",
    ),
    kinds={
        "climber": Kind(
            "f.climber_moves",
            "climber",
            "{} moves its climber most often: in {} of its turns",
            "{} moves its climber in {} of its turns",
        ),
        "forward": Kind("f.forward_moves", "Sherpa up"),
        "back": Kind(
            "f.back_moves",
            "Sherpa back",
            "{} moves Sherpas back most often: in {} of its turns",
            "{} moves Sherpas back in {} of its turns",
        ),
        "forfeit": Kind("f.forfeits", "nothing"),
    },
    shown=percent,
    is_stacked=True,
    is_wide=False,
    finding=_turn_finding,
)

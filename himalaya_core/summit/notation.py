"""Written notation of a summit match: dice as rolled; moves as die or card, pawn and direction.

Sherpas have numbers in logs only: at the table a Sherpa may be written as its field, and Sherpas taken along as a
number of them.
"""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.game import Form, as_json, marked, number, numbers, seat, word
from himalaya_core.summit.pieces import SHERPAS, Piece
from himalaya_core.summit.state import State

__all__ = ["NOTATION"]

NOBODY: Final = "none"


def _along(pawns: Any) -> str:
    return ",".join(pawns) or NOBODY


def _pawns(text: str) -> list[str]:
    return [] if text.lower() == NOBODY else list(map(_pawn, text.split(",")))


def _pawn(text: str) -> str:
    return str(Piece(text.upper()))


WORDS: Final = {"up": "+", "down": "-", "climber": "c"}
WITH: Final = "with:"


def _seen_move(state: State, seat: int, words: list[str]) -> list[str]:
    """Replace the pawn's field by the Sherpa there, and a number of Sherpas by those on the field that it moves to."""
    at = 2 + (words[0] == "card")
    said = [WORDS.get(word, word) for word in words]
    if not said[at].isdecimal():
        return said
    fields = state.sherpas[seat]
    mover = fields.index(int(said[at]))
    there = int(said[at]) + int(said[at - 1])
    found = [str(piece) for piece, field in zip(SHERPAS, fields, strict=True) if field == there]
    along = said[-1].removeprefix(WITH)
    if said[-1].startswith(WITH) and along.isdecimal():
        said[-1] = f"{WITH}{_along(found[: int(along)])}"
    return [*said[:at], SHERPAS[mover], *said[at + 1 :]]


MOVE: Final = (
    as_json("piece", "PAWN", str, _pawn),
    word("dir", "+|-", {"+": "fwd", "-": "back"}),
    marked("with:", as_json("along", "PAWNS", _along, _pawns)),
)
NOTATION: Final[Mapping[str, Form]] = {
    "draw_lot": Form("first", (seat("first", "SEAT"),), "who starts"),
    "throw_dice": Form("", (numbers("values", "DICE", between=","),), "what the dice show, lowest first, with commas"),
    "draw_yeti_card": Form("yeti", (number("card", "FIELDS"),), "the Yeti's card, negative for down (or `weather`)"),
    "draw_bad_weather": Form("weather", (), "bad weather"),
    "reroll": Form("reroll", (), "all dice anew"),
    "move_by_die": Form(
        "die",
        (number("face", "FACE"), *MOVE),
        "a die, a pawn (C, S0 to S3, or a Sherpa's field) and + or -",
        _seen_move,
    ),
    "move_by_card": Form("card", (word("card", "CARD"), number("value", "VALUE"), *MOVE), "a card", _seen_move),
    "forfeit": Form("forfeit", (number("face", "FACE"),), "a die that moves nothing"),
    "take_back": Form("back", (word("card", "CARD"),), "a used card back"),
    "decline": Form("no", (), "none back"),
}

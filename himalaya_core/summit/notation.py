"""Written notation of a summit match: dice as rolled; moves as die or card, pawn and direction."""

from collections.abc import Mapping
from typing import Any, Final

from himalaya_core.game import Form, as_json, marked, number, numbers, seat, word

__all__ = ["NOTATION"]

NOBODY: Final = "none"


def _along(pawns: Any) -> str:
    return ",".join(pawns) or NOBODY


def _pawns(text: str) -> list[str]:
    return [] if text.lower() == NOBODY else text.upper().split(",")


def _pawn(text: str) -> str:
    return text.upper()


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
    "move_by_die": Form("die", (number("face", "FACE"), *MOVE), "a die, a pawn (C, S0 to S3) and + or -"),
    "move_by_card": Form("card", (word("card", "CARD"), number("value", "VALUE"), *MOVE), "a card"),
    "forfeit": Form("forfeit", (number("face", "FACE"),), "a die that moves nothing"),
    "take_back": Form("back", (word("card", "CARD"),), "a used card back"),
    "decline": Form("no", (), "none back"),
}

"""The route, the dice and the cards, validated when a board is loaded, with look-up tables for rules and players."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from himalaya_core.document import as_json, digest, field_of
from himalaya_core.errors import BoardError
from himalaya_core.summit.pieces import (
    FARTHEST_YETI,
    MOST_DICE,
    MOST_FIELDS,
    PLAYERS,
    SHERPA_STARTS,
    YETI_CARDS,
    Hand,
    SlideKind,
)

__all__ = ["READINGS", "Board", "Slide", "parse_board"]

SUPPLY_CARD: Final = re.compile(r"[1-6]/[1-6]").fullmatch
YETI_CARD: Final = re.compile(rf"[+-][1-{FARTHEST_YETI}]").fullmatch
NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}").fullmatch
KINDS: Final = tuple(SlideKind)
LEAST_SUMMIT: Final = SHERPA_STARTS[-1] + 2
"""Lowest possible summit: the cave needs one field between the start fields and the summit."""
READINGS: Final[Mapping[str, Any]] = {
    "yeti_edge": "clamp",
    "card_ban": "destination",
    "sherpa_on_summit": False,
    "back_past_base": "illegal",
    "slide_on_backward": True,
    "slide_onto_yeti": "chase",
    "resupply_scope": "per_player_per_camp",
    "resupply_on_forced_return": False,
    "climber_share_base": True,
    "card_after_reroll": True,
    "must_move_if_possible": True,
    "forced_card": False,
    "bad_weather_tie": "sherpa_sum_then_shared",
}
"""The supported interpretation of each unclear rule. A board that needs another one is rejected (S-readings)."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide of a Sherpa: its target field and its kind."""

    to: int
    kind: SlideKind


@dataclass(frozen=True, eq=False)
class Board:
    """A validated board. `document` is its JSON document; `sha256` is the digest of its canonical form.

    Fields are numbered along the route from 0, the base camp, to `summit`, the goal. `dice` and `supply` are indexed by
    number of players. `camp_below[field]` is the nearest camp at or below a field.
    """

    id: str
    title: str
    summit: int
    cave: int
    high_camps: tuple[int, ...]
    slides: Mapping[int, Slide] = field(repr=False)
    snow: frozenset[int] = field(repr=False)
    dice: Mapping[int, int] = field(repr=False)
    supply: Mapping[int, Hand] = field(repr=False)
    yeti_cards: tuple[int, ...] = field(repr=False)
    sha256: str
    document: Mapping[str, Any] = field(repr=False)
    camps: frozenset[int] = field(repr=False)
    camp_below: tuple[int, ...] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.sha256 == other.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)


def parse_board(document: Mapping[str, Any]) -> Board:
    """Parse a board document. `BoardError` names the entry that fails a check."""
    name = field_of(document, "board", "id", str)
    summit = field_of(document, "board", "summit", int)
    if not LEAST_SUMMIT <= summit <= MOST_FIELDS:
        raise BoardError(f"summit: expected {LEAST_SUMMIT}..{MOST_FIELDS}, found {summit}")
    cave = field_of(document, "board", "cave", int)
    high_camps = tuple(_fields(document, "high_camps"))
    slides = _slides(field_of(document, "board", "slides", Mapping))
    snow = tuple(_fields(document, "snow"))
    _check_apart(summit, {"cave": (cave,), "high_camps": high_camps, "slides": tuple(slides), "snow": snow})
    _check_targets(slides, cave)
    _check_readings(document)
    camps = frozenset((0, *high_camps))
    return Board(
        id=name,
        title=field_of(document, "board", "title", str),
        summit=summit,
        cave=cave,
        high_camps=tuple(sorted(high_camps)),
        slides=slides,
        snow=frozenset(snow),
        dice=_dice(field_of(document, "board", "dice_by_players", Mapping)),
        supply=_supply(field_of(document, "board", "supply_by_players", Mapping)),
        yeti_cards=_yeti_cards(field_of(document, "board", "yeti_cards", list)),
        sha256=digest(document),
        document=document,
        camps=camps,
        camp_below=tuple(max(camp for camp in camps if camp <= at) for at in range(summit + 1)),
    )


def _fields(document: Mapping[str, Any], key: str) -> Sequence[int]:
    numbers: Sequence[Any] = field_of(document, "board", key, list)
    if not all(type(number) is int for number in numbers) or len(set(numbers)) != len(numbers):
        raise BoardError(f"{key}: expected numbers of fields, each once, found {as_json(numbers)}")
    return numbers


def _slides(rows: Mapping[str, Any]) -> Mapping[int, Slide]:
    slides = {}
    for key, row in rows.items():
        where = f"slides[{key}]"
        if not NUMBER(key):
            raise BoardError(f"{where}: expected the number of a field, found {as_json(key)}")
        kind = field_of(row, where, "kind", str)
        if kind not in KINDS:
            raise BoardError(f"{where}.kind: expected one of {', '.join(KINDS)}, found {as_json(kind)}")
        slides[int(key)] = Slide(field_of(row, where, "to", int), SlideKind(kind))
    return dict(sorted(slides.items()))


def _check_apart(summit: int, places: Mapping[str, Sequence[int]]) -> None:
    """Check that special fields are distinct, above the start fields and below the summit."""
    taken: dict[int, str] = {}
    first = SHERPA_STARTS[-1] + 1
    for key, fields in places.items():
        for number in fields:
            if not first <= number < summit:
                raise BoardError(f"{key}: expected fields of {first}..{summit - 1}, found {number}")
            if number in taken:
                raise BoardError(f"{key}: field {number} is already in {taken[number]}")
            taken[number] = key


def _check_targets(slides: Mapping[int, Slide], cave: int) -> None:
    for source, slide in slides.items():
        if not 1 <= slide.to < source or slide.to == cave or slide.to in slides:
            expected = f"a field of 1..{source - 1} that is neither the cave nor a slide"
            raise BoardError(f"slides[{source}].to: expected {expected}, found {slide.to}")


def _check_readings(document: Mapping[str, Any]) -> None:
    """Reject a board that asks for an unsupported interpretation of a rule (S-readings)."""
    flags = field_of(document, "board", "flags", Mapping) if "flags" in document else {}
    for name, value in flags.items():
        if name not in READINGS:
            raise BoardError(f"flags: {name!r} is unknown; there are {', '.join(READINGS)}")
        if type(value) is not type(READINGS[name]) or value != READINGS[name]:
            raise BoardError(f"flags.{name}: only {READINGS[name]!r} is built, found {as_json(value)}")


def _by_players(rows: Mapping[str, Any], key: str) -> Mapping[int, Any]:
    expected = [str(players) for players in PLAYERS]
    if sorted(rows) != expected:
        raise BoardError(f"{key}: expected each of {', '.join(expected)} players, found {', '.join(rows)}")
    return {players: rows[str(players)] for players in PLAYERS}


def _dice(rows: Mapping[str, Any]) -> Mapping[int, int]:
    dice = _by_players(rows, "dice_by_players")
    for players, count in dice.items():
        if type(count) is not int or not 1 <= count <= MOST_DICE:
            raise BoardError(f"dice_by_players[{players}]: expected 1..{MOST_DICE}, found {as_json(count)}")
    return dice


def _supply(rows: Mapping[str, Any]) -> Mapping[int, Hand]:
    supply = _by_players(rows, "supply_by_players")
    for players, cards in supply.items():
        known = isinstance(cards, list) and all(isinstance(card, str) and SUPPLY_CARD(card) for card in cards)
        if not known or not cards:
            raise BoardError(f"supply_by_players[{players}]: expected cards such as '3/4', found {as_json(cards)}")
    return {players: tuple(cards) for players, cards in supply.items()}


def _yeti_cards(cards: Sequence[Any]) -> tuple[int, ...]:
    if len(cards) != YETI_CARDS or not all(isinstance(card, str) and YETI_CARD(card) for card in cards):
        raise BoardError(
            f"yeti_cards: expected {YETI_CARDS} of +1..+{FARTHEST_YETI} and -1..-5, found {as_json(cards)}"
        )
    return tuple(int(card) for card in cards)

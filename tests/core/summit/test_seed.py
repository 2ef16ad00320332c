"""Matches with the same seed have the same start player, throws and cards for any players (S-7.deck)."""

from collections import Counter
from dataclasses import replace

import pytest

from himalaya_core.seed import Seed
from himalaya_core.summit import SUMMIT
from himalaya_core.summit.actions import DrawBadWeather, DrawYetiCard, ThrowDice
from himalaya_core.summit.events import BadWeather, DiceRolled, StartPlayerChosen, YetiCardDrawn
from himalaya_core.summit.pieces import Phase
from himalaya_core.summit.state import evolve, initial
from tests.conformance.playing import AnyMatch, Variant, recorded
from tests.core.summit.positions import BOARD, draw_due, kinds, position

LINE_UPS = [("racer",) * 3, ("greedy",) * 3, ("porter", "random", "racer")]


def played(line_up: tuple[str, ...]) -> AnyMatch:
    return recorded(Variant("summit", line_up), "shared")[0]


def drawn(match: AnyMatch) -> list[int]:
    cards = [event.card for event in kinds(match.events, YetiCardDrawn)]
    return [*cards, 0] if kinds(match.events, BadWeather) else cards


@pytest.mark.parametrize("others", LINE_UPS[1:])
def test_the_same_seed_gives_the_same_throws_and_cards(others: tuple[str, ...]) -> None:
    first, other = played(LINE_UPS[0]), played(others)
    assert kinds(first.events, StartPlayerChosen) == kinds(other.events, StartPlayerChosen)
    throws = [[event.values for event in kinds(match.events, DiceRolled)] for match in (first, other)]
    common = min(map(len, throws))
    assert common > 8
    assert throws[0][:common] == throws[1][:common]
    assert drawn(first)[: common - 1] == drawn(other)[: common - 1]


def test_every_seat_starts_equally_often() -> None:
    """Rule S-4.start."""
    state = evolve(initial(SUMMIT.parse_options({"players": 4}), BOARD), phase=Phase.START)
    lots = Counter(SUMMIT.sample_chance(state, Seed(str(number))).first for number in range(1600))  # type: ignore[union-attr]
    assert sorted(lots) == [0, 1, 2, 3]
    assert all(330 < count < 470 for count in lots.values())


def test_every_die_shows_every_face_equally_often() -> None:
    """Rule S-5.throw."""
    state = position(pool=())
    throws = [SUMMIT.sample_chance(state, Seed(str(number))) for number in range(600)]
    faces = Counter(face for throw in throws if isinstance(throw, ThrowDice) for face in throw.values)
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(430 < count < 570 for count in faces.values())


def test_every_card_of_the_deck_is_drawn_equally_often() -> None:
    """Rule S-7.deck."""
    state = draw_due(deck=(-4, 2, 3), seen=(1, 4, 5, -1, -2, -3), cycle=2)
    draws = [SUMMIT.sample_chance(state, Seed(str(number))) for number in range(1600)]
    cards = Counter(draw.card if isinstance(draw, DrawYetiCard) else 0 for draw in draws)
    assert sorted(cards) == [-4, 0, 2, 3]
    assert all(330 < count < 470 for count in cards.values())
    assert all(isinstance(draw, DrawYetiCard | DrawBadWeather) for draw in draws)


def test_each_of_several_equal_cards_is_drawn() -> None:
    """Rule S-7.deck."""
    board = replace(BOARD, yeti_cards=(1, 1, 1, 1, 1, 1, 1, 1, -1))
    state = evolve(draw_due(deck=(1, 1, 1)), board=board)
    draws = {SUMMIT.sample_chance(state, Seed(str(number))) for number in range(50)}
    assert draws == {DrawYetiCard(1)}

"""Automatic events before the first decision are verified too: here, shuffling the cards (S-7.deck)."""

import pytest

from himalaya_core.replay import Replay, ReplayError
from himalaya_core.summit import SUMMIT
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.verification import judge
from tests.core.log.damage import Damage, at, renumber, resign, rewrite
from tests.core.summit.positions import BOARD

LINES = play(SUMMIT, BOARD, {"first": 1}, Pairing("a", ("racer", "random"), "logs"))[1].splitlines(keepends=True)
LOT = {"type": "draw_lot", "first": 1}
DAMAGE: dict[str, tuple[Damage, int]] = {
    "another size": (lambda lines: rewrite(lines, 1, data__size=10), 2),
    "an action": (lambda lines: rewrite(lines, 1, action=LOT), 2),
    "another ply": (lambda lines: rewrite(lines, 1, ply=1), 2),
    "another start player": (lambda lines: rewrite(lines, 2, data__first=0), 3),
    "other steps": (lambda lines: rewrite(lines, at("pawn_moved", lines), data__steps=6), at("pawn_moved", LINES) + 1),
    "clamped where it is not": (
        lambda lines: rewrite(lines, at("yeti_moved", lines), data__clamped=True),
        at("yeti_moved", LINES) + 1,
    ),
}


def test_a_match_with_a_named_start_player_verifies() -> None:
    assert judge(LINES).departure is None
    assert all(judge(LINES[:end]).departure is None for end in range(1, 12))


@pytest.mark.parametrize(("damage", "line"), DAMAGE.values(), ids=DAMAGE)
def test_a_line_that_breaks_the_rules_is_detected(damage: Damage, line: int) -> None:
    found = judge(resign(damage(LINES))).departure
    assert found is not None
    assert found.line == line


UNFOLDABLE: dict[str, Damage] = {
    "no shuffle": lambda lines: renumber([lines[0], *lines[2:]]),
    "a die that was not thrown": lambda lines: rewrite(lines, at("dice_rolled", lines), data__values=[6, 6, 6, 6, 6]),
}


@pytest.mark.parametrize("damage", UNFOLDABLE.values(), ids=UNFOLDABLE)
def test_a_line_that_cannot_be_applied_is_refused(damage: Damage) -> None:
    with pytest.raises(ReplayError, match="cannot happen here"):
        Replay.read(resign(damage(LINES)))
    assert judge(resign(damage(LINES))).departure is not None

"""Automatic events before the first decision are verified too: here, building a given opening (L-5.given)."""

import pytest

from himalaya_core.climbers import CLIMBERS
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.verification import judge
from tests.core.climbers.test_board import SOLID
from tests.core.log.damage import Damage, at, renumber, resign, rewrite

LINES = play(CLIMBERS, SOLID, {"first": 1}, Pairing("a", ("random", "random"), "logs"))[1].splitlines(keepends=True)
BUILT = {"type": "build_opening", "placements": []}
DAMAGE: dict[str, tuple[Damage, int]] = {
    "another place": (lambda lines: rewrite(lines, 3, data__pose__x=13), 4),
    "an action": (lambda lines: rewrite(lines, 1, action=BUILT), 2),
    "another ply": (lambda lines: rewrite(lines, 1, ply=1), 2),
    "a core that shows": (
        lambda lines: rewrite(lines, at("setup_checked", lines), data__core_hidden=False),
        at("setup_checked", LINES) + 1,
    ),
    "another start player": (
        lambda lines: rewrite(lines, at("start_player_chosen", lines), data__player=0),
        at("start_player_chosen", LINES) + 1,
    ),
    "another end of a move": (
        lambda lines: rewrite(lines, at("block_moved", lines), data__to_pose__z=90),
        at("block_moved", LINES) + 1,
    ),
    "a longer streak": (
        lambda lines: rewrite(lines, at("turn_ended", lines), data__streak=9),
        at("turn_ended", LINES) + 1,
    ),
}


def test_a_match_on_a_given_opening_verifies() -> None:
    assert judge(LINES).departure is None
    assert all(judge(LINES[:end]).departure is None for end in range(1, len(LINES), 9))


@pytest.mark.parametrize(("damage", "line"), DAMAGE.values(), ids=DAMAGE)
def test_a_line_that_breaks_the_rules_is_detected(damage: Damage, line: int) -> None:
    found = judge(resign(damage(LINES))).departure
    assert found is not None
    assert found.line == line


UNFOLDABLE: dict[str, Damage] = {
    "a block laid twice": lambda lines: renumber([*lines[:2], lines[1], *lines[2:]]),
    "a block moved from elsewhere": lambda lines: rewrite(lines, at("block_moved", lines), data__from_pose__x=0),
    "a seat that is not there": lambda lines: rewrite(lines, at("turn_started", lines), seat=4),
    "a colour of nobody": lambda lines: rewrite(lines, at("colour_assigned", lines), data__player=3),
}


@pytest.mark.parametrize("damage", UNFOLDABLE.values(), ids=UNFOLDABLE)
def test_a_line_that_cannot_be_applied_is_refused(damage: Damage) -> None:
    with pytest.raises(ReplayError, match="cannot happen here"):
        Replay.read(resign(damage(LINES)))
    assert judge(resign(damage(LINES))).departure is not None

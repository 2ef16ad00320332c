"""Schedules: line-ups and seating orders."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from himalaya_core.errors import OptionsError
from himalaya_core.players.named import UnknownPlayer
from himalaya_core.tournament.plan import (
    Plan,
    Schedule,
    Seating,
    TournamentError,
    check,
    line_ups,
    make_plan,
    pairings,
    tables,
)

FIVE = ("envoy", "pilgrim", "trader", "greedy", "random")


def test_a_fixed_schedule_has_one_line_up() -> None:
    assert line_ups(Schedule.FIXED, FIVE[:4], 4) == [FIVE[:4]]


def test_all_play_all_has_every_combination() -> None:
    assert line_ups(Schedule.ALL, FIVE, 3) == list(combinations(FIVE, 3))


def test_a_ladder_has_every_run_of_neighbours() -> None:
    assert line_ups(Schedule.LADDER, FIVE, 3) == [FIVE[0:3], FIVE[1:4], FIVE[2:5]]


def test_rotation_gives_each_player_each_seat_once() -> None:
    seated = tables(Schedule.FIXED, Seating.ROTATE, FIVE[:4], 4)
    assert len(seated) == 4
    assert all({table[seat] for table in seated} == set(FIVE[:4]) for seat in range(4))


def test_every_seating_has_every_order() -> None:
    assert tables(Schedule.FIXED, Seating.EVERY, FIVE[:3], 3) == list(permutations(FIVE[:3]))


def test_swapping_equal_players_adds_no_seating() -> None:
    seated = tables(Schedule.FIXED, Seating.EVERY, ("trader", "greedy", "greedy", "greedy"), 4)
    assert [table.index("trader") for table in seated] == [0, 1, 2, 3]


@pytest.mark.parametrize("seating", Seating)
@pytest.mark.parametrize("schedule", [Schedule.ALL, Schedule.LADDER])
def test_each_seed_is_used_for_the_whole_schedule_once(schedule: Schedule, seating: Seating) -> None:
    plan = make_plan("cup", "caravan", FIVE, schedule=schedule, seating=seating, seats=3, seeds=3)
    every = list(pairings(plan))
    expected = Counter(tables(schedule, seating, FIVE, 3))
    for seed in range(3):
        assert Counter(pairing.players for pairing in every if pairing.seed == f"cup/{seed}") == expected
    assert [pairing.seed for pairing in every] == sorted(pairing.seed for pairing in every)


def test_all_play_all_gives_every_player_each_seat_equally_often() -> None:
    plan = make_plan("cup", "caravan", FIVE, schedule=Schedule.ALL, seeds=1)
    counts = Counter((seat, player) for pairing in pairings(plan) for seat, player in enumerate(pairing.players))
    assert counts == {(seat, player): 4 for seat in range(4) for player in FIVE}


def test_the_length_can_be_given_in_seeds_or_matches() -> None:
    assert make_plan("cup", "caravan", FIVE[:4]).matches == 200
    assert make_plan("cup", "caravan", FIVE[:4], matches=7).matches == 7
    assert make_plan("cup", "caravan", FIVE[:4], seeds=7).matches == 28
    assert make_plan("cup", "caravan", FIVE, schedule=Schedule.ALL, seating=Seating.EVERY, seeds=2).matches == 240


@pytest.mark.parametrize(
    ("plan", "error", "message"),
    [
        (Plan("cup", "caravan", FIVE[:4], 8, seats=3), TournamentError, "as many seats; you gave 3"),
        (Plan("cup", "caravan", FIVE[:3], 8, schedule=Schedule.ALL, seats=4), TournamentError, "at least 4 players"),
        (Plan("cup", "caravan", ("envoy",) * 4, 8, schedule=Schedule.LADDER, seats=3), TournamentError, "enters twice"),
        (Plan("cup", "caravan", FIVE[:2], 8), OptionsError, "caravan needs 3 to 6 players; you named 2"),
        (Plan("cup", "caravan", ("zen", *FIVE[:3]), 8), UnknownPlayer, "'zen' is unknown"),
        (Plan("cup", "caravan", FIVE[:4], 0), TournamentError, "you requested 0"),
    ],
    ids=["seats", "too few", "twice", "table", "player", "matches"],
)
def test_an_unplayable_schedule_is_refused(plan: Plan, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check(plan)


def test_seeds_and_matches_exclude_each_other() -> None:
    with pytest.raises(TournamentError, match="either seeds or matches"):
        make_plan("cup", "caravan", FIVE[:4], seeds=1, matches=4)

"""Scoring: the three influences and the winner; each table row is named after its rule (C-scoring)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from himalaya_core.caravan.events import Eliminated, InfluenceScored, PoliticsRecounted
from himalaya_core.caravan.pieces import MARKER_YAKS, Influence, Order, Resource, TieBreak
from himalaya_core.caravan.scoring import final, influences
from himalaya_core.caravan.state import State
from tests.core.caravan.positions import position, put, settled

HOUSES, TEMPLES, MONASTERIES = (1, 4, 5, 10), (3, 7, 8, 9), (2, 6, 11, 17)
Stupas = Sequence[Sequence[int]]
Delegations = Mapping[int, Sequence[int]]


def ended(stupas: Stupas, delegations: Delegations, yaks: Sequence[int], first: int = 0) -> State:
    """Return the end of round 12: stupas by seat, delegations by region, and each seat's yaks."""
    players = len(yaks)
    start = position(players)
    owners = {village: seat for seat, villages in enumerate(stupas) for village in villages}
    herds = [(Order(f"y{yak}", {Resource.SALT: 1}, yak),) if yak else () for yak in yaks]
    changes: dict[str, Any] = {
        "stupas": put(start.stupas, owners),
        "delegations": put(start.delegations, {region: tuple(row) for region, row in delegations.items()}),
        "herds": tuple(herds),
        "round": 12,
        "first": first,
        "step": 7,
        "round_over": True,
    }
    return position(players, **changes)


def test_influence_is_computed_from_a_position() -> None:
    """Rules C-scoring.religious, C-scoring.political and C-scoring.economic."""
    delegations = {1: (2, 1, 0, 0), 2: (1, 1, 0, 0), 3: (0, 0, 0, 1), 4: (3, 3, 4, 0), 8: (0, 2, 2, 2)}
    state = ended([(1, 3, 2), (4,), (), (17, 9)], delegations, (0, 12, 5, 0))
    scores = influences(state)
    assert scores.religious == (6, 1, 0, 5)
    assert scores.political == (1, 0, 1, 1)
    assert scores.economic == (0, 12, 5, 0)
    assert scores.regions == (None, 0, None, 3, 2, None, None, None, None)


H, T, M = HOUSES, TEMPLES, MONASTERIES
THREE = {
    "C-scoring.three leads religion and politics": ([M[:1], (), ()], {1: (1, 0, 0)}, (0, 9, 5), [(0,), (1,), (2,)]),
    "C-scoring.three leads religion and yaks": ([(), H[:1], ()], {1: (1, 0, 0)}, (0, 5, 4), [(1,), (2,), (0,)]),
    "C-scoring.three leads politics and yaks": ([M, (), ()], {1: (0, 0, 1)}, (7, 0, 8), [(2,), (0,), (1,)]),
    "C-scoring.three leads all three": ([(), (), H[:1]], {1: (0, 0, 1)}, (0, 0, 1), [(2,), (0, 1)]),
    "C-scoring.three each leads one": ([M[:1], (), ()], {1: (0, 1, 0)}, (3, 4, 5), [(2,), (1,), (0,)]),
    "C-scoring.three a tie is no lead": ([H[:1], H[1:2], ()], {1: (1, 0, 0)}, (3, 4, 2), [(1,), (0,), (2,)]),
    "C-scoring.three no region led by anybody": ([H[:1], (), ()], {1: (1, 1, 0)}, (3, 4, 2), [(1,), (0,), (2,)]),
    "C-scoring.last politics break the tie": ([M[:1], (), ()], {1: (0, 1, 0)}, (5, 5, 0), [(1,), (0,), (2,)]),
    "C-scoring.last religion breaks the tie": (
        [T[:1], H[:1], ()],
        {1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1)},
        (5, 5, 0),
        [(0,), (1,), (2,)],
    ),
    "C-scoring.shared two": ([H[:1], H[1:2], ()], {1: (1, 0, 0), 2: (0, 1, 0)}, (5, 5, 0), [(0, 1), (2,)]),
    "C-scoring.shared three": ([(), (), ()], {}, (0, 0, 0), [(0, 1, 2)]),
    "C-scoring.places behind the winner": ([M, (), ()], {1: (1, 0, 0)}, (0, 4, 4), [(0,), (1, 2)]),
}


@pytest.mark.parametrize(("stupas", "delegations", "yaks", "ranking"), THREE.values(), ids=THREE)
def test_three_players_are_ranked(
    stupas: Stupas, delegations: Delegations, yaks: Sequence[int], ranking: list[tuple[int, ...]]
) -> None:
    ending = final(ended(stupas, delegations, yaks))
    assert ending.outcome.ranking == tuple(ranking)
    assert ending.eliminated == ()


RELIGIOUS, POLITICAL = Influence.RELIGIOUS, Influence.POLITICAL
NO_DELEGATIONS: Delegations = {}
# columns: stupas by seat, yaks, First Caravaneer of round 12, eliminated seat, its value, the tie-break used
OUT_FOR_RELIGION = {
    "value": ([M[:1], T[:1], H[:1], M[1:2]], (0, 0, 0, 0), 0, (2, 1, None)),
    "value, though richest": ([M[:1], T[:1], H[:1], M[1:2]], (0, 0, 50, 0), 0, (2, 1, None)),
    "value, though more stupas": ([H[:2], M[:1], M[1:2], M[2:3]], (0, 0, 0, 0), 0, (0, 2, None)),
    "stupas": ([H[:2], T[:1], M[:1], M[1:2]], (0, 0, 0, 0), 0, (1, 2, TieBreak.STUPAS)),
    "stupas before yaks": ([T[:1], H[:2], M[:1], M[1:2]], (9, 0, 0, 0), 0, (0, 2, TieBreak.STUPAS)),
    "yaks": ([T[:1], T[1:2], M[:1], M[1:2]], (4, 3, 0, 0), 0, (1, 2, TieBreak.YAKS)),
    "stupas, then yaks among those left": (
        [H[:2], T[:1], T[1:2], M[1:2]],
        (0, 5, 4, 0),
        0,
        (2, 2, TieBreak.YAKS),
    ),
    "turn order": ([(), (), M[:1], M[1:2]], (3, 3, 0, 0), 0, (1, 0, TieBreak.TURN_ORDER)),
    "turn order from seat 1": ([(), (), M[:1], M[1:2]], (3, 3, 0, 0), 1, (0, 0, TieBreak.TURN_ORDER)),
    "turn order among all": ([(), (), (), ()], (0, 0, 0, 0), 3, (2, 0, TieBreak.TURN_ORDER)),
}


@pytest.mark.parametrize(
    ("stupas", "yaks", "first", "expected"),
    OUT_FOR_RELIGION.values(),
    ids=[f"C-scoring.religious-out {name}" for name in OUT_FOR_RELIGION],
)
def test_lowest_religious_influence_eliminates(
    stupas: Stupas, yaks: Sequence[int], first: int, expected: tuple[int, int, TieBreak | None]
) -> None:
    """Rules C-scoring.four and C-scoring.turn-order."""
    events, _ = settled(ended(stupas, NO_DELEGATIONS, yaks, first))
    seat, value, tie_break = expected
    assert isinstance(events[0], InfluenceScored)
    assert events[1] == Eliminated(seat, RELIGIOUS, value, tie_break)


SEAT_3_OUT: Stupas = [M[:1], M[1:2], M[2:3], ()]
# columns: delegations by region, yaks, First Caravaneer, eliminated seat, its value, the tie-break used; seat 3 is
# already out
OUT_FOR_POLITICS = {
    "value": ({1: (1, 0, 0, 0), 2: (0, 1, 0, 0)}, (0, 0, 9, 0), 0, (2, 0, None)),
    "value, though more delegations": (
        {1: (5, 0, 0, 0), 2: (4, 5, 0, 0), 3: (0, 0, 1, 0), 4: (0, 0, 1, 0), 5: (0, 1, 0, 0)},
        (0, 0, 0, 0),
        0,
        (0, 1, None),
    ),
    "delegations": ({1: (2, 0, 0, 0), 2: (0, 1, 0, 0), 3: (0, 0, 1, 0), 4: (0, 2, 2, 0)}, (0, 9, 9, 0), 0,
                    (0, 1, TieBreak.DELEGATIONS)),
    "yaks": ({1: (1, 0, 0, 0), 2: (0, 1, 0, 0), 3: (0, 0, 1, 0)}, (4, 3, 5, 0), 0, (1, 1, TieBreak.YAKS)),
    "turn order": ({1: (1, 0, 0, 0), 2: (0, 1, 0, 0), 3: (0, 0, 1, 0)}, (4, 4, 4, 0), 0, (2, 1, TieBreak.TURN_ORDER)),
    "turn order from seat 2": (
        {1: (1, 0, 0, 0), 2: (0, 1, 0, 0), 3: (0, 0, 1, 0)},
        (4, 4, 4, 0),
        2,
        (1, 1, TieBreak.TURN_ORDER),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("delegations", "yaks", "first", "expected"),
    OUT_FOR_POLITICS.values(),
    ids=[f"C-scoring.political-out {name}" for name in OUT_FOR_POLITICS],
)
def test_lowest_political_influence_eliminates(
    delegations: Delegations, yaks: Sequence[int], first: int, expected: tuple[int, int, TieBreak | None]
) -> None:
    events, state = settled(ended(SEAT_3_OUT, delegations, yaks, first))
    seat, value, tie_break = expected
    assert [type(event) for event in events] == [InfluenceScored, Eliminated, PoliticsRecounted, Eliminated]
    assert events[3] == Eliminated(seat, POLITICAL, value, tie_break)
    assert state.delegations[1][:3] == tuple(delegations[1][:3])
    assert state.stupas.count(seat) == 1


RECOUNTED = {
    "a lead passes on": ({1: (2, 0, 0, 3)}, {1: 0}),
    "a tie is broken by removal": ({2: (0, 2, 0, 2)}, {2: 1}),
    "a tie comes up by removal": ({3: (1, 0, 1, 2)}, {3: None}),
    "nobody is left": ({4: (0, 0, 0, 2)}, {4: None}),
}


@pytest.mark.parametrize(
    ("delegations", "leaders"), RECOUNTED.values(), ids=[f"C-scoring.four {name}" for name in RECOUNTED]
)
def test_politics_are_counted_again_without_the_first_eliminated(
    delegations: Delegations, leaders: dict[int, int | None]
) -> None:
    """Rule C-scoring.stupas: the first eliminated seat's stupas and delegations are removed."""
    events, state = settled(ended(SEAT_3_OUT, delegations, (1, 2, 3, 4)))
    regions = {region: leaders.get(region) for region in range(1, 9)}
    political = tuple(list(leaders.values()).count(seat) for seat in range(4))
    assert events[2] == PoliticsRecounted(political, regions)
    assert state.stupas.count(3) == 0
    assert all(row[3] == 0 for row in state.delegations)
    assert state.scores is not None
    assert state.scores.political == political


def test_the_political_elimination_uses_the_recount() -> None:
    """Rule C-scoring.four: without the removal seat 0 would be eliminated; with it, seat 2 is."""
    delegations = {1: (2, 0, 0, 3), 2: (2, 0, 0, 3), 3: (0, 2, 0, 0), 4: (0, 0, 1, 0), 5: (0, 3, 0, 0)}
    before, _, recounted, out = settled(ended(SEAT_3_OUT, delegations, (0, 0, 9, 0)))[0]
    assert isinstance(before, InfluenceScored)
    assert before.political == (0, 2, 1, 2)
    assert isinstance(recounted, PoliticsRecounted)
    assert recounted.political == (2, 2, 1, 0)
    assert out == Eliminated(2, POLITICAL, 1, None)


ONE_EACH = {1: (1, 0, 0, 0), 2: (0, 1, 0, 0)}
# columns: stupas, delegations, yaks, ranking; seat 3 is eliminated for religion, seat 2 for politics
LAST = {
    "C-scoring.last most yaks": (SEAT_3_OUT, ONE_EACH, (4, 5, 9, 9), [(1,), (0,), (2,), (3,)]),
    "C-scoring.last most yaks, the other way": (SEAT_3_OUT, ONE_EACH, (5, 4, 9, 9), [(0,), (1,), (2,), (3,)]),
    "C-scoring.last leading two is nothing here": (
        [M[:2], M[2:3], T[:1], ()],
        {1: (1, 0, 0, 0), 2: (0, 1, 0, 0), 3: (1, 0, 0, 0)},
        (4, 5, 9, 9),
        [(1,), (0,), (2,), (3,)],
    ),
    "C-scoring.last then politics": (
        [M[:1], M[1:3], T[:1], ()],
        {**ONE_EACH, 3: (1, 0, 0, 0)},
        (5, 5, 0, 0),
        [(0,), (1,), (2,), (3,)],
    ),
    "C-scoring.last then religion": (
        [M[:1], M[1:3], T[:1], ()],
        ONE_EACH,
        (5, 5, 0, 0),
        [(1,), (0,), (2,), (3,)],
    ),
    "C-scoring.shared": (SEAT_3_OUT, ONE_EACH, (5, 5, 0, 0), [(0, 1), (2,), (3,)]),
}


@pytest.mark.parametrize(("stupas", "delegations", "yaks", "ranking"), LAST.values(), ids=LAST)
def test_the_last_step_ranks_the_remaining_seats(
    stupas: Stupas, delegations: Delegations, yaks: Sequence[int], ranking: list[tuple[int, ...]]
) -> None:
    ending = final(ended(stupas, delegations, yaks))
    assert [gone.seat for gone in ending.eliminated] == [3, 2]
    assert ending.outcome.ranking == tuple(ranking)


FIVE = ([M[:1], M[1:2], M[2:3], M[3:4], ()], 5)
SIX = ([M[:1], M[1:2], M[2:3], M[3:4], T[:1], ()], 6)
# columns: leader of each region (the last seat is eliminated for religion), yaks, First Caravaneer, eliminated for
# politics
FIVE_AND_SIX = {
    "C-setup.supply five: one is out": (FIVE, "012", (0, 0, 0, 9, 9), 0, [(3, 0, None)]),
    "C-setup.supply six: two are out": (SIX, "012234", (0, 0, 0, 0, 0, 9), 0,
                                        [(4, 1, TieBreak.TURN_ORDER), (3, 1, TieBreak.TURN_ORDER)]),
    "six: the two lowest": (SIX, "0011233", (0,) * 6, 0, [(4, 0, None), (2, 1, None)]),
    "six: the lowest leads many yaks": (SIX, "00112233", (0, 0, 0, 0, 50, 0), 0,
                                        [(4, 0, None), (3, 2, TieBreak.TURN_ORDER)]),
    "six: two alike at the bottom": (SIX, "001122", (0, 0, 0, 4, 3, 0), 0,
                                     [(4, 0, TieBreak.YAKS), (3, 0, None)]),
    "six: yaks, then the next tie": (SIX, "001234", (9, 3, 2, 2, 1, 0), 1,
                                     [(4, 1, TieBreak.YAKS), (3, 1, TieBreak.TURN_ORDER)]),
    "six: turn order from seat 4": (SIX, "01234", (0,) * 6, 4,
                                    [(3, 1, TieBreak.TURN_ORDER), (2, 1, TieBreak.TURN_ORDER)]),
    "five: turn order from seat 3": (FIVE, "0123", (0,) * 5, 3, [(2, 1, TieBreak.TURN_ORDER)]),
    "five: all alike": (FIVE, "", (1, 1, 1, 1, 1), 2, [(1, 0, TieBreak.TURN_ORDER)]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("table", "leaders", "yaks", "first", "expected"),
    FIVE_AND_SIX.values(),
    ids=[f"C-scoring.political-out {name}" for name in FIVE_AND_SIX],
)
def test_five_and_six_players_have_a_political_elimination(
    table: tuple[Stupas, int],
    leaders: str,
    yaks: Sequence[int],
    first: int,
    expected: Sequence[tuple[int, int, TieBreak | None]],
) -> None:
    """Rule C-scoring.four: one seat is eliminated for religion; politics of the remaining seats are counted once."""
    stupas, players = table
    rows = {
        region: tuple(int(seat == int(leader)) for seat in range(players)) for region, leader in enumerate(leaders, 1)
    }
    ending = final(ended(stupas, rows, yaks, first))
    religious, *political = ending.eliminated
    assert (religious.seat, religious.influence) == (players - 1, RELIGIOUS)
    assert [(gone.seat, gone.value, gone.tie_break) for gone in political] == list(expected)
    assert {gone.influence for gone in political} == {POLITICAL}
    behind = tuple((gone.seat,) for gone in reversed(ending.eliminated))
    assert ending.outcome.ranking[-len(behind) :] == behind
    assert sorted(seat for group in ending.outcome.ranking for seat in group) == list(range(players))


def test_the_second_political_elimination_of_six_uses_the_same_count() -> None:
    """Rule C-scoring.political-out: the first elimination removes no pieces, so the second has the same figures."""
    rows = {1: (0, 0, 2, 1, 0, 0), 2: (0, 0, 2, 3, 0, 0), 3: (1, 0, 0, 0, 0, 0), 4: (0, 1, 0, 0, 0, 0),
            5: (1, 0, 0, 0, 0, 0), 6: (0, 1, 0, 0, 0, 0), 7: (0, 0, 0, 2, 3, 0), 8: (0, 0, 0, 2, 0, 0)}  # fmt: skip
    events, state = settled(ended(SIX[0], rows, (0,) * 6))
    kinds = [type(event) for event in events]
    assert kinds == [InfluenceScored, Eliminated, PoliticsRecounted, Eliminated, Eliminated]
    assert events[3:] == [
        Eliminated(4, POLITICAL, 1, TieBreak.DELEGATIONS),
        Eliminated(2, POLITICAL, 1, None),
    ]
    assert state.delegations[7] == (0, 0, 0, 2, 3, 0)


LAST_OF_MANY = {
    "C-scoring.last five: most yaks": (FIVE, "0123", (3, 4, 5, 2, 9), [(2,), (1,), (0,), (3,), (4,)]),
    "C-scoring.last five: then politics": (FIVE, "01223", (5, 5, 5, 1, 9), [(2,), (0, 1), (3,), (4,)]),
    "C-scoring.shared five": (FIVE, "012", (5, 5, 5, 1, 9), [(0, 1, 2), (3,), (4,)]),
    "C-scoring.last six: most yaks": (SIX, "012", (3, 4, 5, 8, 8, 9), [(2,), (1,), (0,), (3,), (4,), (5,)]),
    "C-scoring.last six: then politics": (SIX, "0112", (5, 5, 5, 8, 8, 9), [(1,), (0, 2), (3,), (4,), (5,)]),
    "C-scoring.shared six": (SIX, "012", (5, 5, 5, 8, 8, 9), [(0, 1, 2), (3,), (4,), (5,)]),
}


@pytest.mark.parametrize(("table", "leaders", "yaks", "ranking"), LAST_OF_MANY.values(), ids=LAST_OF_MANY)
def test_the_last_step_ranks_five_and_six_players(
    table: tuple[Stupas, int], leaders: str, yaks: Sequence[int], ranking: list[tuple[int, ...]]
) -> None:
    stupas, players = table
    rows = {
        region: tuple(int(seat == int(leader)) for seat in range(players)) for region, leader in enumerate(leaders, 1)
    }
    ending = final(ended(stupas, rows, yaks))
    assert len(ending.outcome.ranking[0]) == len(ranking[0])
    assert ending.outcome.ranking == tuple(ranking)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_scoring_now_matches_scoring_at_the_end(players: int) -> None:
    state = ended([M[:1], T[:1], H[:1], (), (), H[1:2]][:players], {1: (2, 1, 0, 0, 0, 0)[:players]}, range(players))
    middle = position(
        players, stupas=state.stupas, delegations=state.delegations, herds=state.herds, round=5, step=3, turn=1
    )
    assert final(middle) == final(state)
    assert influences(middle) == influences(state)


def test_markers_count_three_yaks_each() -> None:
    """Rule C-scoring.economic."""
    assert influences(position(markers=(0, 1, 5, 15))).economic == (0, MARKER_YAKS, 15, 45)


REMARKS = {
    "more yaks": (SEAT_3_OUT, ONE_EACH, (4, 5, 0, 0), ("fewer yaks", "won")),
    "more regions": (SEAT_3_OUT, {**ONE_EACH, 3: (0, 1, 0, 0)}, (5, 5, 0, 0), ("fewer regions", "won")),
    "higher stupas": ([M[:1], M[1:3], T[:1], ()], ONE_EACH, (5, 5, 0, 0), ("lower stupas", "won")),
    "shared": (SEAT_3_OUT, ONE_EACH, (5, 5, 0, 0), ("shares the win", "shares the win")),
}


@pytest.mark.parametrize(("stupas", "delegations", "yaks", "remarks"), REMARKS.values(), ids=REMARKS)
def test_a_remark_describes_the_result_of_a_seat(
    stupas: Stupas, delegations: Delegations, yaks: Sequence[int], remarks: tuple[str, ...]
) -> None:
    outcome = final(ended(stupas, delegations, yaks)).outcome
    assert outcome.remarks == (*remarks, "out: least political", "out: least religious")

"""Matches with the same seed have the same opening, colours and start player for any players (L-5.generator)."""

from collections import Counter

import pytest

from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.actions import BuildOpening, DealColours, DrawLot
from himalaya_core.climbers.opening import hides_core, packed
from himalaya_core.climbers.pieces import COLOURS, Options, Phase
from himalaya_core.climbers.state import evolve, initial
from himalaya_core.climbers.terrain import Terrain
from himalaya_core.game import CHANCE
from himalaya_core.match import Match
from himalaya_core.seed import Seed
from tests.core.climbers.test_board import BOARD


def ground(seed: str, moves: int) -> Terrain:
    poses = packed(BOARD.blocks, BOARD.side, moves, Seed(seed).dice("opening", 0, 0))
    return Terrain.of(tuple(poses[block] for block in range(35)), BOARD.side)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_packed_blocks_form_a_solid_cuboid(seed: str) -> None:
    terrain = ground(seed, 0)
    assert terrain.levels == {0: terrain.levels[0], 7: terrain.grid.box(12, 13, 8, 6)}
    assert hides_core(BOARD.blocks, terrain)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_the_random_opening_hides_the_core_and_has_ways_up(seed: str) -> None:
    terrain = ground(seed, BOARD.moves)
    built = terrain.built
    assert hides_core(BOARD.blocks, terrain)
    assert terrain.grid.connected(built & -built, built) == built
    assert built.bit_count() > 48
    assert min(height for height in terrain.levels if height) <= 2


def test_different_seeds_give_different_openings() -> None:
    assert len({ground(str(number), 0).poses for number in range(20)}) == 20


def test_the_same_seed_gives_the_same_opening_and_colours() -> None:
    drawn = []
    for players in (2, 5):
        match = Match(CLIMBERS, BOARD, {"players": players})
        while match.actors == (CHANCE,):
            match.play(match.sample_chance(Seed("shared")))
        drawn.append(match.state)
    two, five = drawn
    assert two.poses == five.poses
    assert two.colours == five.colours[:2]


def test_chance_builds_deals_and_draws() -> None:
    """Rule L-8.draw."""
    start = initial(Options(3), BOARD)
    kinds = {Phase.BUILD: BuildOpening, Phase.COLOURS: DealColours, Phase.START: DrawLot}
    for phase, kind in kinds.items():
        assert isinstance(CLIMBERS.sample_chance(evolve(start, phase=phase), Seed("kinds")), kind)


def test_every_colour_and_seat_is_drawn_equally_often() -> None:
    """Rules L-5.colours and L-5.start."""
    deal, draw = (evolve(initial(Options(4), BOARD), phase=phase) for phase in (Phase.COLOURS, Phase.START))
    first, lots = Counter[str](), Counter[int]()
    for number in range(1600):
        dealt, lot = (CLIMBERS.sample_chance(state, Seed(str(number))) for state in (deal, draw))
        assert isinstance(dealt, DealColours)
        assert isinstance(lot, DrawLot)
        first[dealt.colours[0]] += 1
        lots[lot.first] += 1
    assert set(first) == set(COLOURS)
    assert all(260 < count < 380 for count in first.values())
    assert sorted(lots) == [0, 1, 2, 3]
    assert all(330 < count < 470 for count in lots.values())

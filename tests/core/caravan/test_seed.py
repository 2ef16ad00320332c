"""Random keys: the same seed gives the same dice, cubes and discs to any players."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from himalaya_core.caravan import CARAVAN
from himalaya_core.caravan.actions import RollOrder, RollResources
from himalaya_core.caravan.events import RefillRolled
from himalaya_core.caravan.flow import BOX
from himalaya_core.caravan.pieces import NO_GOODS, Resource
from himalaya_core.seed import Seed
from tests.conformance.playing import AnyMatch, Variant, recorded
from tests.core.caravan.positions import BOARD, goods, order, position

LINE_UPS = [("trader",) * 4, ("greedy",) * 4, ("pilgrim", "envoy", "trader", "greedy"), ("envoy",) * 4]
Key = tuple[str, int, int]


def rolls(match: AnyMatch) -> Iterator[tuple[Key, RefillRolled, Any]]:
    """Yield each refill with its random key and the position before it."""
    before = match.start
    for step in match.history:
        if isinstance(step.event, RefillRolled):
            index = before.refills[step.event.kind == "order"]
            yield (step.event.kind, before.round, index), step.event, before
        before = step.state


PAIRS = list(combinations(range(len(LINE_UPS)), 2))


def matches() -> list[AnyMatch]:
    return [recorded(Variant("caravan", line_up), "shared")[0] for line_up in LINE_UPS]


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_the_same_key_rolls_the_same_die(one: int, two: int) -> None:
    first, second = ({key: event for key, event, _ in rolls(match)} for match in (matches()[one], matches()[two]))
    common = first.keys() & second.keys()
    assert len(common) > 20
    assert all(first[key].die == second[key].die for key in common)


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_the_same_seed_gives_the_same_setup(one: int, two: int) -> None:
    assert matches()[one].events[:10] == matches()[two].events[:10]


def test_the_same_seed_draws_the_same_pieces_if_the_bags_allow() -> None:
    """A disc in both bags is drawn in both matches, unless an earlier draw took a piece that the other bag lacked."""
    found: dict[Key, list[tuple[str, Any]]] = {}
    for match in matches():
        for key, event, before in rolls(match):
            if event.order is not None:
                found.setdefault(key, []).append((event.order.id, before.order_bag))
    shared = differing = 0
    for drawn in found.values():
        for (one, bag_one), (two, bag_two) in combinations(drawn, 2):
            shared += one == two
            differing += one != two
            assert one == two or order(one) not in bag_two or order(two) not in bag_one
    assert shared > differing > 0


class Script:
    """A replacement for dice that returns the given numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = iter(numbers)

    def dice(self, *_: Any) -> "Script":
        return self

    def below(self, bound: int, /) -> int:
        number = next(self.numbers)
        assert number < bound
        return number


def piece(resource: Resource, number: int = 0) -> int:
    return BOX.index((list(Resource).index(resource), number))


def test_a_cube_missing_from_the_bag_is_skipped() -> None:
    wanted = [piece(Resource.GOLD), piece(Resource.GOLD), piece(Resource.JADE, 1), piece(Resource.SALT, 3)]
    state = position(step=7, bag=goods({"gold": 1, "jade": 1, "salt": 8}))
    more = [piece(Resource.SALT, number) for number in (0, 7, 2)]
    action = CARAVAN.sample_chance(state, Script(13, *wanted, *more))
    assert action == RollResources(14, {Resource.SALT: 4, Resource.GOLD: 1})


def test_a_disc_missing_from_the_bag_is_skipped() -> None:
    state = position(bag=NO_GOODS, orders={1: "o1"}, step=7)
    assert CARAVAN.sample_chance(state, Script(0, 0, 0, 4)) == RollOrder(1, "o5")


def test_every_piece_is_drawn_equally_often() -> None:
    """Draws five of sixty cubes with many seeds: each cube is in 1/12 of the draws."""
    state = position(step=7)
    draws = [CARAVAN.sample_chance(state, Seed(str(number))).drawn for number in range(3000)]  # type: ignore[union-attr]
    for rank, resource in enumerate(Resource):
        mean = sum(drawn.get(resource, 0) for drawn in draws) / len(draws)
        assert mean == pytest.approx((18, 15, 12, 9, 6)[rank] / 12, abs=0.07)


def test_every_disc_is_drawn_equally_often() -> None:
    state = position(bag=NO_GOODS, step=7)
    drawn = [CARAVAN.sample_chance(state, Seed(str(number))).order for number in range(4000)]  # type: ignore[union-attr]
    squares = sum((drawn.count(disc.id) - 100) ** 2 / 100 for disc in BOARD.orders)
    assert 15 < squares < 70

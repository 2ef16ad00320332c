"""Actions of chance: seeded dice, cubes and discs."""

from himalaya_core.caravan.actions import Action, RollOrder, RollResources
from himalaya_core.caravan.flow import refill_due
from himalaya_core.caravan.pieces import CUBES, SUPPLY, Goods, Refill, sparse
from himalaya_core.caravan.state import State
from himalaya_core.game import Dice, DiceSource, IllegalAction

__all__ = ["sample_chance"]

BOX = tuple((rank, number) for rank, count in enumerate(CUBES) for number in range(count))
"""All cubes as (rank of the resource, number within the resource)."""


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Roll the refill that is due; its random key is (kind, round, earlier refills of the kind this round).

    Every cube and disc has a number. Numbers are drawn until one names a piece in the bag. Two matches with the same
    seed therefore draw the same pieces while both bags hold them.
    """
    kind = refill_due(state)
    if kind is Refill.RESOURCES:
        dice = seed.dice("resources", state.round, state.refills[0])
        die = _roll(state, dice)
        drawn = _draw_cubes(state.bag, SUPPLY[len(state.caravans)].cubes, dice)
        return RollResources(die, sparse(drawn))
    if kind is Refill.ORDER:
        dice = seed.dice("order", state.round, state.refills[1])
        die = _roll(state, dice)
        while (order := state.board.orders[dice.below(len(state.board.orders))]) not in state.order_bag:
            pass
        return RollOrder(die, order.id)
    raise IllegalAction("chance has nothing to roll now")


def _roll(state: State, dice: Dice) -> int:
    """Roll the d20, or draw a village card: roll until the card is still in the deck (C-setup.cards)."""
    die = 1 + dice.below(len(state.board.villages))
    while state.options.village_cards and die not in state.cards:
        die = 1 + dice.below(len(state.board.villages))
    return die


def _draw_cubes(bag: Goods, count: int, dice: Dice) -> Goods:
    """Draw `count` cubes, or all that are left. A bag holds the lowest-numbered cubes of each resource."""
    taken: set[int] = set()
    drawn = [0] * len(bag)
    wanted = min(count, sum(bag))
    while len(taken) < wanted:
        piece = dice.below(len(BOX))
        rank, number = BOX[piece]
        if number < bag[rank] and piece not in taken:
            taken.add(piece)
            drawn[rank] += 1
    salt, barley, tea, jade, gold = drawn
    return salt, barley, tea, jade, gold

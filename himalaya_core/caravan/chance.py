"""The actions of chance: dice, cubes and discs, drawn by key."""

from himalaya_core.caravan.actions import Action, RollOrder, RollResources
from himalaya_core.caravan.flow import refill_due
from himalaya_core.caravan.pieces import CUBES, SUPPLY, Goods, Refill, sparse
from himalaya_core.caravan.state import State
from himalaya_core.game import Dice, DiceSource, IllegalAction

__all__ = ["sample_chance"]

BOX = tuple((rank, number) for rank, count in enumerate(CUBES) for number in range(count))
"""Every cube of the box: its rank and its number among those of its kind."""


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Roll the refill that is due, by the key (what, round, how many of it before in the round).

    Every cube and disc of the box has a number; numbers are drawn until one names a piece that is in the bag. So two
    matches with the same seed draw the same pieces as long as both bags hold them, however else they differ.
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
    """Roll the d20, or draw a village card: roll until a card comes that is still in the deck (C-setup.cards)."""
    die = 1 + dice.below(len(state.board.villages))
    while state.options.village_cards and die not in state.cards:
        die = 1 + dice.below(len(state.board.villages))
    return die


def _draw_cubes(bag: Goods, count: int, dice: Dice) -> Goods:
    """Draw so many cubes, or all there are: of each kind the bag holds the cubes of the lowest numbers."""
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

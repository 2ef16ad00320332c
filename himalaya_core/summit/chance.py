"""Actions of chance: the start player, the dice and the Yeti cards, seeded."""

from himalaya_core.game import CHANCE, DiceSource, IllegalAction
from himalaya_core.summit.actions import Action, DrawBadWeather, DrawLot, DrawYetiCard, ThrowDice
from himalaya_core.summit.flow import actors, bad_weather_is_in
from himalaya_core.summit.pieces import FACES, Phase
from himalaya_core.summit.state import State

__all__ = ["sample_chance"]


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Sample the action due; its random key is its number, so the same seed gives the same n-th throw in every match.

    Every card has a number. Numbers are drawn until one names a card in the deck. A seed therefore shuffles the deck in
    the same way in every match.
    """
    if actors(state) != (CHANCE,):
        raise IllegalAction("chance has nothing to do now")
    if state.phase is Phase.START:
        return DrawLot(seed.dice("start", 0, 0).below(len(state.seats)))
    if state.phase is Phase.DRAW:
        return _draw(state, seed)
    dice = seed.dice("dice", state.throws + 1, 0)
    values = [1 + dice.below(FACES) for _ in range(state.board.dice[len(state.seats)])]
    return ThrowDice(tuple(sorted(values)))


def _draw(state: State, seed: DiceSource) -> Action:
    """Draw the top card; equal cards are distinguished by their index on the board (S-7.deck)."""
    dice = seed.dice("yeti", state.draws + 1, 0)
    cards = state.board.yeti_cards
    left = {place for place, card in enumerate(cards) if cards[:place].count(card) < state.deck.count(card)}
    while True:
        place = dice.below(len(cards) + bad_weather_is_in(state))
        if place == len(cards):
            return DrawBadWeather()
        if place in left:
            return DrawYetiCard(cards[place])

"""Determines automatic events, random actions, and the seats that must choose next."""

from himalaya_core.game import CHANCE, DiceSource, IllegalAction
from himalaya_core.summit.actions import Action, DrawBadWeather, DrawLot, DrawYetiCard, ThrowDice
from himalaya_core.summit.events import (
    DeckShuffled,
    Event,
    Slid,
    StartPlayerChosen,
    TurnEnded,
    TurnStarted,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.pieces import FACES, SHERPAS, ChaseCause, Phase, StartMethod
from himalaya_core.summit.state import State

__all__ = ["actors", "advance", "bad_weather_is_in", "is_over", "resupply_camp", "sample_chance"]


def advance(state: State) -> Event | None:
    """Return the next automatic event; `None` if an actor must choose or the match is over."""
    match state.phase:
        case Phase.DECIDE:
            return _chase(state)
        case Phase.RESOLVE:
            return _resolve(state)
        case Phase.TURN:
            return _next_turn(state)
        case Phase.CLOSE:
            return TurnEnded(state.active)
        case Phase.YETI:
            return _yeti(state)
        case Phase.DRAW:
            return None if state.deck or bad_weather_is_in(state) else _shuffle(state)
        case Phase.SHUFFLE:
            return _shuffle(state)
        case Phase.START:
            first = state.options.first
            return None if first is None else StartPlayerChosen(first, StartMethod.NAMED)
        case Phase.THROW | Phase.OVER:
            return None


def actors(state: State) -> tuple[int, ...]:
    """Return who may act: the active seat, or chance if a throw or a card is due."""
    match state.phase:
        case Phase.DECIDE:
            if _chase(state) is not None:
                return ()
            return (state.active,) if state.pool else (CHANCE,)
        case Phase.RESOLVE:
            return () if _resolve(state) is not None or is_over(state) else (state.active,)
        case Phase.THROW:
            return (CHANCE,)
        case Phase.DRAW:
            return (CHANCE,) if state.deck or bad_weather_is_in(state) else ()
        case Phase.START:
            return (CHANCE,) if state.options.first is None else ()
        case _:
            return ()


def is_over(state: State) -> bool:
    """Return whether bad weather has come, or a climber is on the summit and no chase is pending (S-10)."""
    if state.phase is Phase.OVER:
        return True
    return state.board.summit in state.climbers and _chase(state) is None


def bad_weather_is_in(state: State) -> bool:
    """Return whether bad weather is in the deck: from the second shuffle until it is drawn (S-7.deck)."""
    return state.cycle > 1 and state.phase is not Phase.OVER


def resupply_camp(state: State) -> int | None:
    """Return the high camp where the active player may take back a card now, or `None` (S-7.resupply)."""
    camp, seat = state.arrived, state.active
    if state.phase is not Phase.RESOLVE or camp not in state.board.high_camps or camp in state.gained[seat]:
        return None
    return camp if state.used[seat] and state.sherpas[seat].count(camp) > 1 else None


def _chase(state: State) -> YetiChased | None:
    """Chase the next unprotected Sherpa on the Yeti's field to the camp below; `None` if there is none (S-7.chase)."""
    yeti = state.yeti
    if yeti in state.board.camps:
        return None
    for seat, row in enumerate(state.sherpas):
        if yeti in row and state.climbers[seat] != yeti:
            piece = SHERPAS[row.index(yeti)]
            return YetiChased(seat, piece, yeti, state.board.camp_below[yeti], _cause(state))
    return None


def _cause(state: State) -> ChaseCause:
    if state.phase is not Phase.RESOLVE:
        return ChaseCause.YETI_ARRIVED
    return ChaseCause.SLID if state.arrived == state.yeti else ChaseCause.CLIMBER_LEFT


def _resolve(state: State) -> Event | None:
    """Return the next event after a move: a chase, a slide, or the turn's end if no card may be taken back (S-7)."""
    chase = _chase(state)
    if chase is not None:
        return chase
    if state.board.summit in state.climbers:
        return None
    slide = _slide(state)
    if slide is not None:
        return slide
    return None if resupply_camp(state) is not None else TurnEnded(state.active)


def _slide(state: State) -> Slid | None:
    """Return the slide of the active player's next Sherpa on a slide field; `None` if there is none (S-7.slide)."""
    slides, seat = state.board.slides, state.active
    for piece, field in zip(SHERPAS, state.sherpas[seat], strict=True):
        if field in slides:
            return Slid(seat, piece, field, slides[field].to, slides[field].kind)
    return None


def _next_turn(state: State) -> TurnStarted:
    """Start the next turn: the start player first, then clockwise (S-5.order)."""
    seat = (state.active + 1) % len(state.seats) if state.turn else state.active
    return TurnStarted(seat, state.turn + 1)


def _yeti(state: State) -> YetiMoved:
    """Move the Yeti by the card just drawn, no farther than the ends of the route (S-7.yeti)."""
    aim = state.yeti + state.seen[-1]
    to = min(max(aim, 0), state.board.summit - 1)
    return YetiMoved(state.yeti, to, clamped=to != aim)


def _shuffle(state: State) -> DeckShuffled:
    """Shuffle the nine Yeti cards; from the second time on, include bad weather (S-7.deck)."""
    cycle = state.cycle + 1
    return DeckShuffled(cycle, len(state.board.yeti_cards) + (cycle > 1))


def sample_chance(state: State, seed: DiceSource) -> Action:
    """Return the random action that is due. Throws are numbered, so a seed fixes the n-th throw of a match.

    Every card has a number. Numbers are drawn until one names a card that is in the deck. A seed therefore shuffles the
    deck in the same way in every match.
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
    """Draw the top card. Equal cards are distinguished by their index on the board (S-7.deck)."""
    dice = seed.dice("yeti", state.draws + 1, 0)
    cards = state.board.yeti_cards
    left = {place for place, card in enumerate(cards) if cards[:place].count(card) < state.deck.count(card)}
    while True:
        place = dice.below(len(cards) + bad_weather_is_in(state))
        if place == len(cards):
            return DrawBadWeather()
        if place in left:
            return DrawYetiCard(cards[place])

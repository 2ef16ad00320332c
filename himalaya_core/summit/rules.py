"""The rules: which actions are legal, the events they cause, each seat's legal actions, and where a pawn may go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, assert_never

from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.summit.actions import (
    Action,
    Decline,
    DrawBadWeather,
    DrawLot,
    DrawYetiCard,
    Forfeit,
    Move,
    MoveByCard,
    MoveByDie,
    Reroll,
    SeatAction,
    TakeBack,
    ThrowDice,
)
from himalaya_core.summit.events import (
    BadWeather,
    DiceRolled,
    DieTaken,
    Event,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    ResupplyDeclined,
    StartPlayerChosen,
    SupplyPlayed,
    TakeAlong,
    YetiCardDrawn,
)
from himalaya_core.summit.flow import actors, bad_weather_is_in, resupply_camp
from himalaya_core.summit.pieces import FACES, SHERPAS, Direction, Phase, Piece, StartMethod, ThrowCause, values_of
from himalaya_core.summit.state import State

__all__ = ["Landing", "decide", "first_alike", "landing", "legal_actions", "may_reroll", "onward"]


BY_CARD_BANNED: Final = "a supply card ends on no snowfield and not on the summit"


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events that an action causes. `IllegalAction` gives the reason if it is not allowed."""
    match action:
        case MoveByDie():
            return _move_by_die(state, action)
        case MoveByCard():
            return _move_by_card(state, action)
        case ThrowDice():
            return _throw(state, action)
        case DrawYetiCard() | DrawBadWeather():
            return _draw(state, action)
        case DrawLot():
            return _draw_lot(state, action)
        case Reroll():
            _require_turn(state, action.seat)
            if not may_reroll(state):
                raise IllegalAction("all dice may be thrown again only instead of the last one, and once a turn")
            return (RerollChosen(action.seat),)
        case Forfeit():
            return _forfeit(state, action)
        case TakeBack() | Decline():
            return _resupply(state, action)
        case _:
            assert_never(action)


def _require_turn(state: State, seat: int) -> None:
    if state.phase is not Phase.DECIDE or actors(state) != (seat,) or seat == CHANCE:
        raise IllegalAction(f"seat {seat + 1} has no move to choose now")


def may_reroll(state: State) -> bool:
    """Return whether the active player may throw all dice again instead of taking the last die (S-5.reroll)."""
    return len(state.pool) == 1 and not state.rerolled


def _move_by_die(state: State, action: MoveByDie) -> tuple[Event, ...]:
    """Take a die from the pool and move by its value (S-5)."""
    _require_turn(state, action.seat)
    if action.face not in state.pool:
        raise IllegalAction(f"no die shows {action.face}, there are {', '.join(map(str, state.pool))}")
    return (DieTaken(action.seat, action.face), *_moved(state, action, action.face, by_card=False))


def _move_by_card(state: State, action: MoveByCard) -> tuple[Event, ...]:
    """Play a supply card instead of taking a die (S-5.card)."""
    _require_turn(state, action.seat)
    if action.card not in state.hands[action.seat]:
        raise IllegalAction(f"seat {action.seat + 1} has no card {action.card} to play")
    if action.value not in values_of(action.card):
        raise IllegalAction(f"the card {action.card} moves by {' or '.join(action.card.split('/'))}")
    moved = _moved(state, action, action.value, by_card=True)
    return (SupplyPlayed(action.seat, action.card, action.value), *moved)


def _moved(state: State, action: Move, value: int, *, by_card: bool) -> tuple[Event, ...]:
    """Return the events that move a pawn, including moves by the take-along rule."""
    seat, piece = action.seat, action.piece
    if piece is not first_alike(state, seat, piece):
        raise IllegalAction(f"Sherpas on one field are alike: move {first_alike(state, seat, piece)} (S-8.alike)")
    found = landing(state, seat, piece, value, action.dir, by_card=by_card)
    if isinstance(found, str):
        raise IllegalAction(found)
    start = state.at(seat, piece)
    moved = PawnMoved(seat, piece, start, found.to, action.dir, steps_of(value, action.dir))
    if action.along is None:
        return (moved,)
    goal = onward(state, found, by_card=by_card)
    if isinstance(goal, str):
        raise IllegalAction(goal)
    if action.along != found.own[: len(action.along)]:
        raise IllegalAction(f"of {', '.join(found.own) or 'none'} the first come along, not {', '.join(action.along)}")
    movers = (piece, *action.along)
    return (moved, TakeAlong(seat, found.sherpas, movers, found.to, goal))


@dataclass(frozen=True, slots=True)
class Landing:
    """A field that a pawn may move to, with the number of all Sherpas there and the pawn owner's Sherpas.

    `ends` is true if no take-along may follow, because a climber moved or a Sherpa moved backward.
    """

    to: int
    sherpas: int
    own: tuple[Piece, ...]
    ends: bool


def steps_of(value: int, direction: Direction) -> int:
    """Return the number of fields a value moves: all of it forward, half of it, rounded up, backward (S-6.backward)."""
    return value if direction is Direction.FORWARD else (value + 1) // 2


def first_alike(state: State, seat: int, piece: Piece) -> Piece:
    """Return the lowest-numbered Sherpa of the seat on the same field; a climber is returned unchanged (S-8.alike)."""
    if piece is Piece.CLIMBER:
        return piece
    row = state.sherpas[seat]
    return SHERPAS[row.index(row[SHERPAS.index(piece)])]


def landing(state: State, seat: int, piece: Piece, value: int, direction: Direction, *, by_card: bool) -> Landing | str:
    """Return where a pawn lands if moved by a value, or why the move is not allowed (S-6)."""
    if piece is Piece.CLIMBER:
        if direction is Direction.BACKWARD:
            return "only Sherpas go back"
        return _climber_landing(state, seat, value, by_card=by_card)
    start, steps = state.at(seat, piece), steps_of(value, direction)
    to = start + steps if direction is Direction.FORWARD else start - steps
    obstacle = _obstacle(state, to, by_card=by_card)
    if obstacle:
        return obstacle
    own = tuple([SHERPAS[number] for number, field in enumerate(state.sherpas[seat]) if field == to])
    return Landing(to, sherpas_on(state, to), own, ends=direction is Direction.BACKWARD)


def _climber_landing(state: State, seat: int, value: int, *, by_card: bool) -> Landing | str:
    """Require two own Sherpas and no other climber on the field, unless it is the summit (S-6.climber, S-6.summit)."""
    to = state.climbers[seat] + value
    if to >= state.board.summit:
        return BY_CARD_BANNED if by_card else Landing(state.board.summit, 0, (), ends=True)
    obstacle = _obstacle(state, to, by_card=by_card)
    if obstacle:
        return obstacle
    if state.sherpas[seat].count(to) < 2:
        return f"fewer than two own Sherpas are on field {to}"
    if to in state.climbers:
        return f"another climber is on field {to}"
    return Landing(to, 0, (), ends=True)


def _obstacle(state: State, to: int, *, by_card: bool) -> str:
    """Return why no pawn may end its move on a field; empty if one may (S-6.blocked, S-6.snow)."""
    board = state.board
    if not 0 <= to < board.summit:
        return "a Sherpa goes neither below the base camp nor up to the summit"
    if to in (board.cave, state.yeti):
        return f"field {to} is the {'cave' if to == board.cave else 'field of the Yeti'}"
    return BY_CARD_BANNED if by_card and to in board.snow else ""


def sherpas_on(state: State, field: int) -> int:
    """Return the number of all players' Sherpas on a field."""
    return sum([row.count(field) for row in state.sherpas])


def onward(state: State, found: Landing, *, by_card: bool) -> int | str:
    """Return the field that the take-along rule leads to, or why taking along is not allowed (S-6.along)."""
    if found.ends:
        return "only a Sherpa that moved forward takes others along"
    if not found.sherpas:
        return f"no Sherpa is on field {found.to} to be taken along"
    if found.to in state.board.slides:
        return f"from field {found.to} a Sherpa slides"
    to = found.to + found.sherpas
    return _obstacle(state, to, by_card=by_card) or to


def may_forfeit(state: State) -> bool:
    """Return whether no die in the pool can move any pawn of the active player (S-5.forfeit)."""
    seat = state.active
    pieces = {first_alike(state, seat, piece) for piece in Piece}
    return all(
        isinstance(landing(state, seat, piece, face, direction, by_card=False), str)
        for face in set(state.pool)
        for piece in pieces
        for direction in Direction
    )


def _forfeit(state: State, action: Forfeit) -> tuple[Event, ...]:
    _require_turn(state, action.seat)
    if action.face not in state.pool:
        raise IllegalAction(f"no die shows {action.face}, there are {', '.join(map(str, state.pool))}")
    if not may_forfeit(state):
        raise IllegalAction("a die is forfeited only if none moves a pawn")
    return (Forfeited(action.seat, action.face),)


def _resupply(state: State, action: TakeBack | Decline) -> tuple[Event, ...]:
    """Take back one used supply card, or none; once per player and high camp (S-7.resupply)."""
    camp = resupply_camp(state)
    if camp is None or actors(state) != (action.seat,):
        raise IllegalAction(f"seat {action.seat + 1} has no supply card to take back now")
    if isinstance(action, Decline):
        return (ResupplyDeclined(action.seat, camp),)
    if action.card not in state.used[action.seat]:
        raise IllegalAction(f"seat {action.seat + 1} has not used a card {action.card}")
    return (Resupplied(action.seat, camp, action.card),)


def _draw_lot(state: State, action: DrawLot) -> tuple[Event, ...]:
    if state.phase is not Phase.START or state.options.first is not None:
        raise IllegalAction("there is no start player to draw now")
    if action.first not in state.seats:
        raise IllegalAction(f"there is no seat {action.first + 1}")
    return (StartPlayerChosen(action.first, StartMethod.LOT),)


def _throw(state: State, action: ThrowDice) -> tuple[Event, ...]:
    """Throw all dice. Values must be in ascending order, because dice are interchangeable (S-5.throw)."""
    if state.phase not in (Phase.DECIDE, Phase.THROW) or actors(state) != (CHANCE,):
        raise IllegalAction("no throw of the dice is due")
    values, count = action.values, state.board.dice[len(state.seats)]
    if len(values) != count or any(not 1 <= value <= FACES for value in values) or list(values) != sorted(values):
        found = ", ".join(map(str, values)) or "none"
        raise IllegalAction(f"expected what {count} dice show, in ascending order, found {found}")
    again = ThrowCause.REROLL if state.rerolled else ThrowCause.POOL_EMPTY
    return (DiceRolled(state.active, values, again if state.throws else ThrowCause.START),)


def _draw(state: State, action: DrawYetiCard | DrawBadWeather) -> tuple[Event, ...]:
    """Draw the top card: it moves the Yeti, or it is bad weather (S-7.deck)."""
    if state.phase is not Phase.DRAW or actors(state) != (CHANCE,):
        raise IllegalAction("no Yeti card is due")
    draw_no = state.draws + 1
    if isinstance(action, DrawBadWeather):
        if not bad_weather_is_in(state):
            raise IllegalAction("the bad weather is not in the deck before it is shuffled again")
        return (BadWeather(draw_no),)
    if action.card not in state.deck:
        raise IllegalAction(f"the card {action.card:+} is not in the deck")
    return (YetiCardDrawn(action.card, draw_no),)


def legal_actions(state: State, seat: int) -> Sequence[SeatAction]:
    """Return all legal actions of a seat. Actions of chance are not listed."""
    if seat == CHANCE or seat not in actors(state):
        return ()
    if resupply_camp(state) is not None:
        return [*(TakeBack(seat, card) for card in dict.fromkeys(state.used[seat])), Decline(seat)]
    actions: list[SeatAction] = []
    for face in dict.fromkeys(state.pool):
        actions += _moves(state, seat, face, None)
    if not actions:
        actions += [Forfeit(seat, face) for face in dict.fromkeys(state.pool)]
    for card in dict.fromkeys(state.hands[seat]):
        for value in dict.fromkeys(values_of(card)):
            actions += _moves(state, seat, value, card)
    return [*actions, Reroll(seat)] if may_reroll(state) else actions


def _moves(state: State, seat: int, value: int, card: str | None) -> Iterator[Move]:
    """Yield every move by a value: each pawn and direction, stopping or moving on with any own Sherpas (S-6)."""
    by_card = card is not None
    move = partial(MoveByDie, seat, value) if card is None else partial(MoveByCard, seat, card, value)
    pieces = dict.fromkeys([first_alike(state, seat, piece) for piece in Piece])
    for piece in pieces:
        for direction in Direction:
            found = landing(state, seat, piece, value, direction, by_card=by_card)
            if isinstance(found, str):
                continue
            yield move(piece, direction)
            if not isinstance(onward(state, found, by_card=by_card), str):
                for count in range(len(found.own) + 1):
                    yield move(piece, direction, found.own[:count])

"""An example of an external game with rules only: nim on one random heap."""

from dataclasses import dataclass, replace
from typing import Annotated

from himalaya_core.game import CHANCE, DiceSource, Game, IllegalAction, Outcome, Range, fact, log_name

Seat = Annotated[int, Range(0, 5)]
Count = Annotated[int, Range(1, 3)]
Heap = Annotated[int, Range(0, 60)]


@fact
class RollHeap:
    dice: tuple[Annotated[int, Range(1, 6)], ...]


@fact
class Take:
    seat: Seat
    count: Count


@fact
class HeapRolled:
    dice: tuple[Annotated[int, Range(1, 6)], ...]


@fact
class Taken:
    seat: Seat
    count: Count
    left: Heap


Action = RollHeap | Take
Event = HeapRolled | Taken


@dataclass(frozen=True)
class State:
    players: int
    heap: int | None = None
    turn: int = 0
    taken: tuple[int, ...] = ()


def actors(state: State) -> tuple[int, ...]:
    if state.heap is None:
        return (CHANCE,)
    return (state.turn % state.players,) if state.heap else ()


def legal_actions(state: State, seat: int) -> list[Action]:
    return [Take(seat, count) for count in range(1, min(3, state.heap or 0) + 1)]


def sample_chance(state: State, seed: DiceSource) -> Action:
    dice = seed.dice("heap", 0, 0)
    return RollHeap(tuple(1 + dice.below(6) for _ in range(2 * state.players)))


def decide(state: State, action: Action) -> tuple[Event, ...]:
    if isinstance(action, RollHeap):
        if state.heap is not None:
            raise IllegalAction("the heap is there")
        return (HeapRolled(action.dice),)
    if not state.heap or actors(state) != (action.seat,) or action.count > state.heap:
        raise IllegalAction(f"seat {action.seat + 1} may not take {action.count} now")
    return (Taken(action.seat, action.count, state.heap - action.count),)


def apply(state: State, event: Event) -> State:
    if isinstance(event, HeapRolled):
        return replace(state, heap=sum(event.dice), taken=(0,) * state.players)
    taken = tuple(sum_ + event.count * (seat == event.seat) for seat, sum_ in enumerate(state.taken))
    return replace(state, heap=event.left, turn=state.turn + 1, taken=taken)


def outcome(state: State) -> Outcome | None:
    """Return the result: the player who takes the last object wins."""
    if state.heap != 0:
        return None
    last = (state.turn - 1) % state.players
    others = tuple(seat for seat in range(state.players) if seat != last)
    scores = tuple({"taken": count} for count in state.taken)
    return Outcome(((last,), others), scores, ("",) * state.players)


NIM2 = Game[State, Action, Event](
    name="nim2",
    event_types={log_name(kind): kind for kind in (HeapRolled, Taken)},
    action_types={log_name(kind): kind for kind in (RollHeap, Take)},
    initial=lambda options, _board: State(options.players),
    actors=actors,
    legal_actions=legal_actions,
    sample_chance=sample_chance,
    decide=decide,
    apply=apply,
    outcome=outcome,
)

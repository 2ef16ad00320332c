"""Review of climbers matches: compares block moves, climbs and discs with the best alternatives found.

A position has about 10,000 block moves. Only moves that help a climber up or take a block from an opponent are
compared, so there may be a better one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.climbers import CLIMBERS as GAME
from himalaya_core.climbers.actions import (
    Action,
    ClimbStep,
    EndClimb,
    MoveBlock,
    PlaceDisc,
    SeatAction,
    SkipBlock,
    SkipDisc,
)
from himalaya_core.climbers.blocks import Block, Pose
from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.events import BlockMoved, ClimberStepped, DiscPlaced, LadderSpent, StartPlayerChosen
from himalaya_core.climbers.pieces import Ladder, Ladders, Phase
from himalaya_core.climbers.state import State, evolve
from himalaya_core.climbers.view import block_name
from himalaya_core.engine import fold, settle, step
from himalaya_core.game import CHANCE
from himalaya_core.log.codec import Entry, written_action
from himalaya_core.players.climbers.base import raised_to, step_to
from himalaya_core.players.climbers.blocking import FREE
from himalaya_core.players.climbers.reachability import Goal, Prices, candidates, goals, hindrances, is_at, worth_now
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import Evaluation, GameReview, Swing, Value, by_turn, in_past
from himalaya_core.winprob.review import labels_of

__all__ = ["CLIMBERS", "brought", "climbing", "colours", "doing", "moving"]


def colours(replay: Replay) -> list[str]:
    """Return the colour of each seat's climber as the seat's name; before it is dealt, the label (L-5.colours)."""
    dealt = list(map(str, replay.states[-1].colours))
    return [*dealt, *labels_of(replay.header)[len(dealt) :]]


def brought(events: Sequence[Any], labels: Sequence[str]) -> str:
    """Describe the outcome of chance, which acts only in the set-up."""
    first = [event.player for event in events if isinstance(event, StartPlayerChosen)]
    return f"The lot let {labels[first[0]]} start" if first else "The set-up"


def doing(events: Sequence[Any], blocks: Sequence[Block]) -> str:
    """Describe a seat's turn, e.g. "moved cube 14 from level 2 to the table, …"; empty if it did nothing."""
    parts = list(map(in_past, _phrases(events, blocks)))
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _phrases(events: Sequence[Any], blocks: Sequence[Block]) -> Iterator[str]:
    told = [event for event in events if isinstance(event, ClimberStepped | LadderSpent | BlockMoved | DiscPlaced)]
    for is_climb, group in groupby(told, lambda event: isinstance(event, ClimberStepped | LadderSpent)):
        if is_climb:
            yield _climb_phrase([*group])
        else:
            yield from [_done(event, blocks) for event in group]


def _climb_phrase(events: Sequence[Any]) -> str:
    steps = [event for event in events if isinstance(event, ClimberStepped)]
    spent = [event.kind for event in events if isinstance(event, LadderSpent)]
    return _climbed(steps[0].from_level, steps[-1].to_level, spent)


def _done(event: Any, blocks: Sequence[Block]) -> str:
    if isinstance(event, DiscPlaced):
        return f"laying its disc on {block_name(blocks, event.block)}"
    return moving(blocks, event.block, event.from_pose, event.to_pose)


def climbing(start: int, end: int, before: Ladders, after: Ladders) -> str:
    """Describe a climb from one level to another, given the ladders before and after it."""
    kinds = zip((Ladder.SHORT, Ladder.LONG), before, after, strict=True)
    return _climbed(start, end, [kind for kind, had, has in kinds if had and not has])


def _climbed(start: int, end: int, ladders: Sequence[Ladder]) -> str:
    by = f" by its {' and its '.join(f'{kind} ladder' for kind in ladders)}" if ladders else ""
    if start == end:
        return f"staying on {_level(end)}"
    return f"climbing from {_level(start)} to level {end}{by}"


def moving(blocks: Sequence[Block], block: int, start: Pose, end: Pose) -> str:
    """Describe a block move, e.g. "moving cube 14 from level 2 to the table, pink on top"."""
    name = block_name(blocks, block)
    if (start.x, start.y, start.z) == (end.x, end.y, end.z):
        return f"turning {name} where it lay, {end.top} on top"
    if start.z == end.z:
        return f"moving {name} elsewhere on {_level(end.z)}, {end.top} on top"
    return f"moving {name} from {_level(start.z)} to {_level(end.z)}, {end.top} on top"


def _level(level: int) -> str:
    return f"level {level}" if level else "the table"


PRICES: Final = Prices(1.4, 2.4)
"""Prices of ladders, in levels, when the review looks for the best moves and climbs."""
WIDTH: Final = 4
"""Number of helpful block moves compared. They are searched twice: with ladder prices and with free ladders."""
TAKEN: Final = 2
"""Number of blocks compared that are useful to the strongest opponent."""
STOP: Final[Mapping[Phase, type[EndClimb | SkipDisc]]] = {
    Phase.CLIMB_AGAIN: EndClimb,
    Phase.OTHERS: EndClimb,
    Phase.DISC: SkipDisc,
}
"""The action that ends each part of a turn."""
NO_VALUES: Final[Mapping[str, float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Climb:
    """A goal, the seat's win probability after climbing there, and whether the match then ends."""

    chance: float
    goal: Goal
    ends: bool


def _judgements(replay: Replay, value: Value) -> list[Evaluation]:
    """Return evaluations of the block moves, climbs and discs of a match, compared with the best alternatives found.

    Each choice is valued by a win probability: a block move after the best climb that can follow, a climb after the
    block move with the disc kept, and a climb before the block move after the best further climb. Placed discs are
    compared with each other, but not with keeping the disc.
    """
    found = list[Evaluation | None]()
    for chosen in _parts(replay):
        entry = replay.entries[chosen[0]]
        view = GAME.view(replay.states[chosen[0] - 1], _seat(entry))
        match entry.action:
            case MoveBlock() | SkipBlock():
                found.append(_block(view, entry, value))
            case PlaceDisc():
                found.append(_disc(view, entry, value))
            case ClimbStep() | EndClimb():
                found.append(_climb(replay, view, chosen, value))
            case _:
                pass
    return [judged for judged in found if judged is not None]


def _seat(entry: Entry) -> int:
    assert entry.seat is not None, "a seat decided"
    return entry.seat


def _parts(replay: Replay) -> Iterator[list[int]]:
    """Yield the decisions of each part of a turn, as entry indices. All steps of a climb belong to one part."""
    chosen = [at for at, entry in enumerate(replay.entries) if entry.action is not None and entry.seat is not None]
    for _, part in groupby(chosen, lambda at: _part(replay.states[at - 1])):
        yield list(part)


def _part(state: State) -> tuple[int, int, Phase]:
    return state.turn, state.acting, state.phase


def _after(state: State, action: Action) -> State:
    return step(GAME, state, action)[-1][1]


def _block(view: State, entry: Entry, value: Value) -> Evaluation:
    """Evaluate a block move, or the choice not to move a block."""
    seat = _seat(entry)
    chosen = fold(GAME, view, GAME.decide(view, entry.action))
    positions: dict[SeatAction, State] = {entry.action: chosen, SkipBlock(seat): view}
    positions |= _block_moves(view, seat, value)
    climbs = {
        action: _best_climb(evolve(position, phase=Phase.CLIMB_AGAIN), seat, value)
        for action, position in positions.items()
    }
    best = max(climbs, key=lambda action: climbs[action].chance)
    values: dict[str, float] = {}
    for action, climb in climbs.items():
        name = block_name(view.board.blocks, action.block) if isinstance(action, MoveBlock) else "no block"
        values[name] = max(climb.chance, values.get(name, 0.0))
    words = "moving no block"
    if isinstance(best, MoveBlock):
        words = _move_in_words(view, positions[best], seat, best.block, climbs[best].goal)
    words += ", which ends the match" if climbs[best].ends else ""
    return _judgement(entry, entry, climbs[best].chance - climbs[entry.action].chance, best, words=words, values=values)


def _block_moves(view: State, seat: int, value: Value) -> dict[SeatAction, State]:
    """Return block moves that help a climber up, and some that take blocks from the strongest opponent."""
    rivals = value(view)
    rival = max((other for other in view.seats if other != seat), key=lambda other: rivals[other])
    found = [
        *candidates(view, seat, PRICES, WIDTH, 1),
        *candidates(view, seat, FREE, WIDTH, 1),
        *hindrances(view, seat, rival, PRICES, TAKEN),
    ]
    return dict(found)


def _move_in_words(view: State, position: State, seat: int, block: int, goal: Goal) -> str:
    """Describe a block move and the level that it opens to the seat or closes to an opponent."""
    before, after = view.poses[block], position.poses[block]
    assert before is not None, "a block that is moved has a place"
    assert after is not None, "a block that is moved has a place"
    text = moving(view.board.blocks, block, before, after)
    if goal.height > worth_now(view, seat, FREE):
        return f"{text}, which opens level {goal.height}"
    for rival in view.seats:
        highest = int(worth_now(view, rival, FREE))
        if rival != seat and highest > worth_now(position, rival, FREE):
            return f"{text}, which keeps {view.colours[rival]} from level {highest}"
    return text


def _best_climb(state: State, seat: int, value: Value) -> Climb:
    """Return the best climb of a seat. Candidates are staying, and the highest goal for each set of ladders left."""
    found = goals(state, seat, PRICES)
    here = next(goal for goal in found if is_at(state, seat, goal))
    highest = {goal.ladders: goal for goal in reversed(found)}
    climbs = []
    for goal in dict.fromkeys([here, *highest.values()]):
        finished = _finished(raised_to(state, seat, goal), state.turn, seat)
        climbs.append(Climb(value(finished)[seat], goal, GAME.outcome(finished) is not None))
    return max(climbs, key=lambda climb: climb.chance)


def _finished(state: State, turn: int, seat: int) -> State:
    state = [state, *(after for _, after in settle(GAME, state))][-1]
    while state.turn == turn and seat in GAME.actors(state):
        state = _after(state, STOP[state.phase](seat))
    return state


def _climb(replay: Replay, view: State, chosen: Sequence[int], value: Value) -> Evaluation | None:
    """Evaluate a climb; `None` if the log ends during it, or if the seat did not climb before the block move."""
    entry, last = replay.entries[chosen[0]], replay.entries[chosen[-1]]
    seat, reached = _seat(entry), _after(replay.states[chosen[-1] - 1], last.action)
    first = view.phase is Phase.CLIMB
    if _part(reached) == _part(view) or (first and isinstance(entry.action, EndClimb)):
        return None
    start = evolve(view, phase=Phase.CLIMB_AGAIN) if first else view
    best = _best_climb(start, seat, value)
    if first:
        chance = _best_climb(evolve(reached, phase=Phase.CLIMB_AGAIN), seat, value).chance
    else:
        chance = value(_finished(reached, view.turn, seat))[seat]
    if best.chance <= chance:
        words = climbing(level(view, seat), level(reached, seat), view.ladders[seat], reached.ladders[seat])
        climb = [replay.entries[at].action for at in chosen]
        return _judgement(entry, last, 0.0, *climb, words=words, decisions=len(chosen))
    words = climbing(level(view, seat), best.goal.height, view.ladders[seat], best.goal.ladders)
    words += ", which ends the match" if best.ends else ""
    climb = _climb_to(view, seat, best.goal)
    return _judgement(entry, last, best.chance - chance, *climb, words=words, decisions=len(chosen))


def _climb_to(view: State, seat: int, goal: Goal) -> list[SeatAction]:
    """Return all actions of a climb to a goal, including the action that ends it, if one is needed."""
    state, actions = view, list[SeatAction]()
    while _part(state) == _part(view) and seat in GAME.actors(state):
        actions.append(step_to(state, seat, goal))
        state = _after(state, actions[-1])
    return actions


def _disc(view: State, entry: Entry, value: Value) -> Evaluation:
    """Compare the block chosen for a disc with all other blocks where the disc is allowed."""
    seat = _seat(entry)
    chances = {
        action: value(_after(view, action))[seat]
        for action in (entry.action, *GAME.legal_actions(view, seat))
        if isinstance(action, PlaceDisc)
    }
    best = max(chances, key=chances.__getitem__)
    values = {block_name(view.board.blocks, action.block): chance for action, chance in chances.items()}
    words = f"laying its disc on {block_name(view.board.blocks, best.block)}"
    return _judgement(entry, entry, chances[best] - chances[entry.action], best, words=words, values=values)


def _judgement(
    entry: Entry,
    last: Entry,
    cost: float,
    *best: SeatAction,
    words: str,
    values: Mapping[str, float] = NO_VALUES,
    decisions: int = 1,
) -> Evaluation:
    action, *then = [json.loads(written_action(GAME, each)) for each in best]
    seat = _seat(entry)
    return Evaluation(entry.seq, last.seq, entry.round, seat, cost, cost, cost, action, words, values, decisions, then)


def _words(replay: Replay, swing: Swing) -> str:
    """Describe the source of a change as the beginning of a sentence."""
    events = [entry.event for entry in replay.entries[swing.since + 1 : swing.seq + 1]]
    labels = colours(replay)
    if swing.by == CHANCE:
        return brought(events, labels)
    before, blocks = replay.states[swing.since], replay.board.blocks
    done = doing(events, blocks)
    if before.active != swing.by:
        done = f"{done or 'stayed where it was'} after {labels[before.active]}'s turn"
    over = ", which ended the match" if replay.game.outcome(replay.states[swing.seq]) else ""
    return f"Turn {swing.round}, {labels[swing.by]} {done or 'did nothing in its turn'}{over}"


CLIMBERS: Final = GameReview(swings=by_turn, judgements=_judgements, words=_words, names=colours)

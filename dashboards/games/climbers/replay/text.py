"""The events of a climbers match as text, and the result if the match ended at a given frame."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Ending, Moment, joined, verbs
from dashboards.boards.story import Line, result_line, told
from himalaya_core.climbers.blocks import Block, Pose
from himalaya_core.climbers.climbing import level
from himalaya_core.climbers.events import (
    BlockMoved,
    BlockPlaced,
    ClimberShifted,
    ClimberStepped,
    ColourAssigned,
    DiscPlaced,
    DiscRemoved,
    LadderSpent,
    LevelReached,
    StartPlayerChosen,
    TurnEnded,
    TurnStarted,
)
from himalaya_core.climbers.flow import is_over
from himalaya_core.climbers.pieces import Method, Part
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.climbers.view import block_name
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Ended, Header, Reason
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay
from himalaya_core.winprob import review
from himalaya_core.winprob.key_moments import Valued

__all__ = ["KIND_NAMES", "climbers_story", "moments", "outcomes"]


def outcomes(entries: Sequence[Entry], states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the distinct outcomes during a match, and the index of the outcome at each state.

    A rise consists of several events, and only the last event determines the order of arrival. Until then, the outcome
    stays unchanged.
    """
    found: list[Ending] = []
    which: list[int] = []
    for entry, state in zip(entries, states, strict=True):
        if not _rises(entry.event):
            ending = _ending(state, names)
            if ending not in found[-1:]:
                found.append(ending)
        which.append(len(found) - 1)
    return found, which


def _rises(event: Any) -> bool:
    """Return whether an event begins or continues a rise, which a later event completes."""
    return isinstance(event, LadderSpent) or (isinstance(event, ClimberStepped) and event.to_level > event.from_level)


def _ending(state: State, names: Sequence[str]) -> Ending:
    winners = list(standing(state).winners)
    over = is_over(state)
    head = "Result" if over else "If it ended now"
    if len(winners) == len(names) and not over:
        return Ending(head=head, over=over, out=[], win=[], text="All are on the table and would share the win.")
    return Ending(head=head, over=over, out=[], win=winners, text=_win(state, winners, names, over=over))


def _win(state: State, winners: Sequence[int], names: Sequence[str], *, over: bool) -> str:
    """Name the winners: the highest climber, on a tied level the first to arrive (L-9.tie), or everyone (L-9.table)."""
    verb = verbs(over=over)
    if len(winners) > 1:
        return f"{joined([names[seat] for seat in winners])} {verb.share} the win: no climber left the table."
    (winner,) = winners
    heights = [level(state, seat) for seat in state.seats]
    best = heights[winner]
    level_with = [names[seat] for seat in state.seats if seat != winner and heights[seat] == best]
    if level_with:
        return f"{names[winner]} {verb.win}: on level {best} with {joined(level_with)}, but got there first."
    second = max(height for seat, height in enumerate(heights) if seat != winner)
    below = joined([names[seat] for seat in state.seats if seat != winner and heights[seat] == second])
    return f"{names[winner]} {verb.win}: its climber is the highest, on level {best}, {best - second} above {below}."


def climbers_story(replay: Replay, course: Sequence[Valued], moments: Sequence[review.Moment]) -> list[Line]:
    """Return the story of a match: its favourite, its turns, the last rise, and what won."""
    names = review.names_in(replay)
    end = result_line(replay, _ending(replay.states[-1], names)["text"])
    rises = [entry for entry in replay.entries if isinstance(entry.event, LevelReached)]
    lines = [
        Line(
            at=entry.seq,
            seat=entry.event.seat,
            text=f"{names[entry.event.seat]} made the last climb, to level {entry.event.level}.",
        )
        for entry in rises[-1:]
    ]
    return told(replay, course, moments, [*lines, end] if end else [], "turn")


OPENING: Final = (
    *(Header, BlockPlaced, ColourAssigned, StartPlayerChosen, TurnStarted, DiscRemoved),
    *(ClimberStepped, ClimberShifted, BlockMoved, DiscPlaced, Ended),
)
"""Events that begin a moment; a turn that ends without a rise also begins one."""
KIND_NAMES: Final[Mapping[str, str]] = {
    "climb": "Rises",
    "move": "Steps on a level",
    "block": "Blocks moved",
    "disc": "Discs",
    "round": "Turns",
    "place": "The tower is built",
    "start": "Start",
    "end": "End",
}
"""Kinds of moments in the event list, in the order of the page's filter."""
KEY: Final = ("climb", "disc", "end")


def moments(entries: Sequence[Entry], names: Sequence[str], blocks: Sequence[Block]) -> list[Moment]:
    """Return the lines of the event list; `names` are the seats' names."""
    groups: list[list[int]] = []
    for at, entry in enumerate(entries):
        if _begins(entry.event, entries[groups[-1][-1]].event if groups else None):
            groups.append([at])
        else:
            groups[-1].append(at)
    return [_moment([entries[at].event for at in group], group[0], names, blocks) for group in groups]


def _begins(event: Any, before: Any) -> bool:
    """Return whether an event begins a moment.

    Exceptions are repeated set-up events of the same kind, and events that follow climbers making room for a block.
    """
    goes_on = isinstance(event, BlockPlaced | ColourAssigned) and type(event) is type(before)
    made_room = isinstance(before, ClimberShifted) and isinstance(event, ClimberShifted | BlockMoved)
    if goes_on or made_room:
        return False
    return isinstance(event, OPENING) or (isinstance(event, TurnEnded) and not event.climbed)


def _moment(events: Sequence[Any], at: int, names: Sequence[str], blocks: Sequence[Block]) -> Moment:
    text, kind, seat = _told(events, names, blocks)
    moment = Moment(at=at, seat=seat, kind=kind, text=text)
    if kind in KEY:
        moment["key"] = True
    return moment


def _told(events: Sequence[Any], names: Sequence[str], blocks: Sequence[Block]) -> tuple[str, str, int]:
    """Return the description of a moment, its kind and its seat."""
    main = events[0]
    match main:
        case ClimberStepped():
            return (*_step(main, events, names), main.seat)
        case ClimberShifted() | BlockMoved():
            return (*_block(events, names, blocks), main.seat)
        case DiscPlaced(seat=seat, block=block):
            return f"{names[seat]} lays its disc on {block_name(blocks, block)}", "disc", seat
        case DiscRemoved(seat=seat, block=block):
            text = f"{names[seat]}'s disc on {block_name(blocks, block)} leaves the game"
            return text, "disc", seat
        case TurnStarted(seat=seat):
            return f"It is {names[seat]}'s turn", "round", seat
        case TurnEnded(seat=seat, streak=streak):
            count = "" if streak == 1 else f": {streak} turns in a row"
            return f"No climber gained height in {names[seat]}'s turn{count}", "round", seat
        case StartPlayerChosen(player=first, method=method):
            how = "Drawn to start:" if method is Method.LOT else "Start player:"
            return f"{how} {names[first]}", "start", first
        case _:
            return (*_by_nobody(main, events, names), NOBODY)


def _by_nobody(main: Any, events: Sequence[Any], names: Sequence[str]) -> tuple[str, str]:
    match main:
        case Header():
            return f"{joined([shown_name(seat.player) for seat in main.seats])} take their seats", "start"
        case BlockPlaced():
            count = sum(isinstance(event, BlockPlaced) for event in events)
            return f"The tower is built, block by block: {count} of them", "place"
        case ColourAssigned():
            dealt = [event for event in events if isinstance(event, ColourAssigned)]
            return f"Colours are dealt: {joined([names[event.player] for event in dealt])}", "start"
        case Ended(reason=Reason.FINISHED, ranking=ranking):
            winners = [names[seat] for seat in ranking[0]]
            return f"{joined(winners)} {'wins' if len(winners) == 1 else 'share the win'}", "end"
        case Ended(reason=reason):
            return f"The match ends without a result: {reason}", "end"
        case _:
            raise ValueError(f"no moment begins with {main}")


def _step(step: ClimberStepped, events: Sequence[Any], names: Sequence[str]) -> tuple[str, str]:
    """Return the path of a climber in words, and the ladder it uses."""
    start = "the table" if step.from_ is None else f"level {step.from_level}"
    rises = any(isinstance(event, LevelReached) for event in events)
    text = f"{names[step.seat]} climbs from {start} to level {step.to_level}"
    if not rises:
        text = f"{names[step.seat]} steps across on level {step.to_level}"
    for event in events:
        if isinstance(event, LadderSpent):
            text += f" by its {event.kind} ladder"
    if step.phase is Part.OTHERS:
        text += ", in another player's turn"
    return text, "climb" if rises else "move"


def _block(events: Sequence[Any], names: Sequence[str], blocks: Sequence[Block]) -> tuple[str, str]:
    """Return the move or turn of a block in words, and the climbers that had to make room."""
    moved = next((event for event in events if isinstance(event, BlockMoved)), None)
    made_room = [event for event in events if isinstance(event, ClimberShifted)]
    aside = joined([names[event.player] for event in made_room]) if made_room else ""
    if moved is None:
        return f"{names[made_room[0].seat]} sets {aside} aside", "block"
    name = block_name(blocks, moved.block)
    start, end = moved.from_pose, moved.to_pose
    if _place(start) == _place(end):
        text = f"{names[moved.seat]} turns {name} in place, {end.top} on top"
    else:
        text = f"{names[moved.seat]} moves {name} from {_ground(start)} to {_ground(end)}, {end.top} on top"
    return (f"{text}; {aside} {'makes' if len(made_room) == 1 else 'make'} room" if aside else text), "block"


def _place(pose: Pose) -> tuple[int, int, int]:
    return pose.x, pose.y, pose.z


def _ground(pose: Pose) -> str:
    return f"level {pose.z}" if pose.z else "the table"

"""The events of a summit match as text, and the result if the match ended at a given frame."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dashboards.boards.scene import NOBODY, Ending, Moment, joined, verbs
from dashboards.boards.story import Line, result_line, told
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Ended, Header, Reason
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay
from himalaya_core.summit.board import Board
from himalaya_core.summit.events import (
    BadWeather,
    DeckShuffled,
    DiceRolled,
    DieTaken,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    ResupplyDeclined,
    Slid,
    StartPlayerChosen,
    SupplyPlayed,
    TakeAlong,
    YetiCardDrawn,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.flow import is_over
from himalaya_core.summit.pieces import Direction, Piece, StartMethod, ThrowCause
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State
from himalaya_core.winprob import review
from himalaya_core.winprob.key_moments import Valued

__all__ = ["KIND_NAMES", "OPENING", "chased", "event_in_words", "moments", "outcomes", "summit_story"]


def outcomes(states: Sequence[State], names: Sequence[str]) -> tuple[list[Ending], list[int]]:
    """Return the distinct outcomes during a match, and the index of the outcome at each state."""
    found: list[Ending] = []
    which: list[int] = []
    for state in states:
        ending = _ending(state, names)
        if ending not in found[-1:]:
            found.append(ending)
        which.append(len(found) - 1)
    return found, which


def _ending(state: State, names: Sequence[str]) -> Ending:
    winners = list(standing(state).winners)
    over = is_over(state)
    head = "Result" if over else "If it ended now"
    if len(winners) == len(names) and not over:
        return Ending(head=head, over=over, out=[], win=[], text="All are level and would share the win.")
    return Ending(head=head, over=over, out=[], win=winners, text=_win(state, winners, names, over=over))


def _win(state: State, winners: Sequence[int], names: Sequence[str], *, over: bool) -> str:
    """Name the winners: the highest climber, or in the base camp the highest sum of the Sherpas' fields (S-10)."""
    verb = verbs(over=over)
    heights = sorted(state.climbers, reverse=True)
    if not heights[0]:
        tie = "all climbers are in the base camp"
        if len(winners) > 1:
            tied = joined([names[seat] for seat in winners])
            return f"{tied} {verb.share} the win: {tie}, and their Sherpas are equally high."
        total = sum(state.sherpas[winners[0]])
        return f"{names[winners[0]]} {verb.win}: {tie}, and its Sherpas are the highest ({total} fields)."
    (winner,) = winners
    if heights[0] == state.board.summit:
        return f"{names[winner]} {verb.win}: its climber is on the summit."
    above = heights[0] - heights[1]
    second = joined([names[seat] for seat in state.seats if state.climbers[seat] == heights[1]])
    return f"{names[winner]} {verb.win}: its climber is the highest, on field {heights[0]}, {above} above {second}."


def summit_story(replay: Replay, course: Sequence[Valued], moments: Sequence[review.Moment]) -> list[Line]:
    """Return the story of a match: its favourite, its turns, dice that moved nothing, the weather, and what won."""
    names, entries = review.names_in(replay), replay.entries
    end = result_line(replay, _ending(replay.states[-1], names)["text"])
    given_up = [entry for entry in entries if isinstance(entry.event, Forfeited)]
    lines = []
    for seat, count in Counter(entry.event.seat for entry in given_up).most_common(1):
        last = max(entry.seq for entry in given_up if entry.event.seat == seat)
        text = f"{names[seat]} had given up {count} {'die' if count == 1 else 'dice'} that could move nothing."
        lines.append(Line(at=last, seat=seat, text=text))
    weather = [entry.seq for entry in entries if isinstance(entry.event, BadWeather)]
    lines += [Line(at=at, seat=NOBODY, text="Bad weather ended the ascent.") for at in weather]
    others = [each for each in moments if not any(each.swing.since < at <= each.swing.seq for at in weather)]
    return told(replay, course, others, [*lines, end] if end else [], "throw")


OPENING: Final = (
    *(Header, DeckShuffled, StartPlayerChosen, RerollChosen, DiceRolled, YetiCardDrawn, BadWeather),
    *(DieTaken, SupplyPlayed, Forfeited, Ended),
)
"""Events that begin a moment; the start of a turn is part of the moment before, until its player acts."""
KIND_NAMES: Final[Mapping[str, str]] = {
    "climb": "Climbers",
    "move": "Sherpas",
    "along": "Take-alongs",
    "slide": "Slides",
    "chase": "Chases",
    "yeti": "The Yeti",
    "throw": "Throws",
    "forfeit": "Dice given up",
    "shuffle": "Cards shuffled",
    "weather": "Bad weather",
    "start": "Start",
    "end": "End",
}
"""Kinds of moments in the event list, in the order of the page's filter."""
KEY: Final = ("climb", "slide", "chase", "weather", "end")


def moments(entries: Sequence[Entry], names: Sequence[str], board: Board) -> list[Moment]:
    """Return the lines of the event list; `names` are the seats' names."""
    groups: list[list[int]] = []
    for at, entry in enumerate(entries):
        anew = isinstance(entry.event, DiceRolled) and entry.event.cause is ThrowCause.REROLL
        if isinstance(entry.event, OPENING) and not anew:
            groups.append([at])
        else:
            groups[-1].append(at)
    return [_moment([entries[at].event for at in group], group[0], names, board) for group in groups]


def chased(events: Sequence[YetiChased], names: Sequence[str]) -> str:
    """Return text such as "a Sherpa of red and 2 Sherpas of blue back to 10"."""
    counts = Counter(event.seat for event in events)
    whom = [f"{'a Sherpa' if count == 1 else f'{count} Sherpas'} of {names[seat]}" for seat, count in counts.items()]
    return f"{joined(whom)} back to {events[0].to}"


def _moment(events: Sequence[Any], at: int, names: Sequence[str], board: Board) -> Moment:
    text, kind, seat = event_in_words(events, names, board)
    moment = Moment(at=at, seat=seat, kind=kind, text=text)
    if kind in KEY:
        moment["key"] = True
    return moment


def event_in_words(events: Sequence[Any], names: Sequence[str], board: Board) -> tuple[str, str, int]:
    """Return the description of events, their kind and their seat."""
    main = events[0]
    match main:
        case DieTaken() | SupplyPlayed():
            return (*_move(main, events, names, board), main.seat)
        case DiceRolled() | RerollChosen():
            return _throw(events, names)
        case YetiCardDrawn():
            return (*_yeti(main, events, names), NOBODY)
        case Forfeited(seat=seat, face=face):
            return f"{names[seat]} cannot move and gives up a {face}", "forfeit", seat
        case StartPlayerChosen(first=first, method=method):
            how = "Drawn to start:" if method is StartMethod.LOT else "Start player:"
            return f"{how} {names[first]}", "start", first
        case _:
            return (*_by_nobody(main, names), NOBODY)


def _by_nobody(event: Any, names: Sequence[str]) -> tuple[str, str]:
    match event:
        case Header():
            who = [f"{name} ({shown_name(seat.player)})" for name, seat in zip(names, event.seats, strict=True)]
            return f"{joined(who)} take their seats", "start"
        case DeckShuffled(cycle=1, size=size):
            return f"The {size} Yeti cards are shuffled", "shuffle"
        case DeckShuffled():
            return "The Yeti cards are shuffled again, bad weather included", "shuffle"
        case BadWeather():
            return "Bad weather comes: the ascent is over", "weather"
        case Ended() if event.reason is Reason.FINISHED:
            winners = [names[seat] for seat in event.ranking[0]]
            return f"{joined(winners)} {'wins' if len(winners) == 1 else 'share the win'}", "end"
        case _:
            return "The match was abandoned", "end"


def _throw(events: Sequence[Any], names: Sequence[str]) -> tuple[str, str, int]:
    thrown = next((event for event in events if isinstance(event, DiceRolled)), None)
    if thrown is None:
        seat: int = next(event.seat for event in events if isinstance(event, RerollChosen))
        return f"{names[seat]} rethrows all dice", "throw", seat
    anew = " again instead of taking the last die" if thrown.cause is ThrowCause.REROLL else ""
    return f"{names[thrown.thrower]} throws{anew}: {' '.join(map(str, thrown.values))}", "throw", thrown.thrower


def _yeti(card: YetiCardDrawn, events: Sequence[Any], names: Sequence[str]) -> tuple[str, str]:
    moved = next((event for event in events if isinstance(event, YetiMoved)), None)
    gone = [event for event in events if isinstance(event, YetiChased)]
    text = f"Yeti card {card.card:+d}".replace("-", "\N{MINUS SIGN}")
    if moved and moved.from_ == moved.to:
        text += f": it stays on {moved.to}"
    elif moved:
        way = "climbs" if moved.to > moved.from_ else "comes down"
        text += f": it {way} from {moved.from_} to {moved.to}{', where its way ends' if moved.clamped else ''}"
    return (f"{text}; it chases {chased(gone, names)}", "chase") if gone else (text, "yeti")


def _move(
    chosen: DieTaken | SupplyPlayed, events: Sequence[Any], names: Sequence[str], board: Board
) -> tuple[str, str]:
    """Return a pawn's move in words, and its consequences."""
    moved = next((event for event in events if isinstance(event, PawnMoved)), None)
    if isinstance(chosen, SupplyPlayed):
        by = f"by {chosen.value} with supply card {chosen.card}"
    else:
        by = f"with a {chosen.face}"
    who = names[chosen.seat]
    if moved is None:
        return f"{who} moves {by}", "move"
    is_climber = moved.piece is Piece.CLIMBER
    if is_climber and moved.to == board.summit:
        text = f"{who}'s climber reaches the summit from {moved.from_} {by}"
    else:
        pawn, back = "its climber" if is_climber else "a Sherpa", "back " if moved.dir is Direction.BACKWARD else ""
        text = f"{who} moves {pawn} {back}from {moved.from_} to {moved.to} {by}"
    followed, kind = _followed(events, names)
    return text + followed, "climb" if is_climber else kind


def _followed(events: Sequence[Any], names: Sequence[str]) -> tuple[str, str]:
    """Return the consequences of a move in words, and the kind of event that names the moment."""
    text, kind = "", "move"
    for event in events:
        if isinstance(event, TakeAlong):
            others = len(event.movers) - 1
            with_whom = f" with {others} more of its Sherpas" if others else ""
            text, kind = f", and continues {event.found} more to {event.to}{with_whom}", "along"
    slid = [event for event in events if isinstance(event, Slid)]
    if slid:
        many = "" if len(slid) == 1 else "both " if len(slid) == 2 else f"all {len(slid)} "
        text += f"; {many}slide{'s' if len(slid) == 1 else ''} down to {slid[0].to}"
        kind = "slide"
    gone = [event for event in events if isinstance(event, YetiChased)]
    if gone:
        text += f"; the Yeti chases {chased(gone, names)}"
        kind = "chase"
    for event in events:
        if isinstance(event, Resupplied):
            text += f"; takes supply card {event.card} back in the camp on {event.camp}"
        elif isinstance(event, ResupplyDeclined):
            text += f"; takes no supply card back in the camp on {event.camp}"
    return text, kind

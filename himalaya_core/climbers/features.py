"""Features of each seat for the win-probability model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from himalaya_core.climbers.climbing import enterable, ground, level, reach
from himalaya_core.climbers.pieces import DiscPlace, Phase
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.game import BySeat, Features, leads, over_mean, places

__all__ = ["FEATURES"]

NAMES: Final[Mapping[str, str]] = {
    "level": "The level of its climber.",
    "level_lead": "Levels above the highest other climber.",
    "level_lead_2": "Levels above the second highest other climber.",
    "place_now": "Its place if the match ended now, from 0 for the first to 1 for the last.",
    "scored_now": "Its share of the win if the match ended now.",
    "scored_now_in_streak": "The same, times the share of the turns without a rise that end a match.",
    "level_lead_in_streak": "Levels above the highest other climber, times the same share.",
    "short": "Whether it still has the short ladder.",
    "long": "Whether it still has the long ladder.",
    "ladders_lead": "Ladders more than the others have on average.",
    "reach": "Levels that its climber can rise with no block moved.",
    "reach_lead": "The level it can rise to above the highest that any other climber can.",
    "reach_lead_2": "The level it can rise to above the second highest of the others.",
    "disc": "Whether it still has its disc in hand.",
    "wait": "How many turns it waits until its own, over the number of the others.",
    "to_move_in_streak": "Whether it is its turn, times the share of the turns without a rise that end a match.",
}


def _rows(state: State) -> Sequence[Sequence[float]]:
    return list(zip(*_levels(state), *_means(state), strict=True))


def _levels(state: State) -> Iterator[BySeat]:
    seats, streak = state.seats, state.streak / len(state.seats)
    levels = [float(level(state, seat)) for seat in seats]
    now = standing(state)
    yield from (levels, leads(levels), leads(levels, 1))
    yield places(now)
    yield now.shares
    yield [share * streak for share in now.shares]
    yield [lead * streak for lead in leads(levels)]


def _means(state: State) -> Iterator[BySeat]:
    seats, count = state.seats, len(state.seats)
    yield [float(left.short) for left in state.ladders]
    yield [float(left.long) for left in state.ladders]
    yield over_mean([sum(left) for left in state.ladders])
    highest = [float(_highest(state, seat)) for seat in seats]
    yield [highest[seat] - level(state, seat) for seat in seats]
    yield leads(highest)
    yield leads(highest, 1)
    yield [float(disc.place is DiscPlace.IN_HAND) for disc in state.discs]
    following = (state.active + (state.phase in (Phase.OTHERS, Phase.NEXT, Phase.TURN))) % count
    waits = [(seat - following) % count for seat in seats]
    yield [wait / (count - 1) for wait in waits]
    yield [(not wait) * state.streak / count for wait in waits]


def _highest(state: State, seat: int) -> int:
    """Return the highest level that a seat's climber can reach without moving a block; 0 before colours are dealt."""
    if seat >= len(state.colours):
        return 0
    terrain = ground(state)
    others = [cell for other, cell in enumerate(state.climbers) if other != seat]
    entry = enterable(terrain, state.colours[seat], others, state.disc_blocks)
    ways = reach(terrain, state.climbers[seat], state.ladders[seat], entry).by_ladders
    return max([max(levels) for levels in ways.values()])


def _progress(state: State) -> float:
    """Return the progress from 0 to 1, measured by rounds or by the streak without a rise, whichever is greater."""
    rounds = state.turn / len(state.seats)
    return max(rounds / (rounds + 8), state.streak / len(state.seats) * 0.999)


def _is_closing(state: State) -> bool:
    """Return whether the match ends with this turn unless its player rises, with no block left to move (L-9.end)."""
    return state.streak == len(state.seats) - 1 and state.phase not in (Phase.CLIMB, Phase.BLOCK, Phase.TURN)


FEATURES: Final = Features[State](NAMES, _rows, _progress, standing, "himalaya_core.climbers", _is_closing)

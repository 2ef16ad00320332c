"""Search: rises where that leaves the rival no way up, prepares its own, and plays its best moves on to the end."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.blocker import with_disc
from himalaya_core.players.climbers.prospects import (
    Goal,
    Prices,
    at_its_turn,
    candidates,
    covers,
    gains,
    goals,
    hindrances,
    is_at,
    landings,
    tried,
    useful_to,
    worth_now,
)
from himalaya_core.players.climbers.rounds import LOOKED_AT, Course, Turns, apart, raised_to, turn_of, ways_up
from himalaya_core.players.climbers.stifling import FREE, Stifling, can_rise

__all__ = ["Search"]

SIDES: Final = 4
"""On how many sides of a climber a step is prepared, about."""
KEPT: Final = 64
"""How many positions of a turn are kept: climbing first and moving a block ask about the same ones."""
WON: Final = 100.0
"""The worth, in levels, of a lead that nobody can take away."""
END: Final = 12.0
"""What an end that is expected is worth, won or lost, a turn away; `LATER` is what is left of it a turn later."""
LATER: Final = 0.87
REPLIES: Final = 3
"""How many replies of each kind the next rival is expected to think of."""


class Search(Alpinist):
    """Looks for a lead that no rival can answer; without one, plays its best moves on, turn by turn.

    `width` is how many of its own gains it thinks of, and how many moves that stifle the best rival's; `takes` how
    many blocks of that rival it might take, and `covers` how many ways to lay one where it would climb, or where it
    could go on itself when hardly any way is left to it. The `first` of them by what they leave the rival, and half
    as many of all others, are played on for so many `turns`; for the `deep` best of those the next rival's replies
    are played on as well, and the worst counts by half. `ways` is how much it is worth to be able to rise next, less
    what the best rival is; `disc` is what the disc must be worth to be laid; `short`, `long`, `places` and `tries` are
    as with greedy.
    """

    name = "search"
    order = 3
    version = "3"
    params: Mapping[str, Any] = MappingProxyType(
        {
            "short": 1.4,
            "long": 2.4,
            "places": 1,
            "tries": 2,
            "width": 10,
            "takes": 2,
            "covers": 6,
            "first": 14,
            "turns": 5,
            "deep": 5,
            "ways": 1.1,
            "disc": 0.8,
        }
    )
    least = MappingProxyType({"tries": 1, "width": 1, "first": 1, "turns": 1, "deep": 1})

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take over settings as every player does."""
        super().__init__(seed, settings)
        self._course = Course(Prices(self.params["short"], self.params["long"]))
        self._kept: dict[tuple[object, ...], tuple[float, MoveBlock | None]] = {}

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the move that leaves most, be the next rival's answer to climb or to hinder."""
        position = state.poses, state.climbers, state.reached, state.ladders, state.discs
        key = seat, state.turn, state.streak, state.climbed, *position
        if key not in self._kept:
            if len(self._kept) == KEPT:
                self._kept.clear()
            self._kept[key] = self._best(state, seat)
        return self._kept[key]

    def _best(self, state: State, seat: int) -> tuple[float, MoveBlock | None]:
        ranked: list[tuple[float, MoveBlock | None, State]] = []
        for left, move, position in self._moves(state, seat):
            there = raised_to(position, seat, goals(position, seat, self.prices(state))[0])
            turn = self._course.ended(there)
            if not turn.over and left <= 1 and _is_won(turn.state, seat):
                return WON, move
            worth = _ended(turn, seat) if turn.over else _standing(turn.state, seat) - 0.4 * min(left, 5)
            ranked.append((worth, move, there))
        ranked.sort(key=lambda found: -found[0])
        first = self.params["first"]
        others = ranked[first:]
        kept = ranked[:first] + others[:: max(1, 2 * len(others) // first)]
        played = [(self._outlook(there, seat), move, there) for _, move, there in kept]
        played.sort(key=lambda found: -found[0])
        best = -2 * WON, played[0][1]
        for _, move, there in played[: self.params["deep"]]:
            worth = self._wary(there, seat, best[0])
            if worth > best[0]:
                best = worth, move
        return best

    def goal(self, state: State, seat: int) -> Goal:
        """Return where to climb: a ladder is used if more is left with it than without."""

        def worth(goal: Goal) -> float:
            there = raised_to(state, seat, goal)
            return self._outlook(there, seat) if seat != state.active else self._wary(there, seat)

        found = self._goals(state, seat)
        return max(found, key=worth) if len(found) > 1 else found[0]

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to be when the block is moved; where it stands, unless the best move elsewhere leaves more."""
        found = self._goals(state, seat)[: 1 + self.params["places"]]
        return max(found, key=lambda goal: self.best(raised_to(state, seat, goal), seat)[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the block on which the disc is worth most, of those useful to the best rival."""
        terrain, rival = ground(state), self._best_rival(state, seat)
        without = self._outlook(state, seat)
        gained = {
            block: self._outlook(with_disc(state, seat, block), seat) - without
            for block in useful_to(state, rival, self.prices(state))[: self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        best = max(gained, key=gained.__getitem__, default=None)
        if best is None or gained[best] < self.params["disc"]:
            return None
        return PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

    def _moves(self, state: State, seat: int) -> Iterator[tuple[int, MoveBlock | None, State]]:
        """Yield moves, each once: how many gains it leaves the best rival, about, and the position after it."""
        prices, width = self.prices(state), self.params["width"]
        stifling = Stifling(state, seat, self._best_rival(state, seat))
        seen: set[MoveBlock | None] = set()
        for left, gain in (*stifling.gains(prices, width), *stifling.worst(width)):
            for move, position in tried(state, seat, gain, 1):
                if move not in seen:
                    seen.add(move)
                    yield left, move, position
        for move, position in self._others(state, seat):
            if move not in seen:
                seen.add(move)
                yield stifling.ways, move, position
        yield stifling.ways, None, state

    def _others(self, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield gains, moves that take a block or a landing from the best rival, and steps for a turn to come."""
        prices, params, grid = self.prices(state), self.params, ground(state).grid
        rival = self._best_rival(state, seat)
        yield from candidates(state, seat, prices, max(1, params["width"] // 2), params["tries"])
        yield from hindrances(state, seat, rival, prices, params["takes"])
        theirs = landings(grid, gains(at_its_turn(state, rival), rival, FREE), LOOKED_AT)
        yield from covers(state, seat, theirs, None, params["covers"])
        if apart(landings(grid, gains(state, seat, FREE), LOOKED_AT)) < 2:
            yield from self._steps(state, seat)

    def _steps(self, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield moves of blocks beside the best place that a climber gets to, at some squares all around it."""
        terrain, here = ground(state), goals(state, seat, FREE)[0]
        inside = here.squares if here.height else terrain.built
        around = list(terrain.grid.cells(terrain.grid.around(inside) & ~inside))
        for cell in around[:: max(1, len(around) // SIDES)]:
            yield from covers(state, seat, [terrain.grid.square(cell)], seat, self.params["covers"])

    def _goals(self, state: State, seat: int) -> list[Goal]:
        """Return where it stands, then the best place by each choice of ladders."""
        found = goals(state, seat, self._course.prices)
        here = next(goal for goal in found if is_at(state, seat, goal))
        best = {goal.ladders: goal for goal in reversed(found) if goal != here}
        return [here, *sorted(best.values(), key=lambda goal: -goal.worth)]

    def _outlook(self, state: State, seat: int) -> float:
        """Return what a position is worth to a seat when nobody does more in this turn but climb."""
        turn = self._course.ended(state)
        if turn.over:
            return _ended(turn, seat)
        return self._played_on(turn, seat) + self._ways(turn.state, seat)

    def _wary(self, state: State, seat: int, least: float = -2 * WON) -> float:
        """Return the same, with half of what is left after the next rival's worst reply; or less than `least`."""
        turn = self._course.ended(state)
        if turn.over:
            return _ended(turn, seat)
        if _is_won(turn.state, seat):
            return WON
        ways = self._ways(turn.state, seat)
        expected = worst = self._played_on(turn, seat)
        rival = (seat + 1) % len(state.seats)
        for position in self._replies(turn_of(turn.state, rival), rival, seat):
            there = raised_to(position, rival, goals(position, rival, self.prices(position))[0])
            reply = self._course.ended(there)
            reply = Turns(reply.state, 2, reply.over)
            worst = min(worst, _ended(reply, seat) if reply.over else self._played_on(reply, seat))
            if (expected + worst) / 2 + ways < least:
                break
        return (expected + worst) / 2 + ways

    def _replies(self, state: State, mover: int, rival: int) -> Iterator[State]:
        """Yield the positions in which a seat gains, or hinders a rival, or moves no block at all."""
        yield state
        prices, found = self.prices(state), gains(at_its_turn(state, rival), rival, FREE)
        for _, position in candidates(state, mover, prices, REPLIES, 1):
            yield position
        boxes = landings(ground(state).grid, found, LOOKED_AT)
        for _, position in covers(state, mover, boxes, None, REPLIES) if found else ():
            yield position
        for _, position in hindrances(state, mover, rival, prices, 1) if found else ():
            yield position

    def _played_on(self, turn: Turns, seat: int) -> float:
        """Return what is left to a seat if all go on to rise from a position after some turns, its own the first."""
        mover = (turn.state.active + 1) % len(turn.state.seats)
        later = self._course.played_on(turn.state, mover, self.params["turns"])
        later = Turns(later.state, turn.played + later.played, later.over)
        return _ended(later, seat) if later.over else _standing(later.state, seat)

    def _ways(self, state: State, seat: int) -> float:
        """Return what it is worth to be able to rise in the next turn, less what it is to the best rival."""
        rival = self._best_rival(state, seat)
        return float(self.params["ways"]) * (ways_up(state, seat) - ways_up(state, rival))

    def _best_rival(self, state: State, seat: int) -> int:
        rivals = [rival for rival in state.seats if rival != seat]
        return max(rivals, key=lambda rival: (level(state, rival), worth_now(state, rival, self._course.prices)))


def _is_won(state: State, seat: int) -> bool:
    """Say whether between turns a seat is ahead and nobody else can rise: it moves no block any more, and has won."""
    others = [other for other in state.seats if other != seat]
    return standing(state).winners == (seat,) and not any(can_rise(turn_of(state, other), other) for other in others)


def _ended(turn: Turns, seat: int) -> float:
    """Return what it is worth to a seat that a match will be over: the less, the later; a shared win is neither."""
    winners = standing(turn.state).winners
    end = END * LATER ** (turn.played - 1)
    won = -end if seat not in winners else end if len(winners) == 1 else 0.0
    return won + 0.2 * _standing(turn.state, seat)


def _standing(state: State, seat: int) -> float:
    """Return by how many levels a seat is ahead of the best rival, ladders counted by half."""
    worths = {
        each: level(state, each) + 0.7 * state.ladders[each].short + 1.2 * state.ladders[each].long
        for each in state.seats
    }
    first = 0.3 if seat in standing(state).winners else -0.3
    return worths[seat] - max(worth for each, worth in worths.items() if each != seat) + first

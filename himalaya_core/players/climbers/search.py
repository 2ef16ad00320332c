"""Search: looks for a lead that no rival can answer, and weighs its best moves by the best answers to them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from himalaya_core.climbers.actions import MoveBlock, PlaceDisc
from himalaya_core.climbers.climbing import ground, level
from himalaya_core.climbers.pieces import Ladders
from himalaya_core.climbers.rules import obstacle_to_disc
from himalaya_core.climbers.scoring import standing
from himalaya_core.climbers.state import State
from himalaya_core.players.climbers.alpinist import Alpinist
from himalaya_core.players.climbers.blocker import with_disc
from himalaya_core.players.climbers.outlook import SURE, WON, Outlook
from himalaya_core.players.climbers.prospects import (
    Goal,
    Prices,
    at_its_turn,
    candidates,
    covers,
    goals,
    hindrances,
    is_at,
    tried,
    useful_to,
)
from himalaya_core.players.climbers.rounds import Course, Turns, apart, raised_to
from himalaya_core.players.climbers.stifling import FREE, can_climb, can_rise, smothers

__all__ = ["Search", "may_be_walled_in"]

SIDES: Final = 4
"""On how many sides of a climber a step is prepared, about."""
KEPT: Final = 64
"""How many positions of a turn are kept: climbing first and moving a block ask about the same ones."""
DEEP: Final = 6
"""For how many moves the worst answers are answered in their turn, and how many of those (`ANSWERED`)."""
ANSWERED: Final = 3
WORST: Final = 24
"""How many moves that seem to leave a seat no way up are tried before it relies on having one."""
ROUNDS: Final = 2
"""Whoever has won rises before it ends a match of fewer rounds, if that gives nothing away."""


class Search(Alpinist):
    """Looks for a lead that no rival can answer; without one, for the move whose worst answer leaves it most.

    `width` is how many of its own gains it thinks of, and how many moves that stifle the best rival's; `takes` how
    many blocks of that rival it might take, and `covers` how many ways to lay one where it would climb, or where it
    could go on itself when hardly any way is left to it. Of the `first` of them by what they leave the rival, the
    `deep` best are weighed by the next rival's `replies`, of which the worst counts by `wary` at a table of two, by
    less at larger ones; a rival that leads must not be able to wall it in. `disc` is what the disc must be worth to be
    laid; `short`, `long`, `places` and `tries` are as with greedy.
    """

    name = "search"
    order = 3
    version = "5"
    params: Mapping[str, Any] = MappingProxyType(
        {
            "short": 1.4,
            "long": 2.4,
            "places": 0,
            "tries": 2,
            "width": 10,
            "takes": 2,
            "covers": 6,
            "first": 60,
            "deep": 10,
            "replies": 6,
            "wary": 0.7,
            "disc": 0.8,
        }
    )
    least = MappingProxyType({"tries": 1, "width": 1, "first": 1, "deep": 1})

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
        ranked: list[tuple[float, MoveBlock | None, Turns]] = []
        for left, move, position in self._moves(state, seat):
            for goal in self._ways_to_climb(position, seat):
                turn = self._course.ended(raised_to(position, seat, goal))
                ranked.append((_standing(turn.state, seat) - 0.4 * min(left, 5), move, turn))
        ranked.sort(key=lambda found: -found[0])
        weighed = [(self._outlook(turn), move) for _, move, turn in ranked[: self.params["first"]]]
        weighed.sort(key=lambda found: -self._wish(found[0], seat))
        best = -2 * WON, weighed[0][1]
        for number, (outlook, move) in enumerate(weighed):
            if best[0] > SURE or (number >= self.params["deep"] and best[0] > -SURE):
                break
            worth = self._weighed(outlook, seat, best[0], deep=number < DEEP)
            if worth > best[0]:
                best = worth, move
        return best

    def goal(self, state: State, seat: int) -> Goal:
        """Return where to climb: a ladder is used if more is left with it than without.

        Whose own turn is next waits for it, since nothing comes between, unless the match is over before.
        """

        def worth(goal: Goal) -> float:
            return self._weighed(self._outlook(self._course.ended(raised_to(state, seat, goal))), seat)

        found, is_next = self._goals(state, seat), seat == (state.active + 1) % len(state.seats)
        waits = is_next and not self._course.ended(state).over
        return found[0] if waits or len(found) == 1 else max(found, key=worth)

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to be when the block is moved; where it stands, unless the best move elsewhere leaves more."""
        found = self._goals(state, seat)[: 1 + self.params["places"]]
        return max(found, key=lambda goal: self.best(raised_to(state, seat, goal), seat)[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the block on which the disc is worth most, of those useful to the best rival."""
        terrain, before = ground(state), self._outlook(self._course.ended(state))
        without = before.worth(seat)
        gained = {
            block: self._outlook(self._course.ended(with_disc(state, seat, block))).worth(seat) - without
            for block in useful_to(state, before.rival(seat), self.prices(state))[: self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        best = max(gained, key=gained.__getitem__, default=None)
        if best is None or gained[best] < self.params["disc"]:
            return None
        return PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

    def _ways_to_climb(self, state: State, seat: int) -> list[Goal]:
        """Return the best place by each choice of ladders, the one that pays most first."""
        best: dict[Ladders, Goal] = {}
        for goal in goals(state, seat, self._course.last_prices(state)):
            best.setdefault(goal.ladders, goal)
        return list(best.values())

    def _climbed(self, state: State, seat: int) -> Turns:
        """Return the end of a turn in which a seat has moved its block, and climbs where it pays most."""
        goal = goals(state, seat, self._course.last_prices(state))[0]
        return self._course.ended(raised_to(state, seat, goal))

    @staticmethod
    def _outlook(turn: Turns) -> Outlook:
        return Outlook(turn, (turn.state.active + 1) % len(turn.state.seats))

    @staticmethod
    def _wish(outlook: Outlook, seat: int) -> float:
        """Return what a position is worth; of two that are won, a match too young to end is rather gone on with."""
        worth, count = outlook.worth(seat), len(outlook.state.seats)
        young = worth > SURE and outlook.state.turn < ROUNDS * count and outlook.state.streak
        return worth - 1 if young else worth

    def _moves(self, state: State, seat: int) -> Iterator[tuple[int, MoveBlock | None, State]]:
        """Yield moves, each once: how many gains it leaves the best rival, about, and the position after it."""
        outlook, width = Outlook(Turns(state, 0, over=False), seat), self.params["width"]
        stifling, rival = outlook.stifling(), outlook.rival(seat)
        seen: set[MoveBlock | None] = set()
        found = [(0, *smother) for smother in smothers(state, seat, rival)]
        for left, gain in (*stifling.gains(width), *stifling.worst(width)):
            found += [(left, *move) for move in tried(state, seat, gain, 1)]
        found += [(stifling.ways, *move) for move in self._others(outlook, state, seat)]
        for left, move, position in found:
            if move not in seen:
                seen.add(move)
                yield left, move, position
        yield stifling.ways, None, state

    def _others(self, outlook: Outlook, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield gains, moves that take a block or a landing from the best rival, and steps for a turn to come."""
        prices, params, rival = self.prices(state), self.params, outlook.rival(seat)
        yield from candidates(state, seat, prices, max(1, params["width"] // 2), params["tries"])
        yield from hindrances(state, seat, rival, prices, params["takes"])
        yield from covers(state, seat, outlook.side(rival).landings, None, params["covers"])
        if apart(outlook.side(seat).landings) < 2:
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

    def _weighed(self, outlook: Outlook, seat: int, least: float = -2 * WON, *, deep: bool = True) -> float:
        """Return what a position is worth after the best answers to it, or something less than `least`.

        The next turn may be that of the seat itself: then the best answer is its own. The worst answers of a rival
        are answered in their turn, if the search is to be deep.
        """
        worth = outlook.worth(seat)
        if outlook.over or abs(worth) > SURE:
            return worth
        share = float(self.params["wary"]) / (len(outlook.state.seats) - 1)
        if outlook.mover == seat:
            return share * self._best_answer(outlook, seat) + (1 - share) * worth
        if may_be_walled_in(outlook, seat):
            return -SURE
        enough = (least - (1 - share) * worth) / share if share else -2 * WON
        return share * self._worst_answer(outlook, seat, enough, deep=deep) + (1 - share) * worth

    def _best_answer(self, outlook: Outlook, seat: int) -> float:
        """Return the most that is left to a seat by a move of its own."""
        best = outlook.worth(seat)
        for answered in self._answers(outlook):
            best = max(best, answered.worth(seat))
            if best > SURE:
                break
        return best

    def _worst_answer(self, outlook: Outlook, seat: int, least: float, *, deep: bool) -> float:
        """Return the least that the next rival leaves a seat, or something less than `least`."""
        found: list[tuple[float, Outlook]] = []
        for answered in self._answers(outlook):
            found.append((answered.worth(seat), answered))
            if found[-1][0] < (least if not deep else -SURE):
                return found[-1][0]
        found.sort(key=lambda each: each[0])
        worst = outlook.worth(seat)
        for number, (worth, answered) in enumerate(found):
            if worth >= worst or worst < least:
                break
            is_next = deep and number < ANSWERED and answered.mover == seat and not answered.over
            worst = min(worst, self._best_answer(answered, seat) if is_next else worth)
        return worst

    def _answers(self, outlook: Outlook) -> Iterator[Outlook]:
        """Yield what comes of the mover's gains, of moves that stifle its best rival's, and of no move at all."""
        stifling, most, mover = outlook.stifling(), self.params["replies"], outlook.mover
        for _, gain in (*stifling.gains(most), *stifling.worst(most // 2)):
            for _, position in tried(outlook.state, mover, gain, 1):
                yield self._answered(position, mover, outlook.played)
        yield self._answered(outlook.state, mover, outlook.played)

    def _answered(self, state: State, mover: int, played: int) -> Outlook:
        turn = self._climbed(state, mover)
        return self._outlook(Turns(turn.state, played + 1, turn.over))


def may_be_walled_in(outlook: Outlook, seat: int) -> bool:
    """Say whether at a table of two a rival that leads has a block after which a seat can't rise, and has lost.

    In the last turn it may only climb, and in any other move a block of its own first.
    """
    if len(outlook.state.seats) > 2 or outlook.leaders != (outlook.mover,) or outlook.mover == seat:
        return False
    if next(smothers(outlook.state, outlook.mover, seat), None):
        return True
    return any(
        not (can_climb(position, seat) if outlook.is_last else can_rise(at_its_turn(position, seat), seat))
        for left, gain in outlook.stifling().worst(WORST)
        if left <= 1 or outlook.is_last
        for _, position in tried(outlook.state, outlook.mover, gain, 1)
    )


def _standing(state: State, seat: int) -> float:
    """Return by how many levels a seat is ahead of the best rival, ladders counted by half."""
    worths = {
        each: level(state, each) + 0.7 * state.ladders[each].short + 1.2 * state.ladders[each].long
        for each in state.seats
    }
    first = 0.3 if seat in standing(state).winners else -0.3
    return worths[seat] - max(worth for each, worth in worths.items() if each != seat) + first

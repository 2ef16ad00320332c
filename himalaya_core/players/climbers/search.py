"""Search: looks for a lead no rival can answer, weighs its best moves by the best answers, plays out when behind."""

from collections.abc import Iterator, Mapping
from itertools import chain
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
from himalaya_core.players.climbers.playing_out import Option, Playouts, climbed
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
    less at larger ones; a rival that leads must not be able to wall it in. Where none of this leaves it ahead at a
    table of two, its choices are played out to the end of the match by a quick player in both seats, the best first,
    for `turns` turns in all, and it takes the first that wins: behind, it goes by what a rival may overlook. `disc` is
    what the disc must be worth to be laid; `short`, `long`, `places` and `tries` are as with greedy.
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
            "turns": 240,
        }
    )
    least = MappingProxyType({"tries": 1, "width": 1, "first": 1, "deep": 1})

    def __init__(self, seed: str = "", settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take over settings as every player does."""
        super().__init__(seed, settings)
        self._course = Course(Prices(self.params["short"], self.params["long"]))
        self._playouts = Playouts(self.params["turns"])

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the move that leaves most, be the next rival's answer to climb or to hinder."""
        ranked: list[tuple[float, Turns, Option]] = []
        for left, move, position in self._moves(state, seat):
            for goal in self._ways_to_climb(position, seat):
                turn = self._course.ended(raised_to(position, seat, goal))
                ranked.append((_standing(turn.state, seat) - 0.4 * min(left, 5), turn, (move, position, goal)))
        ranked.sort(key=lambda found: -found[0])
        wished = [(self._outlook(turn), option) for _, turn, option in ranked[: self.params["first"]]]
        wished.sort(key=lambda found: -self._wish(found[0], seat))
        plays_out, most = self._plays_out(state), -2 * WON
        weighed: list[tuple[float, Option]] = []
        for number, (outlook, option) in enumerate(wished):
            if most > SURE or (number >= self.params["deep"] and most > -SURE):
                break
            worth = self._weighed(outlook, seat, -2 * WON if plays_out else most, deep=number < DEEP)
            weighed.append((worth, option))
            most = max(most, worth)
        weighed.sort(key=lambda found: -found[0])
        if not plays_out or most > 0:
            return most, weighed[0][1][0]
        best, others = [option for _, option in weighed], [option for _, option in wished[len(weighed) :]]
        options = chain(best[:1], self._playouts.option(state, seat), best[1:], others)
        choices = ((move, self._playouts.done(position, seat, goal)) for move, position, goal in options)
        move, wins = self._playouts.first_to_win(choices, seat)
        return WON if wins else most, move

    def _plays_out(self, state: State) -> bool:
        return len(state.seats) == 2 and self.params["turns"] > 0

    def goal(self, state: State, seat: int) -> Goal:
        """Return where to climb: a ladder is used if more is left with it than without.

        Whose own turn is next waits for it, since nothing comes between, unless the match is over before.
        """
        found, is_next = self._goals(state, seat), seat == (state.active + 1) % len(state.seats)
        waits, plays_out = is_next and not self._course.ended(state).over, self._plays_out(state)
        if len(found) == 1 or (waits and not plays_out):
            return found[0]
        ended = {goal: self._course.ended(raised_to(state, seat, goal)) for goal in found}
        worth = {goal: self._weighed(self._outlook(turn), seat) for goal, turn in ended.items()}
        if not waits:
            found.sort(key=lambda goal: (-worth[goal], -goal.height))  # who has lost fights on
        if not plays_out or max(worth.values()) > 0:
            return found[0]
        choices = ((goal, self._playouts.done(state, seat, goal)) for goal in found)
        return self._playouts.first_to_win(choices, seat)[0]

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to be when the block is moved; where it stands, unless the best move elsewhere leaves more."""
        found = self._goals(state, seat)[: 1 + self.params["places"]]
        if self._plays_out(state) and self.known_best(state, seat)[0] <= 0:
            found.append(self._playouts.quick.goal_before(state, seat))
        return max(found, key=lambda goal: self.known_best(climbed(state, seat, goal), seat)[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the block on which the disc is worth most, of those useful to the best rival."""
        terrain, before = ground(state), self._outlook(self._course.ended(state))
        without = before.worth(seat)
        gained = {
            block: self._outlook(self._course.ended(with_disc(state, seat, block))).worth(seat) - without
            for block in useful_to(state, before.rival(seat), self.prices(state))[: self.params["width"]]
            if not obstacle_to_disc(state, block)
        }
        order = sorted(gained, key=lambda block: -gained[block])
        blocks: list[int | None] = [None, *order]
        if order and gained[order[0]] >= self.params["disc"]:
            blocks = [order[0], None, *order[1:]]
        best = blocks[0]
        if self._plays_out(state) and self._weighed(before, seat) <= 0:
            quick = self._playouts.quick.disc(state, seat)
            blocks += [quick.block] if quick and quick.block not in blocks else []
            laid = ((block, state if block is None else with_disc(state, seat, block)) for block in blocks)
            best, _ = self._playouts.first_to_win(laid, seat)
        return None if best is None else PlaceDisc(seat, best, next(terrain.grid.cells(terrain.exposed[best])))

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

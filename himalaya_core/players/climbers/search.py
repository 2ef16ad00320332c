"""The player search: seeks a decisive lead, weighs moves by the best replies, and uses playouts when behind."""

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
from himalaya_core.players.climbers.base import Alpinist, Course, Turns, apart, raised_to
from himalaya_core.players.climbers.blocking import FREE, can_climb, can_rise, smothers
from himalaya_core.players.climbers.evaluation import SURE, WON, Outlook
from himalaya_core.players.climbers.playouts import Option, Playouts, climbed
from himalaya_core.players.climbers.quick_players import with_disc
from himalaya_core.players.climbers.reachability import (
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

__all__ = ["Search", "may_be_walled_in"]

SIDES: Final = 4
"""Approximate number of sides from which search prepares a step for its climber."""
DEEP: Final = 6
"""Number of moves searched one ply deeper, after their worst replies; `ANSWERED` limits these replies."""
ANSWERED: Final = 3
WORST: Final = 24
"""Maximum number of seemingly blocking moves tried before the player assumes that a seat can still rise."""
ROUNDS: Final = 2
"""In the first rounds, up to this number, a player that would win still rises if that costs nothing."""


class Search(Alpinist):
    """Looks for a lead that no rival can answer; otherwise for the move with the best position after its worst reply.

    `width` limits the player's own gains, and the moves that block the strongest opponent's gains. `takes` limits the
    blocks taken from that opponent. `covers` limits the moves onto an opponent's landing, or onto the player's own next
    step if it has few ways to rise.

    Moves are first ranked by the gains left to the strongest opponent. The best `first` are evaluated, and the best
    `deep` of these are searched with up to `replies` replies of the next opponent. The worst reply has the weight
    `wary` with two players, and less with more. A leading opponent must not be able to wall the player in.

    If every move leaves the player behind in a two-player match, a fast player in both seats plays the choices out, for
    `turns` turns in total. The first choice that wins is taken, in the hope of a mistake. `disc` is the minimum gain
    for placing the disc. `short`, `long`, `places` and `tries` are as for greedy.
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
        super().__init__(seed, settings)
        self._course = Course(Prices(self.params["short"], self.params["long"]))
        self._playouts = Playouts(self.params["turns"])

    def best(self, state: State, seat: int, /) -> tuple[float, MoveBlock | None]:
        """Return the block move with the highest value after the next opponent's best reply."""
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
        """Return where to climb. A ladder is used if the position is worth more afterwards.

        The next seat does not climb first, because nothing happens before its own turn, unless the match ends.
        """
        found, is_next = self._goals(state, seat), seat == (state.active + 1) % len(state.seats)
        waits, plays_out = is_next and not self._course.ended(state).over, self._plays_out(state)
        if len(found) == 1 or (waits and not plays_out):
            return found[0]
        ended = {goal: self._course.ended(raised_to(state, seat, goal)) for goal in found}
        worth = {goal: self._weighed(self._outlook(turn), seat) for goal, turn in ended.items()}
        if not waits:
            found.sort(key=lambda goal: (-worth[goal], -goal.height))  # even if all goals lose, prefer the highest
        if not plays_out or max(worth.values()) > 0:
            return found[0]
        choices = ((goal, self._playouts.done(state, seat, goal)) for goal in found)
        return self._playouts.first_to_win(choices, seat)[0]

    def goal_before(self, state: State, seat: int) -> Goal:
        """Return where to climb before the block move: the current place unless the best move is better elsewhere."""
        found = self._goals(state, seat)[: 1 + self.params["places"]]
        if self._plays_out(state) and self.known_best(state, seat)[0] <= 0:
            found.append(self._playouts.quick.goal_before(state, seat))
        return max(found, key=lambda goal: self.known_best(climbed(state, seat, goal), seat)[0])

    def disc(self, state: State, seat: int, /) -> PlaceDisc | None:
        """Return the best disc placement on a block useful to the strongest opponent; `None` if it gains too little."""
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
        """Return the best goal for each set of ladders left, in descending order of value."""
        best: dict[Ladders, Goal] = {}
        for goal in goals(state, seat, self._course.last_prices(state)):
            best.setdefault(goal.ladders, goal)
        return list(best.values())

    def _climbed(self, state: State, seat: int) -> Turns:
        """Return the end of a turn after the seat's block move, with its best climb."""
        goal = goals(state, seat, self._course.last_prices(state))[0]
        return self._course.ended(raised_to(state, seat, goal))

    @staticmethod
    def _outlook(turn: Turns) -> Outlook:
        return Outlook(turn, (turn.state.active + 1) % len(turn.state.seats))

    @staticmethod
    def _wish(outlook: Outlook, seat: int) -> float:
        """Return the value of a position. A win in the first rounds is worth less than a later win."""
        worth, count = outlook.worth(seat), len(outlook.state.seats)
        young = worth > SURE and outlook.state.turn < ROUNDS * count and outlook.state.streak
        return worth - 1 if young else worth

    def _moves(self, state: State, seat: int) -> Iterator[tuple[int, MoveBlock | None, State]]:
        """Yield distinct moves, each with the gains it probably leaves the strongest opponent and its position."""
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
        """Yield gains, moves that take a block or landing from the strongest opponent, and moves that build steps."""
        prices, params, rival = self.prices(state), self.params, outlook.rival(seat)
        yield from candidates(state, seat, prices, max(1, params["width"] // 2), params["tries"])
        yield from hindrances(state, seat, rival, prices, params["takes"])
        yield from covers(state, seat, outlook.side(rival).landings, None, params["covers"])
        if apart(outlook.side(seat).landings) < 2:
            yield from self._steps(state, seat)

    def _steps(self, state: State, seat: int) -> Iterator[tuple[MoveBlock, State]]:
        """Yield block moves that build a step next to the best reachable place, on several of its sides."""
        terrain, here = ground(state), goals(state, seat, FREE)[0]
        inside = here.squares if here.height else terrain.built
        around = list(terrain.grid.cells(terrain.grid.around(inside) & ~inside))
        for cell in around[:: max(1, len(around) // SIDES)]:
            yield from covers(state, seat, [terrain.grid.square(cell)], seat, self.params["covers"])

    def _goals(self, state: State, seat: int) -> list[Goal]:
        """Return the current place, then the best goal for each set of ladders left."""
        found = goals(state, seat, self._course.prices)
        here = next(goal for goal in found if is_at(state, seat, goal))
        best = {goal.ladders: goal for goal in reversed(found) if goal != here}
        return [here, *sorted(best.values(), key=lambda goal: -goal.worth)]

    def _weighed(self, outlook: Outlook, seat: int, least: float = -2 * WON, *, deep: bool = True) -> float:
        """Return the value of a position after the best reply. The search stops once the value is below `least`.

        If the seat itself moves next, the reply is its own best move. With `deep`, an opponent's worst replies are
        searched one ply deeper.
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
        """Return the value of a position after the seat's own best move."""
        best = outlook.worth(seat)
        for answered in self._answers(outlook):
            best = max(best, answered.worth(seat))
            if best > SURE:
                break
        return best

    def _worst_answer(self, outlook: Outlook, seat: int, least: float, *, deep: bool) -> float:
        """Return the lowest value the next opponent can leave a seat. Stop searching once it is below `least`."""
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
        """Yield positions after the mover's replies: gains, moves that block its strongest opponent, and no move."""
        stifling, most, mover = outlook.stifling(), self.params["replies"], outlook.mover
        for _, gain in (*stifling.gains(most), *stifling.worst(most // 2)):
            for _, position in tried(outlook.state, mover, gain, 1):
                yield self._answered(position, mover, outlook.played)
        yield self._answered(outlook.state, mover, outlook.played)

    def _answered(self, state: State, mover: int, played: int) -> Outlook:
        turn = self._climbed(state, mover)
        return self._outlook(Turns(turn.state, played + 1, turn.over))


def may_be_walled_in(outlook: Outlook, seat: int) -> bool:
    """Return whether, in a two-player match, the leader has a block move after which the seat cannot rise and loses.

    In the last turn, the seat may only climb; otherwise it may also move a block first.
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
    """Return a seat's lead over the strongest opponent, in levels; ladders count about half their usual value."""
    worths = {
        each: level(state, each) + 0.7 * state.ladders[each].short + 1.2 * state.ladders[each].long
        for each in state.seats
    }
    first = 0.3 if seat in standing(state).winners else -0.3
    return worths[seat] - max(worth for each, worth in worths.items() if each != seat) + first

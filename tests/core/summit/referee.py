"""A referee that watches a match and knows the fifteen invariants of the specification, from the pieces alone.

It shares no rule with the code it watches: it counts dice, cards and pawns, and follows them along the route.
"""

from collections import Counter
from typing import Any

from himalaya_core.summit.events import (
    BadWeather,
    DeckShuffled,
    DiceRolled,
    DieTaken,
    Event,
    Forfeited,
    PawnMoved,
    RerollChosen,
    Resupplied,
    Slid,
    StartPlayerChosen,
    SupplyPlayed,
    TakeAlong,
    TurnEnded,
    TurnStarted,
    YetiCardDrawn,
    YetiChased,
    YetiMoved,
)
from himalaya_core.summit.state import State

OVER_THE_END = "nothing but the end follows the bad weather or the summit"


class Referee:
    """Watches the events of one match in order."""

    def __init__(self, start: State) -> None:
        self.state = start
        self.board = start.board
        self.players = len(start.climbers)
        self.cards = Counter((seat, card) for seat, hand in enumerate(start.hands) for card in hand)
        self.pool: Counter[int] = Counter()
        self.thrown = 0
        self.throws = self.draws = 0
        self.drawn: list[int] = []
        self.gained: set[tuple[int, int]] = set()
        self.turns: list[int] = []
        self.turn: list[Event] = []
        self.over = False

    def watch(self, event: Event, after: State) -> None:
        """Check one event against the position before, and the position after it by itself."""
        assert not self.over, OVER_THE_END
        if isinstance(event, TurnStarted):
            self.turn = []
        self.turn.append(event)
        self._check_dice(event)
        self._check_draws(event)
        self._check_movement(event, after)
        self._check_supplies(event)
        self._check_owner(event)
        self.state = after
        assert Counter(after.pool) == +self.pool
        self._check_pieces()
        if isinstance(event, TurnEnded):
            self._check_resolved()
        summit = self.board.summit in after.climbers
        self.over = isinstance(event, BadWeather) or (summit and not self._unsafe())

    def finished(self) -> None:
        """Check what a match that is over must have come to."""
        assert self.over
        for seat, climber in enumerate(self.state.climbers):
            assert climber <= self.board.summit
            if climber == self.board.summit:
                assert self.turns[-1] == seat
        assert self.draws <= self.throws <= 19 + 1

    def _check_dice(self, event: Event) -> None:
        """8. Only DieTaken, Forfeited and DiceRolled change the pool; what was taken was in it."""
        before = self.state
        match event:
            case DiceRolled():
                count = self.board.dice[self.players]
                assert len(event.values) == count
                again = isinstance(self.turn[-2], RerollChosen)
                assert self.pool.total() == again
                assert event.cause == ("reroll" if again else "pool_empty" if self.throws else "start")
                self.pool, self.thrown, self.throws = Counter(event.values), count, self.throws + 1
                assert event.thrower == before.active
            case DieTaken() | Forfeited():
                assert self.pool[event.face] > 0
                self.pool[event.face] -= 1
            case RerollChosen():
                assert self.pool.total() == 1
                assert not any(isinstance(other, RerollChosen) for other in self.turn[:-1])
            case _:
                pass

    def _check_draws(self, event: Event) -> None:
        """10. One draw for each throw but the first; first the nine cards, then the bad weather may come."""
        if isinstance(event, YetiCardDrawn | BadWeather):
            self.draws += 1
            assert event.draw_no == self.draws == self.throws - 1
        match event:
            case YetiCardDrawn():
                self.drawn.append(event.card)
                if self.draws == 9:
                    assert sorted(self.drawn) == sorted(self.board.yeti_cards)
                if self.draws > 9:
                    assert not Counter(self.drawn[9:]) - Counter(self.board.yeti_cards)
            case BadWeather():
                assert 10 <= event.draw_no <= 19
            case DeckShuffled():
                assert (event.cycle, event.size) == ((2, 10) if self.throws else (1, 9))
                assert self.draws in {0, 9}
            case YetiMoved():
                aim = event.from_ + self.drawn[-1]
                assert event.from_ == self.state.yeti
                assert event.clamped == (event.to != aim)
                assert event.to == min(max(aim, 0), self.board.summit - 1)
            case _:
                pass

    def _check_movement(self, event: Event, after: State) -> None:
        """6, 7, 11, 12, 13, 15. Who goes where, and why."""
        before = self.state
        assert all(new >= old for old, new in zip(before.climbers, after.climbers, strict=True)), "a climber went back"
        falls = [
            (seat, number)
            for seat, (old, new) in enumerate(zip(before.sherpas, after.sherpas, strict=True))
            for number in range(4)
            if new[number] < old[number]
        ]
        backward = isinstance(event, PawnMoved) and event.dir == "back"
        assert not falls or backward or isinstance(event, Slid | YetiChased)
        assert len(falls) <= 1
        match event:
            case PawnMoved():
                self._check_moved(event)
            case TakeAlong():
                self._check_along(event)
            case Slid():
                assert event.to == self.board.slides[event.from_].to < event.from_
            case YetiChased():
                assert event.from_ == before.yeti
                camps = [camp for camp in (0, *self.board.high_camps) if camp <= event.from_]
                assert event.to == max(camps) < event.from_
                assert before.climbers[event.seat] != before.yeti
            case _:
                pass

    def _check_moved(self, event: PawnMoved) -> None:
        before, paid = self.state, self.turn[-2]
        assert isinstance(paid, DieTaken | SupplyPlayed)
        value = paid.face if isinstance(paid, DieTaken) else paid.value
        climber = event.piece == "C"
        if event.dir == "back":
            assert not climber
            assert event.from_ - event.to == event.steps == (value + 1) // 2
        else:
            assert event.steps == value
            assert event.to - event.from_ == value or (climber and event.to == self.board.summit)
        if climber and event.to < self.board.summit:
            assert before.sherpas[event.seat].count(event.to) >= 2
        self._check_ends(event.to, climber=climber)
        if not climber:
            assert before.sherpas[event.seat][int(event.piece[1])] == event.from_

    def _check_ends(self, field: int, *, climber: bool = False) -> None:
        paid = next(event for event in self.turn if isinstance(event, DieTaken | SupplyPlayed))
        assert field not in {self.board.cave, self.state.yeti}
        assert climber or 0 <= field < self.board.summit
        if isinstance(paid, SupplyPlayed):
            assert field not in {*self.board.snow, self.board.summit}

    def _check_along(self, event: TakeAlong) -> None:
        """13. Once a turn, after a forward landing on others, by as many fields as there were."""
        before, moved = self.state, self.turn[-2]
        assert isinstance(moved, PawnMoved)
        assert (moved.dir, moved.to) == ("fwd", event.from_)
        others = sum(row.count(event.from_) for row in before.sherpas) - 1
        assert event.found == others >= 1
        assert event.to == event.from_ + others
        assert event.movers[0] == moved.piece
        assert len(set(event.movers)) == len(event.movers)
        assert all(before.sherpas[event.seat][int(piece[1])] == event.from_ for piece in event.movers)
        assert event.from_ not in self.board.slides
        self._check_ends(event.to)

    def _check_supplies(self, event: Event) -> None:
        """9. At most one card back for each seat and camp, with two Sherpas there."""
        if isinstance(event, Resupplied):
            assert (event.seat, event.camp) not in self.gained
            assert event.camp in self.board.high_camps
            assert self.state.sherpas[event.seat].count(event.camp) >= 2
            self.gained.add((event.seat, event.camp))

    def _check_owner(self, event: Event) -> None:
        """14. Turns go round by seat, and what is done in one is done by its owner."""
        match event:
            case StartPlayerChosen():
                self.turns = [event.first - 1]
            case TurnStarted():
                assert event.seat == (self.turns[-1] + 1) % self.players
                assert event.no == len(self.turns)
                self.turns.append(event.seat)
            case YetiChased():
                pass
            case _:
                assert getattr(event, "seat", self.turns[-1] if self.turns else None) == (self.turns or [None])[-1]

    def _check_pieces(self) -> None:
        """1, 2, 4, 9. All pawns are there, none on the cave, no two climbers on one field, no card lost."""
        state = self.state
        assert len(state.climbers) == len(state.sherpas) == self.players
        assert all(0 <= climber <= self.board.summit for climber in state.climbers)
        assert all(len(row) == 4 and all(0 <= field < self.board.summit for field in row) for row in state.sherpas)
        pawns: list[Any] = [*state.climbers, *(field for row in state.sherpas for field in row)]
        assert self.board.cave not in pawns
        away = [climber for climber in state.climbers if climber]
        assert len(set(away)) == len(away)
        held = Counter((seat, card) for seat in state.seats for card in (*state.hands[seat], *state.used[seat]))
        assert held == self.cards

    def _unsafe(self) -> bool:
        """Say whether a Sherpa stands unprotected before the Yeti."""
        state = self.state
        if state.yeti in (0, *self.board.high_camps):
            return False
        rows = zip(state.climbers, state.sherpas, strict=True)
        return any(state.yeti in row and climber != state.yeti for climber, row in rows)

    def _check_resolved(self) -> None:
        """3, 5. After a turn nobody is on a slide, and nobody unprotected before the Yeti; it was one choice."""
        state = self.state
        assert sum(isinstance(event, DieTaken | SupplyPlayed | Forfeited) for event in self.turn) == 1
        assert not any(field in self.board.slides for row in state.sherpas for field in row)
        assert not any(climber in self.board.slides for climber in state.climbers)
        assert not self._unsafe()
        assert self.board.summit not in state.climbers

"""A match in play: the stateful shell around the pure rules.

match = Match(GAMES["caravan"], board, {"players": 4})
while not match.is_over:
    actor = match.actors[0]
    match.play(match.sample_chance(seed) if actor == CHANCE else match.legal_actions(actor)[0])
match.outcome.winners
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeVar

from himalaya_core.engine import settle, step
from himalaya_core.errors import HimalayaError, in_one_line
from himalaya_core.game import CHANCE, DiceSource, Game, IllegalAction, Outcome, Step

__all__ = ["FailureKind", "IllegalChoice", "Match", "Player", "PlayerFailure", "RunawayMatch", "decide", "run"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)

MOST_PLIES: Final = 100_000
_step: Callable[..., Any] = tuple.__new__
"""Creates a `Step` in half the time of the constructor. A match creates about 450."""


class FailureKind(StrEnum):
    """The ways in which a player can fail."""

    RAISED = "raised"
    ILLEGAL = "illegal"
    EXITED = "exited"
    TIMED_OUT = "timed out"


class ProgramFailure(Exception):
    """A program that exited, broke a limit, or answered what is no action; the message says so after its name."""

    def __init__(self, message: str, kind: FailureKind) -> None:
        super().__init__(message)
        self.kind = kind


class PlayerFailure(HimalayaError):
    """Raised when a player cannot decide. The message names the player, its seat, and what it did.

    `seat` counts from 0. `ply` is the number that the decision would have had, and `round` the round of the position.
    `log` is the log up to that position, if the match is logged.
    """

    log = b""

    def __init__(self, message: str, seat: int, ply: int, round: int, kind: FailureKind) -> None:
        super().__init__(message, seat, ply, round, kind)  # all arguments, so that it can be pickled
        self.seat, self.ply, self.round, self.kind = seat, ply, round, kind

    def __str__(self) -> str:
        message: str = self.args[0]
        return message


class IllegalChoice(PlayerFailure, IllegalAction):
    """Raised when a player chooses an action that its seat may not take; the message names the action."""


class RunawayMatch(RuntimeError):
    """Raised when a match exceeds the limit on plies, which is a fault in the rules."""


class Player(Protocol[S_contra, A_co]):
    """Anything that chooses actions for a seat from what that seat can see."""

    def choose(self, view: S_contra, seat: int, /) -> A_co:
        """Return one of `legal_actions(view, seat)`."""
        ...


class Match(Generic[S, A, E]):
    """A match in progress; `history` contains every event so far.

    >>> import himalaya_core as hm
    >>> match = hm.Match(hm.GAMES["summit"], hm.shipped_board("summit"), {"players": 2})
    >>> seed = hm.Seed("monday")
    >>> while not match.is_over:
    ...     actor = match.actors[0]
    ...     action = match.sample_chance(seed) if actor == hm.CHANCE else match.legal_actions(actor)[0]
    ...     events = match.play(action)
    >>> match.outcome.winners
    (0,)
    >>> match.branch(10).is_over
    False
    """

    def __init__(self, game: Game[S, A, E], board: Any, options: Mapping[str, Any]) -> None:
        self.game = game
        self.board = board
        self.options = game.parse_options(options)
        self.start: S = game.initial(self.options, board)
        self.history: list[Step[S, A, E]] = []
        self.ply = 0
        self._extend(settle(game, self.start), None)

    def __copy__(self) -> "Match[S, A, E]":
        """Return an independent match. It shares the board and the positions, which never change."""
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__ | {"history": self.history[:]}
        return twin

    def __deepcopy__(self, memo: object) -> "Match[S, A, E]":
        return copy(self)

    def _extend(self, transitions: Sequence[tuple[E, S]], action: A | None) -> None:
        append, ply = self.history.append, self.ply
        for event, state in transitions:
            append(_step(Step, (ply, event, state, action)))
            action = None

    @property
    def state(self) -> S:
        """The current position."""
        return self.history[-1].state if self.history else self.start

    @property
    def events(self) -> list[E]:
        """All events so far."""
        return [step.event for step in self.history]

    @property
    def actors(self) -> tuple[int, ...]:
        """The actors that may act now; empty when the match is over."""
        return self.game.actors(self.state)

    @property
    def is_over(self) -> bool:
        """True if the match has ended."""
        return not self.actors

    @property
    def outcome(self) -> Outcome | None:
        """The ranking and scores; `None` until the match is over."""
        return self.game.outcome(self.state)

    def legal_actions(self, seat: int) -> Sequence[A]:
        """Return the legal actions of a seat as a lazy sequence."""
        return self.game.legal_actions(self.state, seat)

    def sample_chance(self, seed: DiceSource) -> A:
        """Return the chance action that the seed gives in this position."""
        return self.game.sample_chance(self.state, seed)

    def branch(self, seq: int) -> "Match[S, A, E]":
        """Return an independent match that continues from the position after event `seq` (0: the start).

        Automatic events that follow are applied. Raises `IndexError` for an event that has not happened. Raises
        `ValueError` for an event inside a ply, because the rest of that ply would be lost.
        """
        if not 0 <= seq <= len(self.history):
            raise IndexError(f"there is no event {seq}, the last is {len(self.history)}")
        twin = copy(self)
        twin.history = self.history[:seq]
        twin.ply = twin.history[-1].ply if twin.history else 0
        automatic = settle(self.game, twin.state)
        following = self.history[seq] if seq < len(self.history) else None
        if following and following.action is None and (not automatic or automatic[0][0] != following.event):
            raise ValueError(f"event {seq} is not the last of its decision")
        twin.history += [Step(twin.ply, event, state, None) for event, state in automatic]
        return twin

    def play(self, action: A) -> list[E]:
        """Carry out an action and the automatic events after it.

        Raises `IllegalAction` if the action is illegal; the match is then unchanged.
        """
        return self._played(action, step(self.game, self.state, action))

    def decide(self, player: Player[S, A], seat: int) -> list[E]:
        """Let a player decide for a seat, and carry out its action. Raises `PlayerFailure`; see `decide`."""
        return self._played(*decide(self.game, self.state, player, seat, self.ply + 1))

    def _played(self, action: A, transitions: Sequence[tuple[E, S]]) -> list[E]:
        self.ply += 1
        self._extend(transitions, action)
        return [event for event, _ in transitions]


def run(match: Match[S, A, E], players: Sequence[Player[S, A]], seed: DiceSource) -> None:
    """Play a match to its end. `players` choose for the seats; `seed` gives the chance actions.

    Raises `PlayerFailure` if a player raises an error, and its subclass `IllegalChoice` if a player chooses an action
    that its seat may not take. The match then has all events before that decision.

    >>> import himalaya_core as hm
    >>> match = hm.Match(hm.GAMES["summit"], hm.shipped_board("summit"), {"players": 2})
    >>> hm.run(match, [hm.PLAYERS["summit"][name]("a seed", {}) for name in ("porter", "racer")], hm.Seed("tuesday"))
    >>> match.is_over
    True
    """
    game = match.game
    while actors := game.actors(match.state):
        actor = actors[0]
        if actor == CHANCE:
            match.play(game.sample_chance(match.state, seed))
        else:
            match.decide(players[actor], actor)
        if match.ply > MOST_PLIES:
            raise RunawayMatch(f"{game.name}: no end after {MOST_PLIES} plies")


def decide(game: Game[S, A, E], state: S, player: Player[S, A], seat: int, ply: int) -> tuple[A, Sequence[tuple[E, S]]]:
    """Let a player decide for a seat; return the action and the events that follow, each with the position after it.

    `ply` is the number of the decision. Raises `PlayerFailure` if the player raises an error, and its subclass
    `IllegalChoice` if it chooses an action that its seat may not take.
    """
    round_ = game.round_of(state)
    who = f"{_called(player)} in seat {seat + 1} (ply {ply}, round {round_})"
    try:
        action = player.choose(game.view(state, seat), seat)
    except ProgramFailure as failure:
        raise PlayerFailure(f"{who} {failure}", seat, ply, round_, failure.kind) from failure
    except Exception as error:
        kind: Any = getattr(player, "kind", type(player))
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        raise PlayerFailure(
            f"{who} failed: {in_one_line(error, file)}", seat, ply, round_, FailureKind.RAISED
        ) from error
    if type(action) not in game.action_types.values() or getattr(action, "seat", None) != seat:
        raise IllegalChoice(
            f"{who} chose {action!r}, which is no action of that seat", seat, ply, round_, FailureKind.ILLEGAL
        )
    try:
        return action, step(game, state, action)
    except IllegalAction as error:
        raise IllegalChoice(f"{who} chose {action}: {error}", seat, ply, round_, FailureKind.ILLEGAL) from error


def _called(player: object) -> str:
    name: str = getattr(player, "name", type(player).__name__)
    return name

"""Splitting a match into rounds, by positions in its log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from himalaya_core.caravan.events import (
    Bartered,
    DelegationsSent,
    OrderReturned,
    PlanCommitted,
    PlansRevealed,
    RefillRolled,
    StupaPlaced,
    TokenPlaced,
)
from himalaya_core.caravan.pieces import PLAN_LENGTH
from himalaya_core.replay import Replay

__all__ = ["Round", "rounds"]

OF_DELIVERY: Final = (Bartered, OrderReturned, StupaPlaced, DelegationsSent)
"""Events that may follow a delivery in its ply, although the delivery itself already ends the step."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round with revealed plans, as positions in the log.

    Tokens are placed after `start`, plans are made after `planning`. `plans` are by seat. `trades` are the decisions on
    trades. `done` is the last entry of the six actions (`None` until they are over). `rewards` are the choices of the
    inventory's winners.
    """

    number: int
    start: int
    tokens: tuple[int, ...]
    planning: int
    plans: tuple[int, ...]
    revealed: int
    trades: tuple[int, ...]
    done: int | None
    refills: tuple[int, ...]
    rewards: tuple[int, ...]


def rounds(replay: Replay) -> Iterator[Round]:
    """Yield the rounds with revealed plans, in order."""
    places = range(len(replay.entries))
    for number, group in groupby(places, key=lambda place: replay.states[place].round):
        found = list(group)
        if number and any(isinstance(replay.entries[place].event, PlansRevealed) for place in found):
            yield _cut(replay, number, found)


def _cut(replay: Replay, number: int, places: Sequence[int]) -> Round:
    entries, states = replay.entries, replay.states
    plans = [place for place in places if isinstance(entries[place].event, PlanCommitted)]
    revealed = next(place for place in places if isinstance(entries[place].event, PlansRevealed))
    choices = [place for place in places if _is_choice(replay, place)]
    chosen = [place for place in choices if place > revealed]
    return Round(
        number=number,
        start=choices[0] - 1,
        tokens=tuple(place for place in places if isinstance(entries[place].event, TokenPlaced)),
        planning=plans[0] - 1,
        plans=tuple(sorted(plans, key=lambda place: entries[place].event.seat)),
        revealed=revealed,
        trades=tuple(place for place in chosen if states[place - 1].step <= PLAN_LENGTH),
        done=_done(replay, places),
        refills=tuple(place for place in places if isinstance(entries[place].event, RefillRolled)),
        rewards=tuple(place for place in chosen if states[place - 1].step > PLAN_LENGTH),
    )


def _is_choice(replay: Replay, place: int) -> bool:
    """Return whether an entry is a seat's choice, the first event of its ply."""
    entry = replay.entries[place]
    return entry.seat is not None and entry.ply != replay.entries[place - 1].ply


def _done(replay: Replay, places: Sequence[int]) -> int | None:
    """Return the last entry of the six actions; `None` if the log may end within them."""
    entries = replay.entries
    done = next((place for place in places if replay.states[place].step > PLAN_LENGTH), places[-1])
    while done + 1 < len(entries) and isinstance(entries[done + 1].event, OF_DELIVERY):
        if entries[done + 1].ply != entries[done].ply:
            break
        done += 1
    return done if done + 1 < len(entries) else None

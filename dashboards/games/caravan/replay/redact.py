"""A replay in the view of one seat: facts unknown to the seat are redacted first."""

from dataclasses import replace
from typing import Final

from dashboards.boards.seats import check_view
from himalaya_core.caravan.events import PlanCommitted
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay

__all__ = ["HIDDEN_PLAN", "redacted"]

HIDDEN_PLAN: Final = ()
"""The form that `Game.view` gives to a committed plan that is still secret."""


def redacted(replay: Replay, seat: int) -> Replay:
    """Return the replay with the other seats' plans taken out of events, intents and states until they are revealed."""
    check_view(replay.header, seat)
    return replace(
        replay,
        entries=tuple(_hidden(entry) if _is_secret(entry, seat) else entry for entry in replay.entries),
        states=tuple(replay.game.view(state, seat) for state in replay.states),
    )


def _is_secret(entry: Entry, seat: int) -> bool:
    return isinstance(entry.event, PlanCommitted) and entry.event.seat != seat


def _hidden(entry: Entry) -> Entry:
    """Remove the plan from the event and from the intent behind it."""
    event = object.__new__(PlanCommitted)
    object.__setattr__(event, "seat", entry.event.seat)
    object.__setattr__(event, "plan", HIDDEN_PLAN)
    return replace(entry, event=event, action={})

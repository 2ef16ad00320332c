"""A replay as one seat sees it: what the seat could not know is redacted first."""

from dataclasses import replace
from typing import Final

from dashboards.boards.seats import check_view
from himalaya_core.caravan.events import PlanCommitted
from himalaya_core.log.codec import Entry
from himalaya_core.replay import Replay

__all__ = ["HIDDEN_PLAN", "redacted"]

HIDDEN_PLAN: Final = ()
"""What `Game.view` makes of a plan that was committed and is still secret."""


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
    """Take the plan out of the event and out of the intent it followed from."""
    event = object.__new__(PlanCommitted)
    object.__setattr__(event, "seat", entry.event.seat)
    object.__setattr__(event, "plan", HIDDEN_PLAN)
    return replace(entry, event=event, action={})

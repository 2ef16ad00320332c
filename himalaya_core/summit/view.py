"""What a seat knows, and the position as plain data."""

from typing import Any

from himalaya_core.summit.state import State

__all__ = ["position", "view"]


def view(state: State, _seat: int) -> State:
    """Return the position as a seat sees it: all of it, since the order of the deck is not part of it (S-view)."""
    return state


def position(state: State) -> dict[str, Any]:
    """Return the position as JSON-ready data; `state_sha256` of a log is the digest of its canonical form."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "active": state.active,
        "throws": state.throws,
        "draws": state.draws,
        "cycle": state.cycle,
        "rerolled": state.rerolled,
        "arrived": state.arrived,
        "yeti": state.yeti,
        "pool": list(state.pool),
        "deck": list(state.deck),
        "seen": list(state.seen),
        "seats": [
            {
                "climber": state.climbers[seat],
                "sherpas": list(state.sherpas[seat]),
                "hand": list(state.hands[seat]),
                "used": list(state.used[seat]),
                "gained": sorted(state.gained[seat]),
            }
            for seat in state.seats
        ],
    }

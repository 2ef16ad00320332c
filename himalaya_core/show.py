"""Describes a position of a log as text, for terminals and screen readers. Seats count from 1."""

from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.winprob.review import participant

__all__ = ["shown"]


def shown(replay: Replay, index: int, seat: int | None = None, ply: str | None = None) -> str:
    """Return the position after entry `index` as text, with the entry itself and the actors due next.

    With `seat` (from 0), include only what that seat knows (C-view). `ply` replaces the ply number in the first line.
    """
    state, whose = replay.states[index], ""
    if seat is not None:
        state = replay.game.view(state, seat)
        whose = f", as seat {seat + 1} knows it"
    entry, last = replay.entries[index], replay.entries[-1]
    names = [participant(info) for info in replay.header.seats]
    actors = ["chance" if actor == CHANCE else replay.game.seat_labels[actor] for actor in replay.game.actors(state)]
    lines = (
        f"{entry.match} after ply {ply or entry.ply} of {last.ply} (seq {entry.seq}){whose}",
        replay.game.describe(state, names),
        f"to act: {', '.join(actors)}" if actors else "the match is over",
    )
    return "\n".join(lines)

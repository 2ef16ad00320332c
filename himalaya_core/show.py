"""A position of a log as text, for a terminal and for screen readers. Seats count from 1, as people count them."""

from himalaya_core.game import CHANCE
from himalaya_core.replay import Replay
from himalaya_core.winprob.review import participant

__all__ = ["shown"]


def shown(replay: Replay, index: int, seat: int | None = None, ply: str | None = None) -> str:
    """Return the position after an entry, with a line that says which it is and one that says who is to act.

    With a `seat` (from 0), only what that seat knows (C-view). `ply` replaces the number of the ply in the first line.
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
        f"to act: {', '.join(actors) or 'nobody'}",
    )
    return "\n".join(lines)

"""Positions by name: "57" is the position after ply 57, "57.3" after its third event, as in an address."""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["frame_at", "ply_names"]

NAME: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)


def ply_names(plies: Sequence[int]) -> list[str]:
    """Return the name of each frame, given the ply of each (as assets/replay/player/address.js does)."""
    names: list[str] = []
    first = 0
    for frame, ply in enumerate(plies):
        if frame and plies[frame - 1] != ply:
            first = frame
        goes_on = frame + 1 < len(plies) and plies[frame + 1] == ply
        names.append(f"{ply}.{frame - first + 1}" if goes_on else str(ply))
    return names


def frame_at(text: str | None, plies: Sequence[int]) -> int:
    """Return the frame of a name: the first for none, the last for a ply beyond the end. ValueError: invalid name."""
    if text is None:
        return 0
    found = NAME.fullmatch(text)
    if not found:
        message = f"ply: expected a number such as 57 or 57.3, found {text!r}"
        raise ValueError(message)
    ply, event = int(found[1]), int(found[2] or 0)
    first = next((frame for frame, each in enumerate(plies) if each >= ply), None)
    if first is None:
        return len(plies) - 1
    last = first
    while last + 1 < len(plies) and plies[last + 1] == plies[first]:
        last += 1
    return min(first + event - 1, last) if event else last

"""Parts of a scene that only games without a board have: the positions as text."""

from typing import Literal, Never, TypedDict

from dashboards.boards.scene import Frame, Scene

__all__ = ["PlainBoard", "PlainFrame", "PlainScene"]


class PlainBoard(TypedDict):
    """No board: nothing is on it, so nothing can be chosen and no piece arrives anywhere."""

    kind: Literal["plain"]
    nodes: list[Never]
    links: list[Never]


class PlainFrame(Frame):
    """A position: `p` is the index of its text."""

    p: int


class PlainScene(Scene):
    """A match of a game without a drawing. `texts` are its positions, each in lines of at most 96 letters."""

    board: PlainBoard
    frames: list[PlainFrame]
    texts: list[list[str]]

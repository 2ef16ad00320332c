"""Parts of a scene that only tracks have: fields one after the other, slides, pawns, dice, cards."""

from typing import Literal, TypedDict

from dashboards.boards.scene import Frame, Link, Scene

__all__ = ["Field", "TrackBoard", "TrackFrame", "TrackScene"]


class Field(TypedDict):
    """A field of the track; `kind` names its drawing, "" for a plain one."""

    n: int
    kind: Literal["", "base", "camp", "cave", "landslide", "avalanche", "snow", "summit"]
    name: str


class TrackBoard(TypedDict):
    """The still part of a track: its fields from the first to the last, and links that lead back down it.

    `dice` are thrown together; `cards` is the number of Yeti cards including the bad weather.
    """

    kind: Literal["track"]
    nodes: list[Field]
    links: list[Link]
    dice: int
    cards: int


class TrackFrame(Frame):
    """A position on a track.

    By seat: `c` the field of its climber, `s` those of its Sherpas, `h` the supply cards it has, `u` those it has used,
    `v` the camps in which it took one back. `b` is the field of the Yeti. `d` are the dice of the last throw in
    ascending order; taken dice are negative. `k` are the Yeti cards seen since they were shuffled, in order. `r` is the
    number of cards to come, and `w` is 1 if bad weather is among them, 2 if it has come. `t` are the moves of this
    turn: seat, pawn (0 the climber, 1 to 4 a Sherpa), from, to, and "m" by a number, "a" taken along or continuing, "s"
    sliding, "y" chased. `x` is the number of the turn.
    """

    c: list[int]
    s: list[list[int]]
    h: list[list[str]]
    u: list[list[str]]
    v: list[list[int]]
    b: int
    d: list[int]
    k: list[int]
    r: int
    w: int
    t: list[tuple[int, int, int, int, str]]


class TrackScene(Scene):
    """A match on a track. Things besides fields and slides: "c" climbers by their seat, "y0" the Yeti.

    `initials` are the letters on the pawns of each seat; no two are the same.
    """

    initials: list[str]
    board: TrackBoard
    frames: list[TrackFrame]

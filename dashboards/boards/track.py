"""Scenes of tracks: fields one after the other, slides, pawns, dice, cards; and the route in a given space."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, TypedDict

from dashboards.boards.engine import run
from dashboards.boards.scene import Frame, Link, Scene

__all__ = ["Field", "Point", "Route", "Slide", "TrackBoard", "TrackFrame", "TrackScene", "lay_out"]


Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slide:
    """The drawing of a slide: its line as an SVG path, and the position of its arrowhead as an SVG transform."""

    curve: str
    head: str


@dataclass(frozen=True, slots=True)
class Route:
    """Positions of the fields, the line through them, outlines of the mountain and of its snow. Lengths are pixels."""

    points: tuple[Point, ...]
    line: tuple[Point, ...]
    scale: float
    named: tuple[int, ...]
    """Position of each field's name: below the field (0), or left (-1) or right (1) if another field is close below."""
    mountain: tuple[Point, ...]
    snow: tuple[Point, ...]
    slides: tuple[Slide, ...]


@lru_cache(maxsize=64)
def lay_out(
    count: int, room: tuple[float, float], snow: tuple[int, ...], slides: tuple[tuple[int, int], ...], trim: float
) -> Route:
    """Lay out a number of fields in a space, given the snowfields and the start and end of each slide.

    Slides end `trim` pixels away from the middles of their fields, if fields have their full size.
    """
    arguments = {"count": count, "width": room[0], "height": room[1], "snow": snow, "slides": slides, "trim": trim}
    found = run("route", arguments)
    points, line, mountain, white = (
        tuple((point["x"], point["y"]) for point in found[name]) for name in ("points", "line", "mountain", "snow")
    )
    bent = tuple(Slide(**each) for each in found["slides"])
    return Route(points, line, found["scale"], tuple(found["named"]), mountain, white, bent)


class Field(TypedDict):
    """A field of the track; `kind` names its drawing, "" for a plain one."""

    n: int
    kind: Literal["", "base", "camp", "cave", "landslide", "avalanche", "snow", "summit"]
    name: str


class TrackBoard(TypedDict):
    """The fixed part of a track: its fields from the first to the last, and links that lead back down it.

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
    `v` the camps where it took a used card back. `b` is the field of the Yeti. `d` are the dice of the last throw in
    ascending order; taken dice are negative. `k` are the Yeti cards seen since they were shuffled, in order. `r` is the
    number of cards left in the pile, and `w` is 1 if bad weather is among them, 2 if it was drawn. `t` are the moves of
    this turn: seat, pawn (0 the climber, 1 to 4 a Sherpa), from, to, and the reason: "m" moved by a number, "a" taken
    along or continuing, "s" sliding, "y" chased by the Yeti. `x` is the number of the turn.
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
    """A match on a track. Ids of things other than fields and slides: "c" and the seat for a climber, "y0" the Yeti.

    `initials` are the letters on the pawns of each seat; no two are the same.
    """

    initials: list[str]
    board: TrackBoard
    frames: list[TrackFrame]

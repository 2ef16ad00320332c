"""The route of a track in a given space, and the mountain around it, as the page's modules lay them out."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from dashboards.boards.engine import run

__all__ = ["Point", "Route", "Slide", "lay_out"]

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slide:
    """The drawing of a slide: its line as a path, and the position of its arrow's head as a transform."""

    curve: str
    head: str


@dataclass(frozen=True, slots=True)
class Route:
    """Positions of the fields, the line through them, outlines of the mountain and of its snow. Lengths are pixels."""

    points: tuple[Point, ...]
    line: tuple[Point, ...]
    scale: float
    named: tuple[int, ...]
    """By field: its name is below it (0), or left (-1) or right (1) of it if another field is close below."""
    mountain: tuple[Point, ...]
    snow: tuple[Point, ...]
    slides: tuple[Slide, ...]


@lru_cache(maxsize=64)
def lay_out(
    count: int, room: tuple[float, float], snow: tuple[int, ...], slides: tuple[tuple[int, int], ...], trim: float
) -> Route:
    """Lay out a number of fields in a space, given the snowfields and the start and end of each slide.

    Slides end `trim` away from the middles of their fields, for fields of the intended size.
    """
    arguments = {"count": count, "width": room[0], "height": room[1], "snow": snow, "slides": slides, "trim": trim}
    found = run("route", arguments)
    points, line, mountain, white = (
        tuple((point["x"], point["y"]) for point in found[name]) for name in ("points", "line", "mountain", "snow")
    )
    bent = tuple(Slide(**each) for each in found["slides"])
    return Route(points, line, found["scale"], tuple(found["named"]), mountain, white, bent)

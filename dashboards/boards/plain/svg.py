"""A position as text, as SVG: in letters of one width, as large as the room allows; as assets/replay/plain draws it."""

from typing import Final, TypeAlias

from dashboards.boards.pen import Pen
from dashboards.boards.plain.scene import PlainFrame, PlainScene
from dashboards.charts.svg import LETTER

__all__ = ["draw_plain"]

Room: TypeAlias = tuple[float, float, float, float]
LARGEST: Final = 15.0
LINE: Final = 1.4
"""Height of a line, as a part of the size of the type."""
PAD: Final = 14


def draw_plain(scene: PlainScene, frame: PlainFrame, pen: Pen, room: Room) -> str:
    """Draw the text of a position into a room, as large as the longest of all fits."""
    x, y, width, height = room
    longest = max(1, *(len(line) for text in scene["texts"] for line in text))
    most = max(1, *(len(text) for text in scene["texts"]))
    size = min(LARGEST, (width - 2 * PAD) / (longest * LETTER), (height - 2 * PAD) / (most * LINE))
    lines = [
        pen.text("plain-line", line, x=x + PAD, y=y + PAD + (at + 0.5) * size * LINE, text_anchor="start")
        for at, line in enumerate(scene["texts"][frame["p"]])
    ]
    return pen.group("plain-text", {"xml:space": "preserve", "font-size": size}, *lines)

"""What lies beside a track: the dice of the throw, the Yeti cards. assets/replay/track/table.js draws the same."""

import math
from typing import Final

from dashboards.boards.pen import Pen
from dashboards.boards.track.scene import TrackFrame, TrackScene
from dashboards.boards.track.shapes import BOLT, CLOUD, PIPS
from dashboards.charts.svg import number

__all__ = ["dice", "weather", "yeti_cards"]

EDGE: Final = 10
PAD: Final = 9
HEAD: Final = 19
DIE: Final = 23
DIE_APART: Final = 28
DICE_IN_ROW: Final = 4
PIP: Final = 6
CARD: Final = (21, 28)
CARD_APART: Final = (25, 32)
CARDS_IN_ROW: Final = 5
FOOT: Final = 16
SKY: Final = (0.73, 0.235)
CLOUD_SIZE: Final = 5
UP: Final = "M0-10.500 4-5H-4Z"
DOWN: Final = "M0 10.500 4 5H-4Z"


def _sized(scale: float) -> float:
    """Return how large the things beside a track are drawn where those on it have a scale."""
    return min(1, max(0.72, scale))


def _pips(face: int) -> str:
    """Return the pips of a die around 0 0."""
    return "".join(f"M{x * PIP - 2} {y * PIP}a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z" for x, y in PIPS[face])


def weather(frame: TrackFrame, pen: Pen, scale: float, room: tuple[float, float]) -> str:
    """Draw the cloud that hangs over the mountain while bad weather is in the deck, with a bolt once it has come."""
    if not frame["w"]:
        return ""
    at = f"translate({number(room[0] * SKY[0])} {number(room[1] * SKY[1])}) scale({number(CLOUD_SIZE * scale)})"
    return pen.group(
        "weather",
        {"transform": at, "data-marker": str(frame["w"])},
        pen.path("weather-bolt", BOLT) if frame["w"] == 2 else "",
        pen.path("weather-cloud", CLOUD),
    )


def dice(scene: TrackScene, frame: TrackFrame, pen: Pen, scale: float) -> str:
    """Draw the dice of the throw: those that were taken stay as outlines."""
    most = scene["board"]["dice"]
    rows = math.ceil(most / DICE_IN_ROW)
    in_row = math.ceil(most / rows)
    width, height = in_row * DIE_APART - DIE_APART + DIE + 2 * PAD, HEAD + rows * DIE_APART + PAD - 1
    drawn = []
    for place, face in enumerate(frame["d"]):
        x, y = PAD + place % in_row * DIE_APART + DIE / 2, HEAD + place // in_row * DIE_APART + DIE / 2 + 2
        drawn.append(
            pen.group(
                "die",
                {"transform": f"translate({number(x)} {number(y)})", "data-marker": str(face)},
                pen.draw(
                    "rect",
                    "die-back" if face > 0 else "die-back die-taken",
                    {"x": -DIE / 2, "y": -DIE / 2, "width": DIE, "height": DIE, "rx": 5},
                ),
                pen.path("die-pips" if face > 0 else "die-pips die-gone", _pips(abs(face))),
            )
        )
    return pen.group(
        "table-dice",
        {"transform": f"translate({EDGE} {EDGE}) scale({number(_sized(scale))})"},
        pen.draw("rect", "table-back", {"width": max(width, 78), "height": height, "rx": 9}),
        pen.text("table-head", "Dice", x=PAD, y=11.5, text_anchor="start"),
        *drawn,
    )


def yeti_cards(scene: TrackScene, frame: TrackFrame, pen: Pen, scale: float, room: float) -> str:
    """Draw the Yeti cards: those seen since they were shuffled, face up, and the backs of those to come."""
    rows = math.ceil(scene["board"]["cards"] / CARDS_IN_ROW)
    width = CARDS_IN_ROW * CARD_APART[0] - CARD_APART[0] + CARD[0] + 2 * PAD
    height = HEAD + rows * CARD_APART[1] + FOOT + 2
    size = _sized(scale)
    slots: list[int | None] = [*frame["k"], *([0] if frame["w"] == 2 else []), *[None] * frame["r"]]
    return pen.group(
        "table-cards",
        {"transform": f"translate({number(room - EDGE - width * size)} {EDGE}) scale({number(size)})"},
        pen.draw("rect", "table-back", {"width": width, "height": height, "rx": 9}),
        pen.text("table-head", "Yeti cards", x=PAD, y=11.5, text_anchor="start"),
        *(_card(pen, place, value) for place, value in enumerate(slots)),
        pen.text("table-foot", _to_come(frame), x=PAD, y=height - FOOT / 2 - 1, text_anchor="start"),
    )


def _to_come(frame: TrackFrame) -> str:
    """Say what of the Yeti cards is to come."""
    if frame["w"] == 2:
        return "bad weather came"
    return f"{frame['r'] - 1} and bad weather left" if frame["w"] else f"{frame['r']} left"


def _card(pen: Pen, place: int, value: int | None) -> str:
    """Draw a card: how far it sends the Yeti and which way, a cloud for 0, its back for none."""
    x = PAD + place % CARDS_IN_ROW * CARD_APART[0] + CARD[0] / 2
    y = HEAD + place // CARDS_IN_ROW * CARD_APART[1] + CARD[1] / 2 + 1
    box = {"x": -CARD[0] / 2, "y": -CARD[1] / 2, "width": CARD[0], "height": CARD[1], "rx": 3.5}
    if value is None:
        inside = pen.path("card-mark", "M-5-7 5 7M5-7-5 7")
    elif value == 0:
        inside = pen.path("card-cloud", CLOUD) + pen.path("weather-bolt", BOLT)
    else:
        inside = pen.path("card-arrow", UP if value > 0 else DOWN) + pen.text(
            "card-number", str(abs(value)), y=3.5 if value > 0 else -3
        )
    look = "card-back" if value is None else "card-face"
    return pen.group(
        "yeti-card", {"transform": f"translate({number(x)} {number(y)})"}, pen.draw("rect", look, box), inside
    )

"""Mixing colours given as `#rrggbb`, and the scales that charts take them from."""

from dashboards.charts.theme import Palette

__all__ = ["Scale", "diverging", "mixed", "ranked", "readable", "shade", "warming"]

Scale = tuple[tuple[float, str], ...]
"""Colours at places from 0 to 1."""


def mixed(first: str, part: float, second: str) -> str:
    """Return a part of one colour mixed with the rest of another, as `color-mix(in srgb, …)` does."""
    pairs = [(int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def readable(on: str) -> str:
    """Return the colour of text that reads on a colour: black or white, by the contrast of WCAG 2.2."""
    parts = [int(on[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def ranked(colours: Palette, places: int) -> list[str]:
    """Return colours from the first place, strong, to the last, of which 15 % is left."""
    return [mixed(colours.accent, 1 - 0.85 * place / max(places - 1, 1), colours.card) for place in range(places)]


def diverging(colours: Palette) -> Scale:
    """Return the scale from fewer over no difference to more."""
    places = (0.0, 0.35, 0.5, 0.65, 1.0)
    return tuple(zip(places, (*colours.fewer[::-1], colours.card, *colours.more), strict=True))


def warming(colours: Palette) -> Scale:
    """Return the scale from few to many."""
    return tuple((step / (len(colours.heat) - 1), hue) for step, hue in enumerate(colours.heat))


def shade(value: float, scale: Scale, least: float, most: float) -> str:
    """Return the colour that a scale gives a value between two ends."""
    place = min(max((value - least) / (most - least), 0.0), 1.0) if most > least else 0.5
    before = max((step for step in scale if step[0] <= place), default=scale[0])
    after = min((step for step in scale if step[0] >= place), default=scale[-1])
    part = (place - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return mixed(after[1], part, before[1])

"""Draw numbers on the map of a board as static SVG, with a legend."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import sqrt
from typing import Any, Final

from dashboards.boards.map import Land, region_corners, two_tones

__all__ = [
    "STEPS",
    "Layer",
    "Road",
    "attribute",
    "board_map",
    "difference_label",
    "legend",
    "per_hundred",
    "short",
    "side",
    "step_bounds",
    "step_of",
]


Road = tuple[int, int]
THOUSAND: Final = 1000
MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Layer:
    """Numbers by village, by road (its two villages, smaller number first) and by region; other places are unmarked.

    `villages_unit` and the other units name what is counted. In a difference, each number is the first selection minus
    the second; `unsure` are the places without a significant difference.
    """

    villages: Mapping[int, float] = field(default_factory=dict)
    roads: Mapping[Road, float] = field(default_factory=dict)
    regions: Mapping[int, float] = field(default_factory=dict)
    villages_unit: str = ""
    roads_unit: str = ""
    regions_unit: str = ""
    is_difference: bool = False
    unsure: AbstractSet[int | Road] = frozenset()

    def is_sure(self, place: int | Road) -> bool:
        """Return true for any place of a plain count, and for places with a significant difference."""
        return place not in self.unsure

    def less(self, other: "Layer", mine: float, theirs: float) -> "Layer":
        """Return this layer minus another, each per 100 seats; `mine` and `theirs` are their numbers of seats."""
        return Layer(
            _less(self.villages, other.villages, mine, theirs),
            _less(self.roads, other.roads, mine, theirs),
            _less(self.regions, other.regions, mine, theirs),
            f"{self.villages_unit} per 100 seats",
            f"{self.roads_unit} per 100 seats",
            f"{self.regions_unit} per 100 seats",
            is_difference=True,
        )


def per_hundred(count: float, seats: float) -> float:
    """Return a count per 100 seats."""
    return 100 * count / seats if seats else 0.0


def short(count: float) -> str:
    """Shorten a count so that it fits into a disc, for example "12k"."""
    if count < 10 * THOUSAND:
        return f"{count:,.0f}"
    return f"{count / THOUSAND:.0f}k" if count < MILLION else f"{count / MILLION:.1f}M"


def difference_label(value: float) -> str:
    """Format a difference with its sign, so that it can be read without colours."""
    digits = 0 if abs(value) >= 10 else 1
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return "0"
    return ("+" if value > 0 else "\N{MINUS SIGN}") + text


def _less(
    mine: Mapping[Any, float], theirs: Mapping[Any, float], my_seats: float, their_seats: float
) -> dict[Any, float]:
    keys = [*mine, *(key for key in theirs if key not in mine)]
    return {key: per_hundred(mine.get(key, 0), my_seats) - per_hundred(theirs.get(key, 0), their_seats) for key in keys}


STEPS: Final = 5
MARGIN: Final = 40
SMALLEST, LARGEST = 17.0, 32.0
THINNEST, WIDEST = 2.0, 15.0
QUIET: Final = 11.0
"""Radius of a village without a number."""
FAINT: Final = 0.15
"""Share of the greatest difference above which a place is coloured."""
TELLING: Final = 0.34
"""Share of the greatest difference above which a road shows its number."""


def board_map(board: Land, layer: Layer, title: str) -> str:
    """Return the map as an SVG element; `title` describes it to people who cannot see it."""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box(board)}" role="img"',
            f' aria-label="{attribute(title)}">',
            *_land(board, layer),
            *_roads(board, layer),
            *_villages(board, layer),
            *_region_numbers(board, layer),
            "</svg>",
        )
    )


def step_of(count: float, least: float, most: float) -> int:
    """Return the step of a count on the colour scale, from 0 for `least` to `STEPS` - 1 for `most`."""
    return int((count - least) * STEPS // (most - least + 1))


def step_bounds(least: int, most: int) -> list[tuple[int, int]]:
    """Return the least and greatest count of each colour step; in an empty step the greatest is below the least."""
    starts = [least - (-step * (most - least + 1) // STEPS) for step in range(STEPS + 1)]
    return [(start, following - 1) for start, following in pairwise(starts)]


def _box(board: Land) -> str:
    """Return the SVG view box of all villages, with a margin for discs and names."""
    left, right = (pick(village.x for village in board.villages) for pick in (min, max))
    top, bottom = (pick(village.y for village in board.villages) for pick in (min, max))
    return f"{left - MARGIN:g} {top - MARGIN:g} {right - left + 2 * MARGIN:g} {bottom - top + 2.4 * MARGIN:g}"


def _land(board: Land, layer: Layer) -> list[str]:
    corners = {region: villages for region, villages in region_corners(board).items() if villages}
    tones = two_tones(corners)
    points = {village.number: f"{village.x:g},{village.y:g}" for village in board.villages}
    most = max(map(abs, layer.regions.values()), default=0)
    shapes = []
    for region, villages in corners.items():
        outline = f'points="{" ".join(points[number] for number in villages)}"'
        shapes.append(f'<polygon class="land tone-{tones[region] + 1}" {outline}/>')
        value = layer.regions.get(region)
        if value and most and layer.is_sure(region):
            side = ("fewer" if value < 0 else "more") if layer.is_difference else "many"
            shapes.append(
                f'<polygon class="tint tint-{side}" style="--strength:{0.75 * abs(value) / most:.2f}" {outline}/>'
            )
    if layer.regions:
        return shapes
    names = [
        f'<text class="land-name" x="{x:g}" y="{y:g}">region {region}</text>'
        for region, (x, y) in sorted(board.region_labels.items())
    ]
    return shapes + names


def _region_numbers(board: Land, layer: Layer) -> list[str]:
    drawn = []
    for region, (x, y) in sorted(board.region_labels.items()):
        if region not in layer.regions:
            continue
        value = layer.regions[region]
        text = difference_label(value) if layer.is_difference else short(value)
        drawn.append(
            f'<g class="region-number"><title>Region {region}: {_counted(value, layer)} {layer.regions_unit}</title>'
            f'<text class="count" x="{x:g}" y="{y:g}">{text}</text>'
            f'<text class="land-name" x="{x:g}" y="{y:g}" dy="19">region {region}</text></g>'
        )
    return drawn


def _roads(board: Land, layer: Layer) -> list[str]:
    if not layer.roads:
        return [_line(board, road.between, 'class="way way-quiet"', "--width:2.5;--strength:0") for road in board.roads]
    counts = {road.between: layer.roads.get(road.between, 0) for road in board.roads}
    least, most = min(counts.values()), max(counts.values())
    furthest = max(abs(least), abs(most))
    drawn = []
    for road in board.roads:
        count = counts[road.between]
        a, b = road.between
        if layer.is_difference:
            part = abs(count) / furthest if furthest else 0
            look, strength = side(part, count, is_sure=layer.is_sure(road.between)), part
        else:
            part = count / max(most, 1)
            look, strength = "", 0.35 + 0.65 * (count - least) / max(most - least, 1)
        width = THINNEST + (WIDEST - THINNEST) * part
        line = _line(board, road.between, f'class="way {look}"', f"--width:{width:.1f};--strength:{strength:.2f}")
        title = f"Villages {a} and {b}, {road.type} road: {_counted(count, layer)} {layer.roads_unit}"
        number = (
            _road_number(board, road.between, count, look) if look not in {"", "unsure"} and part >= TELLING else ""
        )
        drawn.append(f"<g><title>{title}</title>{line}{number}</g>")
    return drawn


def _line(board: Land, between: Road, look: str, style: str) -> str:
    a, b = (board.villages[number - 1] for number in between)
    return f'<line {look} x1="{a.x:g}" y1="{a.y:g}" x2="{b.x:g}" y2="{b.y:g}" style="{style}"/>'


def _road_number(board: Land, between: Road, count: float, look: str) -> str:
    a, b = (board.villages[number - 1] for number in between)
    return (
        f'<text class="way-number {look}" x="{(a.x + b.x) / 2:g}" y="{(a.y + b.y) / 2:g}">'
        f"{difference_label(count)}</text>"
    )


def _villages(board: Land, layer: Layer) -> list[str]:
    counts: Mapping[int, float] = {
        village.number: layer.villages.get(village.number, 0) for village in board.villages if layer.villages
    }
    least, most = min(counts.values(), default=0), max(counts.values(), default=0)
    furthest = max(abs(least), abs(most))
    discs, names = [], []
    for village in board.villages:
        count = counts.get(village.number)
        if count is None:
            radius, look, text = QUIET, "place-quiet", ""
            label = f"Village {village.number}"
        elif layer.is_difference:
            part = abs(count) / furthest if furthest else 0
            radius, look = (
                SMALLEST + (LARGEST - SMALLEST) * sqrt(part),
                side(part, count, is_sure=layer.is_sure(village.number)),
            )
            text, label = difference_label(count), f"{_counted(count, layer)} {layer.villages_unit}"
        else:
            radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(count / most) if most else SMALLEST
            look, text = f"heat-{step_of(count, least, most)}", short(count)
            label = f"{count:,.0f} {layer.villages_unit}"
        place = f'transform="translate({village.x:g} {village.y:g})" style="--radius-of:{radius:.1f}"'
        number = f'<text class="count">{text}</text>' if text else ""
        title = f"<title>Village {village.number}: {label}</title>" if count is not None else f"<title>{label}</title>"
        discs.append(f'<g class="place {look}" {place}>{title}<circle r="{radius:.1f}"/>{number}</g>')
        names.append(f'<g {place}><text class="name"><tspan>village </tspan>{village.number}</text></g>')
    return discs + names


def side(part: float, count: float, *, is_sure: bool) -> str:
    """Return the CSS class of a difference by sign and size; `part` is its share of the greatest difference."""
    if not is_sure:
        return "unsure"
    if part < FAINT:
        return "same"
    far = 2 if part >= 2 * TELLING else 1
    return f"{'more' if count > 0 else 'fewer'}-{far}"


def _counted(count: float, layer: Layer) -> str:
    return difference_label(count) if layer.is_difference else f"{count:,.0f}"


def attribute(text: str) -> str:
    """Escape a text for use as an attribute value."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def legend(layer: Layer, first: str = "", second: str = "") -> str:
    """Return the legend of a layer; `first` and `second` name the selections of a difference."""
    parts = _difference(layer, first, second) if layer.is_difference else _counts(layer)
    return f'<div class="legend">{"".join(parts)}</div>'


def _counts(layer: Layer) -> list[str]:
    parts = []
    if layer.villages:
        counts = [round(count) for count in layer.villages.values()]
        parts.append(f"<span>{escape(layer.villages_unit.capitalize())}</span>")
        parts += [
            _item(f'<span class="swatch heat-{step}"></span>', f"{low:,}\N{EN DASH}{high:,}")
            for step, (low, high) in enumerate(step_bounds(min(counts), max(counts)))
            if low <= high
        ]
    if layer.roads:
        parts.append(_item('<span class="swatch-road"></span>', f"wider road: more {layer.roads_unit}"))
    if layer.regions:
        parts.append(_item('<span class="swatch heat-2 square"></span>', f"stronger tint: more {layer.regions_unit}"))
    return parts


def _difference(layer: Layer, first: str, second: str) -> list[str]:
    values = [*layer.villages.values(), *layer.roads.values(), *layer.regions.values()]
    most, least = max(values, default=0), min(values, default=0)
    more = f", up to {difference_label(most)}" if most > 0 else " nowhere"
    fewer = f", up to {difference_label(least)}" if least < 0 else " nowhere"
    unit = layer.villages_unit or layer.regions_unit
    parts = [
        f"<span>{escape(unit.capitalize())}</span>",
        _item('<span class="swatch more-2"></span>', f"+ more by {escape(first)}{more}"),
        _item('<span class="swatch same"></span>', "little difference"),
        _item('<span class="swatch unsure"></span>', "no significant difference (Holm, 5%)"),
        _item('<span class="swatch fewer-2"></span>', f"\N{MINUS SIGN} more by {escape(second)}{fewer}"),
    ]
    if layer.roads:
        parts.append("<span>roads: solid + and dashed \N{MINUS SIGN}</span>")
    return parts


def _item(swatch: str, text: str) -> str:
    return f'<span class="legend-item">{swatch}{text}</span>'

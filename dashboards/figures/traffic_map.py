"""The traffic map: villages as discs with their number of arrivals, roads as wide as their journeys, in static SVG.

Only classes and numbers are written here; assets/app.css has the colours, so one drawing serves both schemes.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import sqrt
from typing import Final

from dashboards.replay.faces import region_corners, two_tones
from dashboards.stats.traffic import Traffic
from himalaya_core.caravan.board import Board

__all__ = ["step_bounds", "step_of", "traffic_map"]

STEPS: Final = 5
MARGIN: Final = 40
SMALLEST, LARGEST = 17.0, 32.0
THINNEST, WIDEST = 2.0, 15.0


def traffic_map(found: Traffic, title: str) -> str:
    """Return the map as an SVG element; `title` says what it shows to those who don't see it."""
    arrivals = dict(found.villages.select("village", "arrivals").iter_rows())
    journeys = {(a, b): count for a, b, count in found.roads.select("village_a", "village_b", "journeys").iter_rows()}
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box(found.board)}" role="img"',
            f' aria-label="{_attribute(title)}">',
            _land(found.board),
            *_roads(found.board, journeys),
            *_villages(found.board, arrivals),
            "</svg>",
        )
    )


def step_of(count: int, least: int, most: int) -> int:
    """Return the step of the colour scale, 0 for the fewest to `STEPS` - 1 for the most."""
    return (count - least) * STEPS // (most - least + 1)


def step_bounds(least: int, most: int) -> list[tuple[int, int]]:
    """Return the least and the greatest count of each step; the latter is less than the former in an empty step."""
    starts = [least - (-step * (most - least + 1) // STEPS) for step in range(STEPS + 1)]
    return [(start, following - 1) for start, following in pairwise(starts)]


def _box(board: Board) -> str:
    """Return the part of the plane that the villages fill, with room for discs and names."""
    left, right = (pick(village.x for village in board.villages) for pick in (min, max))
    top, bottom = (pick(village.y for village in board.villages) for pick in (min, max))
    return f"{left - MARGIN:g} {top - MARGIN:g} {right - left + 2 * MARGIN:g} {bottom - top + 2.4 * MARGIN:g}"


def _land(board: Board) -> str:
    corners = {region: villages for region, villages in region_corners(board).items() if villages}
    tones = two_tones(corners)
    points = {village.number: f"{village.x:g},{village.y:g}" for village in board.villages}
    shapes = [
        f'<polygon class="land tone-{tones[region] + 1}" points="{" ".join(points[n] for n in villages)}"/>'
        for region, villages in corners.items()
    ]
    names = [
        f'<text class="land-name" x="{x:g}" y="{y:g}">region {region}</text>'
        for region, (x, y) in sorted(board.region_labels.items())
    ]
    return "".join(shapes + names)


def _roads(board: Board, journeys: Mapping[tuple[int, int], int]) -> list[str]:
    least, most = min(journeys.values()), max(journeys.values())
    drawn = []
    for road in board.roads:
        a, b = (board.villages[number - 1] for number in road.between)
        count = journeys[road.between]
        width = THINNEST + (WIDEST - THINNEST) * count / max(most, 1)
        strength = 0.35 + 0.65 * (count - least) / max(most - least, 1)
        drawn.append(
            f"<g><title>Villages {a.number} and {b.number}, {road.type} road: {count:,} journeys</title>"
            f'<line class="way" x1="{a.x:g}" y1="{a.y:g}" x2="{b.x:g}" y2="{b.y:g}"'
            f' style="--width:{width:.1f};--strength:{strength:.2f}"/></g>'
        )
    return drawn


def _villages(board: Board, arrivals: Mapping[int, int]) -> list[str]:
    least, most = min(arrivals.values()), max(arrivals.values())
    discs, names = [], []
    for village in board.villages:
        count = arrivals[village.number]
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(count / most) if most else SMALLEST
        place = f'transform="translate({village.x:g} {village.y:g})" style="--radius-of:{radius:.1f}"'
        discs.append(
            f'<g class="place heat-{step_of(count, least, most)}" {place}>'
            f"<title>Village {village.number}: {count:,} arrivals</title>"
            f'<circle/><text class="count">{_short(count)}</text></g>'
        )
        names.append(f'<g {place}><text class="name"><tspan>village </tspan>{village.number}</text></g>')
    return discs + names


def _short(count: int) -> str:
    """Write a count so that it fits a disc."""
    if count < 10_000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")

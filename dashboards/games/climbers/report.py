"""The Climbers: how its figures are drawn in print: squares on a map from above, levels turn by turn, shares."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import polars as pl

from dashboards.boards.traffic.board import step_of
from dashboards.boards.traffic.layers import short
from dashboards.charts.canvas import About, DrawFrame, picture, words
from dashboards.charts.frames import by_round, parts_of
from dashboards.charts.svg import colours, element
from dashboards.charts.theme import LIGHT, Palette, Scheme
from dashboards.games.climbers.board import OPENING
from dashboards.games.climbers.figures.levels_by_turn import COURSE
from dashboards.games.climbers.map import extent
from dashboards.stats.words import plain
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader

__all__ = ["climbers_drawings"]

EDGE: Final = 40
ROOM: Final = 34
LETTERS: Final = 13
KEY: Final = "square: climbers that stood on it after a turn; dashed: the cuboid of a generated opening"


def climbers_drawings(_reader: Reader, _where: Filter, frames: Mapping[str, pl.DataFrame]) -> dict[str, DrawFrame]:
    """Return how some figures are drawn, by name; squares are on a map seen from above."""
    drawings: dict[str, DrawFrame] = {
        "levels-by-turn": by_round(COURSE),
        "levels-gained": parts_of("kind", "levels_gained", partial(plain, digits=2)),
        "squares": _map,
    }
    return {name: draw for name, draw in drawings.items() if name in frames and not frames[name].is_empty()}


def _map(about: About, squares: pl.DataFrame, ink: Palette) -> str:
    scheme: Scheme = "light" if ink.card == LIGHT.card else "dark"
    land = colours(scheme)
    stands = {(x, y): count for x, y, count in squares.select("square_x", "square_y", "stands").iter_rows()}
    left, right, low, high = extent(stands)
    least, most = min(stands.values()), max(stands.values())
    wide, tall = (right - left) * EDGE, (high - low) * EDGE
    ground: dict[str, str | float | None] = {"x": ROOM, "y": 0, "width": wide, "height": tall, "fill": land["--land-1"]}
    drawn = [element("rect", ground)]
    for (x, y), count in stands.items():
        step = step_of(count, least, most)
        across, down = ROOM + (x - left) * EDGE, (high - 1 - y) * EDGE
        square: dict[str, str | float | None] = {"x": across, "y": down, "width": EDGE, "height": EDGE}
        square |= {"fill": land[f"--heat-{step}"], "stroke": land["--land-1"]}
        title = element("title", {}, f"Square {plain(x, 0)}, {plain(y, 0)}: {count:,} stands")
        on = land[f"--heat-text-{step}"]
        number = words(short(count), across + EDGE / 2, down + EDGE / 2, on, anchor="middle", size=LETTERS)
        drawn.append(element("g", {}, title, element("rect", square), number))
    edges = OPENING[0] * EDGE, OPENING[1] * EDGE
    corner = ROOM + (-OPENING[0] // 2 - left) * EDGE, (high - OPENING[1] // 2) * EDGE
    outline: dict[str, str | float | None] = {"x": corner[0], "y": corner[1], "width": edges[0], "height": edges[1]}
    drawn.append(element("rect", outline | {"fill": "none", "stroke": ink.text, "stroke-dasharray": "6 5"}))
    names = [
        *(
            words(plain(x, 0), ROOM + (x - left + 0.5) * EDGE, tall + 14, ink.muted, anchor="middle", size=LETTERS)
            for x in range(left, right)
        ),
        *(
            words(plain(y, 0), ROOM / 2, (high - y - 0.5) * EDGE, ink.muted, anchor="middle", size=LETTERS)
            for y in range(low, high)
        ),
    ]
    key = words(KEY, 0, tall + 40, ink.muted, size=LETTERS)
    return picture(about, tall + 56, *drawn, *names, key, width=max(wide + ROOM, 560))

"""Colours and fonts for charts and grids that CSS cannot style, and the colour and shape of each player."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl

__all__ = [
    "DARK",
    "DASHES",
    "FILLS",
    "FONT",
    "GRID_THEME",
    "LIGHT",
    "MANTINE",
    "SHAPES",
    "Palette",
    "Scale",
    "Scheme",
    "Style",
    "diverging",
    "mixed",
    "palette",
    "players_of",
    "pools_begin",
    "ranked",
    "readable",
    "shade",
    "styles",
    "warming",
]


Scheme = Literal["light", "dark"]
FONT: Final = "Inter, system-ui, sans-serif"


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours from assets/app.css that figures need, for one scheme. A colour means one thing on all pages.

    - `series`: colours of players, each used with a different shape.
    - `neutral`: the colour of further players.
    - `players`: the players in the order in which colours are assigned (see `styles`).
    - `influences`: religious, political, economic. Neither these nor `endings` are player colours.
    - `endings`: won, eliminated by the first criterion, eliminated by the second, stayed in and lost.
    - `parts`: parts of a whole that are neither influences nor endings.
    - `heat`: a scale from few to many.
    - `fewer`, `more`: the two ends of a scale; its middle means no difference.
    - `goods`, `goods_line`: the fill and outline of goods cubes.

    Tests in tests/dashboards/charts measure how distinct the colours are.
    """

    card: str
    grid: str
    border: str
    text: str
    muted: str
    accent: str
    influences: tuple[str, str, str]
    endings: tuple[str, str, str, str]
    series: tuple[str, ...]
    neutral: str
    parts: tuple[str, ...]
    heat: tuple[str, ...]
    fewer: tuple[str, str]
    more: tuple[str, str]
    goods: tuple[str, str, str, str, str]
    goods_line: str
    players: tuple[str, ...] = ()


LIGHT: Final = Palette(
    card="#ffffff",
    grid="#e7e5df",
    border="#d8d5cc",
    text="#1b1c25",
    muted="#585d6c",
    accent="#3b5bdb",
    influences=("#969657", "#55a183", "#04325e"),
    endings=("#98cf84", "#d20d1b", "#f6b6bb", "#d0dee8"),
    series=("#e69f00", "#aa3377", "#33bbee", "#117733", "#785ef0", "#2e1008"),
    neutral="#8a919b",
    parts=("#838ead", "#e9df9f", "#37454e", "#b9a59b", "#c9daf6", "#9b7681", "#b0f6e5", "#888969", "#414228"),
    heat=("#fff3cf", "#ffe391", "#fec44f", "#fe9929", "#d95f0e"),
    fewer=("#cfe0f5", "#2b6cb5"),
    more=("#ffe1c2", "#b8480a"),
    goods=("#ffffff", "#ee8a1d", "#3a3a3f", "#2f9e62", "#f6d32d"),
    goods_line="#1b1c25",
)
DARK: Final = Palette(
    card="#1b1d27",
    grid="#2a2d39",
    border="#343846",
    text="#eceef4",
    muted="#a9aebd",
    accent="#8da2ff",
    influences=("#b2b865", "#6db99d", "#2a70d5"),
    endings=("#9cfa6f", "#ec4435", "#f18995", "#4e565a"),
    series=("#f0b429", "#d6609f", "#7cd0f5", "#2e9e5b", "#a08cff", "#fcfcd8"),
    neutral="#818181",
    parts=("#1e526f", "#b0ba85", "#d7b7b5", "#683f29", "#d1d8e2", "#5e7140", "#8d6c73", "#4c454b", "#9b968d"),
    heat=("#2b2820", "#5a4a1c", "#96701d", "#d08f24", "#ffc857"),
    fewer=("#20344d", "#5aa2ec"),
    more=("#4a2d18", "#f0883e"),
    goods=("#ffffff", "#f29a3c", "#08080b", "#43b877", "#f8db4a"),
    goods_line="#eceef4",
)


def palette(scheme: str | None) -> Palette:
    """Return the colours of a scheme, `light` by default."""
    return DARK if scheme == "dark" else LIGHT


MANTINE: Final[Any] = {
    "fontFamily": "var(--font)",
    "fontFamilyMonospace": "var(--font-mono)",
    "primaryColor": "indigo",
    "primaryShade": {"light": 8, "dark": 3},
    "autoContrast": True,
    "defaultRadius": "md",
    "colors": {
        "dark": [
            *("#eceef4", "#c6cad6", "#a9aebd", "#767c8e", "#4a4f60"),
            *("#343846", "#252835", "#1b1d27", "#15161e", "#12131a"),
        ]
    },
    "focusRing": "auto",
    "respectReducedMotion": True,
}

# The grid parses this as text and does not evaluate it. Custom properties let one theme serve both schemes.
GRID_THEME: Final = {
    "function": "themeQuartz.withParams({"
    "accentColor: 'var(--accent)', backgroundColor: 'var(--card)', foregroundColor: 'var(--text)',"
    "headerBackgroundColor: 'var(--card)', headerTextColor: 'var(--muted)', headerFontWeight: 600,"
    "borderColor: 'var(--border)', rowHoverColor: 'var(--raised)', selectedRowBackgroundColor: 'var(--accent-soft)',"
    "fontFamily: 'var(--font)', fontSize: 13, headerFontSize: 12, rowHeight: 38, headerHeight: 38,"
    "wrapperBorder: false, wrapperBorderRadius: 0, columnBorder: false"
    "})"
}


Scale = tuple[tuple[float, str], ...]
"""Colour scale: pairs of a position from 0 to 1 and the colour there."""


def mixed(first: str, part: float, second: str) -> str:
    """Mix two colours like `color-mix(in srgb, …)` in CSS; `part` is the fraction of the first."""
    pairs = [(int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def readable(on: str) -> str:
    """Return black or white, whichever has more contrast on a background colour (WCAG 2.2)."""
    parts = [int(on[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def ranked(colours: Palette, places: int) -> list[str]:
    """Return a colour per place: full strength for the first, fading to 15 % for the last."""
    return [mixed(colours.accent, 1 - 0.85 * place / max(places - 1, 1), colours.card) for place in range(places)]


def diverging(colours: Palette) -> Scale:
    """Return the colour scale from fewer through no difference to more."""
    places = (0.0, 0.35, 0.5, 0.65, 1.0)
    return tuple(zip(places, (*colours.fewer[::-1], colours.card, *colours.more), strict=True))


def warming(colours: Palette) -> Scale:
    """Return the colour scale from few to many."""
    return tuple((step / (len(colours.heat) - 1), hue) for step, hue in enumerate(colours.heat))


def shade(value: float, scale: Scale, least: float, most: float) -> str:
    """Return the colour of a value on a scale from `least` to `most`."""
    place = min(max((value - least) / (most - least), 0.0), 1.0) if most > least else 0.5
    before = max((step for step in scale if step[0] <= place), default=scale[0])
    after = min((step for step in scale if step[0] >= place), default=scale[-1])
    part = (place - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return mixed(after[1], part, before[1])


SHAPES: Final = (
    *("circle", "square", "diamond", "triangle-up", "pentagon", "star"),
    *("cross", "x", "triangle-down", "hexagon", "bowtie", "hourglass", "hexagram", "triangle-left"),
    *("octagon", "triangle-right", "star-square", "diamond-tall", "star-diamond", "diamond-wide"),
)
"""Mark shapes: the first ones belong to the players' colours, the rest to the neutral colour."""
FILLS: Final = ("", "-open", "-dot", "-open-dot")
"""Suffixes to a shape for the kind of filling, as Plotly writes them."""
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
Style = tuple[str, str, str]
"""Colour, shape of mark, and dash pattern of a line."""


def players_of(frame: pl.DataFrame, column: str = "player") -> list[str]:
    """Return the distinct players in row order."""
    return frame[column].unique(maintain_order=True).to_list()


def pools_begin(frame: pl.DataFrame) -> list[int]:
    """Return the indices of rows at which a new pool of players begins."""
    if "pool" not in frame.columns:
        return []
    return [place for place in range(1, frame.height) if frame["pool"][place] != frame["pool"][place - 1]]


def styles(names: Sequence[str], colours: Palette) -> dict[str, Style]:
    """Return the style of each name: a player, or a part of its matches ("trader 1.2", "trader · cup").

    Players in `colours.players` come first, in that order. It covers the whole database, so a player looks the same on
    every page. Other players follow by name. Once the colours are used up, players are neutral, each with a different
    shape. Parts of a player's matches have the player's colour and shape, each with a different filling. Once the
    fillings are used up, the shape changes.
    """
    coloured = set(colours.players)
    owners = {name: _player_in(name, coloured) for name in names}
    order = [*colours.players, *sorted(set(owners.values()) - coloured)]
    places = {player: place for place, player in enumerate(order)}
    parts: dict[str, list[str]] = {}
    for name, player in sorted(owners.items()):
        parts.setdefault(player, []).append(name)
    return {
        name: _style(places[player], part, colours)
        for player, of_player in parts.items()
        for part, name in enumerate(of_player)
    }


def _player_in(name: str, players: set[str]) -> str:
    """Return the player that a name begins with, else the whole name; players' names may contain spaces."""
    words = name.split(" ")
    begun = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((player for player in begun if player in players), name)


def _style(place: int, part: int, colours: Palette) -> Style:
    coloured = len(colours.series)
    if place < coloured:
        shape = SHAPES[(place + part // len(FILLS) * coloured) % len(SHAPES)]
        colour, filled = colours.series[place], part
    else:
        turn, nth = divmod(place - coloured, len(SHAPES) - coloured)
        colour, shape, filled = colours.neutral, SHAPES[coloured + nth], turn + part
    return colour, f"{shape}{FILLS[filled % len(FILLS)]}", DASHES[(max(place - coloured, 0) + part) % len(DASHES)]

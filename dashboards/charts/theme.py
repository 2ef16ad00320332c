"""Colours and type for what CSS cannot reach: Mantine's theme, the grid's theme and Plotly's templates."""

from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["DARK", "FONT", "GRID_THEME", "LIGHT", "MANTINE", "Palette", "Scheme", "palette"]

Scheme = Literal["light", "dark"]
FONT: Final = "Inter, system-ui, sans-serif"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of assets/app.css that a figure needs, for one scheme. A colour means one thing on all pages.

    `series` are the colours of players, each with a different shape, `neutral` that of players beyond them, and
    `players` the order in which they are given out (see `players.py`). No player has those of `influences` (religious,
    political, economic) and of `endings` (won, out by the first two, stayed in and lost). `parts` are those of parts of
    a whole that are neither. `heat` goes from few to many; `fewer` and `more` are the ends of a scale whose middle is
    no difference. `goods` are the cubes, `goods_line` their outline. tests/dashboards/charts measures how far apart
    all these are.
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
    """Return the colours of a scheme; light unless it says dark."""
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

# Read by the grid's own parser, not evaluated. Custom properties make one theme serve both schemes.
GRID_THEME: Final = {
    "function": "themeQuartz.withParams({"
    "accentColor: 'var(--accent)', backgroundColor: 'var(--card)', foregroundColor: 'var(--text)',"
    "headerBackgroundColor: 'var(--card)', headerTextColor: 'var(--muted)', headerFontWeight: 600,"
    "borderColor: 'var(--border)', rowHoverColor: 'var(--raised)', selectedRowBackgroundColor: 'var(--accent-soft)',"
    "fontFamily: 'var(--font)', fontSize: 13, headerFontSize: 12, rowHeight: 38, headerHeight: 38,"
    "wrapperBorder: false, wrapperBorderRadius: 0, columnBorder: false"
    "})"
}

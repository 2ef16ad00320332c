"""Colours and type for what CSS cannot reach: Mantine's theme, the grid's theme and Plotly's templates."""

from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["DARK", "GRID_THEME", "LIGHT", "MANTINE", "Palette", "Scheme", "palette"]

Scheme = Literal["light", "dark"]
FONT: Final = "Inter, system-ui, sans-serif"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of assets/app.css that a figure needs, for one scheme.

    `series` tells players apart; `endings` are won, out religious, out political, outnumbered in yaks.
    """

    card: str
    grid: str
    border: str
    text: str
    muted: str
    accent: str
    series: tuple[str, ...]
    endings: tuple[str, str, str, str]


LIGHT: Final = Palette(
    card="#ffffff",
    grid="#e7e5df",
    border="#d8d5cc",
    text="#1b1c25",
    muted="#585d6c",
    accent="#3b5bdb",
    series=("#e69f00", "#aa3377", "#33bbee", "#117733", "#785ef0", "#6b7080"),
    endings=("#1f7a4d", "#b5651d", "#7a4fa3", "#b9bcc6"),
)
DARK: Final = Palette(
    card="#1b1d27",
    grid="#2a2d39",
    border="#343846",
    text="#eceef4",
    muted="#a9aebd",
    accent="#8da2ff",
    series=("#f0b429", "#d6609f", "#7cd0f5", "#2e9e5b", "#a08cff", "#b4b8c4"),
    endings=("#4fbf87", "#e0a25a", "#b993e6", "#5a5f70"),
)


def palette(scheme: str | None) -> Palette:
    """Return the colours of a scheme; light unless it says dark."""
    return DARK if scheme == "dark" else LIGHT


MANTINE: Final[dict[str, Any]] = {
    "fontFamily": "var(--font)",
    "fontFamilyMonospace": "var(--font-mono)",
    "primaryColor": "indigo",
    "primaryShade": {"light": 8, "dark": 3},
    "autoContrast": True,
    "defaultRadius": "md",
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

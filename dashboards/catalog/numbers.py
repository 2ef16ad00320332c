"""Number formats for the values of figures, shared by tables, sentences and charts."""

import re
from math import isfinite
from typing import Any, Final

from dashboards.catalog.metrics import KEYS, Metric, metric_of
from dashboards.stats.words import signed

__all__ = ["DIGITS", "MISSING", "NAMES", "Kind", "definition_of", "kind_of", "rounded", "written"]

Kind = str
NO_MINUS: Final = re.compile(r"^-(?=[0.]+%?$)")
"""Pattern for the minus sign of a number that rounds to zero."""
MISSING: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
DIGITS: Final = 10
"""Significant digits of numbers in a report's data; further digits vary with the order of addition."""
UNITS: Final = (("share", "share"), ("difference of shares", "points"), ("Elo", "elo"), ("ratio", "ratio"))
NAMES: Final = frozenset({"player", "other", "match", "tournament", "version", "sha256", "game", "board_id"})
"""Columns with texts from users. Other text columns contain our own words, with underscores for spaces."""
OWN: Final = frozenset({"match", "sha256", "version"})
"""Columns of a report's tables that are not in the catalog and, like keys, need no definition."""


def definition_of(column: str) -> Metric | None:
    """Return the metric that a column belongs to; `None` for a column that identifies a row."""
    return None if column in OWN else metric_of(column)


def kind_of(column: str) -> Kind:
    """Return the kind of number in a column: share, points, elo, ratio, p, seat, or number."""
    if column == "seat":
        return "seat"
    if column in KEYS:
        return "number"
    if column.endswith(("_p", "_holm")):
        return "p"
    metric = definition_of(column)
    unit = metric.unit if metric else ""
    return next((kind for start, kind in UNITS if unit.startswith(start)), "number")


def written(column: str, value: Any) -> str:
    """Return a value of a column as formatted text."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(written(column, each) for each in value)
    if not isinstance(value, int | float):
        return str(value) if column in NAMES else str(value).replace("_", " ")
    if not isfinite(value):
        return MISSING if value != value else f"{MINUS if value < 0 else ''}\N{INFINITY}"  # noqa: PLR0124  not a number
    return NO_MINUS.sub("", _number(kind_of(column), value)).replace("-", MINUS)


def _number(kind: Kind, value: float) -> str:
    match kind:
        case "share":
            return f"{value:.1%}"
        case "points":
            return signed(100 * value)
        case "elo":
            return signed(value, 0)
        case "ratio":
            return f"{value:.2f}"
        case "p":
            return "< 0.001" if value < 0.001 else f"{value:.3f}"
        case "seat":
            return str(int(value) + 1)
        case _:
            if isinstance(value, int) or value == int(value):
                return f"{value:,.0f}"
            return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def rounded(value: Any) -> Any:
    """Return a value ready for JSON in a report: floats rounded to ten significant digits, negative zero as zero."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") + 0.0 if isfinite(value) else None
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return str(value)

"""Number formats for sentences: shares, means and differences with their intervals; and the definition of a metric."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

__all__ = [
    "FEW",
    "GROUPED",
    "KORN_GRAUBARD",
    "NOTHING",
    "RESAMPLED",
    "TYPE_7",
    "Metric",
    "bounds",
    "by_name",
    "confidence",
    "how_often",
    "hundredths",
    "interval",
    "mean",
    "opponents",
    "part",
    "percent",
    "plain",
    "points",
    "signed",
    "significant",
    "some",
    "source_of",
    "whole",
]


KORN_GRAUBARD: Final = "Clopper and Pearson 1934, with the effective number of trials of Korn and Graubard 1998"
GROUPED: Final = (
    "Cochran 1977, section 6.3, t with groups − 1 degrees of freedom; score interval for counts (Brown, Cai and"
    " DasGupta 2003)"
)
RESAMPLED: Final = "sign-flip permutation test over seeds (Fisher 1935, section 21), t-test from 100 seeds"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's definition: sentence, formula, source (function and method to cite), meaning of a row, and unit."""

    name: str
    sentence: str
    formula: str
    source: str
    grain: str
    unit: str


def source_of(counted_by: Callable[..., Any], method: str = "") -> str:
    """Return the `source` of a metric: the file of the function that computes it, and the method to cite, if any."""
    place = f"{counted_by.__module__.replace('.', '/')}.py"
    return f"{place}; {method}" if method else place


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return metrics by their names, which must be unique."""
    found = list(metrics)
    names = {metric.name: metric for metric in found}
    assert len(names) == len(found), "a metric is defined once"
    return names


SAYS_LITTLE: Final = 0.75
"""If a share's interval is wider than this, counts are shown instead of the share."""
FEW: Final = "too few seeds for an interval"
NOTHING: Final = "No finished match fits these filters."

MOST_NAMED: Final = 12
MOST_OPPONENTS: Final = 4
Row = Mapping[str, Any]


def percent(value: float, digits: int = 1) -> str:
    """Return a share in per cent."""
    return f"{value:.{digits}%}"


def points(value: float) -> str:
    """Return a difference of shares in percentage points, with its sign."""
    return f"{signed(100 * value)} points"


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, using a typographic minus (−); zero has no sign."""
    text = f"{abs(value):.{digits}f}"
    return text if not float(text) else ("+" if value > 0 else "−") + text


def part(row: Row, name: str, count: int, of: int) -> str:
    """Return a share of matches with its interval, or counts (`3 of 4 matches`) if the interval is too wide."""
    matches = whole(of, "match", "matches")
    if row[f"{name}_high"] - row[f"{name}_low"] > SAYS_LITTLE:
        return f"{count:,} of {matches}"
    return f"{percent(row[name])} of {matches}{bounds(row, name, percent)}"


def plain(value: float, digits: int = 1) -> str:
    """Return a number, with a typographic minus (−) if it is negative after rounding."""
    text = f"{abs(value):.{digits}f}"
    return f"−{text}" if value < 0 and float(text) else text


def hundredths(value: float) -> str:
    """Return a number with two decimals, formatted like `plain`."""
    return plain(value, 2)


def confidence(low: str, high: str) -> str:
    """Return an interval in words: `95% CI 39.2–49.0`, or signed `95% CI −3.0 to +8.0`; per cent is implied."""
    low, high = low.removesuffix("%"), high.removesuffix("%")
    joint = "–" if low[:1].isdigit() and high[:1].isdigit() else " to "
    return f"95% CI {low}{joint}{high}"


def bounds(row: Row, name: str, shown: Callable[[float], str] = plain, also: str = "") -> str:
    """Return the interval to append to a value, as in ` (95% CI 14.0–14.4)`, or a note if there is none.

    `also` is appended to the interval inside the brackets.
    """
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None or not (isfinite(low) and isfinite(high)):
        return f" ({FEW})"
    found = confidence(shown(low), shown(high))
    return f" ({found}; {also})" if also else f" ({found})"


def mean(row: Row, name: str, digits: int = 1, *, sign: bool = False) -> str:
    """Return a mean with its interval, as in `14.2 (95% CI 14.0–14.4)`, or a note if there is none."""
    shown = (lambda value: signed(value, digits)) if sign else (lambda value: plain(value, digits))
    return f"{shown(row[name])}{bounds(row, name, shown)}"


def interval(row: Row, name: str) -> str:
    """Return a difference of shares with its interval, in percentage points: `+4.5 points (95% CI +1.0 to +8.0)`."""
    return f"{points(row[name])}{bounds(row, name, lambda value: signed(100 * value))}"


def significant(row: Row, name: str, level: float = 0.05) -> bool:
    """Return whether a row's p-value, corrected by Holm for all tests made, is significant at `level`."""
    p = row[f"{name}_holm"]
    return p is not None and p <= level


def some(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return names as a list of at most `most`: `a, b`, or `a, b, … and 3 more`."""
    more = len(names) - most
    return f"{', '.join(names[:most])}{f' and {more:,} more' if more > 0 else ''}"


def how_often(count: Any) -> str:
    """Return how often something happened: `once`, `3 times`."""
    return "once" if int(count) == 1 else whole(count, "time")


def opponents(names: Iterable[str]) -> str:
    """Return the opponents of a player as a sorted list of names."""
    return some(sorted(names), MOST_OPPONENTS)


def whole(number: Any, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 match`, `1,200 matches`."""
    return f"{int(number):,} {one if int(number) == 1 else many or one + 's'}"

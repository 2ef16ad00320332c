"""Numeric axes: scales, round ticks and their texts, the same on pages and on paper."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

__all__ = ["Scale", "scale_over"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Linear map of the numbers from `low` to `high` to the coordinates from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a number; numbers outside the range are clipped."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, form: str, most: int = 6) -> list[tuple[float, str]]:
        """Return round numbers within the range, at steps of a `most`-th of it or more, each with its text.

        All texts have as many decimals as the step needs. `form` is "" (plain), ".0%" (per cent) or "+d" (with sign).
        """
        step = _step((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        unit = "%" if form.endswith("%") else ""
        digits = max(0, -floor(log10(step * (100 if unit else 1)) + 1e-9))
        kind = f"{'+' if form.startswith('+') else ''},.{digits}{unit or 'f'}"
        texts = {place: format(place * step, kind).replace("-", "\N{MINUS SIGN}") for place in range(first, last + 1)}
        return [(place * step, text if place else f"0{unit}") for place, text in texts.items()]


def scale_over(values: Iterable[float | None], start: float, end: float) -> Scale:
    """Return a scale over zero and all finite numbers in `values`, with round ends."""
    found = [0.0, *(value for value in values if value is not None and isfinite(value))]
    low, high = min(found), max(found)
    if low == high:
        high = 1.0
    step = _step((high - low) / 6)
    return Scale(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, start, end)


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(part * power for part in (1, 2, 5, 10) if part * power >= least * (1 - 1e-9))

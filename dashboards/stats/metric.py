"""Definition of a metric, and the citations of intervals."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["GROUPED", "KORN_GRAUBARD", "RESAMPLED", "TYPE_7", "Metric", "by_name", "source_of"]

KORN_GRAUBARD: Final = "Clopper and Pearson 1934, with the effective number of trials of Korn and Graubard 1998"
GROUPED: Final = (
    "Cochran 1977, section 6.3, t with groups − 1 degrees of freedom; score interval for counts (Brown, Cai and"
    " DasGupta 2003)"
)
RESAMPLED: Final = "sign-flip permutation test over seeds (Fisher 1935, section 21), t-test from 100 seeds"
TYPE_7: Final = "quartiles: Hyndman and Fan 1996, type 7"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: a sentence, a formula, the place of its method and function, the meaning of one row, and its unit."""

    name: str
    sentence: str
    formula: str
    source: str
    grain: str
    unit: str


def source_of(counted_by: Callable[..., Any], method: str = "") -> str:
    """Return the `source` of a metric: the file of the function that counts it, and the method to cite, if any."""
    place = f"{counted_by.__module__.replace('.', '/')}.py"
    return f"{place}; {method}" if method else place


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return metrics by their names, which are unique."""
    found = list(metrics)
    names = {metric.name: metric for metric in found}
    assert len(names) == len(found), "a metric is defined once"
    return names

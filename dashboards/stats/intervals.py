"""How sure a share is that was counted on few matches."""

from math import sqrt
from typing import Final

__all__ = ["wilson"]

Z95: Final = 1.959963984540054


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % interval by Wilson (1927) of a share; everything is possible without trials."""
    if not trials:
        return 0.0, 1.0
    share, square = successes / trials, Z95**2
    middle = share + square / (2 * trials)
    reach = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    scale = 1 + square / trials
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)

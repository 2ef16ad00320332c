"""Shared by the benchmarks: a cache folder, fair timing, one line of JSON."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "benchmarks"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each run would compile everything again


def seconds(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def percentile(values: list[float], percent: int) -> float:
    """Return the smallest value that is at least as large as `percent` % of all values."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def median(values: list[float], digits: int = 2) -> float:
    """Return the median, rounded for reading."""
    return round(statistics.median(values), digits)


def report(bench: str, **figures: object) -> None:
    """Print the result of a benchmark as one line of JSON."""
    machine = {"python": platform.python_version(), "cores": os.cpu_count()}
    print(json.dumps({"bench": bench, **figures, **machine}), flush=True)

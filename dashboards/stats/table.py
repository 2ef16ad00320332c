"""A figure before it is drawn: what it is called, how it is counted, what its columns are, what it shows in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from dashboards.filters import Filter
from dashboards.queries import Queries

__all__ = ["Table", "interval"]


@dataclass(frozen=True, slots=True)
class Table:
    """One figure. `name` stands in addresses, file names and exports; `section` is strength, why, where or when.

    `frame` counts it under a filter, `columns` are its columns with their headings, in order; each is a key or has a
    metric (`metrics.metric_of`). `finding` says in a sentence what a frame shows, with numbers and intervals. `links`
    is the column whose value narrows the list of matches to those behind a row, if there is one.
    """

    name: str
    title: str
    section: str
    frame: Callable[[Queries, Filter], pl.DataFrame]
    columns: Mapping[str, str]
    finding: Callable[[pl.DataFrame], str]
    links: str = ""


def interval(name: str, heading: str) -> dict[str, str]:
    """Return the columns of a metric with its bounds."""
    return {name: heading, f"{name}_low": "95% from", f"{name}_high": "95% to"}

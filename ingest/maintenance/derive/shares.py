"""Shares of logs that are loaded together: those that name the same matches, or in which matches end alike.

The former may continue, repeat or contradict each other; the latter may be copies. So each share of the logs can be
loaded separately, as if the others did not exist, and the coordinator decides about all names. Each share has its own
range of ids for its matches, as many as its logs name.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from ingest.errors import WarehouseError
from ingest.maintenance.derive.logs import Log
from ingest.maintenance.derive.names import DIGEST

__all__ = ["MOST", "Share", "shares_of"]

MOST: Final = 5_000
"""Maximum matches in a share of logs that need not be together: as many as in a full file of a lake."""
MOST_IDS: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Share:
    """Logs that are loaded together, in order; their matches have ids from `first`, at most `names` of them."""

    first: int
    names: int
    logs: tuple[Log, ...]

    def key(self, about: str) -> str:
        """Return a digest of everything that its rows depend on; `about` is that of the facts common to all shares."""
        return hashlib.sha256(f"{about} {self!r}".encode(errors="surrogateescape")).hexdigest()[:20]


def shares_of(logs: Sequence[Log], found: Sequence[tuple[bytes, bytes]], workers: int) -> list[Share]:
    """Return the shares of logs, given the `names_in` each: two for each worker, unless more logs belong together.

    Raises `WarehouseError` if there are more names than ids.
    """
    counts = [len(names) // DIGEST for names, _ in found]
    if sum(counts) > MOST_IDS:
        raise WarehouseError(
            f"the logs name {sum(counts):,} matches, more than {MOST_IDS:,}; derive them in several lakes"
        )
    most = min(MOST, -(-sum(counts) // (2 * workers)))
    shares, first = list[Share](), 1
    for some in _filled(_together([names + ends for names, ends in found]), counts, most):
        size = sum(counts[place] for place in some)
        shares.append(Share(first, size, tuple(logs[place] for place in some)))
        first += size
    return shares


def _filled(groups: Iterable[list[int]], counts: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the indices of logs, in order, of groups that together have at most so many names."""
    share, size = list[int](), 0
    for group in groups:
        more = sum(counts[place] for place in group)
        if share and size + more > most:
            yield sorted(share)
            share, size = [], 0
        share += group
        size += more
    if share:
        yield sorted(share)


def _together(names: Sequence[bytes]) -> list[list[int]]:
    """Return the indices of logs in groups that share no name or end, in the order of their first ones."""
    leads = list(range(len(names)))

    def lead(place: int) -> int:
        while leads[place] != place:
            leads[place] = place = leads[leads[place]]
        return place

    for places in _shared(names):
        ends = [lead(place) for place in places]
        for end in ends:
            leads[end] = min(ends)
    groups: dict[int, list[int]] = {}
    for place in range(len(names)):
        groups.setdefault(lead(place), []).append(place)
    return list(groups.values())


def _shared(names: Sequence[bytes]) -> list[list[int]]:
    """Return the indices of the logs with the same digest, for each digest that several have."""
    counts = np.array([len(each) // DIGEST for each in names], dtype=np.int64)
    frame = pl.DataFrame(
        {
            "log": np.repeat(np.arange(len(names), dtype=np.uint32), counts),
            "name": np.frombuffer(b"".join(names), dtype=np.uint64),
        }
    )
    shared = frame.filter(pl.col("name").is_duplicated())
    return shared.group_by("name").agg("log").get_column("log").unique().to_list()

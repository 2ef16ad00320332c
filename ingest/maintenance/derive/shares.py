"""Which logs are loaded together: those that name the same matches, or in which matches end alike.

The former may go on with, repeat or contradict each other, the latter may be copies.
So each share of the logs can be loaded by itself, as if the others were not there, and whoever makes the shares decides
about all names. Each has ids of its own for its matches, as many as its logs name.
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
"""Most matches in a share whose logs don't have to be together: as many as in a full file of a lake."""
MOST_IDS: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Share:
    """Logs that are loaded together, in order; their matches have ids from `first` on, `names` of them at most."""

    first: int
    names: int
    logs: tuple[Log, ...]

    def key(self, about: str) -> str:
        """Return a digest of all that its rows follow from; `about` is that of what holds for all shares."""
        return hashlib.sha256(f"{about} {self!r}".encode(errors="surrogateescape")).hexdigest()[:20]


def shares_of(logs: Sequence[Log], found: Sequence[tuple[bytes, bytes]], workers: int) -> list[Share]:
    """Return the shares of logs, given the `names_in` each: two for each worker, but for what belongs together.

    `WarehouseError` if there are more names than ids.
    """
    counts = [len(names) // DIGEST for names, _ in found]
    if sum(counts) > MOST_IDS:
        raise WarehouseError(f"the logs name {sum(counts):,} matches; expected at most {MOST_IDS:,}, derive them apart")
    most = min(MOST, -(-sum(counts) // (2 * workers)))
    shares, first = list[Share](), 1
    for some in _filled(_together([names + ends for names, ends in found]), counts, most):
        size = sum(counts[place] for place in some)
        shares.append(Share(first, size, tuple(logs[place] for place in some)))
        first += size
    return shares


def _filled(groups: Iterable[list[int]], counts: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the places of logs, each in their order, of as many groups as have at most so many names."""
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
    """Return the places of logs in groups that share no name or end, in the order of their first ones."""
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
    """Return the places of the logs that have the same digest, for each that several have."""
    counts = np.array([len(each) // DIGEST for each in names], dtype=np.int64)
    frame = pl.DataFrame(
        {
            "log": np.repeat(np.arange(len(names), dtype=np.uint32), counts),
            "name": np.frombuffer(b"".join(names), dtype=np.uint64),
        }
    )
    shared = frame.filter(pl.col("name").is_duplicated())
    return shared.group_by("name").agg("log").get_column("log").unique().to_list()

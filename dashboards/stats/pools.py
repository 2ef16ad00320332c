"""Pools: players connected by shared tables, directly or through others.

Strength is relative, so players of different pools cannot be compared. Two halves of a pool joined by few matches
hardly can. If one half always finished ahead of the other, nothing limits the distance of their ratings. The likelihood
has no maximum (Ford 1957, American Mathematical Monthly 64), and only the prior of the model keeps it finite.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from dashboards.stats.lineups import Lineups

__all__ = ["Joint", "joints", "one_sided", "pool_numbers", "pools"]

FEW: Final = 5
"""Largest number of matches that counts as a weak joint between two halves of a pool."""


def pools(seats: pl.DataFrame) -> list[list[str]]:
    """Return the pools of players in a frame of `match, player`, the largest first, names in order."""
    tables = seats.group_by("match").agg(pl.col("player").unique().sort())["player"].unique()
    return _connected(tables.to_list())


def pool_numbers(found: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the number of each player's pool, from 1."""
    return {player: number for number, pool in enumerate(found, start=1) for player in pool}


@dataclass(frozen=True, slots=True)
class Joint:
    """Two halves of a pool, and the number of matches in which players of both sat at one table."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    matches: int


def joints(lineups: Lineups) -> list[Joint]:
    """Return the halves of pools that few matches join; tables that met more often connect each half."""
    played = _played(lineups)
    found: dict[frozenset[frozenset[str]], Joint] = {}
    for core in map(frozenset, _connected(table for table, matches in played.items() if matches > FEW)):
        across = sum(matches for table, matches in played.items() if core & table and table - core)
        pool = next(pool for pool in _connected(played) if core <= set(pool))
        rest = frozenset(pool) - core
        if len(core) > 1 and 0 < across <= FEW:
            found.setdefault(frozenset({core, rest}), Joint(tuple(sorted(core)), tuple(sorted(rest)), across))
    return list(found.values())


def one_sided(lineups: Lineups) -> list[Joint]:
    """Return players who always finished ahead of those that they met, and these, or always behind, as `other`.

    `matches` are those in which both sat.
    """
    names = lineups.seats["player"].unique().sort().to_list()
    beats = np.eye(len(names), dtype=bool)
    met = lineups.seats.select("match", "player", "place")
    pairs = met.join(met, on="match", suffix="_other").filter(pl.col("place") <= pl.col("place_other"))
    number = {name: place for place, name in enumerate(names)}
    for player, other in pairs.select("player", "player_other").unique().iter_rows():
        beats[number[player], number[other]] = True
    reach = beats.copy()
    for via in range(len(names)):
        reach |= np.outer(reach[:, via], reach[via])
    played, found = _played(lineups), dict[tuple[tuple[str, ...], tuple[str, ...]], Joint]()
    for same in np.unique(reach & reach.T, axis=0):  # pairs that can be compared without a limit to the distance
        outside = (beats[same] | beats[:, same].T).any(axis=0) & ~same
        half, others = (tuple(np.array(names, dtype=object)[some]) for some in (same, outside))
        if not outside.any():
            continue
        matches = sum(count for table, count in played.items() if table & set(half) and table & set(others))
        if not reach[outside][:, same].any():
            found[half, others] = Joint(half, others, matches)
        elif not reach[same][:, outside].any():
            found[others, half] = Joint(others, half, matches)
    every = list(found.values())
    return [joint for joint in every if not any(_says_more(other, joint) for other in every)]


def _says_more(one: Joint, other: Joint) -> bool:
    """Return whether a joint covers the same players as another, and more."""
    return one != other and set(one.one) >= set(other.one) and set(one.other) >= set(other.other)


def _played(lineups: Lineups) -> dict[frozenset[str], int]:
    """Return the number of matches for each set of players at a table."""
    times = np.bincount(lineups.lineup, minlength=lineups.count)
    tables = lineups.seats.group_by("match").agg("player").sort("match")
    found: dict[frozenset[str], int] = {}
    for match, players in tables.iter_rows():
        found[frozenset(players)] = found.get(frozenset(players), 0) + int(times[match])
    return found


def _connected(tables: Iterable[Iterable[str]]) -> list[list[str]]:
    found: list[set[str]] = []
    for table in tables:
        joined = [pool for pool in found if not pool.isdisjoint(table)]
        found = [pool for pool in found if pool.isdisjoint(table)] + [set(table).union(*joined)]
    return sorted((sorted(pool) for pool in found), key=lambda pool: (-len(pool), pool))

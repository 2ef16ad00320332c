"""Player strengths from complete rankings with ties: the Plackett–Luce model, fitted to all matches together.

A ranking is read as a row of choices: the seats in first place are chosen from all seats of the table, those in the
next place from the rest, and so on. The model is that of Turner, van Etten, Firth and Kosmidis (2020, "Modelling
rankings in R: the PlackettLuce package", Computational Statistics 35, section 2), which generalises Davidson's for
draws. The probability that the set C of t seats is chosen from the seats A is

    P(C | A) = d(t) · (product of a(i) over C)^(1/t)  /  the same summed over all C' of A with at most D seats

where a(i) is the strength of the player in seat i, d(1) = 1, and d(t) measures how common places shared by t seats are;
D is the largest number of seats that shared a place. Without shared places this is Plackett–Luce itself. No Python
package fits this model. choix handles only rankings without ties, for which tests compare this module with it.
openskill and trueskill rate one match after another, so that the order of matches matters.

The prior is that of the same paper (its pseudo-rankings). Each player is given half a win and half a loss against an
invented player of strength 1; each d(t) is treated likewise. This makes the likelihood strictly concave, so it has one
maximum even if players never lost or never met. A few matches outweigh the prior.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PSEUDO", "Choices", "choices", "fit", "information"]

PSEUDO: Final = 0.5
"""Number of wins, and of losses, that the prior gives each player."""
STEPS: Final = 200
CLOSE: Final = 1e-10
"""Newton's method stops after a step expected to gain less log-likelihood than this; each step squares the error."""


@dataclass(frozen=True)
class Choices:
    """Choices made in rankings, counted by seed group.

    - `met` (groups × tables, sparse): how often a group chose from each table. Tables with the same players count as
      the same table.
    - `chosen` (groups × parameters): the choices made. A set of t players counts 1/t for each, and 1 for its size if t
      > 1.
    - `options` (rows × parameters): the sets that can be chosen from each table.
    - `ways`: the number of sets of seats that correspond to each option.
    - `starts`: the first row of each table in `options`.

    Parameters are the players, then the sizes from 2 to D.
    """

    players: tuple[str, ...]
    met: Any
    chosen: "NDArray[np.float64]"
    options: "NDArray[np.float64]"
    ways: "NDArray[np.float64]"
    starts: "NDArray[np.int64]"

    def sampled(self, times: "NDArray[np.float64]") -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
        """Return `met` and `chosen` summed over groups, with each group repeated `times` (samples × groups) times."""
        return np.asarray((self.met.T @ times.T).T), times @ self.chosen


def choices(rows: pl.DataFrame) -> Choices:
    """Return the choices made in scored results (see `results.scored`)."""
    from scipy.sparse import csr_array

    players = sorted(rows["player"].unique())
    groups = {name: number for number, name in enumerate(sorted(rows["group"].unique()))}
    most = int(rows["sharing"].to_numpy().max(initial=1))
    found = list(_made(rows, players, groups))
    tables = sorted({table for table, _, _ in found}, key=lambda table: (len(table), table))
    kinds = {table: number for number, table in enumerate(tables)}
    chosen = np.zeros((len(groups), len(players) + most - 1))
    cells: list[tuple[NDArray[np.int64], int]] = []
    for table, at, sets in found:
        cells.append((at, kinds[table]))
        np.add.at(chosen, at, _features(sets, len(players), most))
    where = np.concatenate([at for at, _ in cells] or [np.empty(0, np.int64)])
    kind = np.concatenate([np.full(len(at), number) for at, number in cells] or [np.empty(0, np.int64)])
    met = csr_array((np.ones(len(where)), (where, kind)), shape=(len(groups), len(tables)))
    options, ways, starts = _options(tables, len(players), most)
    return Choices(tuple(players), met, chosen, options, ways, starts)


def fit(
    data: Choices,
    met: "NDArray[np.float64]",
    chosen: "NDArray[np.float64]",
    start: "NDArray[np.float64] | None" = None,
    pseudo: float = PSEUDO,
) -> "NDArray[np.float64]":
    """Return the logarithms of the most likely parameters for each sample of choices (samples × parameters).

    Newton's method on the concave log-likelihood; a step that would lower it is halved. Strengths are relative to the
    invented player of the prior, so only their differences are meaningful.
    """
    value = np.zeros_like(chosen) if start is None else np.broadcast_to(start, chosen.shape).copy()
    height, slope, bend = _likelihood(data, met, chosen, value, pseudo)
    for _ in range(STEPS):
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        gain = (slope * step).sum(1)
        size = np.ones((len(value), 1))
        new = _likelihood(data, met, chosen, value + step, pseudo)
        while (lower := ~(new[0] >= height - 1e-9 * (1 + np.abs(height)))).any():
            size[lower] /= 2
            new = _likelihood(data, met, chosen, value + size * step, pseudo)
        value = value + size * step
        height, slope, bend = new
        if gain.max(initial=0.0) < CLOSE:
            return value
    raise ArithmeticError("the strengths did not converge")


def information(
    data: Choices,
    met: "NDArray[np.float64]",
    chosen: "NDArray[np.float64]",
    value: "NDArray[np.float64]",
    pseudo: float,
) -> "NDArray[np.float64]":
    """Return the information matrices: negative second derivatives (samples × parameters × parameters)."""
    return _likelihood(data, met, chosen, value, pseudo)[2]


def _likelihood(
    data: Choices,
    met: "NDArray[np.float64]",
    chosen: "NDArray[np.float64]",
    value: "NDArray[np.float64]",
    pseudo: float,
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]"]:
    """Return the log-likelihood of each sample, its gradient, and its negative matrix of second derivatives."""
    samples, parameters = value.shape
    sigmoid = np.exp(-np.logaddexp(0, -value))
    height = (value * chosen).sum(1) + pseudo * (value - 2 * np.logaddexp(0, value)).sum(1)
    slope = chosen + pseudo * (1 - 2 * sigmoid)
    bend = np.zeros((samples, parameters, parameters))
    bend[:, range(parameters), range(parameters)] = 2 * pseudo * sigmoid * (1 - sigmoid)
    if not len(data.starts):
        return height, slope, bend
    kind = np.repeat(np.arange(len(data.starts)), np.diff([*data.starts, len(data.options)]))
    worth = value @ data.options.T + np.log(data.ways)
    peak = np.maximum.reduceat(worth, data.starts, axis=1)
    likely = np.exp(worth - peak[:, kind])
    total = np.add.reduceat(likely, data.starts, axis=1)
    likely /= total[:, kind]
    mean = np.add.reduceat(likely[:, :, None] * data.options, data.starts, axis=1)
    height = height - (met * (peak + np.log(total))).sum(1)
    slope = slope - np.einsum("bk,bkp->bp", met, mean)
    squares = np.einsum("rp,rq->rpq", data.options, data.options).reshape(len(data.options), -1)
    bend += ((met[:, kind] * likely) @ squares).reshape(bend.shape)
    bend -= np.matmul((met[:, :, None] * mean).transpose(0, 2, 1), mean)
    return height, slope, bend


def _made(
    rows: pl.DataFrame, players: list[str], groups: dict[str, int]
) -> Iterator[tuple[tuple[int, ...], "NDArray[np.int64]", "NDArray[np.int64]"]]:
    """For each distinct table, yield the groups that chose from it, once per choice, and the chosen sets.

    A set is a row of player numbers, padded with −1. A table with one set left is skipped, because there is no choice.
    """
    numbers = {name: number for number, name in enumerate(players)}
    order = rows.select(
        "players",
        "match",
        "place",
        pl.col("player").replace_strict(numbers, return_dtype=pl.Int64),
        pl.col("group").replace_strict(groups, return_dtype=pl.Int64),
    ).sort("players", "match", "place", "player")
    for (size,), part in order.group_by(["players"], maintain_order=True):
        wide = (-1, int(str(size)))
        who, place = part["player"].to_numpy().reshape(wide), part["place"].to_numpy().reshape(wide)
        group = part["group"].to_numpy().reshape(wide)[:, 0]
        for first in range(wide[1] - 1):
            begins = place[:, first] != place[:, first - 1] if first else np.ones(len(who), bool)
            rest = np.sort(who[begins, first:], axis=1)
            taken = np.where(place[begins, first:] == place[begins, first : first + 1], who[begins, first:], -1)
            tables, kind = np.unique(rest, axis=0, return_inverse=True)
            for number, table in enumerate(tables):
                here = kind.reshape(-1) == number
                yield tuple(int(player) for player in table), group[begins][here], taken[here]


def _features(sets: "NDArray[np.int64]", players: int, most: int) -> "NDArray[np.float64]":
    """Return the parameters of each set: 1/t for each of its t players, and 1 for its size if t > 1."""
    sizes = (sets >= 0).sum(1)
    features = np.zeros((len(sets), players + most - 1))
    rows, columns = np.nonzero(sets >= 0)
    np.add.at(features, (rows, sets[rows, columns]), 1 / sizes[rows])
    shared = np.nonzero(sizes > 1)[0]
    features[shared, players + sizes[shared] - 2] = 1
    return features


def _options(
    tables: list[tuple[int, ...]], players: int, most: int
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.int64]"]:
    """Return the sets that can be chosen from each table, the ways to seat each set, and each table's first row."""
    rows: list[NDArray[np.float64]] = []
    ways: list[int] = []
    starts: list[int] = []
    for table in tables:
        starts.append(len(rows))
        sets: dict[tuple[int, ...], int] = {}
        for size in range(1, min(most, len(table)) + 1):
            for seats in combinations(table, size):
                sets[seats] = sets.get(seats, 0) + 1
        for seats, number in sets.items():
            rows.append(_features(np.array([seats]), players, most)[0])
            ways.append(number)
    empty = np.empty((0, players + most - 1))
    return np.vstack(rows) if rows else empty, np.array(ways, float), np.array(starts, np.int64)

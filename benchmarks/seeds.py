"""Gain in precision from shared seeds when two players are compared.

A group is a set of matches: one line-up in each of its seatings. Its result is the difference between the two players
in that group, in wins and in places. The variance over many groups is measured twice: with one seed for all matches of
a group, and with a different seed for each match. The ratio of the variances shows how many times as many matches are
needed for the same precision without shared seeds.

`table`: both players sit at the same table. `chair`: each plays alone against the same rivals, in every seat. `pair`:
each plays alone against the same rivals in the same seat, so that a group is two matches.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.match import Match, run
from himalaya_core.players.named import make_player
from himalaya_core.pool import ordered
from himalaya_core.seed import Seed
from himalaya_core.tournament.plan import Pairing, Schedule, Seating, tables
from measure import report

CARAVAN = GAMES["caravan"]
Result = dict[str, tuple[float, float]]
"""Each player's share of the win, and its place, from 1; shared places are averaged."""


def result(pairing: Pairing) -> Result:
    """Play a match and return each player's result."""
    match = Match(CARAVAN, shipped_board("caravan"), {"players": len(pairing.players)})
    names = enumerate(pairing.players)
    run(
        match,
        [make_player(CARAVAN, name, f"{pairing.seed}|{name}|{seat}") for seat, name in names],
        Seed(pairing.seed),
    )
    assert match.outcome is not None, "a match that was played to its end has an outcome"
    found: Result = {}
    place = 1
    for group in match.outcome.ranking:
        for seat in group:
            found[pairing.players[seat]] = ((place == 1) / len(group), place + (len(group) - 1) / 2)
        place += len(group)
    return found


def seatings(one: str, other: str, field: Sequence[str], seating: Seating) -> dict[str, list[tuple[str, ...]]]:
    """Return the seatings of one group for each kind of comparison."""

    def seated(*players: str) -> list[tuple[str, ...]]:
        return tables(Schedule.FIXED, seating, players, len(players))

    return {
        "table": seated(one, other, *field[:2]),
        "chair": [*seated(one, *field), *seated(other, *field)],
        "pair": [(one, *field), (other, *field)],
    }


def differences(
    group: list[tuple[str, ...]], groups: int, seed: Callable[[int, int], str], pair: tuple[str, str], jobs: int
) -> tuple[list[float], list[float]]:
    """Return each group's difference in wins and in places."""
    pairings = [Pairing("m", table, seed(number, turn)) for number in range(groups) for turn, table in enumerate(group)]
    results = ordered(result, pairings, jobs)
    nothing = (0.0, 0.0)

    def sums() -> Iterator[tuple[float, float]]:
        for _ in range(groups):
            rows = list(islice(results, len(group)))
            pairs = [(row.get(pair[0], nothing), row.get(pair[1], nothing)) for row in rows]
            yield sum(a[0] - b[0] for a, b in pairs), sum(b[1] - a[1] for a, b in pairs)

    wins, places = zip(*sums(), strict=True)
    return list(wins), list(places)


def main() -> None:
    """Play the groups with shared and with separate seeds, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", default="trader")
    parser.add_argument("--other", default="greedy")
    parser.add_argument("--field", default="pilgrim,envoy,balanced", help="the others, of which a table takes two")
    parser.add_argument("--groups", type=int, default=300)
    parser.add_argument("--seating", default="rotate", type=Seating, choices=list(Seating))
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    figures: dict[str, object] = {}
    for name, group in seatings(given.one, given.other, given.field.split(","), given.seating).items():
        settings = ((given.one, given.other), given.jobs)
        shared = differences(group, given.groups, lambda number, _: f"luck/{number}", *settings)
        apart = differences(group, given.groups, lambda number, turn: f"luck/{number}/{turn}", *settings)
        for what, together, alone in zip(("wins", "places"), shared, apart, strict=True):
            variances = statistics.variance(alone), statistics.variance(together)
            figures[f"{name}_{what}_ratio"] = round(variances[0] / variances[1], 2)
            figures[f"{name}_{what}_variance"] = {"own": round(variances[0], 2), "shared": round(variances[1], 2)}
            means = statistics.mean(alone), statistics.mean(together)
            figures[f"{name}_{what}_mean"] = {"own": round(means[0], 2), "shared": round(means[1], 2)}
    error = round(100 * (4 / (given.groups - 1)) ** 0.5)
    report(
        "seeds",
        **figures,
        error_percent=error,
        players=f"{given.one} beside {given.other}",
        seating=given.seating,
        groups=given.groups,
    )


if __name__ == "__main__":
    main()

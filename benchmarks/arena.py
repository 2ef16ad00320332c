"""Throughput of a tournament with two processes, relative to one process.

Runs with one and with two processes alternate. Each pair gives one ratio, and the median is reported. The time to start
the processes is included. The ratio is only meaningful on two free cores.
"""

import argparse
import tempfile
from pathlib import Path

from himalaya_core.tournament.runner import Plan, run_tournament
from measure import median, report, seconds


def matches_per_second(players: tuple[str, ...], matches: int, jobs: int) -> float:
    """Return the rate of one tournament, from the first match to the last file closed."""
    plan = Plan(name="bench", game="caravan", players=players, matches=matches)
    with tempfile.TemporaryDirectory() as folder:
        return matches / seconds(lambda: run_tournament(plan, Path(folder), jobs))


def main() -> None:
    """Alternate runs with one and two processes, and report the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", default="greedy,pilgrim,envoy,trader")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--passes", type=int, default=3)
    given = parser.parse_args()
    players = tuple(given.players.split(","))
    matches_per_second(players, given.jobs * 4, given.jobs)
    ones: list[float] = []
    many: list[float] = []
    for _ in range(given.passes):
        ones.append(matches_per_second(players, given.matches, 1))
        many.append(matches_per_second(players, given.matches, given.jobs))
    ratios = [fast / slow for slow, fast in zip(ones, many, strict=True)]
    report(
        "arena",
        ratio=median(ratios),
        aim=">= 1.8",
        ratios=[round(ratio, 2) for ratio in ratios],
        jobs=given.jobs,
        matches=given.matches,
        players=given.players,
        one_matches_per_s=median(ones, 1),
        many_matches_per_s=median(many, 1),
    )


if __name__ == "__main__":
    main()

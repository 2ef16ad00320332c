"""Every player against every other: two of each at a table of four, seats rotating, the same luck for every pair.

    python benchmarks/crosstable.py [--matches 400] [--jobs 2] [--players A,B,C] [--out FOLDER]

Prints a table of win shares (row against column; a shared win counts by half) with the half-width of its 95 % Wilson
interval, and one of how often the row was eliminated by religious and by political influence. Resumes from FOLDER.
"""

import argparse
import json
from collections import Counter
from itertools import combinations
from math import sqrt
from pathlib import Path

from himalaya_core.arena.tournament import Plan, run_tournament
from himalaya_core.files import read_lines
from himalaya_core.players import PLAYERS


def play_pair(pair: tuple[str, str], matches: int, jobs: int, folder: Path) -> Counter[tuple[str, str]]:
    """Play a pair and count, for each of the two: won (in halves), and out by which influence."""
    name = f"{pair[0]}-{pair[1]}"
    plan = Plan("cross", "caravan", (*pair, *pair), matches)
    counts: Counter[tuple[str, str]] = Counter()
    for path in run_tournament(plan, folder / name, jobs):
        players: list[str] = []
        for line in read_lines(path):
            if b'"type":"match_started"' in line:
                players = [seat["player"] for seat in json.loads(line)["data"]["seats"]]
            elif b'"type":"eliminated"' in line:
                event = json.loads(line)
                counts[players[event["seat"]], event["data"]["influence"]] += 1
            elif b'"type":"match_ended"' in line:
                winners = {players[seat] for seat in json.loads(line)["data"]["ranking"][0]}
                for winner in winners:
                    counts[winner, "won"] += 2 // len(winners)
    return counts


def half_width(share: float, matches: int) -> float:
    """Return half the width of the 95 % Wilson interval of a share."""
    z = 1.96
    return z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches)) / (1 + z * z / matches)


def main() -> None:
    """Play what is missing and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--players", default=",".join(PLAYERS["caravan"]))
    parser.add_argument("--out", type=Path, default=Path(".cache/crosstable"))
    arguments = parser.parse_args()
    players = arguments.players.split(",")
    pairs = {
        pair: play_pair(pair, arguments.matches, arguments.jobs, arguments.out) for pair in combinations(players, 2)
    }
    print(f"| {arguments.matches} matches a pair | {' | '.join(players)} | out religious | out political |")
    print("|---" * (len(players) + 3) + "|")
    for row in players:
        cells = []
        out: Counter[str] = Counter()
        for column in players:
            if row == column:
                cells.append("–")
                continue
            counts = pairs.get((row, column)) or pairs[column, row]
            share = counts[row, "won"] / 2 / arguments.matches
            cells.append(f"{share:.0%} ± {half_width(share, arguments.matches):.0%}")
            out.update({influence: counts[row, influence] for influence in ("religious", "political")})
        seats = 2 * arguments.matches * (len(players) - 1)
        print(f"| {row} | {' | '.join(cells)} | {out['religious'] / seats:.0%} | {out['political'] / seats:.0%} |")


if __name__ == "__main__":
    main()

"""Every player against every other: two copies of each at a table of four, in rotated seats, on shared seeds.

    python benchmarks/crosstable.py [--game caravan] [--matches 400] [--jobs 2] [--players A,B,C] [--out FOLDER]

Prints a table of win shares, row against column, with 95 % Wilson intervals. A shared win counts half. The intervals
treat matches as independent, although matches of one seed are not quite. The table also shows other results of the
row's player: in caravan, eliminations by religious and by political influence; in summit, the share of matches ended by
bad weather; in climbers, the average height reached. Resumes from FOLDER.
"""

import argparse
import json
from collections import Counter
from itertools import combinations
from math import sqrt
from pathlib import Path

from himalaya_core.files import read_lines
from himalaya_core.players import PLAYERS
from himalaya_core.tournament.runner import Plan, run_tournament

COUNTED = {
    "caravan": {"religious": ".0%", "political": ".0%"},
    "summit": {"bad_weather": ".0%"},
    "climbers": {"level": ".1f"},
}
"""Statistics per seat other than wins, with their format: eliminations by kind of influence, an event, or a figure."""


def play_pair(game: str, pair: tuple[str, str], matches: int, jobs: int, folder: Path) -> Counter[tuple[str, str]]:
    """Play one pair of players; return for both the wins (in halves) and the game's other statistics."""
    name = f"{pair[0]}-{pair[1]}"
    plan = Plan("cross", game, (*pair, *pair), matches)
    counts: Counter[tuple[str, str]] = Counter()
    for path in run_tournament(plan, folder / name, jobs):
        players: list[str] = []
        for line in read_lines(path):
            if b'"type":"match_started"' in line:
                players = [seat["player"] for seat in json.loads(line)["data"]["seats"]]
            elif b'"type":"eliminated"' in line:
                event = json.loads(line)
                counts[players[event["seat"]], event["data"]["influence"]] += 1
            elif b'"type":"bad_weather"' in line:
                counts.update((player, "bad_weather") for player in players)
            elif b'"type":"match_ended"' in line:
                data = json.loads(line)["data"]
                for player, figures in zip(players, data["scores"], strict=True):
                    counts[player, "level"] += figures.get("level", 0)
                winners = {players[seat] for seat in data["ranking"][0]}
                for winner in winners:
                    counts[winner, "won"] += 2 // len(winners)
    return counts


def limits(share: float, matches: int) -> tuple[float, float]:
    """Return the limits of the 95 % Wilson interval of a share."""
    z = 1.96
    middle = share + z * z / (2 * matches)
    reach = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    low, high = ((middle + side * reach) / (1 + z * z / matches) for side in (-1, 1))
    return max(low, 0.0), min(high, 1.0)


def main() -> None:
    """Play the missing matches and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--game", choices=sorted(COUNTED), default="caravan")
    parser.add_argument("--players", help="default: all of the game")
    parser.add_argument("--out", type=Path, default=Path(".cache/crosstable"))
    arguments = parser.parse_args()
    game, counted = arguments.game, COUNTED[arguments.game]
    players = arguments.players.split(",") if arguments.players else list(PLAYERS[game])
    folder = arguments.out / game
    pairs = {
        pair: play_pair(game, pair, arguments.matches, arguments.jobs, folder) for pair in combinations(players, 2)
    }
    heads = [*players, *(name.replace("_", " ") for name in counted)]
    print(f"| {arguments.matches} matches a pair | {' | '.join(heads)} |")
    print("|---" * (len(heads) + 1) + "|")
    for row in players:
        cells = []
        out: Counter[str] = Counter()
        for column in players:
            if row == column:
                cells.append("–")
                continue
            counts = pairs.get((row, column)) or pairs[column, row]
            share = counts[row, "won"] / 2 / arguments.matches
            low, high = limits(share, arguments.matches)
            cells.append(f"{share:.0%} ({100 * low:.0f}\N{EN DASH}{100 * high:.0f})")
            out.update({name: counts[row, name] for name in counted})
        seats = 2 * arguments.matches * (len(players) - 1)
        cells += [format(out[name] / seats, how) for name, how in counted.items()]
        print(f"| {row} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

"""Catanatron for comparison in `play.py`: actions per second of random players, with JSON output.

Usage: python catanatron_play.py RRRR GAMES json

Runs in its own environment, which has catanatron installed.
"""

import json
import random
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

RUNS = 5


def actions_per_second(catanatron: Any, encoder: Any, games: int, run: int) -> float:
    """Play this many games, write them as JSON, and return the actions per second."""
    colours = list(catanatron.Color)
    actions = 0
    start = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(games):
            players = [catanatron.RandomPlayer(colour) for colour in colours]
            random.shuffle(players)
            game = catanatron.Game(players, seed=1000 * run + number)
            game.play()
            Path(folder, f"{number}.json").write_text(json.dumps(game, cls=encoder))
            actions += len(game.state.actions)
        return actions / (perf_counter() - start)


def main() -> None:
    """Warm up, run five times, print the median."""
    import catanatron  # pyright: ignore[reportMissingImports]  # only there in the peer's environment
    from catanatron.json import GameEncoder  # pyright: ignore[reportMissingImports]

    games = int(sys.argv[2])
    actions_per_second(catanatron, GameEncoder, max(2, games // 10), 0)
    runs = [actions_per_second(catanatron, GameEncoder, games, run) for run in range(1, RUNS + 1)]
    print(json.dumps({"actions_per_s": round(median(runs), 1)}))


if __name__ == "__main__":
    main()

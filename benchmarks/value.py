"""Time to compute win probabilities for each decision of a few matches, in milliseconds; the target is 0.5.

The terrain cache of climbers is cleared before each position. Times are processor times.
"""

import argparse
import time

from himalaya_core.api import play
from himalaya_core.climbers.terrain import forget_terrains
from himalaya_core.games import GAMES
from himalaya_core.winprob.key_moments import decisions
from himalaya_core.winprob.model import chances, shipped
from measure import median, percentile, report

PLAYERS = {
    "caravan": ("trader", "pilgrim", "greedy", "envoy", "trader", "greedy"),
    "summit": ("racer", "porter", "greedy", "racer", "porter"),
    "climbers": ("greedy", "greedy", "greedy", "greedy", "greedy"),
}
"""The largest line-up of each game, as every seat adds to the time."""


def main() -> None:
    """Measure each game and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3)
    matches = parser.parse_args().matches
    for game, players in PLAYERS.items():
        model, spent = shipped(GAMES[game]), list[float]()
        assert model is not None, f"a model of {game} ships"
        for number in range(matches):
            replay = play(game, players, seed=f"value-{number}").replay
            for index in decisions(replay):
                forget_terrains()
                start = time.process_time()
                chances(model, replay.states[index])
                spent.append(1e3 * (time.process_time() - start))
        report("value", game=game, positions=len(spent), ms=median(spent, 3), p95_ms=round(percentile(spent, 95), 3))


if __name__ == "__main__":
    main()

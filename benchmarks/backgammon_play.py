"""OpenSpiel's backgammon for comparison in `play.py`: C++ rules, played from Python by random choices.

python backgammon_play.py GAMES

Prints one JSON line with `actions_per_s`, the median of five runs after a warm-up. Only players' actions count, not
dice rolls. Nothing is written to disk.
"""

import json
import random
import sys
from statistics import median
from time import perf_counter
from typing import Any

RUNS = 5


def actions_per_second(game: Any, games: int, run: int) -> float:
    """Play some games and return the number of actions per second."""
    source = random.Random(run)
    start = perf_counter()
    actions = sum(_played(game, source) for _ in range(games))
    return actions / (perf_counter() - start)


def _played(game: Any, source: random.Random) -> int:
    """Play one game and return the number of actions in it."""
    state, actions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(source.choices(outcomes, weights)[0])
        else:
            state.apply_action(source.choice(state.legal_actions()))
            actions += 1
    return actions


def main() -> None:
    """Warm up, run five times, print the median."""
    import pyspiel  # pyright: ignore[reportMissingImports]  # only there in the peer's environment

    games = int(sys.argv[1])
    game = pyspiel.load_game("backgammon")
    actions_per_second(game, max(1, games // 10), 0)
    runs = [actions_per_second(game, games, run) for run in range(1, RUNS + 1)]
    print(json.dumps({"actions_per_s": round(median(runs), 1)}))


if __name__ == "__main__":
    main()

"""Time to list all block moves of a turn, relative to the naive listing in the tests, and to check one move.

The positions come from a few matches: those in which a player had to move a block. The two listings alternate for each
position and give one ratio; the median is reported. Like any other action, a move is checked directly, without the
listing. Times are processor times of one process that never waits.
"""

import argparse
import gc
import random
import time
from collections.abc import Callable
from functools import partial
from statistics import mean

from himalaya_core.boards import shipped_board
from himalaya_core.climbers import CLIMBERS
from himalaya_core.climbers.pieces import Phase
from himalaya_core.climbers.rules import decide, legal_actions
from himalaya_core.climbers.state import State
from himalaya_core.climbers.terrain import forget_terrains
from himalaya_core.match import Match, run
from himalaya_core.players.named import make_player
from himalaya_core.seed import Seed
from measure import median, percentile, report
from tests.core.climbers.naive import naive_moves

LINE_UP = ("greedy", "random", "greedy", "random")


def positions(matches: int, count: int) -> list[State]:
    """Return positions in which a block had to be moved, spaced evenly over some matches."""
    found: list[State] = []
    for number in range(matches):
        match = Match(CLIMBERS, shipped_board("climbers"), {"players": len(LINE_UP)})
        players = [make_player(CLIMBERS, name, f"{number}|{seat}") for seat, name in enumerate(LINE_UP)]
        run(match, players, Seed(f"bench {number}"))
        found += [step.state for step in match.history if step.state.phase is Phase.BLOCK]
    return found[:: max(1, len(found) // count)][:count]


def listed(state: State) -> int:
    """List all actions, creating each one, and return their number."""
    return len(list(legal_actions(state, state.active)))


def naively(state: State) -> int:
    """Return the number of moves in the naive listing."""
    discs, side = state.disc_blocks, state.board.side
    return sum(1 for _ in naive_moves(state.board.blocks, state.poses, state.climbers, discs, state.last_moved, side))


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call with an empty terrain cache."""
    forget_terrains()
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def main() -> None:
    """Time both listings and decisions, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--decisions", type=int, default=50, help="at each position")
    given = parser.parse_args()
    draws = random.Random("climbers")
    ours, ratios, counts, decisions = [], [], [], []
    for state in positions(given.matches, given.positions):
        gc.collect()
        ours.append(milliseconds(partial(listed, state)))
        ratios.append(milliseconds(partial(naively, state)) / ours[-1])
        actions = legal_actions(state, state.active)
        counts.append(len(actions))
        some = draws.sample(actions, min(given.decisions, len(actions)))
        decisions += [milliseconds(partial(decide, state, action)) for action in some]
    report(
        "climbers",
        ratio=median(ratios, 1),
        aim="list <= 20 ms, decide <= 1 ms",
        list_ms=median(ours),
        list_p95_ms=round(percentile(ours, 95), 2),
        moves=round(mean(counts)),
        most_moves=max(counts),
        positions=len(ours),
        decide_ms=median(decisions, 3),
        decide_p95_ms=round(percentile(decisions, 95), 3),
    )


if __name__ == "__main__":
    main()

"""Cost of a branch: 200 pairs of playouts from the middle of a match, one action, and one legality check.

`pairs`: caravan with four `greedy` players, from the middle of a match. Measured as wall-clock time with two new
processes, and as processor time of one process that plays all pairs. `ratio` compares this with an ordinary series of
200 matches from the same position; 2 means no overhead.

`move`: in every game, from fifty positions: read the log, start the branch, and carry out the match's next action. This
is the engine's part of a response. `check`: decide whether one action is legal, as when a user turns a block. Processor
time is more reliable than wall-clock time on a busy machine.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

from himalaya_core.api import PlayedMatch, play
from himalaya_core.players.named import make_player
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.tournament.branch import Branch, begin
from himalaya_core.tournament.playouts import paired, played_on
from himalaya_core.winprob.key_moments import decisions
from measure import median, percentile, report, seconds

PLAYED = {"caravan": 4, "summit": 4, "climbers": 2}
PLACES = 50


def spent(work: Callable[[], object]) -> float:
    """Return the processor time of one call, in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def pairs(played: PlayedMatch, samples: int, passes: int) -> dict[str, float]:
    """Return the seconds needed to play pairs from the middle of a match."""
    replay = played.replay
    ends = list(decisions(replay))
    branch = begin(replay, ends[len(ends) // 2])

    def series() -> None:
        for number in range(samples):
            players = [make_player(replay.game, "greedy", f"{number}|{seat}") for seat in range(4)]
            played_on(replay.game, branch.state, players, Seed(str(number)))

    def play_out(jobs: int) -> None:
        for _ in paired(branch, None, samples, jobs):
            pass

    clock, processor, alone = list[float](), list[float](), list[float]()
    for _ in range(passes):
        alone.append(spent(series))
        processor.append(spent(lambda: play_out(1)))
        clock.append(seconds(lambda: play_out(2)))
    return {
        "pairs_s": median(clock),
        "pairs_processor_s": median(processor),
        "series_processor_s": median(alone),
        "ratio": round(median(processor, 4) / median(alone, 4), 1),
    }


def move(played: PlayedMatch, seq: int, action: Any) -> Branch:
    """Read a match up to an event, start a branch there, and carry out an action."""
    return begin(Replay.read(BytesIO(played.log), played.match.board), seq).play(action)


def moves(played: PlayedMatch) -> tuple[list[float], list[float]]:
    """Return milliseconds per position: to carry out an action from the log, and only to check it."""
    game, replay = played.match.game, played.replay
    ends = [end for end in decisions(replay) if end + 2 < len(replay.entries)]
    carried_out, decided = list[float](), list[float]()
    for seq in ends[:: max(1, len(ends) // PLACES)][:PLACES]:
        action, state = replay.entries[seq + 1].action, replay.states[seq]
        carried_out.append(1000 * spent(partial(move, played, seq, action)))
        decided.append(1000 * spent(partial(game.decide, state, action)))
    return carried_out, decided


def main() -> None:
    """Play a match of each game and branch from it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--passes", type=int, default=5)
    given = parser.parse_args()
    figures: dict[str, object] = {}
    for name, seats in PLAYED.items():
        played = play(name, ["greedy"] * seats, seed="branches")
        if name == "caravan":
            figures |= pairs(played, given.samples, given.passes)
        carried_out, decided = moves(played)
        figures[f"{name}_move_p95_ms"] = round(percentile(carried_out, 95), 1)
        figures[f"{name}_check_p95_ms"] = round(percentile(decided, 95), 2)
    aims = {"pairs_s": "< 3", "move_p95_ms": "< 100", "check_p95_ms": "< 20"}
    report("branches", aims=aims, samples=given.samples, **figures)


if __name__ == "__main__":
    main()

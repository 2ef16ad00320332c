"""Events played and logged per second by one process, beside catanatron's actions with its JSON written.

Four random players each. The peer runs in an environment of its own; the passes alternate, each gives one ratio, and
the median counts.
"""

import argparse
import tempfile
from pathlib import Path

from peers import actions_per_second

from himalaya_core.arena.tournament import Plan, run_tournament
from himalaya_core.files import read_lines
from measure import median, report, seconds

PEER = "catanatron==3.2.1"
PEER_SCRIPT = Path(__file__).with_name("catanatron_play.py")
RUNS_PER_PASS = 5


def our_events_per_second(matches: int, number: int) -> float:
    """Return the events per second of one tournament, from the first match to the last file closed."""
    plan = Plan(name=f"bench-{number}", game="caravan", players=("random",) * 4, matches=matches)
    with tempfile.TemporaryDirectory() as folder:
        taken = seconds(lambda: run_tournament(plan, Path(folder), jobs=1))
        events = sum(1 for log in Path(folder).glob("*.jsonl*") for _ in read_lines(log))
    return events / taken


def main() -> None:
    """Alternate ours and the peer's, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--peer-script", type=Path, default=PEER_SCRIPT, help="prints actions_per_s (default: %(default)s)"
    )
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--matches", type=int, default=100, help="ours, in each run")
    parser.add_argument("--peer-games", type=int, default=20, help="the peer's, in each run")
    given = parser.parse_args()
    our_events_per_second(given.matches // 10, 0)
    ours: list[float] = []
    peers: list[float] = []
    for one_pass in range(given.passes):
        runs = [our_events_per_second(given.matches, one_pass * RUNS_PER_PASS + run) for run in range(RUNS_PER_PASS)]
        ours.append(median(runs))
        words = ["RRRR", str(given.peer_games), "json"]
        peers.append(actions_per_second(PEER, given.peer_script.resolve(), words))
    ratios = [our / peer for our, peer in zip(ours, peers, strict=True)]
    report(
        "play",
        ratio=median(ratios),
        aim=">= 2",
        ratios=[round(ratio, 2) for ratio in ratios],
        events_per_s=median(ours, 0),
        peer_actions_per_s=median(peers, 0),
        peer=f"{PEER} RRRR json",
    )


if __name__ == "__main__":
    main()

"""Events verified per second by `himalaya verify` in one process, relative to python-chess checking moves of PGN games.

Each match is verified only once, so nothing is cached. Each side is one process that never waits, and times are
processor times, so other load matters little. The two sides alternate; each pass gives one ratio, and the median is
reported.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from peers import actions_per_second

from himalaya_core.tournament.verify_files import verdicts
from measure import median, report
from played import packed_logs

PEER = "chess==1.11.2"
PEER_SCRIPT = Path(__file__).with_name("chess_replay.py")
FILES = 2


def our_events_per_second(logs: Sequence[Path]) -> float:
    """Return the events per second of verifying whole files, including reading."""
    start = time.process_time()
    found = list(verdicts(logs, None, 1))
    taken = time.process_time() - start
    assert all(verdict.fault is None and verdict.other_dice is None for verdict in found), "the logs are clean"
    return sum(verdict.events for verdict in found) / taken


def main() -> None:
    """Alternate our verification and python-chess, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--game", choices=["caravan", "summit", "climbers"], default="caravan")
    parser.add_argument("--matches", type=int, default=2000, help="of the tournament the files are taken from")
    parser.add_argument("--peer-games", type=int, default=30)
    given = parser.parse_args()
    files = sorted(packed_logs(given.matches, given.game).glob("*.jsonl.zst"))
    our_events_per_second(files[-1:])
    ours, peers = [], []
    for number in range(given.passes):
        ours.append(our_events_per_second(files[number * FILES : (number + 1) * FILES]))
        peers.append(actions_per_second(PEER, PEER_SCRIPT, [str(given.peer_games)]))
    ratios = [our / peer for our, peer in zip(ours, peers, strict=True)]
    report(
        "judge",
        game=given.game,
        ratio=median(ratios),
        aim=">= 2",
        ratios=[round(ratio, 2) for ratio in ratios],
        events_per_s=median(ours, 0),
        peer_actions_per_s=median(peers, 0),
        peer=f"{PEER}, replay of PGN",
    )


if __name__ == "__main__":
    main()

"""Events played and logged per second by one process, relative to two other programs.

All have four random players, except backgammon. The others are catanatron with JSON output, and OpenSpiel's backgammon
with C++ rules and without output; their actions are counted. They run in their own environments. The programs
alternate; each pass gives one ratio per program, and the medians are reported.
"""

import argparse
import tempfile
from pathlib import Path

from peers import actions_per_second

from himalaya_core.files import read_lines
from himalaya_core.tournament.runner import Plan, run_tournament
from measure import median, report, seconds

RUNS_PER_PASS = 5
PEERS = {
    "catanatron": ("catanatron==3.2.1", "catanatron_play.py", ("RRRR", "20", "json")),
    "backgammon": ("open_spiel==2.0.2", "backgammon_play.py", ("100",)),
}
AIMS = {"catanatron": ">= 4", "backgammon": ">= 1.5"}


def our_events_per_second(matches: int, number: int) -> float:
    """Return the events per second of one tournament, from the first match to the last file closed."""
    plan = Plan(name=f"bench-{number}", game="caravan", players=("random",) * 4, matches=matches)
    with tempfile.TemporaryDirectory() as folder:
        taken = seconds(lambda: run_tournament(plan, Path(folder), jobs=1))
        events = sum(1 for log in Path(folder).glob("*.jsonl*") for _ in read_lines(log))
    return events / taken


def main() -> None:
    """Alternate our program and the others, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--matches", type=int, default=100, help="ours, in each run")
    given = parser.parse_args()
    our_events_per_second(given.matches // 10, 0)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in PEERS}
    for one_pass in range(given.passes):
        runs = [our_events_per_second(given.matches, one_pass * RUNS_PER_PASS + run) for run in range(RUNS_PER_PASS)]
        ours.append(median(runs))
        for name, (peer, script, words) in PEERS.items():
            theirs[name].append(actions_per_second(peer, Path(__file__).with_name(script).resolve(), words))
    ratios = {name: [our / their for our, their in zip(ours, each, strict=True)] for name, each in theirs.items()}
    report(
        "play",
        ratio={name: median(each) for name, each in ratios.items()},
        aim=AIMS,
        ratios={name: [round(ratio, 2) for ratio in each] for name, each in ratios.items()},
        events_per_s=median(ours, 0),
        peer_actions_per_s={name: median(each, 0) for name, each in theirs.items()},
        peers={name: " ".join((peer, *words)) for name, (peer, _, words) in PEERS.items()},
    )


if __name__ == "__main__":
    main()

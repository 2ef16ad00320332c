"""Time to create a lake from logs: `himalaya derive`, relative to `himalaya ingest` plus `himalaya lake`.

The second way loads the logs into one file with one writer, and exports the same Parquet files from it. Both ways
verify every match. They alternate, and the median of the ratios is reported.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from measure import CACHE, median, report, seconds
from played import count_lines, packed_logs, plain_logs

HIMALAYA = [sys.executable, "-c", "import sys; from himalaya_core.cli.main import main; sys.exit(main())"]
WORKERS = (1, 2)


def run(*arguments: str | Path) -> None:
    """Run a command in its own process."""
    subprocess.run([*HIMALAYA, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def by_warehouse(logs: Path, folder: Path) -> None:
    """Load the logs into a database, and write the lake from it."""
    run("ingest", logs, "--db", folder / "w.duckdb")
    run("lake", folder / "lake", "--db", folder / "w.duckdb")


def derived(logs: Path, folder: Path, workers: int) -> None:
    """Derive the lake from the logs."""
    run("derive", logs, "--out", folder / "lake", "--on", f"local:{workers}")


def main() -> None:
    """Alternate both ways to create the lake, and report the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="some 500 events each")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    logs = packed_logs(given.matches)
    ways = {"warehouse": by_warehouse} | {f"local:{count}": partial(derived, workers=count) for count in WORKERS}
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(given.runs):
        for name, make in ways.items():
            folder = Path(tempfile.mkdtemp(dir=CACHE))
            took[name].append(seconds(lambda: make(logs, folder)))  # noqa: B023
            shutil.rmtree(folder)
    ratios = {
        name: [theirs / ours for ours, theirs in zip(took[name], took["warehouse"], strict=True)] for name in took
    }
    report(
        "derive",
        ratio={name: median(each) for name, each in ratios.items()},
        seconds={name: median(each) for name, each in took.items()},
        events=count_lines(plain_logs(given.matches)),
    )


if __name__ == "__main__":
    main()

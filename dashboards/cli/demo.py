"""The command `himalaya demo`: it plays tournaments of mixed strategies, then loads and serves their logs."""

import argparse
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from dashboards.cli.serve import add_address, say
from himalaya_core.cli.command import Parser, command, positive
from himalaya_core.cli.progress import progress_bar
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.opening import open_warehouse
from ingest.pipeline import ingest

__all__ = ["add_demo"]

PLANS: Final = (
    Plan("four-ways", "caravan", ("planner", "pilgrim", "trader", "greedy"), 44),
    Plan("four-ways-tokens", "caravan", ("planner", "pilgrim", "trader", "greedy"), 20, {"tokens": True}),
    Plan("specialists", "caravan", ("pilgrim", "envoy", "trader"), 54),
    Plan("newcomers", "caravan", ("random", "greedy", "envoy", "random"), 52),
    Plan("ropes", "summit", ("search", "porter", "greedy", "random"), 24),
    Plan("towers", "climbers", ("search", "greedy", "random"), 6),
)
PAGES: Final = ("/", "/matches", "/tournaments", "/intake", "/glossary", "/_dash-layout")
PAGES_BY_GAME: Final = ("/analysis/compare", "/analysis", "/analysis/where")
TABLES: Final = {
    "caravan": ("matches", "win-share", "ratings", "villages", "roads", "endings"),
    "summit": ("matches", "win-share", "ratings", "fields", "dice", "outcomes"),
    "climbers": ("matches", "win-share", "ratings", "levels", "levels-stood", "ways-to-win"),
}
"""Names of the figures that the demonstration requests for each game, to check that all respond."""
SAMPLES: Final = Path(__file__).parents[2] / "logs"
SERVE: Final = (sys.executable, "-P", "-m", "himalaya_core.cli.main", "serve")
ANSWER_SECONDS: Final = 60


def add_demo(parser: Parser) -> None:
    """Add the command's arguments to its parser."""
    command(parser, _demo, "himalaya demo --port 8050")
    parser.add_argument("--dir", default=Path("demo"), type=Path, help="write logs and database here (default: demo)")
    parser.add_argument(
        "--jobs",
        default=os.cpu_count() or 1,
        type=positive,
        metavar="N",
        help="play with N processes (default: one for each core)",
    )
    parser.add_argument("--once", action="store_true", help="request every page once, report the answers, and stop")
    add_address(parser)


def _demo(options: argparse.Namespace) -> int:
    """Play, ingest and serve; return the exit code. Existing logs and data in the folder are kept."""
    from dashboards.server import serve  # imports all pages, which would slow down `--help`
    from dashboards.web.policy import Policy

    folder: Path = options.dir
    logs, database = folder / "logs", folder / "himalaya.duckdb"
    folder.mkdir(parents=True, exist_ok=True)
    open_warehouse(database).close()  # fail before anything is played if the database cannot be opened
    for plan in PLANS:
        with progress_bar(f"playing {plan.name}", plan.matches) as progress:
            run_tournament(plan, logs / plan.name, options.jobs, progress)
    samples = [SAMPLES] if any(SAMPLES.glob("**/*.jsonl.zst")) else []
    if samples:
        say(f"loading these matches, and the sample matches in {SAMPLES}")
    say(str(ingest([logs, *samples], database)))
    if options.once:
        address = ("--host", options.host, "--port", str(options.port), *["--public-read"] * options.public_read)
        return _serve_once((*SERVE, "--db", str(database), *address))
    serve(
        database,
        options.host,
        options.port,
        lambda address: say(f"Himalaya is at {address} (Ctrl-C stops it)"),
        say=say,
        policy=Policy(public_read=options.public_read),
    )
    return 0


def _serve_once(arguments: Sequence[str]) -> int:
    """Serve in another process, request every page, and print the results."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  our own command
        try:
            assert server.stdout is not None, "the output is a pipe"
            announced = re.search(r"http://\S+", server.stdout.readline())
            return _ask(announced[0].rstrip("/")) if announced else server.wait()
        finally:
            server.terminate()


def _ask(address: str) -> int:
    """Request every page, and the data behind each; return the exit code."""
    failed = 0
    paths = [*PAGES, *(f"{page}?game={game}" for game in TABLES for page in PAGES_BY_GAME)]
    matches = [next(f"{plan.name}.000000" for plan in PLANS if plan.game == game) for game in TABLES]
    for path in (*paths, *(f"/replay?match={match}&ply=0" for match in matches)):
        failed += _answer(address + path, lambda body: f"{len(body):,} bytes")
    for match in matches:
        url = f"{address}/api/replay/{match}"
        failed += _answer(url, lambda body: f"{len(json.loads(body)['frames']):,} frames")
    for game, tables in TABLES.items():
        for table in tables:
            url = f"{address}/csv/{table}.csv?game={game}"
            failed += _answer(url, lambda body: f"{len(body.splitlines()) - 1:,} rows")
    return 1 if failed else 0


def _answer(url: str, measure: Callable[[bytes], str]) -> bool:
    """Request one address, print the answer, and return whether it failed."""
    try:
        with urllib.request.urlopen(url, timeout=ANSWER_SECONDS) as answer:  # noqa: S310  our own server
            say(f"{url}: {answer.status}, {measure(answer.read())}")
    except (urllib.error.URLError, ValueError, KeyError) as error:
        say(f"{url}: failed: {error}")
        return True
    return False

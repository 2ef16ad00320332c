"""Response time of a server when a user tries an action on a branch, and when an action is only checked.

A match of each game is loaded and served. A branch is started from each of fifty positions. The match's next action is
sent over one connection, as a page does. `check` is the time to check that action, `move` the time of the response with
everything the page draws. `block_check` and `block_move` are the same for block moves in climbers.

Then the same match is recorded entry by entry. `draft_move` is the response time of its last fifty entries; by then the
recording is on disk. Times are wall-clock, from the first byte sent to the last byte received.
"""

import argparse
import gzip
import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from branches import PLACES, PLAYED

from dashboards.replay.branch_document import write_action
from himalaya_core.api import PlayedMatch, play
from himalaya_core.replay import Replay
from himalaya_core.winprob.key_moments import decisions
from measure import percentile, report

BLOCK = "move_block"
NOT_NOW = 429
"""Status for a client that exceeds the rate limit."""


@contextmanager
def served(logs: list[Path], folder: Path) -> Iterator[http.client.HTTPConnection]:
    """Yield a connection to a server that serves these logs."""
    database, command = folder / "served.duckdb", (sys.executable, "-m", "himalaya_core.cli.main")
    subprocess.run([*command, "ingest", *map(str, logs), "--db", str(database)], check=True, capture_output=True)
    port = 18_351
    serving = subprocess.Popen([*command, "serve", "--db", str(database), "--port", str(port)], stdout=subprocess.PIPE)
    try:
        until = time.monotonic() + 60
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().read() is not None:
                    break
            except OSError:
                assert time.monotonic() < until, "the server does not answer"
                time.sleep(0.2)
        yield connection
    finally:
        serving.terminate()
        serving.wait()


def posted(connection: http.client.HTTPConnection, path: str, body: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Send a POST request; return the response time in milliseconds, and the response."""
    text = json.dumps(body)
    start = time.perf_counter()
    connection.request("POST", path, text, {"Content-Type": "application/json", "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    found = answer.read()
    took = 1000 * (time.perf_counter() - start)
    if answer.status == NOT_NOW:
        time.sleep(float(answer.headers["Retry-After"]))
        return posted(connection, path, body)
    if answer.headers["Content-Encoding"] == "gzip":
        found = gzip.decompress(found)
    assert answer.status in {200, 201}, found[:200]
    return took, json.loads(found)


def answers(connection: http.client.HTTPConnection, replay: Replay) -> dict[str, list[float]]:
    """Return response times in milliseconds by kind (moves and checks), from positions throughout a match."""
    match, took = replay.entries[0].match, dict[str, list[float]]()
    ends = [end for end in decisions(replay) if end + 2 < len(replay.entries)]
    for seq in ends[:: max(1, len(ends) // PLACES)][:PLACES]:
        branch = {"format": 1, "match": match, "seq": seq, "luck": None, "nodes": [], "at": -1}
        _, begun = posted(connection, "/api/branches", branch)
        action = write_action(replay.game, replay.entries[seq + 1].action)
        if replay.entries[seq + 1].action is None or "seat" not in action:
            continue
        kind = "block_" if action["type"] == BLOCK else ""
        took.setdefault(f"{kind}check", []).append(
            posted(connection, "/api/branches/check", {**begun["branch"], "action": action})[0]
        )
        took.setdefault(f"{kind}move", []).append(
            posted(connection, "/api/branches", {**begun["branch"], "then": {"action": action}})[0]
        )
    return took


def entries(connection: http.client.HTTPConnection, replay: Replay) -> list[float]:
    """Record a match, and return the response times of its last entries in milliseconds."""
    header = replay.header
    options = {key: value for key, value in header.options.items() if key != "players"}
    seats = [{"name": f"Player {info.seat + 1}"} for info in header.seats]
    _, state = posted(connection, "/api/records", {"game": header.game, "options": options, "seats": seats})
    path, took = f"/api/records/{state['id']}/actions", list[float]()
    for entry in replay.entries:
        if entry.action is not None:
            body = {"expects": state["changes"], "action": write_action(replay.game, entry.action)}
            spent, state = posted(connection, path, body)
            took.append(spent)
    return took[-PLACES:]


def main() -> None:
    """Serve a match of each game and try its own actions."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played: dict[str, PlayedMatch] = {
            game: play(game, ["greedy"] * seats, seed=f"branches-{game}", out=folder / f"{game}.jsonl")
            for game, seats in PLAYED.items()
        }
        with served([folder / f"{game}.jsonl" for game in played], folder) as connection:
            for game, match in played.items():
                measured = answers(connection, match.replay)
                for what, took in {**measured, "draft_move": entries(connection, match.replay)}.items():
                    figures[f"{game}_{what}_p50_ms"] = round(percentile(took, 50), 1)
                    figures[f"{game}_{what}_p95_ms"] = round(percentile(took, 95), 1)
    report(
        "branch_answers",
        aims={"move_p95_ms": "<= 100", "draft_move_p95_ms": "<= 100", "block_check_p95_ms": "<= 20"},
        **figures,
    )


if __name__ == "__main__":
    main()

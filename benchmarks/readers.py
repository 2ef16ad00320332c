"""Response times for fifty readers of a server: idle, and while `himalaya ingest` loads a million events into it.

Each reader requests a page's data, waits for a second, and requests the next: the list of matches, villages, endings,
influence by round, the log of a match. The result is the p95 of all response times, relative to the same readers on the
same server before the ingest. Response times after the ingest are also reported: pages over more matches take longer,
and the ingest itself does not cause that part of the ratio.
"""

import argparse
import http.client
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from measure import CACHE, percentile, report
from played import multiplied_logs, plain_logs

HIMALAYA = Path(sys.executable).with_name("himalaya")
READERS = 50
THINKING = 1.0
PATIENCE = 60.0
PAGES = ("/api/matches?start=0&stop=100", "/csv/villages.csv", "/csv/endings.csv", "/csv/influence-by-round.csv")
LOG = "/api/matches/bench.{:06}"


@contextmanager
def serving(database: Path, *options: str) -> Iterator[str]:
    """Serve a database; yield the host and port."""
    command = [HIMALAYA, "serve", "--db", database, "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://([\d.:]+)", server.stdout.readline())
            assert found, "the server did not start"
            yield found[1]
        finally:
            server.terminate()


def read(address: str, matches: int, number: int, done: threading.Event) -> list[float]:
    """Request pages until stopped; return the response times in milliseconds."""
    chance, took = random.Random(number), list[float]()
    server = http.client.HTTPConnection(address, timeout=PATIENCE)
    done.wait(chance.uniform(0, THINKING))
    while not done.is_set():
        path = chance.choice((*PAGES, LOG.format(chance.randrange(matches))))
        start = time.perf_counter()
        try:
            server.request("GET", path)
            answer = server.getresponse()
            answer.read()
            assert answer.status == http.HTTPStatus.OK, f"{path}: {answer.status}"
        except TimeoutError:  # counts as a response with this duration
            server.close()
        took.append(1000 * (time.perf_counter() - start))
        done.wait(THINKING)
    return took


@contextmanager
def reading(address: str, matches: int) -> Iterator[list[float]]:
    """Run fifty readers while the block runs; then the yielded list has their response times."""
    done, took = threading.Event(), list[float]()
    with ThreadPoolExecutor(READERS) as pool:
        readers = [pool.submit(read, address, matches, number, done) for number in range(READERS)]
        try:
            yield took
        finally:
            done.set()
        for reader in readers:
            took += reader.result()


def figures(times: list[float]) -> dict[str, float]:
    """Return summary statistics of a list of times."""
    return {"answers": len(times), "p50": round(percentile(times, 50), 1), "p95": round(percentile(times, 95), 1)}


def main() -> None:
    """Measure the readers before and during an ingest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--served", type=int, default=200, help="matches in the database before; 2000 for the figures")
    parser.add_argument("--matches", type=int, default=200, help="matches to ingest; 2000 for the figures")
    parser.add_argument("--seconds", type=float, default=10, help="how long the readers read alone")
    given = parser.parse_args()
    served, handed = plain_logs(given.served), multiplied_logs(given.matches, 1)
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        database = Path(made) / "served.duckdb"
        ingest = [HIMALAYA, "ingest", "--db", database]
        subprocess.run([*ingest, served], check=True, capture_output=True)
        with serving(database) as address:
            with reading(address, given.served):
                time.sleep(2)  # the first requests fill caches
            with reading(address, given.served) as idle:
                time.sleep(given.seconds)
            start = time.perf_counter()
            with reading(address, given.served) as busy:
                done = subprocess.run([*ingest, handed], check=True, capture_output=True, text=True)
            took = time.perf_counter() - start
            with reading(address, given.served) as after:
                time.sleep(given.seconds)
    assert "which does the work" in done.stderr
    report(
        "readers",
        ratio=round(percentile(busy, 95) / percentile(idle, 95), 2),
        aim="<= 2",
        idle_ms=figures(idle),
        busy_ms=figures(busy),
        after_ms=figures(after),
        ingest_s=round(took, 1),
        ingested=done.stdout.splitlines()[0],
    )


if __name__ == "__main__":
    main()

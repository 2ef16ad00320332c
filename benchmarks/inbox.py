"""Time for a server to load matches sent by twenty clients, relative to `himalaya ingest` of the same files.

Each client posts one match per request over its own connection, and retries when the server asks for it. Time runs from
the first request to the last receipt with the state *taken*. Both warehouses must end up with the same rows.
"""

import argparse
import http.client
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import CACHE, ROOT, percentile, report, seconds
from played import single_logs
from readers import serving

sys.path.insert(0, str(ROOT))
from tests.ingest.alike import unlike

HIMALAYA = Path(sys.executable).with_name("himalaya")
ACCEPTED = {http.HTTPStatus.OK, http.HTTPStatus.ACCEPTED}
REVIEWS = {"dim_reviews", "fct_values", "fct_moments", "fct_causes", "fct_seat_causes"}
"""Tables that a server fills in the background, so their content depends on timing."""
LATER = {http.HTTPStatus.TOO_MANY_REQUESTS, http.HTTPStatus.SERVICE_UNAVAILABLE}


def send(address: str, files: list[Path]) -> tuple[list[float], int]:
    """Post files one by one; return each response time in milliseconds, and how often the server asked for a retry."""
    took, later = list[float](), 0
    server = http.client.HTTPConnection(address, timeout=300)
    for file in files:
        body = file.read_bytes()
        while True:
            start = time.perf_counter()
            server.request("POST", "/api/logs", body)
            answer = server.getresponse()
            said = answer.read()
            if answer.status in ACCEPTED:
                took.append(1000 * (time.perf_counter() - start))
                break
            assert answer.status in LATER, said
            later += 1
            time.sleep(float(answer.headers["Retry-After"]))
    return took, later


def taken_in(database: Path) -> None:
    """Wait until the inbox is empty."""
    inbox = database.with_name(f"{database.name}.inbox")
    pause = threading.Event()
    while any(inbox.iterdir()):
        pause.wait(0.05)


def main() -> None:
    """Measure the command, then the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=5000, help="some 500 events each")
    parser.add_argument("--senders", type=int, default=20)
    parser.add_argument("--option", action="append", default=[], metavar="WORDS", help="of `himalaya serve`")
    given = parser.parse_args()
    logs = single_logs(given.matches)
    files = sorted(logs.iterdir())
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        bulk, sent = Path(made) / "bulk.duckdb", Path(made) / "sent.duckdb"
        bulk_s = seconds(
            lambda: subprocess.run([HIMALAYA, "ingest", "--db", bulk, logs], check=True, capture_output=True)
        )
        options = [word for words in given.option for word in words.split()]
        with serving(sent, *options) as address, ThreadPoolExecutor(given.senders) as pool:
            start = time.perf_counter()
            shares = [files[number :: given.senders] for number in range(given.senders)]
            answers = list(pool.map(send, [address] * given.senders, shares))
            accepted_s = time.perf_counter() - start
            taken_in(sent)
            sent_s = time.perf_counter() - start
        took = [each for times, _ in answers for each in times]
        sizes = {name: database.stat().st_size for name, database in (("bulk", bulk), ("sent", sent))}
        report(
            "inbox",
            ratio=round(sent_s / bulk_s, 2),
            size_ratio=round(sizes["sent"] / sizes["bulk"], 2),
            aims={"ratio": "<= 3", "size_ratio": "<= 1.3", "unlike": {}},
            unlike={table: rows for table, rows in unlike(sent, bulk).items() if table not in REVIEWS},
            matches=len(files),
            bulk_s=round(bulk_s, 1),
            sent_s=round(sent_s, 1),
            accepted_s=round(accepted_s, 1),
            answer_ms={"p50": round(percentile(took, 50), 1), "p95": round(percentile(took, 95), 1)},
            later=sum(later for _, later in answers),
            mb={name: round(size / 1e6, 1) for name, size in sizes.items()},
        )


if __name__ == "__main__":
    main()

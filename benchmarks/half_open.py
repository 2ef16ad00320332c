"""Response times for fifty readers of a server while other clients hold a thousand stalled connections to it.

The readers are those of `readers.py`. A quarter of the connections each sends nothing, half a header, half a body, or
requests plotly.js without reading it. Connections closed by the server are opened again. The connections come from a
separate process: first from one address, then from many. The result is the p95 of the response times, relative to the
same readers on the same server without stalled connections. Both measurements alternate.
"""

import argparse
import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from measure import CACHE, percentile, report
from played import plain_logs
from readers import HIMALAYA, figures, reading, serving

HALF_OPEN = 1000
AGAIN = 5.0
"""Seconds in which all connections are opened, and after which a closed connection is opened again."""
SCRIPT = "/_dash-component-suites/plotly/package_data/plotly.min.js"
"""A response larger than all socket buffers."""
ESTABLISHED = 1
HEAD = "Host: localhost\r\nUser-Agent: half-open\r\n"
KINDS: Final = (
    b"",
    f"GET / HTTP/1.1\r\n{HEAD}".encode(),
    f"POST /api/replay HTTP/1.1\r\n{HEAD}Content-Length: 100000\r\n\r\n{'x' * 50_000}".encode(),
    f"GET {SCRIPT} HTTP/1.1\r\n{HEAD}\r\n".encode(),
)
SOURCES: Final = {"one": ("127.0.0.2",), "many": tuple(f"127.0.{1 + n // 250}.{1 + n % 250}" for n in range(HALF_OPEN))}


async def hold(port: int, source: str, sent: bytes, open_now: set[int], number: int) -> None:
    """Hold one connection, reopening it when closed."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(AGAIN * number / HALF_OPEN)
    while True:
        with suppress(OSError), socket.socket() as line:
            line.settimeout(0)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.bind((source, 0))
            await loop.sock_connect(line, ("127.0.0.1", port))
            await loop.sock_sendall(line, sent)
            open_now.add(number)
            while not is_closed(line):  # noqa: ASYNC110  only reading would show it
                await asyncio.sleep(1)
        open_now.discard(number)
        await asyncio.sleep(AGAIN)


def is_closed(line: socket.socket) -> bool:
    """Return whether the server closed a connection, ignoring unread data."""
    state: int = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state != ESTABLISHED


async def hold_all(port: int, sources: tuple[str, ...]) -> None:
    """Hold all connections, and print the number of open ones every second."""
    open_now = set[int]()
    each = [
        asyncio.create_task(hold(port, sources[number % len(sources)], KINDS[number % 4], open_now, number))
        for number in range(HALF_OPEN)
    ]
    while each:
        await asyncio.sleep(1)
        print(len(open_now), flush=True)


@contextmanager
def half_open(address: str, sources: str) -> Iterator[list[int]]:
    """Hold the connections while the block runs; then the yielded list has the number of open ones for each second."""
    counts = list[int]()
    command = [sys.executable, __file__, "--hold", address.rpartition(":")[2], "--sources", sources]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        for _ in range(round(AGAIN) + 2):
            holder.stdout.readline()
        try:
            yield counts
        finally:
            holder.terminate()
            counts += [int(line) for line in holder.stdout]


def main() -> None:
    """Measure the readers without and with stalled connections."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--served", type=int, default=200, help="matches in the database")
    parser.add_argument("--seconds", type=float, default=10, help="how long the readers read, each time")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--hold", type=int, metavar="PORT", help=argparse.SUPPRESS)
    parser.add_argument("--sources", choices=SOURCES, default="one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.hold:
        asyncio.run(hold_all(given.hold, SOURCES[given.sources]))
    logs = plain_logs(given.served)
    times: dict[str, list[float]] = {"alone": [], **{sources: [] for sources in SOURCES}}
    held: dict[str, list[int]] = {sources: [] for sources in SOURCES}
    with tempfile.TemporaryDirectory(dir=CACHE) as made:
        database = Path(made) / "served.duckdb"
        subprocess.run([HIMALAYA, "ingest", "--db", database, logs], check=True, capture_output=True)
        with serving(database) as address:
            with reading(address, given.served):
                time.sleep(2)  # the first requests fill caches
            for _ in range(given.passes):
                with reading(address, given.served) as took:
                    time.sleep(given.seconds)
                times["alone"] += took
                for sources in SOURCES:
                    with half_open(address, sources) as counts, reading(address, given.served) as took:
                        time.sleep(given.seconds)
                    times[sources] += took
                    held[sources] += counts
    alone = percentile(times["alone"], 95)
    report(
        "half_open",
        ratio={sources: round(percentile(times[sources], 95) / alone, 2) for sources in SOURCES},
        aim="<= 2",
        ms={name: figures(took) for name, took in times.items()},
        held={name: {"least": min(counts, default=0), "most": max(counts, default=0)} for name, counts in held.items()},
    )


if __name__ == "__main__":
    main()

"""A killed server with many senders: every body is loaded exactly once, as in a single ingest."""

import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from ingest.inbox.receive import inbox_folder
from ingest.pipeline import ingest
from tests.forked import HIMALAYA, Popen
from tests.ingest.alike import unlike
from tests.ingest.helping import begun, rows, write
from tests.ingest.inbox.sending import Killed, send_under_kills

BODIES = 60
SENDERS = 4


def body_of(number: int) -> bytes:
    """Return the body of one match; a few played matches are reused under many names."""
    return b"".join(begun(f"m.{number % 6}")).replace(b'"match":"m.%d"' % (number % 6), b'"match":"n.%d"' % number)


@pytest.mark.soak("a server that is killed again and again")
def test_sixty_bodies_of_four_senders_are_loaded_once_despite_kills(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    bodies = [body_of(number) for number in range(BODIES)]
    with ExitStack() as servers:

        def start() -> tuple[Popen, str]:
            command = [*HIMALAYA, "serve", "--db", str(database), "--port", "0"]
            server = servers.enter_context(Popen(command, stdout=subprocess.PIPE, text=True))
            assert server.stdout is not None
            return server, server.stdout.readline().split()[3].rstrip("/")

        killed = Killed(start, after=[15, 40])
        send_under_kills(killed, bodies, SENDERS, seed=1)
        killed.server.terminate()
        killed.server.wait(timeout=30)
    assert killed.kills == 2
    assert list(inbox_folder(database).iterdir()) == []
    files = [write(tmp_path / f"{number}.jsonl", [body]) for number, body in enumerate(bodies)]
    ingest(files, tmp_path / "bulk.duckdb", processes=0)
    assert unlike(database, tmp_path / "bulk.duckdb") == {}
    assert rows(database, "SELECT count(*), count(DISTINCT receipt) FROM receipts") == [(BODIES, BODIES)]

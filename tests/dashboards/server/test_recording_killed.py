"""A server that is killed between entries of a recording loses none of them, and continues after the last."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.replay import Replay
from tests.dashboards.web.at_table import GAMES, PATH, entered_in, replay_of, set_up
from tests.forked import HIMALAYA, Popen


@contextmanager
def served_until_killed(database: Path) -> Iterator[str]:
    """Serve in a separate process, yield the address, and finally kill the server."""
    command = [*HIMALAYA, "serve", "--db", str(database), "--port", "0"]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[3].rstrip("/")
        finally:
            server.kill()


def sent(address: str, path: str, body: dict[str, Any] | None = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}{PATH}{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: bytes = answer.read()
    return found


def test_no_entry_is_lost_with_a_server_that_is_killed(tmp_path: Path) -> None:
    entries = [text for text, _ in entered_in("summit")[:6]]
    with served_until_killed(tmp_path / "w.duckdb") as address:
        number = json.loads(sent(address, "", set_up("summit")))["id"]
        for place, text in enumerate(entries):
            sent(address, f"/{number}/actions", {"expects": place, "text": text})
    with served_until_killed(tmp_path / "w.duckdb") as address:
        state = json.loads(sent(address, f"/{number}"))
    assert [each["text"] for each in state["entries"]] == entries


@pytest.mark.soak("enters whole matches by hand")
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_entered_over_three_servers_that_are_killed(game: str, tmp_path: Path) -> None:
    replay, left = replay_of(game), list(entered_in(game))
    number, log, part = "", b"", len(left) // 3 + 1
    while left:
        with served_until_killed(tmp_path / "w.duckdb") as address:
            if not number:
                number = json.loads(sent(address, "", set_up(game)))["id"]
            state = json.loads(sent(address, f"/{number}"))
            assert len(state["entries"]) + len(left) == len(entered_in(game))
            for text, action in left[:part]:
                said = {"action": action} if action["type"] == "build_opening" else {"text": text}
                state = json.loads(sent(address, f"/{number}/actions", {"expects": state["changes"], **said}))
            log = sent(address, f"/{number}/log.jsonl")
        del left[:part]
    found = Replay.read(log.splitlines(keepends=True))
    assert [each.event for each in found.entries[1:-1]] == [each.event for each in replay.entries[1:-1]]

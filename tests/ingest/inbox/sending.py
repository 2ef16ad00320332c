"""Senders that post bodies to a repeatedly killed server until all of them are loaded."""

import random
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import requests

__all__ = ["Killed", "send_under_kills"]

ACCEPTED = {200, 202}
LATER = {429, 503}


class Killed:
    """A server that is killed after given numbers of accepted bodies, and restarted immediately."""

    def __init__(self, start: Callable[[], tuple[Any, str]], after: Sequence[int]) -> None:
        """`start` starts a server and returns it with its address."""
        self._start = start
        self._after = list(after)
        self._lock = threading.Lock()
        self._accepted = 0
        self.kills = 0
        self.server, self.address = start()

    def accepted(self) -> None:
        """Count an accepted body, and kill the server if it is time to."""
        with self._lock:
            self._accepted += 1
            if self._after and self._accepted >= self._after[0]:
                del self._after[0]
                self.server.send_signal(signal.SIGKILL)
                self.server.wait()
                self.kills += 1
                self.server, self.address = self._start()

    def address_now(self) -> str:
        """Return the server's address, once it is running."""
        with self._lock:
            return self.address


def send_under_kills(server: Killed, bodies: Sequence[bytes], senders: int, seed: int) -> None:
    """Send all bodies, each until it is accepted, some of them twice; return once all are loaded."""
    chance = random.Random(seed)
    once = [bodies[number::senders] for number in range(senders)]
    shares = [[*share, *chance.sample(share, len(share) // 4)] for share in once]
    with ThreadPoolExecutor(senders) as pool:
        list(pool.map(lambda share: [_post(server, body) for body in share], shares))
    for body in bodies:
        found = None
        while found is None or found["status"] != "taken":
            found = requests.get(f"{server.address}/api/logs/{sha256(body).hexdigest()}", timeout=30).json()
            assert "message" not in found, "what was accepted is gone"


def _post(server: Killed, body: bytes) -> None:
    while True:
        try:
            answer = requests.post(f"{server.address_now()}/api/logs", data=body, timeout=60)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            continue
        if answer.status_code in ACCEPTED:
            assert answer.json()["receipt"] == sha256(body).hexdigest()
            server.accepted()
            return
        assert answer.status_code in LATER, answer.text
        threading.Event().wait(float(answer.headers["Retry-After"]))

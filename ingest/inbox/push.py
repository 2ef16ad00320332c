"""Sends logs to a server over HTTP, each file once, even over an unreliable connection.

The receipt of a file is its SHA-256, so the client knows it before sending. It first asks the server whether it already
has the file. It asks again after each lost response, before sending the file again. Files are sent unchanged.
"""

import hashlib
import os
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import SplitResult, quote, urlsplit

import requests
from requests.auth import AuthBase
from urllib3.exceptions import ConnectTimeoutError, InvalidHeader, MaxRetryError
from urllib3.util.retry import Retry

from ingest.errors import PushError, plain_reason
from ingest.load.summary import Summary, counted

__all__ = ["PATIENCE", "Sent", "Server", "in_all", "push"]

BLOCK: Final = 1 << 20
TIMEOUT: Final = (10.0, 300.0)
"""Seconds to wait for a connection, and for a response. The server reads the whole body before it responds."""
PORTS: Final = {"http": 80, "https": 443}
BUSY: Final = (429, 502, 503, 504)
SAYS_WHEN: Final = (429, 503)
NO_API: Final = (404, 405)
ABOUT_THE_FILE: Final = (400, 413, 415, 422)
PATIENCE: Final = Retry(
    total=8,
    allowed_methods=None,
    status_forcelist=BUSY,
    backoff_factor=0.5,
    backoff_max=30,
    backoff_jitter=0.5,
    retry_after_max=300,
)
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
MOST_SAID: Final = 500
KEPT: Final = " (--tournament does not change it)"

Report = Callable[[int], None]


class _NotAccepted(Exception):
    """The server refuses this file; it may accept others."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Result of sending one file.

    `was_there`: the server already had the file. `stays_as_it_was`: the file was already loaded, so the tournament sent
    with it had no effect. `summary` is the result of loading, if the file is loaded. `refused` is the reason why the
    server does not accept the file, `problem` why it cannot load the file at present.
    """

    file: Path
    receipt: str
    was_there: bool = False
    summary: Summary | None = None
    refused: str | None = None
    problem: str | None = None
    stays_as_it_was: bool = False

    @property
    def in_quarantine(self) -> int:
        """Return the number of lines or matches of the file that are in quarantine."""
        return self.summary.in_quarantine if self.summary else 0

    def text(self, show: Callable[[Path], str] = str) -> str:
        """Return the result as text, with a further line for each quarantine entry; `show` formats the file's path."""
        name = show(self.file)
        if self.refused:
            return f"{name}: not accepted: {self.refused}"
        if self.problem:
            return f"{name}: received, but not loaded yet: {self.problem}"
        there = f"already there{KEPT if self.stays_as_it_was else ''}"
        if self.summary is None:
            return f"{name}: {there if self.was_there else 'accepted'}, not loaded yet"
        if self.was_there and not self.in_quarantine:
            return f"{name}: {there}"
        summary = self.summary.text(lambda _: name, "the server's quarantine has all")
        return f"{name}: {f'{there}: ' if self.was_there else ''}{summary}"


def in_all(all_sent: Sequence[Sent]) -> str:
    """Return one line about the results of all files."""
    taken = [sent.summary for sent in all_sent if sent.summary and not sent.was_there]
    matches = sum(summary.matches + summary.completed for summary in taken)
    events = sum(summary.events for summary in taken)
    there = sum(sent.was_there for sent in all_sent)
    quarantined = sum(sent.in_quarantine for sent in all_sent)
    refused = sum(sent.refused is not None for sent in all_sent)
    waiting = sum(sent.refused is None and sent.summary is None for sent in all_sent)
    counts = {
        f"{counted(matches, 'match', 'es')} loaded": matches,
        counted(events, "event"): events,
        f"{counted(there, 'file')} already there": there,
        f"{quarantined:,} quarantined": quarantined,
        f"{refused:,} not accepted": refused,
        f"{waiting:,} not loaded yet": waiting,
    }
    said = ", ".join(text for text, count in counts.items() if count)
    return f"{counted(len(all_sent), 'file')}: {said or 'nothing new'}"


class Server:
    """A server that receives logs, with a token if it requires one; `say` is called with a text before each wait."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience: Retry = PATIENCE,
        say: Callable[[str], None] = lambda _: None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        port = _port(parts)
        if not port or not parts.hostname or parts.query or parts.fragment:
            raise PushError(f"{url!r} is no address of a server; name one like https://logs.example")
        self.url = url.rstrip("/")
        alone = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._how_to_name_it = f"name the server alone, like {alone}, with its --path-prefix if it has one"
        self.host = f"{f'[{parts.hostname}]' if ':' in parts.hostname else parts.hostname}:{port}"
        is_here = _is_this_machine(parts.hostname)
        self.sends_in_clear = bool(token) and parts.scheme == "http" and not is_here
        self._patience = patience
        self._say = say
        self._pause = pause
        self._manner: dict[str, Any] = {"timeout": TIMEOUT, "allow_redirects": False}
        if is_here:
            # The server runs on this machine, where a proxy on another machine could not find it.
            self._manner["proxies"] = {"no_proxy": parts.hostname}
        self._session = requests.Session()
        # Always set, so that a .netrc never adds its own credentials.
        self._session.auth = _Bearer(token)

    def ask(self, receipt: str) -> dict[str, Any] | None:
        """Return the server's record of a receipt; `None` if there is no such record. Raises `PushError`."""

        def get() -> requests.Response:
            return self._session.get(f"{self._logs}/{receipt}", **self._manner)

        answer = self._persist("GET", get)
        if answer.status_code == HTTPStatus.NOT_FOUND:
            return None
        return self._receipt(answer)

    def send(self, file: BinaryIO, size: int, receipt: str, tournament: str | None, report: Report) -> dict[str, Any]:
        """Send a file and return the response. Raises `PushError`, or `_NotAccepted` if this file is refused."""
        about = f"?tournament={quote(tournament)}" if tournament else ""

        def post() -> requests.Response:
            file.seek(0)
            body = _Body(file, size, report)
            headers = {"Content-Type": "application/octet-stream"}
            url = f"{self._logs}{about}"
            return self._session.post(url, data=body, headers=headers, **self._manner)

        answer = self._persist("POST", post, lambda: self.ask(receipt))
        return answer if isinstance(answer, dict) else self._receipt(answer)

    def _persist(self, method: str, request: Callable[[], requests.Response], ask_again: Any = None) -> Any:
        """Return the response to a request, which is repeated with growing pauses until it succeeds.

        If a response says when to retry, the number of retries is unlimited, because the server is alive. Before each
        repetition, `ask_again` checks whether the previous request arrived after all. If so, the result of that check
        is returned.
        """
        patience = self._patience
        while True:
            failure: Exception | None = None
            answer: requests.Response | None = None
            try:
                answer = request()
                if answer.status_code not in BUSY:
                    return answer
            except requests.exceptions.SSLError as error:
                raise PushError(f"no secure connection to {self.host}: {_reason(error)}") from None
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
                failure = error
            if answer is not None and (seconds := self._seconds_to_wait(answer)):
                self._say(f"{self.host} is busy ({_said(answer)}); trying again in {seconds:.0f} s")
                self._pause(seconds)
                patience = self._patience
            else:
                patience = self._less_patience(patience, method, answer, failure)
                self._pause(patience.get_backoff_time())
            if ask_again and (found := ask_again()):
                return found

    def _seconds_to_wait(self, answer: requests.Response) -> float:
        """Return the seconds that the server suggests to wait before a retry; 0 if it suggests none."""
        if answer.status_code not in SAYS_WHEN:
            return 0.0
        try:
            return self._patience.get_retry_after(answer.raw) or 0.0
        except InvalidHeader:
            return 0.0

    def _less_patience(
        self, patience: Retry, method: str, answer: requests.Response | None, failure: Exception | None
    ) -> Retry:
        """Return the number of retries left after another failure, and report the first failure to the user.

        Raises `PushError` if none are left.
        """
        why = _said(answer) if answer is not None else f"cannot reach {self.host}: {_reason(failure)}"
        response = None if answer is None else answer.raw
        try:
            left = patience.increment(method, self.url, response=response, error=failure)
        except MaxRetryError:
            tries = len(patience.history) + 1
            raise PushError(f"{why if failure else f'{self.host}: {why}'}; gave up after {tries} tries") from None
        if not patience.history:
            seconds = _seconds_left(left, method, self.url)
            if isinstance(failure, requests.ConnectTimeout) and isinstance(left.total, int):
                seconds += TIMEOUT[0] * (left.total + 1)
            self._say(f"{why if failure else f'{self.host}: {why}'}; retrying for about {seconds:.0f} s")
        return left

    def _receipt(self, answer: requests.Response) -> dict[str, Any]:
        if answer.status_code in ABOUT_THE_FILE:
            raise _NotAccepted(_said(answer))
        if answer.is_redirect:
            raise PushError(f"{self.url} has moved; push to {_plain(answer.headers['Location'])}")
        if answer.status_code in NO_API:
            raise PushError(f"{self.url}: this address takes no logs; {self._how_to_name_it}")
        if not answer.ok:
            raise PushError(f"{self.url}: {_said(answer)}")
        try:
            found = answer.json()
            if isinstance(found["receipt"], str) and isinstance(found["status"], str):
                return dict(found)
        except (ValueError, KeyError, TypeError):
            pass
        raise PushError(f"{self.url} is not a himalaya server; check the address")

    @property
    def _logs(self) -> str:
        return f"{self.url}/api/logs"


def push(
    files: Sequence[Path],
    server: Server,
    *,
    tournament: str | None = None,
    wait: bool = True,
    report: Callable[[int, int], None] = lambda _done, _of: None,
) -> Iterator[Sent]:
    """Send the files that the server does not have, and yield the result of each; files it must still load come last.

    With `wait`, a result is yielded only once the file is loaded. `report` is called with the bytes done and the total.
    Raises `PushError` if the server cannot be reached or refuses everything.
    """
    sizes = {path: _size(path) for path in files}
    total, done = sum(sizes.values()), 0
    waiting: deque[Sent] = deque()
    try:
        for path in files:
            at = done
            sent = _send(path, server, tournament, lambda part, at=at: report(at + part, total))  # type: ignore[misc]
            done += sizes[path]
            report(done, total)
            if sent.refused is None and sent.summary is None and wait:
                waiting.append(sent)
            else:
                yield sent
        while waiting:
            yield _awaited(waiting[0], server)
            waiting.popleft()
    except PushError:
        yield from waiting
        raise


def _send(path: Path, server: Server, tournament: str | None, report: Report) -> Sent:
    """Send a file unless the server already has it."""
    receipt = ""
    try:
        with _opened(path) as file:
            receipt = hashlib.file_digest(file, "sha256").hexdigest()
            size = os.fstat(file.fileno()).st_size
            known = server.ask(receipt)
            found = known or server.send(file, size, receipt, tournament, report)
    except _NotAccepted as error:
        return Sent(path, receipt, refused=str(error))
    if found["receipt"] != receipt:
        return Sent(path, receipt, refused="it changed while it was sent; push it again")
    was_there = known is not None
    kept = was_there and tournament is not None
    return Sent(path, receipt, was_there=was_there, summary=_summary(found), stays_as_it_was=kept)


def _opened(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except OSError as error:
        raise _NotAccepted(plain_reason(error)) from None


def _awaited(sent: Sent, server: Server) -> Sent:
    """Wait until the server has loaded a file, or reports why it cannot."""
    pause = FIRST_PAUSE
    while True:
        found = server.ask(sent.receipt)
        if found is None:
            return Sent(sent.file, sent.receipt, sent.was_there, refused="the server has lost it; push it again")
        if found["status"] == "taken" or found.get("problem"):
            problem = found.get("problem")
            said = _plain(str(problem)) if problem else None
            return replace(sent, summary=_summary(found), problem=said)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _summary(found: dict[str, Any]) -> Summary | None:
    return Summary.read(found["summary"]) if found.get("summary") else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the error is reported when the file is opened


class _Body:
    """A file as a request body of exactly the announced size, which reports its progress."""

    def __init__(self, file: BinaryIO, size: int, report: Report) -> None:
        self._file = file
        self._size = self._left = size
        self._report = report

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[bytes]:
        while block := self.read(BLOCK):
            yield block

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. Raises `_NotAccepted` if the file has become shorter."""
        block = self._file.read(self._left if size < 0 else min(size, self._left))
        if not block and self._left:
            raise _NotAccepted("it became shorter while it was sent; push it again")
        self._left -= len(block)
        self._report(self._size - self._left)
        return block


class _Bearer(AuthBase):
    def __init__(self, token: str | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _said(answer: requests.Response) -> str:
    """Return the error text of a response."""
    try:
        message = str(answer.json()["message"])
    except (ValueError, KeyError, TypeError):
        message = f"{answer.status_code} {answer.reason}"
    return _plain(message)


def _plain(text: str) -> str:
    """Return a text from the server without terminal control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:MOST_SAID])


def _reason(error: BaseException | None) -> str:
    """Return the innermost reason of a network error, in plain words."""
    while error is not None and (cause := error.__cause__ or error.__context__):
        error = cause
    if isinstance(error, socket.gaierror):
        return "no such host"
    if isinstance(error, TimeoutError):
        return "no answer"
    if isinstance(error, ssl.SSLError):
        return "its certificate is not valid" if isinstance(error, ssl.SSLCertVerificationError) else "it speaks no TLS"
    if isinstance(error, OSError) and error.strerror:
        return _plain(plain_reason(error))
    return "the connection broke off"


def _seconds_left(patience: Retry, method: str, url: str) -> float:
    """Return the total seconds of all pauses that remain before giving up."""
    seconds = 0.0
    with suppress(MaxRetryError):
        while True:
            seconds += patience.get_backoff_time()
            patience = patience.increment(method, url, error=ConnectTimeoutError())
    return seconds


def _port(parts: SplitResult) -> int | None:
    """Return the port of an address; `None` if the address is not that of a server."""
    try:
        return (parts.port or PORTS[parts.scheme]) if parts.scheme in PORTS else None
    except ValueError:
        return None


def _is_this_machine(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")

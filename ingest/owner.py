"""The server that has a warehouse open: how a command finds it and makes it run operations.

A server leaves a note next to the file, `FILE.server.json`, with its address and a secret. Only the server's user may
read the note. So a client that sends the secret is allowed to read this user's files.
"""

import hmac
import json
import os
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from ingest.errors import WarehouseError, plain_reason
from ingest.warehouse import Report

if TYPE_CHECKING:
    from urllib.request import OpenerDirector, Request

__all__ = ["OPERATIONS_PATH", "Owner"]

OPERATIONS_PATH: Final = "/api/operations/"
NOTE: Final = ".server.json"
PAUSE: Final = 0.5
"""Seconds before a request to a busy server is repeated."""
BUSY: Final = 503


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that serves a warehouse."""

    process: int
    address: str
    secret: str

    @classmethod
    def here(cls, address: str) -> Self:
        """Return this process as the owner, with a newly generated secret."""
        return cls(os.getpid(), address.rstrip("/"), secrets.token_urlsafe(32))

    @classmethod
    def of(cls, database: Path, holder: int | None = None) -> Self | None:
        """Return the server of a warehouse; `None` if there is none or, with `holder`, if it is not that process.

        A killed server leaves its note behind, and another process may have got its process id since.
        """
        try:
            note = json.loads(_note(database).read_text(encoding="utf-8"))
            owner = cls(int(note["process"]), str(note["address"]), str(note["secret"]))
            os.kill(owner.process, 0)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return owner if holder in {None, owner.process} else None

    def is_shown(self, authorization: str) -> bool:
        """Return whether an `Authorization` header contains the secret."""
        return hmac.compare_digest(authorization.encode(), f"Bearer {self.secret}".encode())

    def leave_note(self, database: Path) -> None:
        """Write the note by which commands of the same user find this process."""
        note = _note(database)
        written = note.with_name(f"{note.name}.{self.process}")
        descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(self), file)
        written.replace(note)

    def remove_note(self, database: Path) -> None:
        """Remove the note if it is still the one of this process."""
        if Owner.of(database) == self:
            with suppress(OSError):
                _note(database).unlink()

    def ask(self, name: str, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
        """Make the server run an operation, and return its result. Raises `WarehouseError` if the operation fails."""
        from urllib.request import ProxyHandler, Request, build_opener  # slow to import, rarely needed

        request = Request(  # noqa: S310  the address is our own server's
            self.address + OPERATIONS_PATH + name,
            data=json.dumps(dict(arguments)).encode(),
            headers={"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"},
        )
        opener = build_opener(ProxyHandler({}))
        try:
            with _opened(opener, request) as answers:
                for line in filter(bytes.strip, answers):  # the server sends empty lines while it works
                    answer = json.loads(line)
                    if "error" in answer:
                        raise WarehouseError(answer["error"])
                    if "result" in answer:
                        result: dict[str, Any] = answer["result"]
                        return result
                    report(answer["progress"])
        except (OSError, ValueError) as error:
            cause = getattr(error, "reason", error)
            reason = plain_reason(cause) if isinstance(cause, OSError) else "its answer cannot be read"
            raise WarehouseError(
                f"cannot reach the server at {self.address} (process {self.process}): {reason}"
            ) from None
        raise WarehouseError(
            f"the server at {self.address} stopped before the work was done; run the same command again"
        )


def _opened(opener: "OpenerDirector", request: "Request") -> Any:
    """Return the response to a request, repeated while the server is busy."""
    from urllib.error import HTTPError

    while True:
        try:
            return opener.open(request)
        except HTTPError as error:
            if error.code != BUSY:
                raise
            error.close()
        time.sleep(PAUSE)


def _note(database: Path) -> Path:
    file = database.resolve()
    return file.with_name(file.name + NOTE)

"""Files that are made to be sent, on the disk and not in memory: whole before the first byte goes out.

So whoever reads slowly holds no transaction, an error is still an answer, and a part of a file can be asked for, as
readers of Parquet do. The last ones are kept for who asks again; they have no names, and go with the process.
"""

import os
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from io import SEEK_CUR, SEEK_END, BufferedReader, RawIOBase
from typing import IO, Any, Final

from flask import Response, request
from werkzeug.wsgi import FileWrapper

from dashboards.http.access import Refused

__all__ = ["AT_ONCE", "Spool"]

AT_ONCE: Final = 2
"""Files that are made at the same time; each takes a thread of the server and memory of the database."""
MOST_KEPT: Final = 4
MOST_BYTES: Final = 256 << 20
"""Of a file that is kept for who asks again."""
PIECE: Final = 1 << 18
"""Bytes sent at once."""


class Spool:
    """Makes files and sends them; safe to use from several threads."""

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, IO[bytes]] = OrderedDict()
        weakref.finalize(self, _close, self._kept)

    def answer(self, tag: str, mimetype: str, name: str, make: Callable[[IO[bytes]], object]) -> Response:
        """Answer with the file of a tag, or the part of it that is asked for; `make` writes it if it is not kept.

        Nothing is made for who knows the tag. Refused while too many files are being made.
        """
        answer = Response(mimetype=mimetype)
        answer.set_etag(tag)
        answer.headers["Cache-Control"] = "private, no-cache"
        if tag in request.if_none_match:
            answer.make_conditional(request)
            return answer
        part = self._file(tag, make)
        answer.response = FileWrapper(BufferedReader(part, PIECE), PIECE)
        answer.direct_passthrough = True
        answer.call_on_close(part.close)
        answer.content_length = part.size
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        answer.make_conditional(request, accept_ranges=True, complete_length=part.size)
        return answer

    def _file(self, tag: str, make: Callable[[IO[bytes]], object]) -> "_Reading":
        with self._lock:
            if tag in self._kept:
                self._kept.move_to_end(tag)
                return _Reading(self._kept[tag])
        if not self._places.acquire(blocking=False):
            message = f"{AT_ONCE} tables are being written; try again in a moment"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "2"})
        try:
            file = tempfile.TemporaryFile(prefix="himalaya-")  # noqa: SIM115  it is kept, or closed below
            try:
                make(file)
                file.flush()
            except BaseException:
                file.close()
                raise
        finally:
            self._places.release()
        found = _Reading(file)
        self._keep(tag, file, found.size)
        return found

    def _keep(self, tag: str, file: IO[bytes], size: int) -> None:
        with self._lock:
            if size > MOST_BYTES or tag in self._kept:
                file.close()  # who reads it has a handle of its own
                return
            self._kept[tag] = file
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)[1].close()


def _close(kept: OrderedDict[str, IO[bytes]]) -> None:
    for file in kept.values():
        file.close()


class _Reading(RawIOBase):
    """A file read from a place of its own, whoever else reads it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._handle = os.dup(file.fileno())
        self._place = 0
        self.size = os.fstat(self._handle).st_size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        found = os.preadv(self._handle, [buffer], self._place)
        self._place += found
        return found

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._place = offset + {SEEK_CUR: self._place, SEEK_END: self.size}.get(whence, 0)
        return self._place

    def tell(self) -> int:
        return self._place

    def close(self) -> None:
        if not self.closed:
            os.close(self._handle)
        super().close()

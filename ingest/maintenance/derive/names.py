"""Facts needed before logs can be loaded separately: names of matches, and their endings."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from ingest.errors import ReadError, WarehouseError
from ingest.maintenance.derive.logs import Log, at_hand
from ingest.read.source import Source
from ingest.read.split import NAME

__all__ = ["DIGEST", "names_in"]

DIGEST: Final = 8
"""Bytes of a digest. A collision of two names or ends only puts their logs together."""
END: Final = re.compile(rb'"state_sha256"\s*:\s*"([0-9a-f]{64})"')
"""The final position of a match, which is the same in all copies of it."""
MOST_KEPT: Final = 1 << 24
"""Bytes kept of a line without an end: no event is longer, and the text after them names no match."""
ESCAPED: Final = b"\\u"


class _Named(msgspec.Struct):
    match: str


_named = msgspec.json.Decoder(_Named).decode


def names_in(logs: Sequence[Log]) -> list[tuple[bytes, bytes]]:
    """Return for each log the digests of all names of matches in it, and of all ends, each once and in order.

    For a log that cannot be read to its end, they cover the readable part: loading gets equally far.
    """
    return [_joined_digests(*_names_and_ends(log)) for log in logs]


def _names_and_ends(log: Log) -> tuple[set[bytes], set[bytes]]:
    found, ends = set[bytes](), set[bytes]()
    with suppress(ReadError, WarehouseError), at_hand([log]) as files:  # loading the log reports it
        for path in files:
            with Source(path, path) as source:
                for lines in _whole_lines(source.blocks()):
                    found.update(NAME.findall(lines))
                    ends.update(END.findall(lines))
                    if ESCAPED in lines:  # keys and names may have escapes, and be read as the same
                        found.update(_decoded(lines))
    return found, ends


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks cut at the ends of lines, and the remainder last."""
    rest = b""
    for block in blocks:
        head, end, tail = (rest + block).rpartition(b"\n")
        if end or len(tail) > MOST_KEPT:
            yield head + end if end else tail
        rest = tail if end or len(tail) <= MOST_KEPT else b""
    yield rest


def _decoded(lines: bytes) -> Iterator[bytes]:
    for line in lines.split(b"\n"):
        try:
            yield _named(line).match.encode()
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue  # not an event of any match


def _joined_digests(names: set[bytes], ends: set[bytes]) -> tuple[bytes, bytes]:
    return b"".join(sorted(map(_digest, names))), b"".join(sorted(map(_digest, ends)))


def _digest(name: bytes) -> bytes:
    return hashlib.blake2b(name, digest_size=DIGEST).digest()

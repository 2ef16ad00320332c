"""A log file as pieces that end between two matches, so that each piece can be checked on its own.

Memory stays bounded whatever the file: a match without an end in sight is cut off at `MOST_BYTES`, and what is cut
is put aside, not taken. Compression is recognised by the first bytes, since names can lie.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, Protocol

import msgspec
import zstandard

from himalaya_core.log import MATCH_STARTED

__all__ = ["Piece", "pieces"]

BLOCK: Final = 1 << 20
SLICE: Final = 1 << 12
PIECE_BYTES: Final = 4 << 20
MOST_BYTES: Final = 16 << 20
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
STARTED: Final = b'"' + MATCH_STARTED.encode() + b'"'


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a file, `last` for the end of it; `cut` is why its last match may lack lines that there were."""

    path: Path
    first_line: int
    data: bytes
    read: int
    """Bytes of the file read so far, as they are on the disk."""
    last: bool = False
    cut: tuple[str, str] | None = None


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class _Named(msgspec.Struct):
    match: str
    type: str
    seq: int


_named = msgspec.json.Decoder(_Named).decode


def pieces(path: Path, piece_bytes: int = PIECE_BYTES) -> Iterator[Piece]:
    """Yield the lines of a log; a compressed file that breaks off yields what could be read, and says so."""
    with path.open("rb") as file:
        buffer, line, cut = b"", 1, None
        blocks = _blocks(file)
        while cut is None and (block := _next(blocks)) is not None:
            if isinstance(block, str):
                cut = ("file_cut", f"file: expected a complete compressed file, found {block}")
                continue
            buffer += block
            if len(buffer) < piece_bytes:
                continue
            at = _between_matches(buffer)
            too_long = None
            if at == 0 and len(buffer) >= MOST_BYTES:
                at = buffer.rfind(b"\n") + 1 or len(buffer)
                too_long = ("match_too_long", f"match: expected at most {MOST_BYTES} bytes, found more")
            if at:
                yield Piece(path, line, buffer[:at], file.tell(), cut=too_long)
                line += buffer.count(b"\n", 0, at)
                buffer = buffer[at:]
        yield Piece(path, line, buffer, file.tell(), last=True, cut=cut)


def _next(blocks: Iterator[bytes]) -> bytes | str | None:
    """Return the next block, the reason why there is none, or `None` at the end."""
    try:
        return next(blocks, None)
    except (zlib.error, zstandard.ZstdError, EOFError) as error:
        return str(error)


def _between_matches(data: bytes) -> int:
    """Return the last place where one match certainly ends and another starts, or 0."""
    found = len(data)
    while (found := data.rfind(STARTED, 0, found)) > 0:
        start = data.rfind(b"\n", 0, found) + 1
        end = data.find(b"\n", found)
        if start == 0 or end < 0:
            continue
        try:
            following = _named(data[start:end])
            before = _named(data[data.rfind(b"\n", 0, start - 1) + 1 : start])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if following.type == MATCH_STARTED and following.seq == 0 and following.match != before.match:
            return start
    return 0


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the decompressed bytes of a file."""
    first = file.read(BLOCK)
    rest = iter(lambda: file.read(BLOCK), b"")
    if first.startswith(GZIP):
        yield from _decompressed(first, rest, lambda: zlib.decompressobj(wbits=31))
    elif first.startswith(ZSTD):
        yield from _decompressed(first, rest, zstandard.ZstdDecompressor().decompressobj)
    else:
        yield first
        yield from rest


def _decompressed(first: bytes, rest: Iterator[bytes], new: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Decompress frame after frame; slices are small since a few bytes can stand for very many."""
    frame = new()
    out: list[bytes] = []
    size = 0
    for block in chain([first], rest):
        for at in range(0, len(block), SLICE):
            left = block[at : at + SLICE]
            while left:
                if frame.eof:
                    frame = new()
                out.append(frame.decompress(left))
                size += len(out[-1])
                left = frame.unused_data if frame.eof else b""
            if size >= BLOCK:
                yield b"".join(out)
                out, size = [], 0
    yield b"".join(out)
    if not frame.eof:
        raise EOFError("its end missing")

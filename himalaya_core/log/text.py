"""Decompression and decoding of log files, and stricter JSON checks."""

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isinf
from typing import Any, Final, NamedTuple, Protocol

import zstandard

__all__ = ["BLOCK", "ONCE", "Broken", "Inexact", "Text", "compression", "first_inexact", "is_plain", "members"]


ONCE: Final = "each key once"
"""Expected value in the error message for a repeated key."""
A_DOUBLE: Final = "a number that a double holds"


class Inexact(NamedTuple):
    """JSON that different parsers read differently: the field, the expected value and the value found."""

    field: str
    expected: str
    found: str


class _Members(tuple[tuple[str, Any], ...]):
    """The members of a JSON object as written, including repeated keys."""

    __slots__ = ()


class _Huge(str):
    """The text of a number outside the range of doubles."""

    __slots__ = ()


def members(value: Any) -> int:
    """Return the number of members of all objects in a decoded value, at any depth."""
    if isinstance(value, dict):
        return len(value) + sum(map(members, value.values()))
    return sum(map(members, value)) if isinstance(value, list) else 0


def first_inexact(text: str) -> Inexact | None:
    """Return the first repeated key or oversized number in a JSON text; `None` if there is none.

    Parse the text first with a parser that limits nesting depth; this function does not.
    """
    whole = json.loads(text, object_pairs_hook=_Members, parse_int=str, parse_float=_double)
    return _search("", whole)


def _double(text: str) -> str | None:
    return _Huge(text) if isinf(float(text)) else None


def _search(path: str, value: Any) -> Inexact | None:
    if isinstance(value, _Huge):
        return Inexact(path, A_DOUBLE, value)
    parts: list[tuple[str, Any]] = []
    times: Counter[str] = Counter()
    if isinstance(value, _Members):
        parts = list(value)
        times.update(key for key, _ in parts)
    elif isinstance(value, list):
        parts = [(str(place), inner) for place, inner in enumerate(value)]
    for key, inner in parts:
        place = f"{path}.{key}" if path else key
        if times[key] > 1:
            return Inexact(place, ONCE, "it twice" if times[key] == 2 else f"it {times[key]} times")
        found = _search(place, inner)
        if found is not None:
            return found
    return None


BLOCK: Final = 1 << 20
SLICE: Final = 1 << 10
"""Compressed bytes per decompression step; one step yields at most 32 MiB."""
MOST_GROWTH: Final = 1_000
"""Maximum expansion ratio, checked after `GROWS` bytes. Logs expand at most 40 times; anything above is no log."""
GROWS: Final = 64 << 20
COMPRESSION: Final = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}
"""First bytes of supported compressed files. The second zstd pattern is a skippable frame."""
UTF_16: Final = "UTF-16, as PowerShell's `>` writes it: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"
FOREIGN: Final = (
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "UTF-32: save it as UTF-8 (iconv -f UTF-32 -t UTF-8)"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), UTF_16),
    (re.compile(rb"\{\0"), UTF_16.replace("-f UTF-16", "-f UTF-16LE")),
    (re.compile(rb"\0\{"), UTF_16.replace("-f UTF-16", "-f UTF-16BE")),
    (re.compile(rb"\xfd7zXZ\0"), "xz data: unpack it first (xz -d)"),
    (re.compile(rb"BZh[1-9]1AY&SY"), "bzip2 data: unpack it first (bzip2 -d)"),
    (re.compile(rb"PK(\x03\x04|\x05\x06)"), "a zip archive: unpack it first (unzip)"),
    (re.compile(rb"7z\xbc\xaf\x27\x1c"), "a 7z archive: unpack it first (7z x)"),
    (re.compile(rb"\x04\x22\x4d\x18"), "lz4 data: unpack it first (lz4 -d)"),
    (re.compile(rb".{257}ustar", re.DOTALL), "a tar archive: unpack it first (tar -xf)"),
)
"""First bytes of unsupported file types, each with the type's name and advice for the user."""
TOO_WIDE: Final = "requires too much memory"


@dataclass(frozen=True, slots=True)
class Broken:
    """The reason why a file could not be read to its end."""

    reason: str
    message: str


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def compression(first: bytes) -> str | None:
    """Return the compression of a file with these first bytes: `gzip`, `zstd` or `None`."""
    return next((name for name, begins in COMPRESSION.items() if begins.match(first)), None)


def is_plain(first: bytes) -> bool:
    """Return whether a file with these first bytes is uncompressed and looks like UTF-8 text."""
    return compression(first) is None and _foreign(first) is None


class Text:
    """The decompressed text of a file. `read` returns the next bytes of the file.

    If the file cannot be read to its end, `broken` gives the reason.
    """

    def __init__(self, read: Callable[[], bytes]) -> None:
        self.broken: Broken | None = None
        self._file = read
        self._size = 0

    def blocks(self) -> Iterator[bytes]:
        """Yield the text in non-empty blocks of at most `BLOCK` bytes."""
        first = self._read()
        packing = compression(first)
        blocks = filter(None, self._unpacked(first, packing) if packing else self._plain(first))
        start = next(blocks, b"")
        if packing and compression(start):
            found = "expected lines inside the compressed data, found data compressed once more"
            self.broken = Broken("file_format", found)
        elif what := _foreign(start):
            self.broken = Broken("file_format", f"expected a log in UTF-8, plain, gzip or zstd, found {what}")
        elif start:
            yield start
            yield from blocks

    def _read(self) -> bytes:
        block = self._file()
        self._size += len(block)
        return block

    def _plain(self, block: bytes) -> Iterator[bytes]:
        while block:
            yield block
            block = self._read()

    def _unpacked(self, block: bytes, name: str) -> Iterator[bytes]:
        """Decompress one frame after another. Zero bytes after a gzip member are padding and ignored."""
        frame, padding = _frame(name), b"\0" if name == "gzip" else b""
        out: list[bytes] = []
        size = whole = 0
        while block and not self.broken:
            for at in range(0, len(block), SLICE):
                left = block[at : at + SLICE]
                try:
                    while left:
                        if frame.eof:
                            if not (left := left.lstrip(padding)):
                                break
                            frame = _frame(name)
                        out.append(frame.decompress(left))
                        size += len(out[-1])
                        whole += len(out[-1])
                        left = frame.unused_data if frame.eof else b""
                except (zlib.error, zstandard.ZstdError) as error:
                    self.broken = _broken(name, self._size - len(block) + at, str(error))
                    break
                if whole > max(GROWS, MOST_GROWTH * self._size):
                    self.broken = _grown(name, self._size, whole)
                    break
                if size >= BLOCK:
                    yield from _blocks(b"".join(out))
                    out, size = [], 0
            if not self.broken:
                block = self._read()
        if not self.broken and not frame.eof:
            self.broken = Broken("file_cut", f"expected a complete {name} file, found its end missing")
        yield from _blocks(b"".join(out))


def _foreign(start: bytes) -> str | None:
    return next((what for begins, what in FOREIGN if begins.match(start)), None)


def _frame(name: str) -> _Decompressor:
    return zlib.decompressobj(wbits=31) if name == "gzip" else zstandard.ZstdDecompressor().decompressobj()


def _broken(name: str, place: int, why: str) -> Broken:
    if TOO_WIDE in why:
        found = "a larger one: pack it again (zstd -d --long=31, then zstd without --long)"
        return Broken("file_broken", f"expected a zstd window of at most 128 MiB, found {found}")
    found = f"something else near byte {place} ({why}); nothing behind it was read"
    return Broken("file_broken", f"expected {name} data to the end of the file, found {found}")


def _grown(name: str, size: int, text: int) -> Broken:
    most = f"at most {MOST_GROWTH:,} bytes of text for each byte of {name} data"
    return Broken("file_broken", f"expected {most}, found {text:,} for {size:,}; nothing behind it was read")


def _blocks(data: bytes) -> Iterator[bytes]:
    return (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))

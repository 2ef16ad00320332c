"""Texts as the tables keep them, compressed by zstd.

A compressor that two threads use at once gives wrong bytes, or ends the process; so each thread has its own.
"""

import threading
from typing import Final

import zstandard

__all__ = ["pack", "unpack"]

LEVEL: Final = 3


class _Own(threading.local):
    """What compresses in this thread."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


def pack(text: bytes | memoryview) -> bytes:
    """Compress a text."""
    return _own.compressor.compress(text)


def unpack(packed: bytes, max_output_size: int = 0) -> bytes:
    """Return a compressed text as it was, of at most so many bytes if given; `zstandard.ZstdError` if it is damaged."""
    return _own.decompressor.decompress(packed, max_output_size=max_output_size)

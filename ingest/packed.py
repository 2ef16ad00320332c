"""Texts compressed by zstd, as the tables hold them.

A compressor that two threads share gives wrong bytes or crashes the process, so each thread has its own.
"""

import threading
from typing import Final

import zstandard

__all__ = ["pack", "unpack"]

LEVEL: Final = 3


class _Own(threading.local):
    """The compressor and decompressor of this thread."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_own = _Own()


def pack(text: bytes | memoryview) -> bytes:
    """Compress a text."""
    return _own.compressor.compress(text)


def unpack(packed: bytes, max_output_size: int = 0) -> bytes:
    """Decompress a text, to at most so many bytes if given. Raises `zstandard.ZstdError` if it is damaged."""
    return _own.decompressor.decompress(packed, max_output_size=max_output_size)

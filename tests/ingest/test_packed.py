"""Texts compressed and decompressed by several threads at the same time."""

import os
from concurrent.futures import ThreadPoolExecutor

from ingest.values import pack, unpack

TEXTS = [os.urandom(500) * 160 + bytes([number]) * 1000 for number in range(40)]


def test_threads_that_compress_concurrently_get_their_own_texts() -> None:
    def there_and_back(text: bytes) -> bytes:
        return unpack(pack(text))

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(there_and_back, TEXTS * 20))
    assert found == TEXTS * 20

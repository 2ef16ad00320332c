"""A server with the S3 protocol, for tests of lakes in buckets."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import requests

__all__ = ["keys_in", "refusing", "served"]


@contextmanager
def served(bucket: str) -> Iterator[str]:
    """Serve an empty bucket while the block runs; set its address and keys in the environment; yield the address."""
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            address = next(found[0] for line in server.stderr if (found := re.search(r"http://127\S+", line)))
            threading.Thread(target=server.stderr.read, daemon=True).start()
            requests.put(f"{address}/{bucket}", timeout=10).raise_for_status()
            known = {"AWS_ENDPOINT_URL": address, "AWS_ALLOW_HTTP": "true", "AWS_DEFAULT_REGION": "us-east-1"}
            keys = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "secret"}
            with patch.dict(os.environ, {**known, **keys}):
                yield address
        finally:
            server.terminate()


@contextmanager
def refusing(address: str) -> Iterator[None]:
    """Make the server refuse access with these keys."""
    requests.post(f"{address}/moto-api/reset-auth", data="0", timeout=10).raise_for_status()
    try:
        yield
    finally:
        requests.post(f"{address}/moto-api/reset-auth", data="1000000000", timeout=10).raise_for_status()


def keys_in(address: str, bucket: str) -> list[str]:
    """Return the keys of all objects in the bucket."""
    found: list[str] = []
    while True:
        after = {"list-type": "2", **({"start-after": found[-1]} if found else {})}
        page = requests.get(f"{address}/{bucket}", params=after, timeout=10).text
        found += re.findall(r"<Key>(.*?)</Key>", page)
        if "<IsTruncated>true" not in page:
            return found

"""Buckets of S3 or compatible services: `s3://BUCKET/PREFIX`, and messages for refused requests.

Keys, region and endpoint are taken from the variables `AWS_…` of this process.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ingest.errors import WarehouseError

if TYPE_CHECKING:
    from pyarrow import fs

__all__ = ["SCHEME", "connected", "refusals", "require_bucket", "split"]

SCHEME: Final = "s3://"
"""Prefix of an address in a bucket."""
ATTEMPTS: Final = 3
TIMEOUT: Final = 10
"""Seconds until a server that does not answer is given up."""
REFUSED: Final = {
    "NO_SUCH_BUCKET": "no such bucket",
    "ACCESS_DENIED": "the bucket refuses access; AWS_ACCESS_KEY_ID needs the rights to list, read and write",
    "INVALID_ACCESS_KEY_ID": "the bucket does not know AWS_ACCESS_KEY_ID",
    "SIGNATURE_DOES_NOT_MATCH": "the bucket refuses AWS_SECRET_ACCESS_KEY",
    "INVALID_CLIENT_TOKEN_ID": "the bucket does not know AWS_ACCESS_KEY_ID",
    "EXPIRED_TOKEN": "AWS_SESSION_TOKEN has expired",
    "NETWORK_CONNECTION": "the server cannot be reached; see AWS_ENDPOINT_URL",
}
"""Messages for errors, by their names in the texts of Arrow."""


def split(address: str) -> tuple[str, str]:
    """Return bucket and prefix of an address. Raises `WarehouseError` if it names no bucket."""
    bucket, _, prefix = address.removeprefix(SCHEME).partition("/")
    if not bucket:
        raise WarehouseError(f"{address}: names no bucket; write s3://BUCKET/PREFIX")
    return bucket, prefix.strip("/")


def connected() -> "fs.S3FileSystem":
    """Return a connection with the settings of the variables `AWS_…`, or without keys there with the machine's own."""
    from pyarrow import fs  # an eighth of a second that few commands need

    address = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    settings = {"region": region} if region else {}
    if address:
        parts = urlsplit(address)
        settings |= {"scheme": parts.scheme or "https", "endpoint_override": parts.netloc or parts.path}
    return fs.S3FileSystem(
        **settings,
        connect_timeout=TIMEOUT,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
        allow_delayed_open=True,  # a small object is one request, not three
    )


def require_bucket(system: "fs.S3FileSystem", bucket: str, name: str) -> None:
    """Raise `WarehouseError` with a name if there is no such bucket."""
    from pyarrow import fs

    if system.get_file_info(bucket).type == fs.FileType.NotFound:
        raise WarehouseError(f"{name}: {REFUSED['NO_SUCH_BUCKET']}")


@contextmanager
def refusals(name: str, so_far: str = "") -> Iterator[None]:
    """Turn a bucket's refusal into a sentence about `name` and the work done `so_far`."""
    try:
        yield
    except OSError as error:
        reason = next((said for code, said in REFUSED.items() if code in str(error)), str(error).splitlines()[0])
        raise WarehouseError(f"{name}: {reason}{so_far}") from None

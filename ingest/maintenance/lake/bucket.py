"""A lake in a bucket of S3 or a compatible service: `s3://BUCKET/PREFIX`."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pyarrow import fs

from ingest.errors import WarehouseError
from ingest.maintenance.lake.tables import MANIFEST, Files, Manifest

__all__ = ["SCHEME", "LakeBucket", "connected", "refusals", "require_bucket", "split"]


SCHEME: Final = "s3://"
"""Prefix of an address in a bucket."""
ATTEMPTS: Final = 3
TIMEOUT: Final = 10
"""Seconds to wait for a server that does not answer."""
REFUSED: Final = {
    "NO_SUCH_BUCKET": "no such bucket",
    "ACCESS_DENIED": "the bucket refuses access; AWS_ACCESS_KEY_ID needs the rights to list, read and write",
    "INVALID_ACCESS_KEY_ID": "the bucket does not know AWS_ACCESS_KEY_ID",
    "SIGNATURE_DOES_NOT_MATCH": "the bucket refuses AWS_SECRET_ACCESS_KEY",
    "INVALID_CLIENT_TOKEN_ID": "the bucket does not know AWS_ACCESS_KEY_ID",
    "EXPIRED_TOKEN": "AWS_SESSION_TOKEN has expired",
    "NETWORK_CONNECTION": "the server cannot be reached; see AWS_ENDPOINT_URL",
}
"""Messages for errors, by their names in Arrow's error texts."""


def split(address: str) -> tuple[str, str]:
    """Return the bucket and the prefix of an address. Raises `WarehouseError` if it names no bucket."""
    bucket, _, prefix = address.removeprefix(SCHEME).partition("/")
    if not bucket:
        raise WarehouseError(f"{address}: names no bucket; write s3://BUCKET/PREFIX")
    return bucket, prefix.strip("/")


def connected() -> "fs.S3FileSystem":
    """Return a connection with the settings from the variables `AWS_…`.

    If these contain no keys, the machine's own credentials are used.
    """
    from pyarrow import fs  # imported here: takes 0.125 s, and few commands need it

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
        allow_delayed_open=True,  # writes a small object in one request, not three
    )


def require_bucket(system: "fs.S3FileSystem", bucket: str, name: str) -> None:
    """Raise `WarehouseError`, with `name` in the message, if there is no such bucket."""
    from pyarrow import fs

    if system.get_file_info(bucket).type == fs.FileType.NotFound:
        raise WarehouseError(f"{name}: {REFUSED['NO_SUCH_BUCKET']}")


@contextmanager
def refusals(name: str, so_far: str = "") -> Iterator[None]:
    """Turn a bucket's refusal into a `WarehouseError` that mentions `name` and the work done `so_far`."""
    try:
        yield
    except OSError as error:
        reason = next((said for code, said in REFUSED.items() if code in str(error)), str(error).splitlines()[0])
        raise WarehouseError(f"{name}: {reason}{so_far}") from None


README: Final = "README.md"
WRITING: Final = "_writing"
AT_ONCE: Final = 8
"""Maximum number of concurrent requests."""
PIECE: Final = 1 << 20
"""Bytes sent in one request."""


class LakeBucket:
    """The objects of a lake in a bucket. Use it within `held`. Raises `WarehouseError` if the bucket refuses access.

    Keys, region and endpoint come from the variables `AWS_…` of this process.
    """

    holds: Final = "bucket.md"
    where: Final = (
        "The tools take keys, region and endpoint from variables `AWS_…`, as `himalaya lake` does; DuckDB does after "
        "`CREATE SECRET (TYPE s3, PROVIDER credential_chain)`, Spark with `s3a://` for `s3://`"
    )

    def __init__(self, address: str) -> None:
        bucket, prefix = split(address)
        self._bucket = bucket
        self._root = f"{bucket}/{prefix}".rstrip("/")
        self.name = f"{SCHEME}{self._root}"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Connect to the bucket, and check that it exists and that its prefix is empty or holds a lake."""
        with self._refusals():
            self._system = connected()
            require_bucket(self._system, self._bucket, self.name)
            there = [each.base_name for each in self._system.get_file_info(self._selector(self._root))]
            if there and not {MANIFEST, WRITING} & set(there):
                raise WarehouseError(f"{self.name}: has objects, but is not a lake; name another prefix")
        with tempfile.TemporaryDirectory(prefix="himalaya-lake-") as scratch:
            self.scratch = Path(scratch)
            yield

    def manifest(self) -> Manifest | None:
        """Return the manifest of the lake; `None` for a new lake. Raises `WarehouseError` if it cannot be read."""
        text = self._read(MANIFEST)
        return None if text is None else Manifest.read(text, f"{self.name}/{MANIFEST}")

    def begin(self, _tables: Iterable[str]) -> None:
        """Begin the next state of the lake, and remove what a killed run left."""
        self.tidy()

    def put(self, table: str, file: str, made: Path) -> None:
        """Upload a complete file under a temporary name that readers do not see."""
        place = f"{self._root}/{WRITING}/{table}/{file}"
        with self._refusals(), made.open("rb") as source, self._system.open_output_stream(place) as target:
            shutil.copyfileobj(source, target, PIECE)
        made.unlink()

    def is_whole(self, expected: Files) -> bool:
        """Return whether readers see all the expected files."""
        with self._refusals():
            there = self._listed()
        return all(files <= there.get(table, frozenset()) for table, files in expected.items())

    def tidy(self) -> None:
        """Remove unpublished files of earlier runs."""
        with self._refusals():
            if self._system.get_file_info(f"{self._root}/{WRITING}").type != fs.FileType.NotFound:
                self._system.delete_dir(f"{self._root}/{WRITING}")

    def publish(self, manifest: Manifest, expected: Files, _also: Mapping[str, str]) -> None:
        """Move the new files to their places and delete all others.

        Former names of tables are not kept, because an object in a bucket has only one name.
        """
        with self._refusals():
            before = self._listed()
            for table in sorted({*expected, *before}):
                self._replace(table, expected.get(table, frozenset()), before.get(table, frozenset()))
        self._write(MANIFEST, manifest.text())
        self.tidy()

    def explain(self, text: str) -> None:
        """Write the README into the lake."""
        self._write(README, text)

    def _replace(self, table: str, wanted: frozenset[str], before: frozenset[str]) -> None:
        """Make a table consist of exactly the wanted files."""
        place, made = f"{self._root}/{table}", f"{self._root}/{WRITING}/{table}"
        _at_once(lambda file: self._system.copy_file(f"{made}/{file}", f"{place}/{file}"), wanted)
        _at_once(lambda file: self._system.delete_file(f"{place}/{file}"), before - wanted)

    def _read(self, name: str) -> str | None:
        with self._refusals():
            path = f"{self._root}/{name}"
            if self._system.get_file_info(path).type != fs.FileType.File:
                return None
            with self._system.open_input_stream(path) as source:
                return str(source.read(), "utf-8")

    def _write(self, name: str, text: str) -> None:
        if self._read(name) != text:
            with self._refusals(), self._system.open_output_stream(f"{self._root}/{name}") as target:
                target.write(text.encode())

    def _listed(self) -> dict[str, frozenset[str]]:
        """Return the names of the Parquet files that readers see, by table."""
        found: dict[str, set[str]] = {}
        for each in self._system.get_file_info(self._selector(self._root, recursive=True)):
            table, _, file = each.path.removeprefix(f"{self._root}/").partition("/")
            if file.endswith(".parquet") and "/" not in file:
                found.setdefault(table, set()).add(file)
        return {table: frozenset(files) for table, files in found.items()}

    def _selector(self, path: str, *, recursive: bool = False) -> fs.FileSelector:
        return fs.FileSelector(path, allow_not_found=True, recursive=recursive)

    def _refusals(self) -> AbstractContextManager[None]:
        return refusals(self.name)


def _at_once(do: Callable[[str], None], files: Iterable[str]) -> None:
    """Call a function for several files concurrently."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(do, sorted(files)))

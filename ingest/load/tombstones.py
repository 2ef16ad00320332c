"""What was forgotten and stays out: known by digests alone, of a log and of the first line of it.

The first line names the match, its luck and its players. So what starts with it stays out too, if it is only the head
of a match that was forgotten, a damaged copy, or a live match that grows on. Lines from the middle of a match are known
by their own bytes only; cut differently they come to quarantine, as a rest without a start.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import duckdb
import polars as pl

__all__ = ["first_line_of", "forgotten_of"]

ASKED: Final = {"bytes_sha256": pl.String, "first_line_sha256": pl.String}
STAYS_OUT: Final = """
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (bytes_sha256) UNION
SELECT bytes_sha256 FROM asked SEMI JOIN forgotten_matches USING (first_line_sha256)
"""


def first_line_of(text: bytes) -> str:
    """Return the SHA-256 of the first line of a text, without its line end."""
    return hashlib.sha256(text.partition(b"\n")[0]).hexdigest()


def forgotten_of(connection: duckdb.DuckDBPyConnection, texts: Iterable[tuple[str, bytes]]) -> set[str]:
    """Return the digests of those texts, given after their digests, that stay out.

    The texts are not looked at where nothing was ever forgotten.
    """
    ((marks,),) = connection.execute("SELECT count(*) FROM forgotten_matches").fetchall()
    if not marks:
        return set()
    asked = pl.DataFrame([(digest, first_line_of(text)) for digest, text in texts], schema=ASKED, orient="row")
    connection.register("asked", asked)
    found = connection.execute(STAYS_OUT).fetchall()
    connection.unregister("asked")
    return {digest for (digest,) in found}

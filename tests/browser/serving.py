"""The server command for browser tests; slow computations run only once for all servers.

Each process of a test run has its own servers with copies of the same matches. Each server would review all of these,
and one more whenever a page requests it: a match for six takes five seconds. Here only two matches have a review, made
by the first server that needs it; for all others, servers report none. `tests/dashboards` tests reviews.
"""

import sys
from hashlib import sha256
from typing import Final

from dashboards.replay import reviews
from dashboards.replay.scenes import as_bytes, pack
from himalaya_core.cli.main import main
from ingest.load.background import BackgroundWork
from tests.once import once_written

__all__ = ["HIMALAYA"]

VALUED: Final = (b'"match":"four.000001"', b'"match":"mine"')
NOT_VALUED: Final = {"not_valued": "one match is enough", "model": None} | {
    part: [] for part in ("chances", "moments", "split", "judgements")
}
HIMALAYA: Final = (sys.executable, "-c", "import sys; from tests.browser.serving import run; sys.exit(run())")


def run() -> int:
    review = reviews._packed

    def reviewed_once(log: bytes) -> tuple[str, bytes]:
        if not any(name in log[:1000] for name in VALUED):
            return pack(as_bytes(NOT_VALUED))

        def written() -> bytes:
            tag, packed = review(log)
            return tag.encode() + b" " + packed

        tag, _, packed = once_written(f"review of {sha256(log).hexdigest()}", written).partition(b" ")
        return tag.decode(), packed

    BackgroundWork._review = lambda _: None  # type: ignore[method-assign]
    reviews._packed = reviewed_once  # type: ignore[assignment]
    return main()

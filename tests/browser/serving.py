"""The command as the tests in a browser run it: whatever takes a server long is worked out once in a run.

Each process of a run has servers of its own over copies of the same matches. They would review all of these beside the
tests, and one once more whenever a page asks: a match of six takes five seconds. What a page asks for is reviewed by
the first server that is asked; that reviews are right is for the tests of reviews.
"""

import sys
from hashlib import sha256
from typing import Final

from dashboards.replay import reviews
from himalaya_core.cli.main import main
from ingest.load.background import BackgroundWork
from tests.once import once_written

__all__ = ["HIMALAYA"]

HIMALAYA: Final = (sys.executable, "-c", "import sys; from tests.browser.serving import run; sys.exit(run())")


def run() -> int:
    """Run the command line, and return its exit code."""
    review = reviews._packed

    def reviewed_once(log: bytes) -> tuple[str, bytes]:
        def written() -> bytes:
            tag, packed = review(log)
            return tag.encode() + b" " + packed

        tag, _, packed = once_written(f"review of {sha256(log).hexdigest()}", written).partition(b" ")
        return tag.decode(), packed

    BackgroundWork._review = lambda _: None  # type: ignore[method-assign]
    reviews._packed = reviewed_once  # type: ignore[assignment]
    return main()

"""Processes that answer pieces of logs for this one, which may start them before there is anything to answer.

What validates takes as long to import as a hundred thousand lines to validate. So a command that will have many of them
starts its processes first of all, and imports what it needs beside them. That is why nothing large is imported here.
"""

import os
import subprocess
import sys
from multiprocessing import Pipe
from typing import Final

__all__ = ["ONE_BLAS_THREAD", "PROCESSES", "WORTHWHILE", "Worker"]

PROCESSES: Final = min(2, (os.cpu_count() or 1) - 1)
"""Processes that check lines besides the one that reads and loads, and helps them while it waits."""
WORTHWHILE: Final = 32 << 20
"""Bytes to validate from which on starting processes pays."""
ONE_BLAS_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""For the environment: numpy would start a thread for each core, to multiply matrices, and these spin for a while."""


class Worker:
    """A process, and the pipe to it: first goes what function it is to call, then pieces; the answers come back.

    It ends by itself if the pipe is closed, or this process killed, and has a session of its own, so that Ctrl-C
    reaches only this process.
    """

    def __init__(self, *, gives_way: bool = False) -> None:
        """`gives_way` is what `ingest.validate.pool.serve` takes."""
        self.pipe, theirs = Pipe()
        self.process = subprocess.Popen(  # noqa: S603  ourselves, once more
            [
                sys.executable,
                "-P",  # nothing is imported from the folder at hand: it may be one of somebody's logs
                "-c",
                f"from ingest.validate.pool import serve; serve({theirs.fileno()}, {gives_way})",
            ],
            env={**ONE_BLAS_THREAD, **os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()

    def end(self) -> None:
        """Have the process end when it has answered, and wait for that."""
        self.pipe.close()
        self.process.wait()

"""A process that plays the last rounds of one match out: its log comes in, the shares of wins, or why not, go out.

It is a process of its own because it takes many seconds of the interpreter, in which a server would not answer, and so
that it can be ended at any time.
"""

import json
import os
import subprocess
import sys
from typing import Any, Final

from himalaya_core.arena.playouts import PlayoutError, play_out
from himalaya_core.replay import Replay, ReplayError

__all__ = ["main", "started"]

NICE: Final = 10
COMMAND: Final = (
    sys.executable,
    "-P",  # nothing is imported from the folder at hand: it may be one of somebody's logs
    "-c",
    "from ingest.validate.playing_out import main; main()",
)


def started() -> "subprocess.Popen[bytes]":
    """Start such a process; it gives way to all others, and ends when its input ends without a log."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(  # noqa: S603  ourselves, once more
        COMMAND, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )


def main() -> None:
    """Play the match out whose log is the input, and write the answer."""
    os.nice(NICE)
    sys.stdout.write(json.dumps(_answer(sys.stdin.buffer.readlines())))


def _answer(lines: list[bytes]) -> dict[str, Any]:
    """Return `samples`, `error` and `chances`, or the `reason` why there are none."""
    try:
        return play_out(Replay.read(lines)).document
    except (PlayoutError, ReplayError) as error:
        return {"reason": str(error)}
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        return {"reason": f"a player fails ({type(error).__name__})"}

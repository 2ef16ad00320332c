"""A process that plays the last rounds of one match out, or one decision of it beside a better one that was found.

Its log comes in, and the decision; the shares of wins, or what came of the decision, or why there is nothing, go out.

It is a process of its own because it takes many seconds of the interpreter, in which a server would not answer, and so
that it can be ended at any time.
"""

import json
import os
import subprocess
import sys
from typing import Any, Final

from himalaya_core.arena.confirming import ConfirmError, confirm
from himalaya_core.arena.playouts import PlayoutError, play_out
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.review.swings import Judgement

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
    """Play what the input says, and write the answer."""
    os.nice(NICE)
    sys.stdout.write(json.dumps(_answer(json.load(sys.stdin))))


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Return `samples`, `error` and `chances`, or what came of the `decision`, or the `reason` why there is nothing."""
    try:
        replay = Replay.read(asked["log"].encode().splitlines(keepends=True))
        if asked["decision"] is None:
            return play_out(replay).document
        return confirm(replay, Judgement(**asked["decision"])).document
    except (PlayoutError, ConfirmError, ReplayError) as error:
        return {"reason": str(error)}
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        return {"reason": f"a player fails ({type(error).__name__})"}

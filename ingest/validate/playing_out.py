"""Plays out the last rounds of one match, or one decision compared with a better one, in a separate process.

The input is its log, and the decision. The output is the shares of wins, the result of the decision, or the reason for
having none.
"""

from collections.abc import Callable
from typing import Any, Final

from himalaya_core.arena.confirming import ConfirmError, confirm
from himalaya_core.arena.playouts import PlayoutError, play_out
from himalaya_core.child import Child, serve
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.review.swings import Evaluation

__all__ = ["main", "started"]

NICE: Final = 10


def started() -> Child:
    """Start such a process with a low priority."""
    return Child("ingest.validate.playing_out:main")


def main() -> None:
    """Play as the input requests, and write the answer."""
    serve(_answer, NICE, once=True)


def _answer(asked: dict[str, Any], say: Callable[[Any], None]) -> None:
    """Report `samples`, `error` and `chances`, or the result of the `decision`, or the `reason` for having none."""
    try:
        replay = Replay.read(asked["log"].encode().splitlines(keepends=True))
        if asked["decision"] is None:
            say(play_out(replay).document)
        else:
            say(confirm(replay, Evaluation(**asked["decision"])).document)
    except (PlayoutError, ConfirmError, ReplayError) as error:
        say({"reason": str(error)})
    except Exception:  # noqa: BLE001  a player may fail in any way in a position it never came to
        say({"reason": "a player fails in this position"})

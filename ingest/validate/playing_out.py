"""Plays the last rounds of one match out, or one decision of it beside a better one, in a process of its own.

Its log comes in, and the decision; the shares of wins, or what came of the decision, or why there is nothing, go out.
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
    """Start such a process, which gives way to all others."""
    return Child("ingest.validate.playing_out:main")


def main() -> None:
    """Play what the input says, and write the answer."""
    serve(_answer, NICE, once=True)


def _answer(asked: dict[str, Any], say: Callable[[Any], None]) -> None:
    """Say `samples`, `error` and `chances`, or what came of the `decision`, or the `reason` why there is nothing."""
    try:
        replay = Replay.read(asked["log"].encode().splitlines(keepends=True))
        if asked["decision"] is None:
            say(play_out(replay).document)
        else:
            say(confirm(replay, Evaluation(**asked["decision"])).document)
    except (PlayoutError, ConfirmError, ReplayError) as error:
        say({"reason": str(error)})
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        say({"reason": f"a player fails ({type(error).__name__})"})

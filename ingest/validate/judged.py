"""The verdict on a match: whether it follows from the rules of its game, up to its last line."""

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from himalaya_core.game import Game
from himalaya_core.judging import Judge, Verification
from himalaya_core.replay import NotInstalled, ReplayError

__all__ = ["Judged", "Verdict", "judged", "shortened", "waits"]

GROWING: Final = 64
"""Unfinished matches that are remembered, to verify only their new lines when they have grown."""
LONGEST: Final = 400
"""Maximum letters of the expected and of the found value; the opening of a match of climbers has thousands."""


class Verdict(StrEnum):
    """The result of verifying a match by the rules."""

    CLEAN = "clean"
    """Every event follows, as far as the match goes."""
    WAITING = "waiting"
    """It was loaded before it was verified."""
    UNJUDGED = "unjudged"
    """The rules of its version or its board are not installed here."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a match, and whether its dice follow from its seed, a `DiceVerdict`; or its first fault.

    `line` counts from 0 within the match, `fault` has the value expected there.
    """

    verdict: Verdict
    dice: str | None = None
    line: int = 0
    fault: str | None = None


waits: Final = Judged(Verdict.WAITING)
_growing: Final[dict[str, tuple[Judge, list[bytes]]]] = {}
_lock: Final = threading.Lock()


def judged(match: str, lines: list[bytes], game: Game[Any, Any, Any], *, is_over: bool) -> Judged:
    """Verify the valid lines of a match; lines verified when it was shorter are not verified again."""
    try:
        found = _judgement(match, lines, is_over=is_over)
    except NotInstalled:
        return Judged(Verdict.UNJUDGED)
    except ReplayError as error:
        return Judged(Verdict.WAITING, None, error.line - 1, f"rules: {error.reason}")
    except Exception as error:  # noqa: BLE001  a fault in rules from elsewhere must not stop a batch
        reason = f"the rules of {game.name} fail on this match ({error}); report it to their author"
        return Judged(Verdict.WAITING, None, 0, f"rules: {shortened(reason)}")
    if found.departure is not None:
        departure = found.departure
        told = replace(departure, expected=shortened(departure.expected), found=shortened(departure.found))
        return Judged(Verdict.WAITING, None, departure.line - 1, f"rules: {told}")
    return Judged(Verdict.CLEAN, found.dice)


def _judgement(match: str, lines: list[bytes], *, is_over: bool) -> Verification:
    with _lock:
        judge, known = _growing.pop(match, (None, []))
    if judge is not None and not _begins_with(lines, known):
        judge.close()
        judge = None
    if judge is None:
        judge, known = Judge(lines), lines
    known += lines[len(known) :]
    with ExitStack() as over:
        over.callback(judge.close)
        found = judge.judgement()
        if not is_over:
            _remember(match, judge, known)
            over.pop_all()
    return found


def _remember(match: str, judge: Judge, lines: list[bytes]) -> None:
    with _lock:
        _growing[match] = judge, lines
        if len(_growing) > GROWING:
            oldest, _ = _growing.pop(next(iter(_growing)))
            oldest.close()


def _begins_with(lines: Sequence[bytes], first: Sequence[bytes]) -> bool:
    return len(lines) >= len(first) and all(map(bytes.__eq__, lines, first))


def shortened(text: str) -> str:
    """Return the beginning of a text that is too long to be read."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

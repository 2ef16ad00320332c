"""Verifies a match by the rules, and works on loaded matches in processes: replays players, reviews, plays out."""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from io import BytesIO
from typing import Any, Final, TypeAlias

from himalaya_core.child import Child, serve
from himalaya_core.game import CHANCE, Game
from himalaya_core.games import GAMES
from himalaya_core.replay import NotInstalled, Replay, ReplayError
from himalaya_core.tournament.confirming import ConfirmError, confirm
from himalaya_core.tournament.playouts import PlayoutError, play_out
from himalaya_core.tournament.reproducibility import PlayersVerdict, SeatAnswer, ask
from himalaya_core.verification import Judge, Verification
from himalaya_core.winprob.key_moments import Evaluation, Valued, rounded, turning
from himalaya_core.winprob.model import Model, shipped
from himalaya_core.winprob.review import Moment, Review, Share, review
from ingest.read.chunk import Chunk, FileSpan

__all__ = [
    "FAILS",
    "Asked",
    "Judged",
    "Reviewed",
    "Row",
    "Verdict",
    "asked",
    "judged",
    "main",
    "reviewed",
    "shortened",
    "started",
    "waits",
]


NICE: Final = 10


def started() -> Child:
    """Start a process that plays out matches, with a low priority."""
    return Child("ingest.validate.after_load:main")


def main() -> None:
    """Play out what the input requests, and write the answer."""
    serve(_answer, NICE, once=True)


def _answer(asked: dict[str, Any], say: Callable[[Any], None]) -> None:
    """Write `samples`, `error` and `chances`, or the result for the `decision`; on failure, write the `reason`."""
    try:
        replay = Replay.read(asked["log"].encode().splitlines(keepends=True))
        if asked["decision"] is None:
            say(play_out(replay).document)
        else:
            say(confirm(replay, Evaluation(**asked["decision"])).document)
    except (PlayoutError, ConfirmError, ReplayError) as error:
        say({"reason": str(error)})
    except Exception:  # noqa: BLE001  a player may fail in an unusual position
        say({"reason": "a player fails in this position"})


GROWING: Final = 64
"""Maximum number of unfinished matches to remember. If the log of a remembered match grows, only its new lines are
verified.
"""
LONGEST: Final = 400
"""Maximum characters of the expected and the found value in a message; some values in logs of The Climbers have
thousands.
"""


class Verdict(StrEnum):
    """The result of verifying a match by the rules."""

    CLEAN = "clean"
    """Every event follows from the rules, up to the end of the log."""
    WAITING = "waiting"
    """The match was loaded before it was verified."""
    UNJUDGED = "unjudged"
    """The rules of its version or its board are not installed here."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a match and, as a `DiceVerdict`, on whether its dice follow from its seed; or its first fault.

    `line` is the line of the fault, counted from 0 within the match. `fault` describes it, with the expected value.
    """

    verdict: Verdict
    dice: str | None = None
    line: int = 0
    fault: str | None = None


waits: Final = Judged(Verdict.WAITING)
_growing: Final[dict[str, tuple[Judge, list[bytes]]]] = {}
_lock: Final = threading.Lock()


def judged(match: str, lines: list[bytes], game: Game[Any, Any, Any], *, is_over: bool) -> Judged:
    """Verify the valid lines of a match. Lines verified earlier, when the log was shorter, are not verified again."""
    try:
        found = _judgement(match, lines, is_over=is_over)
    except NotInstalled:
        return Judged(Verdict.UNJUDGED)
    except ReplayError as error:
        return Judged(Verdict.WAITING, None, error.line - 1, f"rules: {error.reason}")
    except Exception as error:  # noqa: BLE001  a bug in a third-party game must not stop a batch
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
    """Return a text, cut if it is too long for a message."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class Asked:
    """Results of replaying the players of a match, by seat, and the place of the match in the files.

    `sha256` is the digest of its lines, which identifies the log.
    """

    match: str
    sha256: str
    seats: tuple[SeatAnswer, ...]
    span: FileSpan


def asked(chunk: Chunk) -> Asked:
    """Replay the players of the only match in a chunk. If they cannot be replayed, each answer has the reason."""
    lines = BytesIO(chunk.data).readlines()
    header = json.loads(lines[0])
    try:
        seats = ask(lines)
    except ReplayError as error:
        seats = _nobody(header, error.reason)
    except Exception as error:  # noqa: BLE001  a third-party player must not stop the rest
        seats = _nobody(header, shortened(f"the player fails: {error}"))
    return Asked(header["match"], hashlib.sha256(chunk.data).hexdigest(), seats, chunk.spans[0])


def _nobody(header: dict[str, Any], reason: str) -> tuple[SeatAnswer, ...]:
    """Return the answers for a match without players that can be replayed."""
    return tuple(
        SeatAnswer(info["seat"], info["player"], info["version"], PlayersVerdict.NOT_ASKED, reason=reason)
        for info in header["data"]["seats"]
    )


FAILS: Final = "reviewing it fails"
"""Prefix of the reason for a missing review if the fault may be in this program, not in the match."""

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review to store: rows by table, without the column `match_id`, which is first in each table.

    `sha256` is the digest of the match's lines, which identifies the log.
    """

    match: str
    sha256: str
    game: str
    not_valued: str | None
    rows: dict[str, list[Row]]


def reviewed(chunk: Chunk) -> Reviewed:
    """Review the only match in a chunk; its game must have a model. On failure, the review has the reason."""
    lines = BytesIO(chunk.data).readlines()
    header = json.loads(lines[0])
    game = header["data"]["game"]
    model = shipped(GAMES[game])
    assert model is not None, "of games with a model alone"
    plies: list[int] = []
    try:
        replay = Replay.read(lines)
        plies = [entry.ply for entry in replay.entries]
        found = review(model, replay, judges=False)
    except Exception as error:  # noqa: BLE001  one game's fault must not stop other reviews
        found = Review(model, shortened(f"{FAILS}: {error}"))
    sha256 = hashlib.sha256(chunk.data).hexdigest()
    return Reviewed(header["match"], sha256, game, found.not_valued, _rows(found, plies))


def _rows(found: Review, plies: Sequence[int]) -> dict[str, list[Row]]:
    model = found.model
    return {
        "dim_reviews": [(model.sha256, model.calibration_error, found.not_valued, *_turning(found))],
        "fct_values": [row for each in found.chances for row in _values(model, each)],
        "fct_moments": [_moment(number, moment, plies) for number, moment in enumerate(found.moments, 1)],
        "fct_causes": [(share.round, share.seat, str(share.cause), share.amount) for share in found.split],
        "fct_seat_causes": _over_rounds(found.split),
    }


def _values(model: Model, after: Valued) -> list[Row]:
    return [(after.seq, seat, chance, model.sha256) for seat, chance in enumerate(rounded(after.chances))]


def _over_rounds(split: Sequence[Share]) -> list[Row]:
    sums: dict[tuple[int, str], float] = {}
    for share in split:
        key = share.seat, str(share.cause)
        sums[key] = sums.get(key, 0.0) + share.amount
    return [(*key, amount) for key, amount in sorted(sums.items())]


def _turning(found: Review) -> Row:
    turned = turning(found.chances) if found.chances else None
    if turned is None:
        return (None,) * 8
    low, high = turned.lowest, turned.rival
    return (
        *(turned.decided_round, low.chance, low.round, low.ply),
        *(high.chance, high.seat, high.round, high.ply),
    )


def _moment(number: int, moment: Moment, plies: Sequence[int]) -> Row:
    swing = moment.swing
    by = None if swing.by == CHANCE else swing.by
    return (
        *(number, swing.since, swing.seq, plies[swing.seq], swing.round, moment.seat),
        *(by, str(moment.cause), moment.change, swing.cost, moment.text),
    )

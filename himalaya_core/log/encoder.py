"""Encodes the lines of one match. The same match gives the same bytes on every machine."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from himalaya_core.game import Game, Outcome, Step
from himalaya_core.log.codec import BEFORE_SEQ, LINE, MATCH_STARTED, Header, head, last_payload, payload, written_header

__all__ = ["LogEncoder", "encode_match"]


class LogEncoder:
    """Encodes the lines of one match, in order: call `start`, then `step` for each event, then `end`."""

    def __init__(self, game: Game[Any, Any, Any], match: str) -> None:
        self._game = game
        self._match = match
        self._seq = 0
        self._digest = hashlib.sha256()

    def _line(self, ply: int, round: int, rest: bytes) -> bytes:
        line = head(self._match, self._seq, ply, round) + rest
        self._seq += 1
        self._digest.update(line)
        return line

    @property
    def lines_sha256(self) -> str:
        """SHA-256 of all lines so far."""
        return self._digest.hexdigest()

    def start(self, header: Header, board: Mapping[str, Any] | None = None) -> bytes:
        """Return the first line. Pass the `board` document only if the board does not ship with the game."""
        document = "" if board is None else json.dumps(board, separators=(",", ":"), ensure_ascii=False)
        carried = f',"board":{document}'.encode() if document else b""
        parts = (MATCH_STARTED.encode(), written_header(header), carried)
        return self._line(0, 0, b',"type":"%b","data":%b%b}\n' % parts)

    def step(self, step: Step[Any, Any, Any], at: str | None = None) -> bytes:
        """Return the line of one event; `at` is the time of the event, if recorded live."""
        ply, event, state, action = step
        rest = payload(self._game, event, action)
        if at is not None:
            rest = b'%b,"at":%b}\n' % (rest[:-2], json.dumps(at).encode())
        return self._line(ply, self._game.round_of(state), rest)

    def end(self, ply: int, state: Any, outcome: Outcome | None) -> bytes:
        """Return the last line. Without an outcome, the match was abandoned."""
        rest = last_payload(self._game, state, outcome, self.lines_sha256)
        return self._line(ply, self._game.round_of(state), rest)


def encode_match(
    game: Game[Any, Any, Any],
    match: str,
    header: Header,
    history: Iterable[Step[Any, Any, Any]],
    board: Mapping[str, Any] | None = None,
) -> bytes:
    """Return all lines of a finished match."""
    lines = [LogEncoder(game, match).start(header, board)]
    before, round_of = BEFORE_SEQ % match.encode(), game.round_of
    seq, step = 0, None
    for seq, step in enumerate(history, 1):
        ply, event, state, action = step
        rest = payload(game, event, action)
        lines.append(LINE % (before, seq, ply, round_of(state), rest))
    if step is not None:
        rest = last_payload(game, step.state, game.outcome(step.state), hashlib.sha256(b"".join(lines)).hexdigest())
        lines.append(head(match, seq + 1, step.ply, round_of(step.state)) + rest)
    return b"".join(lines)

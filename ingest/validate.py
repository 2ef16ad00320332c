"""The gate: strict about every line and every match, so that only what is certainly valid is ever counted.

A piece of a log is decoded by the generated msgspec decoder, cut into matches, and each match is checked as a whole.
What passes leaves as one frame of typed columns per type of event; what does not leaves as text, with the file, the
first bad line and the reason. A line that the fast decoder refuses is read again by `himalaya_core.log.decode_line`,
the reader of record: its verdict and its message hold.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import msgspec
import polars as pl
import zstandard
from pydantic_core import to_jsonable_python

from himalaya_core.game import Game, OptionsError
from himalaya_core.games import GAMES
from himalaya_core.log import MATCH_STARTED, Entry, LogError, decode_line
from ingest.columns import frames, misfits
from ingest.read import Piece
from ingest.shapes import Shapes, shapes

__all__ = ["Aside", "Checked", "Fault", "ValidMatch", "check"]

LONG_LINE: Final = 1024
"""Lines longer than this are read by both decoders: only they can be nested deeper than one of them allows."""
NAME: Final = re.compile(rb'"match"\s*:\s*"([A-Za-z0-9._-]{1,64})"')
GAME: Final = re.compile(rb'"game"\s*:\s*"([a-z_]+)"')

_compress = zstandard.ZstdCompressor(level=3).compress


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which line of the piece (from 0)."""

    index: int
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class ValidMatch:
    """A match that passed: its original lines compressed, and what the tables of matches need."""

    match: str
    first_line: int
    events: int
    plies: int
    rounds: int
    ended: bool
    bytes_sha256: str
    size: int
    lines: bytes


@dataclass(frozen=True, slots=True)
class Aside:
    """Lines put aside, as they were; `line` is the first bad one."""

    line: int
    match: str | None
    reason: str
    message: str
    text: bytes


@dataclass(frozen=True, slots=True)
class Checked:
    """What a piece came to: valid matches, their events by type (column `match` is a place in `matches`), the rest."""

    matches: list[ValidMatch]
    events: dict[str, pl.DataFrame]
    asides: list[Aside]


@dataclass(slots=True)
class _Run:
    """Neighbouring lines that belong to one match."""

    start: int
    stop: int
    name: str | None
    fault: Fault | None = None


def check(piece: Piece) -> Checked:
    """Check a piece of a log."""
    whole = piece.data.endswith(b"\n") or not piece.data
    data = piece.data if whole else piece.data + b"\n"
    lines = data.split(b"\n")
    lines.pop()
    shape = shapes(_game_of(lines))
    entries, faults = _decode(data, lines, shape)
    last = len(lines) - 1
    if not whole and last in faults:
        faults[last] = Fault(last, "truncated_line", "line: expected a line end, found the end of the file")
    runs = _runs(lines, entries, shape)
    for run in runs:
        run.fault = next((faults[index] for index in range(run.start, run.stop) if index in faults), None)
    if piece.cut:
        _break_off(runs, entries, shape, piece.cut)
    return _Gate(piece, lines, entries, shape).checked(runs)


def _game_of(lines: Sequence[bytes]) -> Game[Any, Any, Any]:
    """Return the game of the first match; any other known one if it doesn't say, its header will be refused."""
    named = GAME.search(lines[0]) if lines else None
    game = GAMES.get(named[1].decode()) if named else None
    return game or next(iter(GAMES.values()))


# --- Lines


def _decode(data: bytes, lines: list[bytes], shape: Shapes) -> tuple[list[Any], dict[int, Fault]]:
    """Return the decoded lines (`None` for a bad one), and the faults by line."""
    if b"\0" not in data and _is_utf8(data):
        try:
            entries = list(map(shape.decoder.decode, lines))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        else:
            doubtful = [index for index, line in enumerate(lines) if len(line) > LONG_LINE]
            return _decode_each(doubtful, lines, entries, shape)
    return _decode_each(range(len(lines)), lines, [None] * len(lines), shape)


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _decode_each(
    indices: Iterable[int], lines: list[bytes], entries: list[Any], shape: Shapes
) -> tuple[list[Any], dict[int, Fault]]:
    faults: dict[int, Fault] = {}
    for index in indices:
        try:
            entries[index] = _decode_line(lines[index], shape)
        except _Refused as refused:
            entries[index] = None
            faults[index] = Fault(index, refused.reason, str(refused))
    return entries, faults


class _Refused(ValueError):
    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def _decode_line(line: bytes, shape: Shapes) -> Any:
    """Decode one line with all checks; `_Refused` says why not."""
    if b"\0" in line:
        raise _Refused("nul_byte", f"line: expected text, found a NUL byte at {line.index(0)}")
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise _Refused(
            "not_utf8", f"line: expected UTF-8, found byte {line[error.start]:#x} at {error.start}"
        ) from None
    if len(line) <= LONG_LINE:
        try:
            return shape.decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
    try:
        entry = decode_line(line + b"\n", shape.game)
    except LogError as error:
        raise _Refused(_reason(error), str(error)) from None
    try:
        return shape.decoder.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return shape.decoder.decode(_rewritten(entry))


def _reason(error: LogError) -> str:
    if error.field == "type":
        return "unknown_type"
    if error.field != "line":
        return "bad_field"
    if error.expected.startswith("at most"):
        return "line_too_long"
    return "not_json" if error.expected == "one JSON object" else "not_object"


def _rewritten(entry: Entry) -> bytes:
    """Return a line as the decoder expects it: of what is read both ways, only `data` reaches a table."""
    data = to_jsonable_python(entry.event, by_alias=True, exclude={"seat"})
    envelope = {key: getattr(entry, key) for key in ("match", "seq", "ply", "round", "type", "seat")}
    return msgspec.json.encode({**envelope, "data": data})


# --- Matches


def _runs(lines: list[bytes], entries: list[Any], shape: Shapes) -> list[_Run]:
    """Cut the lines where the name of the match changes, and where a match ends and the next starts."""
    names = _names(lines, entries, shape) if None in entries else [entry.match for entry in entries]
    runs: list[_Run] = []
    start = 0
    for index in range(1, len(names)):
        same = names[index] == names[index - 1]
        if same and not (type(entries[index]) is shape.started and type(entries[index - 1]) is shape.ended):
            continue
        runs.append(_Run(start, index, names[start]))
        start = index
    if names:
        runs.append(_Run(start, len(names), names[start]))
    return runs


def _names(lines: list[bytes], entries: list[Any], shape: Shapes) -> list[str | None]:
    """Return whose line each is; a bad line that doesn't say belongs to the match around it, or that after it."""
    names: list[str | None] = []
    open_match: str | None = None
    for line, entry in zip(lines, entries, strict=True):
        if entry is None:
            found = NAME.search(line)
            names.append(found[1].decode() if found else open_match)
        else:
            names.append(entry.match)
            open_match = None if type(entry) is shape.ended else entry.match
    for index in range(len(names) - 2, -1, -1):
        if names[index] is None and type(entries[index + 1]) is not shape.started:
            names[index] = names[index + 1]
    return names


def _break_off(runs: list[_Run], entries: list[Any], shape: Shapes, cut: tuple[str, str]) -> None:
    """Put the last match aside if it has no end; a piece that breaks off between matches is put on record too."""
    stop = runs[-1].stop if runs else 0
    if not runs or type(entries[stop - 1]) is shape.ended:
        runs.append(_Run(stop, stop, None))
    runs[-1].fault = Fault(stop, *cut)


class _Gate:
    """Checks the matches of one piece."""

    def __init__(self, piece: Piece, lines: list[bytes], entries: list[Any], shape: Shapes) -> None:
        self.piece = piece
        self.lines = lines
        self.entries = entries
        self.shape = shape

    def checked(self, runs: list[_Run]) -> Checked:
        """Return what is valid and what is not."""
        for run in runs:
            run.fault = run.fault or self._fault(run)
        valid, events = self._fitting(runs)
        return Checked(
            matches=[self._valid(run) for run in valid],
            events=events,
            asides=[self._aside(run) for run in runs if run.fault],
        )

    def _fitting(self, runs: list[_Run]) -> tuple[list[_Run], dict[str, pl.DataFrame]]:
        """Make the frames, and once more if one of them shows a match that does not fit its number of seats."""
        valid = [run for run in runs if not run.fault]
        matches = [self.entries[run.start : run.stop] for run in valid]
        events = frames(matches, self.shape)
        bad = misfits(events, self.shape, [len(match[0].data.seats) for match in matches])
        if not bad:
            return valid, events
        for place, (line, message) in bad.items():
            valid[place].fault = Fault(valid[place].start + line, "bad_field", message)
        return self._fitting(runs)

    def _fault(self, run: _Run) -> Fault | None:
        entries = self.entries[run.start : run.stop]
        found = _order_fault(entries, self.shape) or _header_fault(entries[0].data, self.shape)
        if found is None and type(entries[-1]) is self.shape.ended:
            found = self._end_fault(run, entries)
        return found and Fault(run.start + found.index, found.reason, found.message)

    def _end_fault(self, run: _Run, entries: Sequence[Any]) -> Fault | None:
        last = len(entries) - 1
        ended = entries[-1].data
        digest = hashlib.sha256(self._text(run.start, run.stop - 1)).hexdigest()
        if digest != ended.lines_sha256:
            return Fault(last, "wrong_digest", f"data.lines_sha256: expected {digest}, found {ended.lines_sha256}")
        seats = list(range(len(entries[0].data.seats)))
        ranked = sorted(chain.from_iterable(ended.ranking))
        if ranked != seats and (ranked or ended.reason == "finished"):
            return Fault(last, "bad_field", f"data.ranking: expected each of seats {seats} once, found {ranked}")
        if len(ended.scores) != len(ranked):
            return Fault(last, "bad_field", f"data.scores: expected {len(ranked)}, found {len(ended.scores)}")
        return None

    def _text(self, start: int, stop: int) -> bytes:
        return b"\n".join([*self.lines[start:stop], b""]) if stop > start else b""

    def _valid(self, run: _Run) -> ValidMatch:
        text = self._text(run.start, run.stop)
        last = self.entries[run.stop - 1]
        return ValidMatch(
            match=last.match,
            first_line=self.piece.first_line + run.start,
            events=run.stop - run.start,
            plies=last.ply,
            rounds=last.round,
            ended=type(last) is self.shape.ended,
            bytes_sha256=hashlib.sha256(text).hexdigest(),
            size=len(text),
            lines=_compress(text),
        )

    def _aside(self, run: _Run) -> Aside:
        assert run.fault
        line = self.piece.first_line + run.fault.index
        return Aside(line, run.name, run.fault.reason, run.fault.message, self._text(run.start, run.stop))


def _order_fault(entries: Sequence[Any], shape: Shapes) -> Fault | None:
    """Check that a match starts, goes on without gap or step back, and ends once."""
    kinds = [type(entry) for entry in entries]
    if kinds[0] is not shape.started:
        return Fault(0, "no_start", f"type: expected {MATCH_STARTED} in a match's first line, found {_type(kinds[0])}")
    faults: list[Fault] = []
    if kinds.count(shape.started) > 1:
        faults.append(Fault(kinds.index(shape.started, 1), "starts_twice", "type: expected one start, found another"))
    if shape.ended in kinds[:-1]:
        after = kinds.index(shape.ended) + 1
        faults.append(Fault(after, "after_end", f"type: expected nothing after the end, found {_type(kinds[after])}"))
    seqs = [entry.seq for entry in entries]
    if seqs != list(range(len(seqs))):
        at = next(index for index, seq in enumerate(seqs) if seq != index)
        faults.append(
            Fault(at, "seq_gap" if seqs[at] > at else "seq_repeated", f"seq: expected {at}, found {seqs[at]}")
        )
    for key in ("ply", "round"):
        values = [getattr(entry, key) for entry in entries]
        if values != sorted(values):
            at = next(index for index in range(1, len(values)) if values[index] < values[index - 1])
            expected = f"at least {values[at - 1]}, as in the line before"
            faults.append(Fault(at, f"{key}_back", f"{key}: expected {expected}, found {values[at]}"))
    return min(faults, key=lambda fault: fault.index, default=None)


def _type(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _header_fault(header: Any, shape: Shapes) -> Fault | None:
    """Check that the first line describes a match of this game."""
    if header.game != shape.game.name:
        return Fault(0, "bad_field", f"data.game: expected one of {', '.join(GAMES)}, found {header.game}")
    seats = [info.seat for info in header.seats]
    try:
        players = shape.game.parse_options(header.options).players
    except OptionsError as error:
        return Fault(0, "bad_field", f"data.options: {error}")
    if seats != list(range(players)):
        return Fault(0, "bad_field", f"data.seats: expected seats 0..{players - 1} in order, found {seats}")
    return None

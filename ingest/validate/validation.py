"""Validates chunks of logs strictly, so that only valid matches are ever counted.

A chunk is decoded and divided into matches. Each match is validated as a whole, including by the rules of its game.
Valid events are returned by table (`ingest.validate.decode`). Rejected lines are returned as text, with the first bad
line and the reason.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa

from himalaya_core.errors import OptionsError, RegistryError
from himalaya_core.games import GAMES
from himalaya_core.log.codec import MATCH_ENDED, MATCH_STARTED
from ingest.errors import ReadError
from ingest.read.split import TOO_SHORT, Chunk, Cut, Named, Rejection, SmallFiles, game_of, joined, match_named, read
from ingest.tables.schema import EventSchema, schema_of
from ingest.validate.after_load import Judged, judged, waits
from ingest.validate.decode import DecodedLines, Events, Fault, decode_lines, events_of, misfits
from ingest.validate.line_prefix import Places
from ingest.values import pack

__all__ = ["ValidMatch", "ValidatedChunk", "ValidatedChunks", "check", "validate_any"]

BY_GAME: Final = ("data", "type", "action")
"""Fields with contents that depend on the game."""
TOO_LONG: Final = ("line_too_long", "match_too_long")
HURTS_NONE: Final = ("line_too_long", TOO_SHORT, "file_changed")
"""Reasons for cutting a file that reject no lines if the cut is between two matches.

The rest is read later: the long line in parts, or the whole file when it is read again.
"""


@dataclass(frozen=True, slots=True)
class ValidMatch:
    """A valid match: its original lines, compressed, and the values for the tables of matches.

    `span` is the index of its span in the chunk. `found_in` is the file in which the match starts, if that is another
    file.
    """

    match: str
    first_line: int
    events: int
    plies: int
    rounds: int
    bytes_sha256: str
    size: int
    lines: bytes
    judged: Judged
    span: int = 0
    found_in: str | None = None


@dataclass(frozen=True, slots=True)
class ValidatedChunk:
    """A validated chunk: valid matches, their events by table, and rejections.

    `events` is an `Events` or an empty mapping; in its tables, the column `match` is an index into `matches`.
    """

    matches: list[ValidMatch]
    events: Mapping[str, pa.Table]
    rejections: list[Rejection]

    @property
    def over(self) -> set[int]:
        """Return the indices of matches that are over."""
        ended = self.events.get("stg_match_ended")
        return set() if ended is None else set(ended["match"].to_pylist())


@dataclass(slots=True)
class _Run:
    """The lines of one match: `start` is the first, `stop` is one past the last."""

    span: int
    start: int
    stop: int
    name: str | None
    fault: Fault | None = None
    sha256: Any = None
    judged: Judged = waits


def check(chunk: Chunk, *, judges: bool = True) -> ValidatedChunk:
    """Validate a chunk of a log; without `judges`, its matches are left to be verified later."""
    data = chunk.data
    is_truncated = not data.endswith(b"\n") and bool(data)
    schema = schema_of(game_of(data) or next(iter(GAMES.values())))  # lines of no known game are refused later
    lines = decode_lines(data + b"\n" if is_truncated else data, schema)
    last = len(lines.kind) - 1
    if is_truncated and last in lines.faults:
        found = "line: expected a line end, found the end of the file"
        lines.faults[last] = Fault(last, "truncated_line", found)
    return _Validation(chunk, lines, schema, judges=judges).checked()


@dataclass(frozen=True, slots=True)
class ValidatedChunks:
    """Validated chunks without their text.

    For small files, `failed` lists those that could not be read, and `left` those that were not read.
    """

    chunks: Sequence[tuple[Chunk, ValidatedChunk]]
    failed: Sequence[ReadError]
    left: Sequence[Named]


def validate_any(asked: Chunk | SmallFiles, *, judges: bool = True) -> ValidatedChunks:
    """Validate a chunk, or read and validate small files; without `judges`, matches are left to be verified later."""
    failed: list[ReadError] = []
    left: list[Named] = []
    chunks = [asked] if isinstance(asked, Chunk) else joined(read(asked, failed, left))
    return ValidatedChunks([(chunk.without_text(), check(chunk, judges=judges)) for chunk in chunks], failed, left)


class _Validation:
    def __init__(self, chunk: Chunk, lines: DecodedLines, schema: EventSchema, *, judges: bool) -> None:
        self.judges = judges
        self.chunk = chunk
        self.lines = lines
        self.schema = schema
        self.breaks = _breaks(lines, schema)
        self.starts: list[int] = []
        """Index of the first line of each span in the chunk."""

    def checked(self) -> ValidatedChunk:
        """Return the valid matches and the rejections."""
        runs = self._runs()
        valid, events = self._fitting(runs)
        for run in runs:
            run.fault = self._first_fault(run)
        rejections = [self._rejection(run) for run in runs if run.fault]
        return ValidatedChunk([self._valid(run) for run in valid], events, [*self.chunk.rejections, *rejections])

    # --- Grouping lines into matches

    def _runs(self) -> list[_Run]:
        """Return the lines of each match in each span, with the fault found, if any."""
        found: list[_Run] = []
        start = 0
        for number, span in enumerate(self.chunk.spans):
            stop = start + span.lines
            self.starts.append(start)
            bounds = accumulate(span.sizes, initial=start)
            runs = [_Run(number, begin, until, self._name(begin, until)) for begin, until in pairwise(bounds)]
            for run in runs:
                run.fault = self._fault(run)
            if span.cut:
                self._break_off(runs, stop, number, span.cut)
            found += runs
            start = stop
        return found

    def _name(self, start: int, stop: int) -> str | None:
        """Return the match that these lines name; names in bad lines count only if no valid line names one."""
        if self.lines.kind[start] >= 0:
            return self.lines.match(start)
        names = (
            self.lines.match(index) or match_named(self.lines.text(index, index + 1)) for index in range(start, stop)
        )
        return next(filter(None, names), None)

    def _break_off(self, runs: list[_Run], stop: int, span: int, cut: Cut) -> None:
        """Reject the last match if it is not over.

        If the cut is between two matches, record it as a rejection without text.
        """
        of_file = self.chunk.spans[span]
        fault = Fault(stop + cut.line - of_file.number(of_file.lines), cut.reason, cut.message)
        if not runs or self.lines.kind[stop - 1] == self.schema.ended:
            if cut.reason in HURTS_NONE:
                return
            runs.append(_Run(span, stop, stop, None))
        if runs[-1].fault is None or cut.reason not in TOO_LONG:
            runs[-1].fault = fault

    # --- Validating each match

    def _fault(self, run: _Run) -> Fault | None:
        faults = self.lines.faults
        if (unknown := self._game_fault(run)) is not None:
            return unknown
        if faults and (bad := next((faults[i] for i in range(run.start, run.stop) if i in faults), None)):
            return self._rest_fault(run, bad) or bad
        found = self._order_fault(run) or _header_fault(self.lines.own_payload(run.start).data, self.schema)
        run.sha256 = hashlib.sha256(self.lines.view(run.start, run.stop - 1))
        if found is None and self.lines.kind[run.stop - 1] == self.schema.ended:
            found = self._end_fault(run, run.sha256.hexdigest())
        run.sha256.update(self.lines.view(run.stop - 1, run.stop))
        return found and Fault(run.start + found.index, found.reason, found.message)

    def _game_fault(self, run: _Run) -> Fault | None:
        """Return a fault if the game of the match is not installed; faults of its other lines then have no meaning."""
        if self.lines.kind[run.start] != self.schema.started:
            return None
        found = _unknown_game(self.lines.own_payload(run.start).data.game)
        return None if found is None else Fault(run.start, "bad_field", found)

    def _rest_fault(self, run: _Run, bad: Fault) -> Fault | None:
        """Return the fault "no start" if a field is invalid in the game tried, but the match's own game is unknown."""
        if bad.reason != "bad_field" or not bad.message.startswith(BY_GAME):
            return None
        first = json.loads(self.lines.text(run.start, run.start + 1))
        seq, kind = first.get("seq"), first.get("type")
        is_rest = type(seq) is int and seq > 0 and isinstance(kind, str) and kind != MATCH_STARTED
        return _no_start(run.start, kind) if is_rest else None

    def _order_fault(self, run: _Run) -> Fault | None:
        """Return a fault unless the match starts, continues without a gap or a step back, and ends at most once."""
        lines = self.lines
        start, stop = run.start, run.stop
        started, ended = self.schema.started, self.schema.ended
        if (
            lines.kind[start] == started
            and lines.prefixes.seq[start] == 0
            and self.breaks[start] == self.breaks[stop - 1]
        ):
            return None
        kinds = lines.kind[start:stop].tolist()
        if kinds[0] != started:
            return _no_start(0, self._type(kinds[0]))
        faults: list[Fault] = []
        if kinds.count(ended) > (kinds[-1] == ended):
            after = kinds.index(ended) + 1
            found = f"type: expected nothing after {MATCH_ENDED}, found {self._type(kinds[after])}"
            faults.append(Fault(after, "after_end", found))
        seqs = lines.prefixes.seq[start:stop].tolist()
        if seqs != list(range(len(seqs))):
            at = next(index for index, seq in enumerate(seqs) if seq != index)
            reason = "seq_gap" if seqs[at] > at else "seq_repeated"
            faults.append(Fault(at, reason, f"seq: expected {at}, found {seqs[at]}"))
        for key, column in (("ply", lines.prefixes.ply), ("round", lines.prefixes.round)):
            values = column[start:stop].tolist()
            if values != sorted(values):
                at = next(index for index in range(1, len(values)) if values[index] < values[index - 1])
                expected = f"at least {values[at - 1]}, as in the line before"
                faults.append(Fault(at, f"{key}_back", f"{key}: expected {expected}, found {values[at]}"))
        return min(faults, key=lambda fault: fault.index, default=None)

    def _type(self, kind: int) -> str:
        return self.schema.tables[kind].event

    def _end_fault(self, run: _Run, digest: str) -> Fault | None:
        last = run.stop - run.start - 1
        ended = self.lines.own_payload(run.stop - 1).data
        if digest != ended.lines_sha256:
            message = "data.lines_sha256: expected the digest of the lines before it, found another one"
            return Fault(last, "wrong_digest", message)
        seats = list(range(len(self.lines.own_payload(run.start).data.seats)))
        ranked = sorted(chain.from_iterable(ended.ranking))
        if ranked != seats and (ranked or ended.reason == "finished"):
            return Fault(last, "bad_field", f"data.ranking: expected each of seats {seats} once, found {ranked}")
        if len(ended.scores) != len(ranked):
            return Fault(last, "bad_field", f"data.scores: expected {len(ranked)}, found {len(ended.scores)}")
        return None

    def _departure(self, run: _Run) -> Fault | None:
        """Verify a match by the rules of its game, unless already done; return the divergence, if any."""
        if run.judged is not waits:
            return None
        run.judged = self._judged(run, run.stop, is_over=self.lines.kind[run.stop - 1] == self.schema.ended)
        return _departing(run)

    def _first_fault(self, run: _Run) -> Fault | None:
        """Return the fault of a match or, if it comes earlier, its divergence from the rules."""
        if run.fault is None or run.fault.index <= run.start or run.fault.reason == "departs" or not self.judges:
            return run.fault
        if self.lines.kind[run.start] != self.schema.started:
            return run.fault  # the second part of a match, to be joined later
        run.judged = self._judged(run, run.fault.index, is_over=True)
        return _departing(run) or run.fault

    def _judged(self, run: _Run, stop: int, *, is_over: bool) -> Judged:
        bounds = self.lines.prefixes.starts[run.start : stop + 1].tolist()
        lines = [self.lines.data[start:end] for start, end in pairwise(bounds)]
        return judged(str(run.name), lines, self.schema.game, is_over=is_over)

    def _fitting(self, runs: list[_Run]) -> tuple[list[_Run], Events]:
        """Return the valid matches and their events.

        Matches with events that do not fit their number of seats are removed first. The remaining matches are verified,
        and those that diverge from the rules are removed too. After each removal, the events are collected again.
        """
        valid = [run for run in runs if not run.fault]
        events = events_of(self.lines, [range(run.start, run.stop) for run in valid], self.schema)
        bad = misfits(self.lines, events, [len(self.lines.own_payload(run.start).data.seats) for run in valid])
        for index, (line, message) in bad.items():
            valid[index].fault = Fault(valid[index].start + line, "bad_field", message)
        if not bad:
            for run in valid:
                if self.judges or not self._is_together(run):  # scattered: line numbers are lost later
                    run.fault = self._departure(run)
        return self._fitting(runs) if any(run.fault for run in valid) else (valid, events)

    # --- Results

    def _number(self, span: int, index: int) -> int:
        """Return the line number in its file of the line with this index in the chunk."""
        return self.chunk.spans[span].number(index - self.starts[span])

    def _is_together(self, run: _Run) -> bool:
        return self.chunk.spans[run.span].are_together(
            *(each - self.starts[run.span] for each in (run.start, run.stop))
        )

    def _valid(self, run: _Run) -> ValidMatch:
        text = self.lines.view(run.start, run.stop)
        return ValidMatch(
            match=str(run.name),
            first_line=self._number(run.span, run.start),
            events=run.stop - run.start,
            plies=int(self.lines.prefixes.ply[run.stop - 1]),
            rounds=int(self.lines.prefixes.round[run.stop - 1]),
            bytes_sha256=run.sha256.hexdigest(),
            size=len(text),
            lines=pack(text),
            judged=run.judged,
            span=run.span,
        )

    def _rejection(self, run: _Run) -> Rejection:
        assert run.fault
        line = self._number(run.span, run.fault.index)
        text = self.lines.text(run.start, run.stop)
        if run.stop == len(self.lines.kind) and not self.chunk.data.endswith(b"\n"):
            text = text[:-1]  # the file's last line has no line end
        return Rejection(line, run.name, run.fault.reason, run.fault.message, text, run.span)


def _breaks(lines: DecodedLines, schema: EventSchema) -> Places:
    """Return, for each line, the number of lines so far that do not directly continue the line before."""
    prefixes, kind, before = lines.prefixes, lines.kind[1:], lines.kind[:-1]
    goes_on = (prefixes.seq[1:] == prefixes.seq[:-1] + 1) & (prefixes.ply[1:] >= prefixes.ply[:-1])
    goes_on &= (prefixes.round[1:] >= prefixes.round[:-1]) & (kind != schema.started) & (before != schema.ended)
    return np.append(0, np.cumsum(~goes_on))


def _no_start(index: int, kind: str) -> Fault:
    return Fault(index, "no_start", f"type: expected {MATCH_STARTED} in the first line, found {kind}")


def _unknown_game(name: str) -> str | None:
    """Return the message of a fault if the game does not exist or cannot be loaded."""
    try:
        known = GAMES.get(name) is not None
    except RegistryError as error:
        return f"data.game: {error}"
    return None if known else f"data.game: expected one of {', '.join(GAMES)}, found {name}"


def _departing(run: _Run) -> Fault | None:
    return Fault(run.start + run.judged.line, "departs", run.judged.fault) if run.judged.fault else None


def _header_fault(header: Any, schema: EventSchema) -> Fault | None:
    """Return a fault unless the first line describes a valid match of this game."""
    if header.game != schema.game.name:
        return Fault(0, "bad_field", f"data.game: expected {schema.game.name} again, found {header.game}")
    try:
        players = schema.game.parse_options(header.options).players
    except OptionsError as error:
        note = " (in a log they count from 0)" if "seat" in str(error) else ""
        return Fault(0, "bad_field", f"data.options: {error}{note}")
    seats = [info.seat for info in header.seats]
    if seats != list(range(players)):
        return Fault(0, "bad_field", f"data.seats: expected seats 0..{players - 1} in order, found {seats}")
    return None

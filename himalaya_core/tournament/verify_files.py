"""Verifies log files with several processes; yields one result per match, in order."""

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from himalaya_core.files import LogFileError, read_lines
from himalaya_core.log.codec import BranchOrigin, Header, LogError, decode_line
from himalaya_core.log.matches import name_on
from himalaya_core.pool import ordered
from himalaya_core.replay import NotInstalled, ReplayError, matches
from himalaya_core.tournament.reproducibility import SeatAnswer, ask
from himalaya_core.verification import LINES_UNCHANGED, DiceVerdict, Divergence, judge

__all__ = ["MatchCheck", "count_matches", "unlike_their_matches", "verdict_on", "verdicts"]

FACTS: Final = {"seq", "ply", "round", "type", "seat", "data", "action"}


@dataclass(frozen=True, slots=True)
class MatchCheck:
    """The result for one match. Faults name file and line, the expected value and the value found.

    `fault` is damage or a divergence from the rules. `not_judged` names what is missing to verify the match. `dice` is
    the result of checking a faultless match's dice against its seed, and `other_dice` the first differing roll.
    `tournament` is the name in the header.

    If the players were run again, `seats` has their results, and `other_choices` the first differing decision of each.
    A file that cannot be read to its end adds one result that counts no match.
    """

    matches: int
    events: int
    fault: str | None
    not_judged: str | None = None
    dice: DiceVerdict | None = None
    other_dice: str | None = None
    path: Path | None = None
    tournament: str | None = None
    seats: tuple[SeatAnswer, ...] = ()
    other_choices: tuple[str, ...] = ()
    branch: BranchOrigin | None = None
    is_damaged: bool = False
    """True if the file or a line is damaged; false if the log is intact but breaks the rules."""

    @property
    def problems(self) -> list[str]:
        """All problems of the match as messages."""
        return [
            text for text in (self.fault, self.not_judged, self.other_dice, *self.other_choices) if text is not None
        ]


@dataclass(frozen=True, slots=True)
class _Case:
    path: Path | None
    numbers: Sequence[int]
    lines: Sequence[bytes]
    unreadable: str | None = None


def count_matches(files: Iterable[Path]) -> int:
    """Return how many results `verdicts` will yield for the files."""
    return sum(1 for _ in _cases(files))


def verdicts(
    files: Iterable[Path], board: Any | None, jobs: int, outside: Sequence[str] | None = None
) -> Generator[MatchCheck, None, None]:
    """Yield the result of verifying each match.

    If `outside` is given, run the players again too; it lists the sources of players that are not installed.
    """
    return ordered(partial(_decide, board, outside), _cases(files), jobs, _called)


def verdict_on(
    numbers: Sequence[int], lines: Sequence[bytes], board: Any | None, outside: Sequence[str] | None = None
) -> MatchCheck:
    """Return the result for one match. `numbers` are the line numbers of its `lines`."""
    return _decide(board, outside, _Case(None, numbers, lines))


def _cases(files: Iterable[Path]) -> Iterator[_Case]:
    for path in files:
        try:
            for numbers, lines in matches(read_lines(path)):
                yield _Case(path, numbers, lines)
        except LogFileError as error:
            yield _Case(path, (), (), str(error))


def _decide(board: Any | None, outside: Sequence[str] | None, case: _Case) -> MatchCheck:
    if case.unreadable is not None:
        return MatchCheck(0, 0, case.unreadable, is_damaged=True)
    try:
        found = judge(case.lines, board)
    except NotInstalled as error:
        return MatchCheck(1, len(case.lines), None, f"{_place(case, error.line)}: {error.reason}")
    except ReplayError as error:
        counted = (1, len(case.lines)) if _name(case) is not None else (0, 0)
        return MatchCheck(*counted, f"{_place(case, error.line)}: {error.reason}", is_damaged=True)
    fault, other_dice = _told(case, found.departure), _told(case, found.other_dice)
    seats = ask(case.lines, board, outside) if outside is not None and fault is None else ()
    other_choices = tuple(told for answer in seats if (told := _told(case, answer.departure)))
    header = found.header
    is_damaged = found.departure is not None and found.departure.expected == LINES_UNCHANGED
    rest = (header.tournament, seats, other_choices, header.branch, is_damaged)
    return MatchCheck(1, len(case.lines), fault, None, found.dice, other_dice, case.path, *rest)


def unlike_their_matches(files: Iterable[Path]) -> Iterator[tuple[str, bool]]:
    """Compare branches with the matches they continue. Yield messages, each with a flag that is true for a fault.

    Up to its branch point, a branch must have the same events as its match. The match must have the digest that the
    branch names.
    """
    branches = list[tuple[_Case, BranchOrigin]]()
    for case in _cases(files):
        branch = _header(case)
        if branch is not None and branch.branch is not None:
            branches.append((case, branch.branch))
    wanted = {origin.match for _, origin in branches}
    found = {name: case for case in _cases(files) if (name := _name(case)) in wanted} if wanted else {}
    for case, origin in branches:
        if origin.match not in found:
            yield f"{_place(case, 1)}: not compared with {origin.match}, which is not in these files", False
        elif told := _unlike(case, found[origin.match], origin):
            yield told, True


def _header(case: _Case) -> Header | None:
    try:
        header: Header = decode_line(case.lines[0]).event
    except (LogError, IndexError):
        return None
    return header


def _name(case: _Case) -> str | None:
    return name_on(case.lines[0]) if case.lines else None


def _unlike(branch: _Case, match: _Case, origin: BranchOrigin) -> str | None:
    """Return the first difference between a branch and its original match; `None` if there is none."""
    if not _had(match, origin):
        other = f"the lines of {origin.match} have changed since ({_place(match, 1)})"
        return f"{_place(branch, 1)}: expected the match that this branch leaves; {other}"
    for number in range(1, origin.seq + 1):
        mine, theirs = (case.lines[number : number + 1] for case in (branch, match))
        if not mine or not theirs or _facts(mine[0]) != _facts(theirs[0]):
            return f"{_place(branch, number + 1)}: expected what {origin.match} has as event {number}, found another"
    return None


def _had(match: _Case, origin: BranchOrigin) -> bool:
    """Return whether the match has the lines that the branch refers to. The match may have grown since then."""
    digest = sha256()
    for number, line in enumerate(match.lines):
        digest.update(line)
        if number >= origin.seq and digest.hexdigest() == origin.lines_sha256:
            return True
    return False


def _facts(line: bytes) -> dict[str, Any]:
    return {key: value for key, value in json.loads(line).items() if key in FACTS}


def _told(case: _Case, found: Divergence | None) -> str | None:
    if found is None:
        return None
    return f"{_place(case, found.line)}: seq {found.seq}: {found}"


def _called(case: _Case) -> str:
    return _place(case, 1) if case.numbers else str(case.path)


def _place(case: _Case, line: int) -> str:
    number = case.numbers[line - 1]
    return f"line {number}" if case.path is None else f"{case.path}:{number}"

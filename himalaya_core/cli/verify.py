"""The command `himalaya verify`: checks logs against the rules, dice against seeds, and decisions against players."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from himalaya_core.cli.arguments import given_board
from himalaya_core.cli.command import CommandError, Parser, command, positive
from himalaya_core.cli.progress import progress_bar
from himalaya_core.files import ARCHIVES, PARTIAL, log_files
from himalaya_core.names import shown_name, visible
from himalaya_core.tournament.manifest import SUFFIX, audit, looks_of, unlisted
from himalaya_core.tournament.reproducibility import NOT_INSTALLED, PlayersVerdict
from himalaya_core.tournament.sequential import Looks, said_of_looks
from himalaya_core.tournament.verify_files import MatchCheck, count_matches, unlike_their_matches, verdicts
from himalaya_core.verification import DiceVerdict

__all__ = ["add_verify"]

DIVERGED: Final = 1
WHERE_IT_IS: Final = " (--player FILE.py:CLASS says where it is)"


def add_verify(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _verify,
        "himalaya verify logs --jobs 2",
        "himalaya verify logs --players --player bots.py:Careful --jobs 2",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="logs, or folders of logs")
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the logs name but do not carry")
    parser.add_argument(
        "--players",
        action="store_true",
        help="also check that the players repeat their choices; takes as long as playing did",
    )
    parser.add_argument(
        "--player",
        action="append",
        dest="outside",
        metavar="FILE.py:CLASS",
        help="where to find a player that is not installed, as given when it played; may be repeated",
    )
    parser.add_argument("--jobs", default=1, type=positive, metavar="N", help="how many processes (default: 1)")


def _verify(options: argparse.Namespace) -> int:
    board = given_board(options.board)
    files = log_files(options.paths)
    manifests = [path for folder in options.paths if folder.is_dir() for path in sorted(folder.rglob(f"*{SUFFIX}"))]
    tally = _Tally()
    tally.unlike += _told(audit(manifest) for manifest in manifests)
    _tell_left_out(options.paths)
    outside = tuple(options.outside or ()) if options.players or options.outside else None
    total = count_matches(files)
    with (
        progress_bar("matches", total, quiet=True) as show,
        closing(verdicts(files, board, min(options.jobs, total) or 1, outside)) as found,
    ):
        show(0)
        for number, verdict in enumerate(found, start=1):
            tally.add(verdict)
            for text in verdict.problems:
                print(text)
            show(number)
    if not (tally.matches or tally.damaged):
        raise CommandError("there is no match in these files")
    if tally.branches:
        for text, is_fault in unlike_their_matches(files):
            print(text)
            tally.unlike_matches += is_fault
    tally.unlike += _told(unlisted(manifest, tally.files_of(manifest)) for manifest in manifests)
    for line in (*tally.not_asked(), *_looked_at(manifests)):
        print(line)
    print(tally)
    return 0 if tally.is_clean else DIVERGED


class _Tally:
    """Totals over all files. `unlike` counts the files that do not match a tournament's manifest."""

    def __init__(self) -> None:
        self.matches = self.events = self.damaged = self.diverging = self.not_judged = self.unlike = 0
        self.branches = self.unlike_matches = 0
        self.dice: Counter[DiceVerdict] = Counter()
        self.files: Counter[tuple[str, Path]] = Counter()
        self.players: Counter[PlayersVerdict] = Counter()
        self.reasons: Counter[tuple[str, str]] = Counter()

    def add(self, verdict: MatchCheck) -> None:
        self.matches += verdict.matches
        self.events += verdict.events
        self.damaged += verdict.is_damaged
        self.diverging += verdict.fault is not None and not verdict.is_damaged
        self.not_judged += verdict.not_judged is not None
        self.branches += verdict.branch is not None
        if verdict.dice:
            self.dice[verdict.dice] += 1
        if verdict.tournament and verdict.path:
            self.files[verdict.tournament, verdict.path] += 1
        for answer in verdict.seats:
            self.players[answer.verdict] += 1
            if answer.reason:
                self.reasons[f"{shown_name(answer.player)} {visible(answer.version)}", answer.reason] += 1

    def not_asked(self) -> list[str]:
        """Return one line for each player that could not be run, with the reason."""
        return [
            f"not asked: {player} in {_counted(seats, 'seat', 'seats')}: {reason}{_hint(reason)}"
            for (player, reason), seats in sorted(self.reasons.items())
        ]

    @property
    def is_clean(self) -> bool:
        unlike = (
            self.damaged,
            self.diverging,
            self.not_judged,
            self.dice[DiceVerdict.DIFFERS],
            self.players[PlayersVerdict.DIFFERS],
            self.unlike,
            self.unlike_matches,
        )
        return not any(unlike)

    def files_of(self, manifest: Path) -> dict[Path, int]:
        """Return the number of matches from a manifest's tournament in each file next to the manifest."""
        name = manifest.name.removesuffix(SUFFIX)
        return {
            path: matches
            for (tournament, path), matches in self.files.items()
            if tournament == name and path.parent == manifest.parent
        }

    def __str__(self) -> str:
        counted = f"{_counted(self.matches, 'match', 'matches')}, {self.events:,} events"
        differ, nameless = self.dice[DiceVerdict.DIFFERS], self.dice[DiceVerdict.NONE]
        choose, not_asked = self.players[PlayersVerdict.DIFFERS], self.players[PlayersVerdict.NOT_ASKED]
        parts = ["rules and dice clean" if not_asked else "clean"] if self.is_clean else []
        if self.damaged:
            parts.append(f"{self.damaged:,} damaged")
        if self.diverging:
            parts.append(f"{self.diverging:,} {'diverges' if self.diverging == 1 else 'diverge'} from the rules")
        if self.not_judged:
            parts.append(f"{self.not_judged:,} could not be checked")
        if differ:
            parts.append(f"in {differ:,} the dice do not match the seed")
        if choose:
            parts.append(f"in {_counted(choose, 'seat', 'seats')} the player chose differently")
        if self.unlike:
            files = "file is" if self.unlike == 1 else "files are"
            parts.append(f"{self.unlike:,} {files} damaged, missing or not in the manifest")
        if self.unlike_matches:
            parts.append(f"{_counted(self.unlike_matches, 'branch differs', 'branches differ')} from the match")
        if nameless:
            parts.append(f"{nameless:,} {'names' if nameless == 1 else 'name'} no seed, so the dice were not checked")
        if alike := self.players[PlayersVerdict.REPEATS]:
            parts.append(f"in {_counted(alike, 'seat', 'seats')} the player repeated its choices")
        if not_asked:
            parts.append(f"in {_counted(not_asked, 'seat', 'seats')} it could not be checked")
        return f"{counted}: {'; '.join(parts)}"


def _hint(reason: str) -> str:
    return WHERE_IT_IS if reason == NOT_INSTALLED else ""


def _told(audits: Iterable[tuple[list[str], list[str]]]) -> int:
    found = 0
    for wrong, unfinished in audits:
        found += len(wrong)
        for line in wrong:
            print(line)
        for line in unfinished:
            print(line, file=sys.stderr)
    return found


def _looked_at(manifests: Iterable[Path]) -> Iterator[str]:
    """Yield a note for each tournament with results that were visible before it ended."""
    for path in manifests:
        if said := looks_of(path):
            name = path.name.removesuffix(SUFFIX)
            yield said_of_looks([Looks(name, tuple(said.get("extended", ())), until_decided="until_decided" in said)])


def _tell_left_out(paths: Sequence[Path]) -> None:
    for folder in paths:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.name.endswith(PARTIAL):
                print(f"{path} was not finished; it is not read", file=sys.stderr)
            elif path.name.endswith(ARCHIVES):
                print(f"{path} is not read; unpack it first", file=sys.stderr)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"

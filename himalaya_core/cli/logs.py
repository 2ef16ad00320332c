"""The commands about logs: `himalaya verify`, `himalaya show`, `himalaya schema` and `himalaya perft`."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from himalaya_core.arena.manifest import SUFFIX, audit, unlisted
from himalaya_core.arena.verification import Verdict, count_matches, verdicts
from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.shared import (
    add_variants,
    game_named,
    given_board,
    log_name,
    positive,
    progress_bar,
    variants,
    whole,
)
from himalaya_core.files import PARTIAL, load_board, log_files, read_lines
from himalaya_core.games import GAMES
from himalaya_core.judging import DiceVerdict
from himalaya_core.log.codec import LogError, decode_line
from himalaya_core.log.schema import NAME, line_schema
from himalaya_core.perft import divide, perft
from himalaya_core.replay import Replay, ReplayError, matches
from himalaya_core.seed import Seed
from himalaya_core.show import shown

__all__ = ["add_perft", "add_schema", "add_show", "add_verify"]

DIVERGED: Final = 1


def add_verify(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _verify,
        "himalaya verify logs --jobs 2",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="logs, or folders of logs")
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the logs name but do not carry")
    parser.add_argument("--jobs", default=1, type=positive, metavar="N", help="how many processes (default: 1)")


def _verify(options: argparse.Namespace) -> int:
    board = given_board(options.board)
    files = log_files(options.paths)
    manifests = [path for folder in options.paths if folder.is_dir() for path in sorted(folder.rglob(f"*{SUFFIX}"))]
    tally = _Tally()
    tally.unlike += _told(audit(manifest) for manifest in manifests)
    _tell_partial(options.paths)
    total = count_matches(files)
    with (
        progress_bar("matches", total, quiet=True) as show,
        closing(verdicts(files, board, min(options.jobs, total) or 1)) as found,
    ):
        show(0)
        for number, verdict in enumerate(found, start=1):
            tally.add(verdict)
            if fault := verdict.fault or verdict.other_dice:
                print(fault)
            show(number)
    if not tally.matches and not tally.faults:
        raise CommandError("there is no match in these files")
    tally.unlike += _told(unlisted(manifest, tally.files_of(manifest)) for manifest in manifests)
    print(tally)
    return 0 if tally.is_clean else DIVERGED


class _Tally:
    """What the verdicts come to; `unlike` counts files that are not what the manifest of a tournament says."""

    def __init__(self) -> None:
        self.matches = self.events = self.faults = self.unlike = 0
        self.dice: Counter[DiceVerdict] = Counter()
        self.files: Counter[tuple[str, Path]] = Counter()

    def add(self, verdict: Verdict) -> None:
        self.matches += verdict.matches
        self.events += verdict.events
        self.faults += verdict.fault is not None
        if verdict.dice:
            self.dice[verdict.dice] += 1
        if verdict.tournament and verdict.path:
            self.files[verdict.tournament, verdict.path] += 1

    @property
    def is_clean(self) -> bool:
        return not (self.faults or self.dice[DiceVerdict.DIFFERS] or self.unlike)

    def files_of(self, manifest: Path) -> dict[Path, int]:
        """Return how many matches of the tournament of a manifest the files beside it hold."""
        name = manifest.name.removesuffix(SUFFIX)
        return {
            path: matches
            for (tournament, path), matches in self.files.items()
            if tournament == name and path.parent == manifest.parent
        }

    def __str__(self) -> str:
        counted = f"{self.matches:,} {'match' if self.matches == 1 else 'matches'}, {self.events:,} events"
        differ, nameless = self.dice[DiceVerdict.DIFFERS], self.dice[DiceVerdict.NONE]
        parts = ["clean"] if self.is_clean else []
        if self.faults:
            parts.append(f"{self.faults:,} {'departs' if self.faults == 1 else 'depart'} from the rules")
        if differ:
            parts.append(f"in {differ:,} the dice are not those of the seed")
        if self.unlike:
            files = "file is" if self.unlike == 1 else "files are"
            parts.append(f"{self.unlike:,} {files} not what the manifest says")
        if nameless:
            parts.append(f"{nameless:,} {'names' if nameless == 1 else 'name'} no seed, so the dice were not checked")
        return f"{counted}: {'; '.join(parts)}"


def _told(audits: Iterable[tuple[list[str], list[str]]]) -> int:
    """Print what is wrong with tournaments and count it; mention what is unfinished."""
    found = 0
    for wrong, unfinished in audits:
        found += len(wrong)
        for line in wrong:
            print(line)
        for line in unfinished:
            print(line, file=sys.stderr)
    return found


def _tell_partial(paths: Sequence[Path]) -> None:
    for folder in paths:
        for partial in sorted(folder.rglob(f"*{PARTIAL}")) if folder.is_dir() else ():
            print(f"{partial} was not finished; it is not read", file=sys.stderr)


def add_show(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _show,
        "himalaya show match.jsonl --ply 40",
        "himalaya show logs/sample/sample-four-0001.jsonl.zst --match sample-four.000007 --ply 40 --seat 2",
    )
    parser.add_argument("log", type=Path, metavar="FILE", help="a log")
    parser.add_argument("--seat", type=whole, metavar="S", help="only what this seat could know")
    _add_place(parser)


def _add_place(parser: Parser) -> None:
    parser.add_argument("--match", metavar="NAME", help="which match, if the log holds several")
    parser.add_argument(
        "--ply", type=whole, metavar="N", help="after which decision (0: before the first; default: the last)"
    )
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the log names but does not carry")


def _show(options: argparse.Namespace) -> int:
    replay = _replay(options)
    index, seats = _index(replay, options), len(replay.header.seats)
    if options.seat is not None and options.seat >= seats:
        raise CommandError(f"expected a seat 0..{seats - 1}, found {options.seat}")
    print(shown(replay, index, options.seat))
    return 0


def _index(replay: Replay, options: argparse.Namespace) -> int:
    """Return where in the log the last event of the ply stands that was asked for."""
    last = replay.entries[-1].ply
    ply = last if options.ply is None else options.ply
    if ply > last:
        raise CommandError(f"{options.log}: the match has {last} plies, there is no ply {ply}")
    return max(index for index, entry in enumerate(replay.entries) if entry.ply <= ply)


def _replay(options: argparse.Namespace) -> Replay:
    path, name = options.log, options.match
    board = given_board(options.board)
    found: list[tuple[int, list[bytes]]] = []
    for start, lines in matches(read_lines(path)):
        if name is None or _name(lines[0]) == name:
            found.append((start, lines))
        if found and name is not None:
            break
        if len(found) > 1:
            raise CommandError(f"{path} holds several matches; say which with --match")
    if not found:
        raise CommandError(f"{path} has no match {name!r}" if name else "there is no match in this file")
    start, lines = found[0]
    try:
        return Replay.read(lines, board)
    except ReplayError as error:
        raise CommandError(f"{path}:{start + error.line - 1}: {error.reason}") from None


def _name(line: bytes) -> str | None:
    try:
        return decode_line(line).match
    except LogError:
        return None


def add_schema(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _schema,
        "himalaya schema",
        "himalaya schema caravan > caravan-log.schema.json",
    )
    parser.add_argument("game", metavar="GAME", type=game_named, nargs="?", help=f"the game: {', '.join(GAMES)}")


def _schema(options: argparse.Namespace) -> int:
    game = options.game
    schema = line_schema(GAMES.values()) if game is None else line_schema([game], f"{NAME}:{game.name}")
    print(json.dumps(schema, indent=2, ensure_ascii=False))
    return 0


def add_perft(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _perft,
        "himalaya perft caravan --seats 3 --depth 2",
        "himalaya perft caravan --log match.jsonl --ply 40 --depth 1 --divide",
    )
    parser.add_argument("game", metavar="GAME", type=game_named, help=f"the game: {', '.join(GAMES)}")
    parser.add_argument("--depth", required=True, type=whole, metavar="N", help="how many decisions of seats")
    parser.add_argument("--divide", action="store_true", help="count behind each first action")
    parser.add_argument(
        "--luck",
        "--seed",
        dest="seed",
        default="perft",
        type=log_name,
        metavar="NAME",
        help="the seed (default: perft)",
    )
    parser.add_argument("--seats", default=4, type=positive, metavar="N", help="at the start of a match of so many")
    add_variants(parser)
    parser.add_argument("--log", type=Path, metavar="FILE", help="at a position of this log instead")
    _add_place(parser)


def _perft(options: argparse.Namespace) -> int:
    game, seed = options.game, Seed(options.seed)
    if options.log is None:
        board = load_board(game, options.board)
        state = game.initial(game.parse_options({**variants(options), "players": options.seats}), board)
    else:
        replay = _replay(options)
        state = replay.states[_index(replay, options)]
    if not options.divide:
        print(f"depth {options.depth}: {perft(game, state, options.depth, seed):,}")
        return 0
    if not options.depth:
        raise CommandError("perft: --divide needs a depth from 1")
    counts = divide(game, state, options.depth, seed)
    for action, count in counts.items():
        print(f"{action}: {count:,}")
    print(f"{len(counts):,} actions, {sum(counts.values()):,} in all")
    return 0

"""Commands about logs: `himalaya show`, `himalaya schema` and `himalaya perft`."""

import argparse
import json
from pathlib import Path

from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.shared import (
    add_variants,
    game_named,
    given_board,
    log_name,
    positive,
    variants,
    whole,
)
from himalaya_core.files import load_board, read_lines
from himalaya_core.games import GAMES
from himalaya_core.log.codec import LogError, decode_line
from himalaya_core.log.schema import NAME, line_schema
from himalaya_core.names import did_you_mean
from himalaya_core.perft import divide, perft
from himalaya_core.replay import Replay, ReplayError, matches
from himalaya_core.seed import Seed
from himalaya_core.show import shown

__all__ = ["add_perft", "add_schema", "add_show"]


def add_show(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _show,
        "himalaya show match.jsonl --ply 40",
        "himalaya show logs/sample/sample-four-0001.jsonl.zst --match sample-four.000007 --ply 40 --seat 2",
    )
    parser.add_argument("log", type=Path, metavar="FILE", help="a log")
    parser.add_argument("--seat", type=positive, metavar="S", help="show only what this seat (from 1) could know")
    _add_place(parser)


def _add_place(parser: Parser) -> None:
    parser.add_argument("--match", metavar="NAME", help="which match, if the log holds several")
    parser.add_argument(
        "--ply", type=whole, metavar="N", help="the decision to stop after (0: before the first; default: the last)"
    )
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board that the log names but does not carry")


def _show(options: argparse.Namespace) -> int:
    replay = _replay(options)
    index, seats = _index(replay, options), len(replay.header.seats)
    if options.seat is not None and options.seat > seats:
        raise CommandError(f"expected a seat 1..{seats}, found {options.seat}")
    print(shown(replay, index, None if options.seat is None else options.seat - 1))
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
    others: list[str] = []
    for start, lines in matches(read_lines(path)):
        here = _name(lines[0])
        if name in (None, here):
            found.append((start, lines))
        elif here:
            others.append(here)
        if found and name is not None:
            break
        if len(found) > 1:
            raise CommandError(f"{path} holds several matches; say which with --match")
    if not found:
        near = did_you_mean(name, others) if name else ""
        raise CommandError(f"{path} has no match {name!r}{near}" if name else "there is no match in this file")
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
    parser.add_argument("--depth", required=True, type=whole, metavar="N", help="how many decisions by seats")
    parser.add_argument("--divide", action="store_true", help="count separately after each first action")
    parser.add_argument(
        "--luck",
        "--seed",
        dest="seed",
        default="perft",
        type=log_name,
        metavar="NAME",
        help="the seed (default: perft)",
    )
    parser.add_argument("--seats", default=4, type=positive, metavar="N", help="start of a match with this many seats")
    add_variants(parser)
    parser.add_argument("--log", type=Path, metavar="FILE", help="start from a position in this log instead")
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

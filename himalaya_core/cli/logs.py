"""The commands `himalaya show`, `himalaya schema` and `himalaya perft`."""

import argparse
import json
from pathlib import Path

from himalaya_core.cli.arguments import add_match, add_variants, game_named, one_match, variants
from himalaya_core.cli.command import CommandError, Parser, add_renamed, command, log_name, positive, print_file, whole
from himalaya_core.engine import divide, perft
from himalaya_core.files import load_board
from himalaya_core.games import GAMES
from himalaya_core.log.schema import NAME, line_schema
from himalaya_core.replay import Replay
from himalaya_core.seed import Seed
from himalaya_core.show import shown

__all__ = ["add_perft", "add_schema", "add_show"]


def add_show(parser: Parser) -> None:
    """Define the arguments of `show`."""
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
    add_match(parser)
    parser.add_argument(
        "--ply", type=whole, metavar="N", help="the decision to stop after (0: before the first; default: the last)"
    )


def _show(options: argparse.Namespace) -> int:
    replay = one_match(options)
    index, seats = _index(replay, options), len(replay.header.seats)
    if options.seat is not None and options.seat > seats:
        raise CommandError(f"--seat: this match has seats 1 to {seats}; you named {options.seat}")
    print(shown(replay, index, None if options.seat is None else options.seat - 1))
    return 0


def _index(replay: Replay, options: argparse.Namespace) -> int:
    last = replay.entries[-1].ply
    ply = last if options.ply is None else options.ply
    if ply > last:
        raise CommandError(f"{options.log}: the last ply of this match is {last}; --ply names {ply}")
    return max(index for index, entry in enumerate(replay.entries) if entry.ply <= ply)


def add_schema(parser: Parser) -> None:
    """Define the arguments of `schema`."""
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
    print_file(f"{json.dumps(schema, indent=2, ensure_ascii=False)}\n")
    return 0


def add_perft(parser: Parser) -> None:
    """Define the arguments of `perft`."""
    command(
        parser,
        _perft,
        "himalaya perft caravan --seats 3 --depth 2",
        "himalaya perft caravan --log match.jsonl --ply 40 --depth 1 --divide",
    )
    parser.add_argument("game", metavar="GAME", type=game_named, help=f"the game: {', '.join(GAMES)}")
    parser.add_argument("--depth", required=True, type=whole, metavar="N", help="how many decisions by seats")
    parser.add_argument("--divide", action="store_true", help="count separately after each first action")
    add_renamed(
        parser,
        "--seed",
        "--luck",
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
        state = game.initial(game.parse_options({**variants(options, game), "players": options.seats}), board)
    else:
        replay = one_match(options)
        state = replay.states[_index(replay, options)]
    if not options.divide:
        print(f"depth {options.depth}: {perft(game, state, options.depth, seed):,}")
        return 0
    if not options.depth:
        raise CommandError("--divide needs a --depth of at least 1")
    counts = divide(game, state, options.depth, seed)
    for action, count in counts.items():
        print(f"{action}: {count:,}")
    print(f"{len(counts):,} actions, {sum(counts.values()):,} in all")
    return 0

"""The command `himalaya review`: who was winning a match after each decision, and where it turned."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from himalaya_core.arena.playouts import PlayedOut, play_out
from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.one_match import add_match, one_match
from himalaya_core.cli.words import positive
from himalaya_core.columns import table
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay
from himalaya_core.review.document import as_document
from himalaya_core.review.model import load_model, shipped
from himalaya_core.review.reviewing import Review, review

__all__ = ["add_review"]


def add_review(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _review,
        "himalaya review match.jsonl",
        "himalaya review logs/sample/sample-four-0001.jsonl.zst --match sample-four.000007 --format json",
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="a log")
    add_match(parser)
    parser.add_argument(
        "--model", type=Path, metavar="FILE", help="a model made by train (default: the one that ships)"
    )
    parser.add_argument(
        "--playouts",
        type=positive,
        metavar="N",
        help="also let the players of the match play each position of its last two rounds out N times",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _review(options: argparse.Namespace) -> int:
    replay = one_match(options)
    model = shipped(replay.game) if options.model is None else load_model(options.model, replay.game)
    if model is None:
        raise CommandError(f"no model ships with {replay.game.name}; give one with --model")
    found = review(model, replay)
    played = None if options.playouts is None else play_out(replay, options.playouts)
    if options.format == "json":
        names = {"match": replay.entries[0].match, "game": replay.game.name}
        document = names | as_document(found) | ({"played_out": played.document} if played else {})
        print(json.dumps(document))
    else:
        print(_text(replay, found))
        print(*_played_out(replay, played), sep="\n", end="")
    return 0


def _played_out(replay: Replay, played: PlayedOut | None) -> Iterator[str]:
    """Say how the last rounds went on when they were played out: the chances after each round's last decision."""
    if played is None:
        return
    last = {each.round: each for each in played.chances}
    seats = [f"{info.seat + 1} {shown_name(info.player)}" for info in replay.header.seats]
    rows = [(each.round, each.ply, *_percent(each.chances)) for each in played.chances if each in last.values()]
    yield f"played out {played.samples} times by its players, standard error at most {100 * played.error:.0f} points:"
    yield table(("round", "ply", *seats), rows)
    yield ""


def _text(replay: Replay, found: Review) -> str:
    if found.not_valued:
        return f"not valued: {found.not_valued}"
    seats = [f"{info.seat + 1} {shown_name(info.player)}" for info in replay.header.seats]
    ends = {each.seq: each for each in found.chances}
    rows = [
        (moment.swing.round, ends[moment.swing.seq].ply, moment.text, *_percent(ends[moment.swing.seq].chances))
        for moment in found.moments
    ]
    start, end = (" ".join(_percent(each.chances)) for each in (found.chances[0], found.chances[-1]))
    error = 100 * found.model.calibration_error
    trust = (
        f"by {found.model.name}: estimated from matches of the players it was trained on; not what perfect play would "
        f"give; off by {error:.1f} points on average in matches it was not fitted to"
    )
    head = f"chances of winning in per cent by seat: {start} at first, {end} at the end"
    if not rows:
        return f"{head}\nno moment changed them by more than the model's error\n{trust}"
    moments = table(("round", "ply", "key moment", *seats), rows)
    return f"{head}\nkey moments, with the chances after each:\n{moments}\n{trust}"


def _percent(chances: Sequence[float]) -> list[str]:
    return [f"{100 * chance:.0f}" for chance in chances]

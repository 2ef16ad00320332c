"""The command `himalaya review`: who was winning a match after each decision, and where that changed."""

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from himalaya_core.cli.command import CommandError, Parser, command
from himalaya_core.cli.one_match import add_match, one_match
from himalaya_core.columns import table
from himalaya_core.replay import Replay
from himalaya_core.review.course import Valued, course
from himalaya_core.review.model import Model, load_model, not_valued, shipped

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
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _review(options: argparse.Namespace) -> int:
    replay = one_match(options)
    model = shipped(replay.game) if options.model is None else load_model(options.model, replay.game)
    if model is None:
        raise CommandError(f"no model ships with {replay.game.name}; give one with --model")
    reason = not_valued(model, replay.header)
    valued = [] if reason else course(model, replay)
    print(_json(replay, model, reason, valued) if options.format == "json" else _text(replay, model, reason, valued))
    return 0


def _json(replay: Replay, model: Model, reason: str | None, valued: Sequence[Valued]) -> str:
    said = ("quality", "reliability", "checked_on")
    document: dict[str, Any] = {
        "match": replay.entries[0].match,
        "game": replay.game.name,
        "not_valued": reason,
        "model": {"name": model.name, "sha256": model.sha256, **{key: model.document[key] for key in said}},
        "chances": [{"seq": each.seq, "chances": each.chances} for each in valued],
    }
    return json.dumps(document, ensure_ascii=False)


def _text(replay: Replay, model: Model, reason: str | None, valued: Sequence[Valued]) -> str:
    if reason:
        return f"not valued: {reason}"
    seats = [f"{info.seat + 1} {info.player}" for info in replay.header.seats]
    rows = [
        (each.round, each.ply, replay.entries[each.seq].type, f"{100 * swing:.0f}", *_percent(each.chances))
        for swing, each in _swings(valued, model.calibration_error)
    ]
    start, end = (" ".join(_percent(each.chances)) for each in (valued[0], valued[-1]))
    trust = (
        f"by {model.name}: estimated from matches of the players it was trained on; not what perfect play would give; "
        f"off by {100 * model.calibration_error:.1f} points on average in matches it was not fitted to"
    )
    head = f"chances of winning in per cent by seat: {start} at first, {end} at the end"
    swings = table(("round", "ply", "event", "swing", *seats), rows)
    return f"{head}\nthe largest swing of each round, unless it is below the model's error:\n{swings}\n{trust}"


def _swings(valued: Sequence[Valued], least: float) -> list[tuple[float, Valued]]:
    """Return the largest change of each round of any seat's chance, with what it led to; none under the least."""
    largest: dict[int, tuple[float, Valued]] = {}
    for before, after in pairwise(valued):
        swing = max(abs(now - then) for then, now in zip(before.chances, after.chances, strict=True))
        if swing >= least and swing > largest.get(after.round, (0.0, after))[0]:
            largest[after.round] = (swing, after)
    return [largest[each] for each in sorted(largest)]


def _percent(chances: Sequence[float]) -> list[str]:
    return [f"{100 * chance:.0f}" for chance in chances]

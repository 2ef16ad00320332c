"""The command `himalaya review`: each seat's chances after each decision, and the key moments."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from himalaya_core.cli.arguments import add_match, one_match
from himalaya_core.cli.command import CommandError, Parser, command, positive
from himalaya_core.cli.progress import progress_bar
from himalaya_core.columns import table
from himalaya_core.replay import Replay
from himalaya_core.tournament.confirming import SECONDS, ConfirmError, confirm, guess_in_words
from himalaya_core.tournament.playouts import PlayedOut, play_out
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.model import load_model, shipped
from himalaya_core.winprob.review import Review, as_document, largest_first, participants, review

__all__ = ["add_review"]


def add_review(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _review,
        "himalaya review match.jsonl",
        "himalaya review match.jsonl --confirm --seconds 300",
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
    parser.add_argument(
        "--confirm",
        action="store_true",
        help="have the players of the match play each better decision out; without it the model guesses",
    )
    parser.add_argument(
        "--seconds",
        type=positive,
        metavar="S",
        help=f"processor time for --confirm, the largest changes first (default: {SECONDS:.0f} for each)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _review(options: argparse.Namespace) -> int:
    replay = one_match(options)
    model = shipped(replay.game) if options.model is None else load_model(options.model, replay.game)
    if model is None:
        raise CommandError(f"no model ships with {replay.game.name}; give one with --model")
    if options.seconds and not options.confirm:
        raise CommandError("--seconds limits --confirm; give both")
    found = review(model, replay)
    played = None if options.playouts is None else play_out(replay, options.playouts)
    confirmed = _confirmed(replay, found, options) if options.confirm else {}
    if options.format == "json":
        names = {"match": replay.entries[0].match, "game": replay.game.name}
        document: dict[str, Any] = names | as_document(found) | ({"played_out": played.document} if played else {})
        for moment, row in zip(found.moments, document["moments"], strict=True):
            if moment.alternative and moment.alternative.seq in confirmed:
                row["alternative"]["confirmation"] = confirmed[moment.alternative.seq]
        print(json.dumps(document))
    else:
        print(_text(replay, found))
        print(*_better(found, confirmed), sep="\n", end="")
        print(*_played_out(replay, played), sep="\n", end="")
    return 0


def _alternatives(found: Review) -> list[Evaluation]:
    alternatives = {each.alternative.seq: each.alternative for each in found.moments if each.alternative}
    error = found.model.calibration_error
    return [judged for _, judged in sorted(alternatives.items()) if judged.is_clear(error)]


def _confirmed(replay: Replay, found: Review, options: argparse.Namespace) -> dict[int, dict[str, Any]]:
    """Play out each better alternative. Return, by log entry, the result or a sentence on why that is impossible."""
    alternatives = sorted(_alternatives(found), key=lambda judged: -judged.cost)
    until = None if options.seconds is None else time.process_time() + options.seconds
    confirmed = dict[int, dict[str, Any]]()
    with progress_bar("decisions", len(alternatives), quiet=options.format == "json") as show:
        for done, judged in enumerate(alternatives, start=1):
            left = SECONDS if until is None else max(until - time.process_time(), 0.0)
            try:
                confirmed[judged.seq] = confirm(replay, judged, left).document
            except ConfirmError as error:
                confirmed[judged.seq] = {"text": f"{guess_in_words(judged)} ({error})"}
            show(done)
    return confirmed


def _better(found: Review, confirmed: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table of better alternatives, with the results of playing them out."""
    rows = [
        (judged.round, judged.seat + 1, judged.words, confirmed.get(judged.seq, {}).get("text", guess_in_words(judged)))
        for judged in _alternatives(found)
    ]
    if rows:
        yield "better decisions:"
        yield table(("round", "seat", "instead", "certainty"), rows)
        yield ""


def _played_out(replay: Replay, played: PlayedOut | None) -> Iterator[str]:
    """Yield the lines of a table of chances, found by playouts, after the last decision of each of the last rounds."""
    if played is None:
        return
    last = {each.round: each for each in played.chances}
    seats = participants(replay)
    rows = [(each.round, each.ply, *_percent(each.chances)) for each in played.chances if each in last.values()]
    yield f"played out {played.samples} times by its players, standard error at most {100 * played.error:.0f} points:"
    yield table(("round", "ply", *seats), rows)
    yield ""


def _text(replay: Replay, found: Review) -> str:
    if found.not_valued:
        return f"not valued: {found.not_valued}"
    seats = participants(replay)
    ends = {each.seq: each for each in found.chances}
    ranked = largest_first(found.all_moments)
    rows = [
        (each.swing.round, after.ply, ranked.index(each) + 1, each.text, *_percent(after.chances))
        for each in found.all_moments
        for after in [ends[each.swing.seq]]
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
    moments = table(("round", "ply", "rank", "key moment", *seats), rows)
    return f"{head}\nkey moments, their rank by size, and the chances after each:\n{moments}\n{trust}"


def _percent(chances: Sequence[float]) -> list[str]:
    return [f"{100 * chance:.0f}" for chance in chances]

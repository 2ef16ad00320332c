"""The command `himalaya branch`: continue a match differently from one of its positions."""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.arguments import add_match, one_match, player_names
from himalaya_core.cli.command import CommandError, Parser, add_renamed, command, positive, whole
from himalaya_core.cli.progress import progress_bar
from himalaya_core.columns import table
from himalaya_core.files import write_log
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.log.codec import MATCH_NAME, LogError, as_logged, decode_action
from himalaya_core.names import shown_name
from himalaya_core.players.named import UnknownPlayer
from himalaya_core.replay import Replay
from himalaya_core.tournament.branch import Branch, BranchError, begin
from himalaya_core.tournament.playouts import playouts

__all__ = ["add_branch"]

SAME: Final = "same"


def add_branch(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _branch,
        "himalaya branch match.jsonl --seq 120",
        """himalaya branch match.jsonl --seq 120 --action '{"type":"pass_token","seat":0}' --samples 200""",
        "himalaya branch match.jsonl --seq 120 --players greedy,greedy,trader --seed other --out other.jsonl",
    )
    parser.add_argument("log", type=Path, metavar="LOG", help="a log")
    add_match(parser)
    parser.add_argument(
        "--seq", type=whole, required=True, metavar="N", help="the position after event N; 0 is the first line"
    )
    parser.add_argument(
        "--action",
        action="append",
        default=[],
        metavar="JSON",
        help='an action to begin with, as a log has it, for the next seat or for its "seat" (from 0); may be repeated',
    )
    parser.add_argument(
        "--players",
        metavar="A,B,C",
        type=player_names,
        help="players that continue, in seat order (default: those of the match)",
    )
    add_renamed(
        parser,
        "--seed",
        "--luck",
        default=SAME,
        metavar=f"{SAME}|NAME",
        help="seed of the dice (default: that of the match); with --samples, another name gives an independent sample",
    )
    parser.add_argument(
        "--samples",
        type=positive,
        metavar="N",
        help="play the branch and the match out N times instead, pair by pair on the same seeds",
    )
    parser.add_argument("--name", metavar="NAME", help="name of the branch (default: that of the match with .branch)")
    parser.add_argument("--out", type=Path, metavar="LOG", help="write the branch as a log")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _branch(options: argparse.Namespace) -> int:
    replay = one_match(options)
    name = options.name or f"{replay.entries[0].match[: 64 - len('.branch')]}.branch"
    if not re.fullmatch(MATCH_NAME.strip("^$"), name):
        raise CommandError(f"--name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found {name!r}")
    branch = begin(replay, options.seq, None if options.seed == SAME else options.seed)
    for number, text in enumerate(options.action, start=1):
        branch = _acted(branch, number, text)
    try:
        if options.samples:
            _say_pairs(options, branch)
        else:
            branch = branch.go_on(options.players)
            _say(options, name, branch)
    except UnknownPlayer as error:
        raise CommandError(str(error)) from None
    if options.out is not None:
        with write_log(options.out) as file:
            file.write(branch.log(name))
    return 0


def _acted(branch: Branch, number: int, text: str) -> Branch:
    """Return the branch after an action given as JSON. Chance actions that are due are played first."""
    game = branch.origin.game
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise CommandError(f"--action {number}: expected a JSON object, found {text[:60]!r}")
    seat = data.pop("seat", None)
    if seat is None and "seat" in getattr(game.action_types.get(data.get("type", "")), "__annotations__", ()):
        seat = next((actor for actor in branch.draw().actors if actor != CHANCE), None)
    try:
        action = decode_action(game, data, seat)
        if getattr(action, "seat", None) is not None:
            branch = branch.draw()
        return branch.play(action)
    except LogError as error:
        raise CommandError(f"--action {number}: {error}") from None
    except IllegalAction as error:
        who = "chance" if seat is None else f"seat {seat + 1}"
        raise CommandError(f"--action {number}, {who}: {error}; {_due(branch)}") from None


def _due(branch: Branch) -> str:
    actors = branch.actors
    if not actors:
        return "the match is over here"
    if actors[0] == CHANCE:
        return "chance is to act"
    seats = ", ".join(str(actor + 1) for actor in actors)
    return f"seat {seats} is to decide" if len(actors) == 1 else f"seats {seats} are to decide"


def _say(options: argparse.Namespace, name: str, branch: Branch) -> None:
    document = _document(name, branch)
    if options.format == "json":
        print(json.dumps(document))
        return
    new = len(document["events"])
    print(f"{name}: {new} events after event {branch.seq} of {branch.origin.entries[0].match}")
    print(*_result(branch), sep="\n")


def _document(name: str, branch: Branch) -> dict[str, Any]:
    game, outcome = branch.origin.game, branch.outcome
    decided = [step for step in branch.steps if step.action is not None]
    return {
        "match": name,
        "from": {"match": branch.origin.entries[0].match, "seq": branch.seq, "luck": branch.luck or SAME},
        "actions": [as_logged(game, step.action) for step in decided],
        "events": [as_logged(game, step.event) for step in branch.steps],
        "ranking": None if outcome is None else [list(group) for group in outcome.ranking],
        "scores": None if outcome is None else [dict(scores) for scores in outcome.scores],
        "original": _original(branch.origin),
    }


def _original(replay: Replay) -> Mapping[str, Any] | None:
    return None if replay.ended is None else {"ranking": [list(group) for group in replay.ended.ranking]}


def _result(branch: Branch) -> Iterator[str]:
    outcome, ended = branch.outcome, branch.origin.ended
    if outcome is None:
        yield _due(branch)
        return
    places = {seat: place for place, group in enumerate(outcome.ranking, start=1) for seat in group}
    before = {seat: place for place, group in enumerate(ended.ranking, start=1) for seat in group} if ended else {}
    seats = branch.origin.header.seats
    rows = [(info.seat + 1, shown_name(info.player), places[info.seat], before.get(info.seat, "")) for info in seats]
    yield table(("seat", "player", "place in the branch", "in the match"), rows)


def _say_pairs(options: argparse.Namespace, branch: Branch) -> None:
    names: Sequence[str | None] | None = options.players
    with progress_bar("pairs", options.samples, quiet=options.format == "json") as show:
        try:
            found = playouts(branch, names, options.samples, lambda now: show(now["done"]))
        except BranchError as error:
            raise CommandError(str(error)) from None
    if options.format == "json":
        print(json.dumps(found))
        return
    rows = [
        (info.seat + 1, shown_name((names[info.seat] if names else None) or info.player), *_points(found, info.seat))
        for info in branch.origin.header.seats
    ]
    print(f"share of wins in per cent, {found['done']} pairs on the same seeds; the difference with its 95% interval:")
    print(table(("seat", "player", "branch", "match", "difference"), rows))


def _points(found: Mapping[str, Any], seat: int) -> tuple[str, str, str]:
    """Return the shares of branch and match in per cent, and the difference of these rounded numbers."""
    branch, match = (round(100 * found[side][seat], 1) for side in ("branch", "original"))
    _, low, high = (100 * part for part in found["difference"][seat])
    return f"{branch:.1f}", f"{match:.1f}", f"{branch - match:+.1f} ({low:+.1f} to {high:+.1f})"

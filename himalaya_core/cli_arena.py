"""The command `himalaya tournament`."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from himalaya_core.arena.plan import Plan, make_plan
from himalaya_core.arena.plan_file import read_plan
from himalaya_core.arena.schedules import Schedule, Seating
from himalaya_core.arena.tournament import run_tournament
from himalaya_core.cli_shared import (
    CommandError,
    add_game,
    add_variants,
    command,
    log_name,
    positive,
    progress_bar,
    variants,
)

__all__ = ["add_tournament"]

DESCRIBED: Final = ("game", "name", "players", "schedule", "seating", "seats", "lucks", "matches", "board")
"""What `--file` says, and the command line then must not."""


def add_tournament(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "tournament",
        _tournament,
        "play many matches by a schedule into shards of logs, and go on with what is missing if it was stopped",
        "himalaya tournament caravan --name autumn --players envoy,pilgrim,trader,greedy --jobs 2 --out logs/autumn",
        "himalaya tournament caravan --name league --players envoy,pilgrim,trader,greedy,random --schedule all \\",
        "      --seats 4 --lucks 20 --jobs 2 --out logs/league",
        "himalaya tournament caravan --name duel --players planner,greedy,greedy,greedy --seating every --lucks 50 \\",
        "      --tokens --out logs/duel",
        "himalaya tournament --file docs/tournament.toml --jobs 2",
    )
    add_game(parser, required=False)
    add_variants(parser)
    parser.add_argument("--name", type=log_name, help="the tournament's name; its matches are NAME.000000 …")
    parser.add_argument(
        "--schedule",
        type=_schedule,
        metavar="KIND",
        help="fixed: the players are one line-up (default); all: every combination of them; ladder: they are a "
        "ranking, and its neighbours meet",
    )
    parser.add_argument(
        "--seats", type=positive, metavar="N", help="how many sit at a table (default: the line-up; else 4)"
    )
    parser.add_argument(
        "--seating",
        type=_seating,
        metavar="KIND",
        help="rotate: every rotation of a line-up meets each luck (default); every: every order does",
    )
    parser.add_argument(
        "--lucks", type=positive, metavar="N", help="how many lucks, each of which meets all of the schedule"
    )
    parser.add_argument("--matches", type=positive, metavar="N", help="how many matches instead (default: 200)")
    parser.add_argument("--file", type=Path, metavar="TOML", help="a file that describes all of the above")
    parser.add_argument("--jobs", default=1, type=positive, metavar="N", help="how many processes play (default: 1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder for the logs")


def _schedule(text: str) -> Schedule:
    if text not in list(Schedule):
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(Schedule)}, found {text!r}")
    return Schedule(text)


def _seating(text: str) -> Seating:
    if text not in list(Seating):
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(Seating)}, found {text!r}")
    return Seating(text)


def _tournament(options: argparse.Namespace) -> int:
    plan, out = _from_file(options) if options.file else _from_arguments(options)
    with progress_bar("matches", plan.matches) as show:
        paths = run_tournament(plan, out, options.jobs, show, _say)
    print(f"{plan.matches} matches in {len(paths)} {'file' if len(paths) == 1 else 'files'} in {out}")
    return 0


def _say(text: str) -> None:
    print(f"himalaya: {text}", file=sys.stderr)


def _from_arguments(options: argparse.Namespace) -> tuple[Plan, Path]:
    needed = {"GAME": options.game, "--players": options.players, "--name": options.name, "--out": options.out}
    missing = [name for name, value in needed.items() if value is None]
    if missing:
        raise CommandError(f"the following arguments are required: {', '.join(missing)} (or --file)")
    plan = make_plan(
        options.name,
        options.game.name,
        options.players,
        schedule=options.schedule or Schedule.FIXED,
        seating=options.seating or Seating.ROTATE,
        seats=options.seats,
        lucks=options.lucks,
        matches=options.matches,
        options=variants(options),
        board=options.board,
    )
    return plan, options.out


def _from_file(options: argparse.Namespace) -> tuple[Plan, Path]:
    said = [name for name in DESCRIBED if getattr(options, name) is not None] + list(variants(options))
    if said:
        raise CommandError(f"--file says what to play; leave {said[0].replace('_', '-')} to it")
    plan, out = read_plan(options.file)
    folder = options.out or out
    if folder is None:
        raise CommandError(f"{options.file}: out is missing: the folder for the logs (or give --out)")
    return plan, folder

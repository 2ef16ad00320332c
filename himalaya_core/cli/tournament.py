"""The command `himalaya tournament`: run a tournament, resume it or extend it."""

import argparse
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from himalaya_core.cli.arguments import add_game, add_limits, add_variants, limits, player_names, variants
from himalaya_core.cli.command import CommandError, Parser, add_renamed, command, log_name, positive
from himalaya_core.cli.progress import progress_bar
from himalaya_core.names import did_you_mean
from himalaya_core.tournament.plan import Plan, Schedule, Seating, make_plan
from himalaya_core.tournament.runner import Question, read_plan, run_tournament
from himalaya_core.tournament.sequential import EloModel, Referee, SequentialTest, at_most, compared

__all__ = ["add_tournament"]

Name = TypeVar("Name", bound=StrEnum)

DESCRIBED: Final = ("game", "name", "players", "schedule", "seating", "seats", "seeds", "matches", "board")
"""Options that cannot be combined with `--file`, because the file contains these settings."""
TEST: Final = ("elo0", "elo1", "alpha", "beta", "elo_model")


def add_tournament(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _tournament,
        "himalaya tournament caravan --name autumn --players envoy,pilgrim,trader,greedy --jobs 2 --out logs/autumn",
        "himalaya tournament caravan --name league --players envoy,pilgrim,trader,greedy,random --schedule all \\",
        "      --seats 4 --seeds 20 --jobs 2 --out logs/league",
        "himalaya tournament caravan --name duel --players planner,greedy,greedy,greedy --seating every --seeds 50 \\",
        "      --tokens --out logs/duel",
        "himalaya tournament caravan --name better --players planner,greedy,greedy,greedy --seating every \\",
        "      --until-decided --elo0 0 --elo1 20 --alpha 0.05 --beta 0.05 --jobs 2 --out logs/better",
        "himalaya tournament --file docs/tournament.toml --jobs 2",
    )
    add_game(parser, required=False)
    add_variants(parser)
    parser.add_argument("--name", type=log_name, help="the tournament's name; its matches are NAME.000000 …")
    parser.add_argument(
        "--schedule",
        type=_one_of(Schedule),
        metavar="KIND",
        help="fixed: the players are one line-up (default); all: every combination of them; ladder: they are a "
        "ranking, and neighbours play each other",
    )
    parser.add_argument(
        "--seats",
        type=positive,
        metavar="N",
        help="seats at a table (default: one for each player of a fixed line-up, else 4)",
    )
    parser.add_argument(
        "--seating",
        type=_one_of(Seating),
        metavar="KIND",
        help="rotate: every rotation of a line-up plays each seed (default); every: every order does",
    )
    add_renamed(
        parser,
        "--seeds",
        "--lucks",
        type=positive,
        metavar="N",
        help="number of seeds; each is played through the whole schedule",
    )
    parser.add_argument("--matches", type=positive, metavar="N", help="number of matches instead (default: 200)")
    _add_deciding(parser)
    add_limits(parser)
    parser.add_argument("--file", type=Path, metavar="TOML", help="a file with all of the above")
    parser.add_argument("--jobs", default=1, type=positive, metavar="N", help="number of processes (default: 1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder for the logs")


def _add_deciding(parser: Parser) -> None:
    group = parser.add_argument_group(
        "until the better of two players is known",
        "A sequential test on seeds stops the tournament (docs/how-to/stop-when-decided.md explains it). --seeds "
        "or --matches then sets the maximum (default: about 100000 matches); the last file is still filled.",
    )
    group.add_argument("--until-decided", action="store_true", help="play until the test decides")
    group.add_argument(
        "--compare",
        metavar="A,B",
        type=player_names,
        help="is A better than B? (default: the only two players, as given)",
    )
    usual = SequentialTest()
    group.add_argument(
        "--elo0", type=float, metavar="ELO", help=f"H0: A is better by this much (default: {usual.elo0:g})"
    )
    group.add_argument(
        "--elo1", type=float, metavar="ELO", help=f"H1: A is better by this much or more (default: {usual.elo1:g})"
    )
    group.add_argument(
        "--elo-model",
        type=_one_of(EloModel),
        metavar="MODEL",
        help="logistic: Elo of the share of pairs of seats (default); normalized: of that share in standard deviations "
        "of a match, as fishtest and fastchess have it",
    )
    for name, default, text in (("alpha", usual.alpha, "H1 if H0 is true"), ("beta", usual.beta, "H0 if H1 is true")):
        group.add_argument(
            f"--{name}", type=float, metavar="P", help=f"greatest chance of deciding for {text} (default: {default:g})"
        )


def _one_of(kind: type[Name]) -> Callable[[str], Name]:
    def read(text: str) -> Name:
        if text not in list(kind):
            there = f"expected one of {', '.join(kind)}, found {text!r}{did_you_mean(text, kind)}"
            raise argparse.ArgumentTypeError(there)
        return kind(text)

    return read


def _tournament(options: argparse.Namespace) -> int:
    plan, out, question = _from_file(options) if options.file else _from_arguments(options)
    if options.until_decided and question is None:
        question = _question(options)
        if not options.file and options.seeds is None and options.matches is None:
            plan = at_most(plan)
    if question:
        return _until_decided(options, plan, out, question)
    said = _of_the_question(options)
    if said:
        raise CommandError(f"{said[0]} says how to decide; it goes with --until-decided")
    with progress_bar("matches", plan.matches) as show:
        paths = run_tournament(plan, out, options.jobs, show, _say)
    print(f"{plan.matches} matches in {len(paths)} {'file' if len(paths) == 1 else 'files'} in {out}")
    return 0


def _of_the_question(options: argparse.Namespace) -> list[str]:
    return [f"--{name.replace('_', '-')}" for name in ("compare", *TEST) if getattr(options, name) is not None]


def _question(options: argparse.Namespace) -> Question:
    given = {name: value for name in TEST if (value := getattr(options, name)) is not None}
    try:
        return Question(options.compare, SequentialTest(**given))
    except ValueError as error:
        raise CommandError(str(error)) from None


def _until_decided(options: argparse.Namespace, plan: Plan, out: Path, question: Question) -> int:
    referee = Referee(plan, compared(plan, question.compare), question.test)
    with progress_bar("matches", plan.matches) as show:
        paths = run_tournament(plan, out, options.jobs, show, _say, referee=referee)
    print(referee.verdict.in_words(question.test))
    print(f"{referee.matches} matches in {len(paths)} {'file' if len(paths) == 1 else 'files'} in {out}")
    return 0


def _say(text: str) -> None:
    print(f"himalaya: {text}", file=sys.stderr)


def _from_arguments(options: argparse.Namespace) -> tuple[Plan, Path, None]:
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
        seeds=options.seeds,
        matches=options.matches,
        options=variants(options, options.game),
        board=options.board,
        limits=limits(options),
    )
    return plan, options.out, None


def _from_file(options: argparse.Namespace) -> tuple[Plan, Path, Question | None]:
    said = [name for name in DESCRIBED if getattr(options, name) is not None] + list(variants(options))
    if said:
        raise CommandError(f"--file says what to play; leave {said[0].replace('_', '-')} to it")
    plan, out, question = read_plan(options.file, limits(options))
    if question and (said := _of_the_question(options)):
        raise CommandError(f"{options.file} says how to decide; leave {said[0]} to it")
    folder = options.out or out
    if folder is None:
        raise CommandError(f"{options.file}: out is missing: the folder for the logs (or give --out)")
    return plan, folder, question

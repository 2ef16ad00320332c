"""The command `himalaya check`: checks that the tables of a database are consistent."""

import argparse
import json
import os
from collections.abc import Iterator
from typing import Any, Final

from himalaya_core.cli.command import Parser, command, positive
from himalaya_core.cli.progress import progress_bar
from ingest.cli.commands import add_database, require_database
from ingest.cli.operations import operate
from ingest.load.summary import counted
from ingest.validate import PROCESSES

__all__ = ["add_check"]

BROKEN: Final = 1
WRONG: Final = (("rules", "departed"), ("players", "differs"), ("players", "known"), ("review", "failed"))
"""Counts in the results of operations that make the check fail if they are not zero."""
KEPT: Final = "all checks passed"


def add_check(parser: Parser) -> None:
    """Add the arguments of `himalaya check` to its parser."""
    command(
        parser,
        _check,
        "himalaya check --db himalaya.duckdb",
        "himalaya check --rules",
        "himalaya check --players --jobs 2",
        "himalaya check --review",
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="verify waiting matches by the rules first; those that diverge are quarantined",
    )
    parser.add_argument(
        "--players",
        action="store_true",
        help="ask the installed players for their choices again, and compare with the log; takes as long as playing",
    )
    parser.add_argument(
        "--review",
        action="store_true",
        help="review finished matches first, with the shipped win probability models (a server does this by itself)",
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="use N processes for --players and --review (default: one for each core)",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_database(parser)


def _check(options: argparse.Namespace) -> int:
    """Check the tables. Optionally first verify matches, replay players and review. Return 1 if something is wrong."""
    require_database(options)
    found: dict[str, Any] = {}
    told: list[str] = []
    if options.rules:
        judged = found["rules"] = _operate(options, "judge", "matches", jobs=PROCESSES)
        told += [*_told(judged), *(problem["text"] for problem in judged["problems"])]
    if options.players:
        asked = found["players"] = _operate(options, "ask", "matches", jobs=options.jobs)
        told += _answers(asked)
    if options.review:
        reviewed = found["review"] = _operate(options, "review", "matches", jobs=options.jobs, failed=True)
        told += _reviews(reviewed)
    result = _operate(options, "check", "assertions")
    findings = result["findings"]
    if options.json:
        print(json.dumps(result | found))
    else:
        print("\n".join([*told, *([finding["text"] for finding in findings] or [KEPT])]))
    wrong = [found[name].get(key) for name, key in WRONG if name in found]
    return BROKEN if findings or any(wrong) else 0


def _operate(options: argparse.Namespace, name: str, what: str, **arguments: Any) -> dict[str, Any]:
    """Run an operation with a progress bar; `what` is the unit of progress, such as "matches"."""
    with progress_bar(what, 1, quiet=True) as show:
        return operate(options, name, arguments, lambda at: show(at["done"], at["total"]))


def _told(judged: dict[str, Any]) -> Iterator[str]:
    """Yield lines about the result of verifying matches by the rules."""
    clean, departed, unjudged = judged["clean"], judged["departed"], judged["unjudged"]
    if clean or not (departed or unjudged):
        yield f"{counted(clean, 'match', 'es')} verified by the rules"
    if judged["other_dice"]:
        yield f"in {judged['other_dice']:,} of them the dice do not match the seed"
    if unjudged:
        yield f"{counted(unjudged, 'match', 'es')} not verified: their rules or board are not installed"
    if departed:
        yield f"{counted(departed, 'match', 'es')} quarantined, diverging from the rules:"


def _answers(asked: dict[str, Any]) -> Iterator[str]:
    """Yield lines about the result of replaying players."""
    repeats, differs, not_asked, known = (asked[key] for key in ("repeats", "differs", "not_asked", "known"))
    if not asked["matches"]:
        yield "there are no players left to ask"
    if repeats or (asked["matches"] and not (differs or not_asked)):
        yield f"in {counted(repeats, 'seat')} the player repeated its choices"
    if differs:
        yield f"in {counted(differs, 'seat')} the player made another choice:"
        yield from (problem["text"] for problem in asked["problems"])
        if left := differs - len(asked["problems"]):
            yield f"and in {counted(left, 'more seat')}: see dim_seats with player_verdict 'differs'"
    for each in asked["reasons"]:
        yield f"not asked: {each['player']} {each['version']} in {counted(each['seats'], 'seat')}: {each['reason']}"
    if known:
        yield f"in {counted(known, 'seat')} asked before, the player made another choice: see dim_seats"


def _reviews(reviewed: dict[str, Any]) -> Iterator[str]:
    """Yield lines about the result of reviewing matches."""
    valued, failed, reasons = reviewed["valued"], reviewed["failed"], reviewed["reasons"]
    if valued or not (failed or reasons):
        yield f"{counted(valued, 'match', 'es')} reviewed"
    for each in reasons:
        yield f"not reviewed: {counted(each['matches'], 'match', 'es')} of {each['game']}: {each['reason']}"
    yield from reviewed["problems"]
    if left := failed - len(reviewed["problems"]):
        yield f"and {counted(left, 'more match', 'es')}: see not_valued in dim_reviews"

"""The command `himalaya check`: whether a database holds what its tables promise."""

import argparse
import json
from collections.abc import Iterator
from typing import Any, Final

from himalaya_core.cli.command import Parser, command
from himalaya_core.cli.shared import progress_bar
from ingest.cli.operations import add_database, operate, require_database
from ingest.load.summary import counted
from ingest.pipeline import PROCESSES

__all__ = ["add_check"]

BROKEN: Final = 1
KEPT: Final = "every promise of the tables is kept"


def add_check(parser: Parser) -> None:
    """Fill the parser of the command."""
    command(
        parser,
        _check,
        "himalaya check --db himalaya.duckdb",
        "himalaya check --rules",
    )
    parser.add_argument(
        "--rules",
        action="store_true",
        help="first decide anew by the rules what was loaded without; what departs from them goes to quarantine",
    )
    parser.add_argument("--json", action="store_true", help="print what is found as JSON")
    add_database(parser)


def _check(options: argparse.Namespace) -> int:
    """Check, after judging what waits for it if that is wanted; 1 if something is wrong."""
    require_database(options)
    judged: dict[str, Any] | None = None
    if options.rules:
        with progress_bar("matches", 1, quiet=True) as show:
            judged = operate(options, "judge", {"jobs": PROCESSES}, lambda at: show(at["done"], at["total"]))
    with progress_bar("promises", 1, quiet=True) as show:
        result = operate(options, "check", {}, lambda at: show(at["done"], at["total"]))
    findings = result["findings"]
    if options.json:
        print(json.dumps(result if judged is None else result | {"rules": judged}, ensure_ascii=False))
    else:
        told = [] if judged is None else [*_told(judged), *(problem["text"] for problem in judged["problems"])]
        print("\n".join([*told, *([finding["text"] for finding in findings] or [KEPT])]))
    return BROKEN if findings or (judged and judged["departed"]) else 0


def _told(judged: dict[str, Any]) -> Iterator[str]:
    """Say what came of judging."""
    clean, departed, unjudged = judged["clean"], judged["departed"], judged["unjudged"]
    if clean or not (departed or unjudged):
        yield f"{counted(clean, 'match', 'es')} judged to follow from the rules"
    if judged["other_dice"]:
        yield f"in {judged['other_dice']:,} of them the dice are not those of the seed"
    if unjudged:
        yield f"{counted(unjudged, 'match', 'es')} left unjudged: the rules or the board are not installed"
    if departed:
        yield f"{counted(departed, 'match', 'es')} quarantined, for departing from the rules:"

"""The command `himalaya record`: convert a handwritten record file into a log, or a log into a record file."""

import argparse
import re
import sys
from html import escape
from pathlib import Path
from typing import Any, Final

from himalaya_core.cli.arguments import add_match, game_named, one_match
from himalaya_core.cli.command import CommandError, Parser, command, print_file
from himalaya_core.files import write_log
from himalaya_core.game import Game
from himalaya_core.log.codec import MATCH_NAME
from himalaya_core.notation import hints
from himalaya_core.record_file import file_of, recording_of

__all__ = ["add_record"]

ROWS: Final = 24
SHEET: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Record sheet: {game}</title><style>
@page {{ size: A4; margin: 14mm }}
body {{ font: 10.5pt/1.35 sans-serif; color: #000 }}
h1 {{ font-size: 15pt; margin: 0 0 4mm }}
table {{ width: 100%; border-collapse: collapse }}
th, td {{ border: .3mm solid #000; padding: 1mm 1.5mm; text-align: left }}
tbody td {{ height: 7.4mm }}
dl {{ columns: 2; column-gap: 8mm; font-size: 9pt; margin: 4mm 0 }}
dt {{ font-weight: bold }}
dd {{ margin: 0 0 1mm 4mm }}
.round {{ width: 14mm }}
.line {{ border-bottom: .3mm solid #000; display: inline-block; min-width: 60mm }}
.long {{ min-width: 130mm }}
</style></head><body><h1>{game}: record of a match</h1>
<p>Date <span class="line"></span> &nbsp; Options <span class="line"></span></p>
<p>Players, in seat order <span class="line long"></span></p>
<table><thead>
<tr><th class="round">Round</th><th>Dice and draws, then the choice of each seat (1: …; 2: …)</th></tr>
</thead><tbody>{rows}</tbody></table>
<dl>{hints}</dl>
<p>Typed into a file like this, <code>himalaya record FILE --out match.jsonl</code> makes a log of it.</p>
</body></html>
"""


def add_record(parser: Parser) -> None:
    """Define the arguments of the command."""
    command(
        parser,
        _record,
        "himalaya record sunday.txt --out sunday.jsonl",
        "himalaya record --from sunday.jsonl > sunday.txt",
        "himalaya record --sheet caravan > sheet.html",
    )
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="a match on paper, typed (docs/how-to/record-a-match.md)"
    )
    parser.add_argument("--out", type=Path, metavar="LOG", help="write it as a log")
    parser.add_argument("--name", metavar="NAME", help="what the match is called (default: the file)")
    parser.add_argument("--from", type=Path, dest="log", metavar="LOG", help="print a log as such a file")
    parser.add_argument(
        "--sheet", type=game_named, metavar="GAME", help="print a sheet for the table (HTML, A4) instead"
    )
    add_match(parser)


def _record(options: argparse.Namespace) -> int:
    wanted = [what for what in (options.file, options.log, options.sheet) if what is not None]
    if len(wanted) != 1:
        raise CommandError("give one of FILE, --from LOG and --sheet GAME")
    if options.sheet is not None:
        print_file(_sheet(options.sheet))
    elif options.log is not None:
        print_file(file_of(one_match(options)))
    else:
        _make(options)
    return 0


def _make(options: argparse.Namespace) -> None:
    name = options.name or re.sub(r"[^A-Za-z0-9._-]", "-", options.file.stem)[:64]
    if not re.fullmatch(MATCH_NAME.strip("^$"), name):
        raise CommandError(f"--name: expected 1 to 64 of A-Z a-z 0-9 . _ -, found {name!r}")
    recording = recording_of(options.file)
    for written, kept in recording.respelt.items():
        print(f"note: {written!a} and {kept!a} are one player; the log has the second spelling", file=sys.stderr)
    entries = len(recording.times)
    state = "over" if recording.match.is_over else f"unfinished; next, {recording.expected}"
    if options.out is not None:
        with write_log(options.out) as file:
            file.write(recording.log(name))
    print(f"{name}: {entries} {'entry' if entries == 1 else 'entries'}, {state}")


def _sheet(game: Game[Any, Any, Any]) -> str:
    rows = "".join("<tr><td></td><td></td></tr>" for _ in range(ROWS))
    said = "".join(f"<dt>{escape(how)}</dt><dd>{escape(what)}</dd>" for how, what in hints(game))
    return SHEET.format(game=escape(game.name), rows=rows, hints=said)

"""The command `himalaya replay`: a match as one HTML file that plays from disk, or one position as a picture."""

import argparse
import base64
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from dashboards.boards.engine import DrawingError
from dashboards.boards.picture import draw_board
from dashboards.boards.scene import frame_at
from dashboards.replay.offline import offline_page
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import ViewError, as_bytes, scene_of
from himalaya_core.cli.arguments import given_board
from himalaya_core.cli.command import CommandError, Parser, command, positive
from himalaya_core.files import LOG_SUFFIXES
from himalaya_core.replay import Replay, ReplayError
from ingest.cli.commands import add_database
from ingest.cli.operations import operate
from ingest.errors import plain_reason
from ingest.quarantine.preview import preview

__all__ = ["add_replay"]

ENDINGS: Final = (".html", ".svg")
THEMES: Final = ("light", "dark")


def add_replay(parser: Parser) -> None:
    """Add the command's arguments to its parser."""
    command(
        parser,
        _replay,
        "himalaya replay match.jsonl --out match.html",
        "himalaya replay sample-four.000007 --db himalaya.duckdb --view 2 --out what-seat-2-knew.html",
        "himalaya replay match.jsonl --ply 57 --theme dark --out position.svg",
    )
    parser.add_argument(
        "what", metavar="FILE_OR_MATCH", help="replay this log, or the match of this name in the database"
    )
    parser.add_argument("--match", metavar="NAME", help="replay this match of several in the log")
    parser.add_argument("--view", type=positive, metavar="N", help="show only what this seat (from 1) could know")
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="read the board from this file, if the log does not carry it"
    )
    parser.add_argument("--out", required=True, type=_out, metavar="FILE", help="write to this file, .html or .svg")
    parser.add_argument(
        "--ply", metavar="N", help="draw the board (.svg) after this decision; 57.3 is after its third event"
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="light", help="draw the board (.svg) light (default) or dark"
    )
    add_database(parser)


def _out(text: str) -> Path:
    if not text.endswith(ENDINGS):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in {' or '.join(ENDINGS)}")
    return Path(text)


def _replay(options: argparse.Namespace) -> int:
    log = _log(options)
    board = given_board(options.board)
    try:
        replay = Replay.read(log.splitlines(keepends=True), board)
    except ReplayError as error:
        raise CommandError(f"{options.what}: {error}") from None
    written = _picture(replay, options) if options.out.suffix == ".svg" else _file(replay, log, options)
    try:
        options.out.write_bytes(written)
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {plain_reason(error)}") from None
    print(f"{replay.entries[0].match} written to {options.out} ({max(len(written) >> 10, 1):,} KiB)")
    return 0


def _file(replay: Replay, log: bytes, options: argparse.Namespace) -> bytes:
    scene, review = (as_bytes(_made(make, replay, options)) for make in (scene_of, review_document))
    return offline_page(scene, review, None if options.view else log)


def _picture(replay: Replay, options: argparse.Namespace) -> bytes:
    scene = _made(scene_of, replay, options)
    last = str(replay.entries[-1].ply)
    try:
        frame = frame_at(last if options.ply is None else options.ply, scene["plies"])
    except ValueError as error:
        raise CommandError(str(error)) from None
    if options.ply and int(options.ply.partition(".")[0]) > replay.entries[-1].ply:
        raise CommandError(f"{options.what}: the last ply of this match is {last}; --ply names {options.ply}")
    try:
        return draw_board(scene, frame, theme=options.theme).encode()
    except DrawingError as error:
        raise CommandError(f"the position cannot be drawn: {str(error).splitlines()[0]}") from None


def _made(make: Callable[[Replay, str | None], Any], replay: Replay, options: argparse.Namespace) -> Any:
    try:
        return make(replay, options.view and str(options.view))
    except ViewError as error:
        raise CommandError(str(error).removesuffix(".")) from None
    except ReplayError as error:
        raise CommandError(f"{options.what}: {error}") from None


def _log(options: argparse.Namespace) -> bytes:
    """Return the lines of the requested match, from a file or from the database."""
    path = Path(options.what)
    if path.exists():
        return _from_file(path, options.match)
    if options.what.endswith(LOG_SUFFIXES):
        raise CommandError(f"cannot read {path}: no such file or folder")
    if not options.db.exists():
        raise CommandError(f"there is no file {path}, and no database {options.db} with a match of that name")
    packed: str = operate(options, "match_log", {"match": options.what})["lines"]
    return base64.b64decode(packed)


def _from_file(path: Path, name: str | None) -> bytes:
    if path.is_dir():
        raise CommandError(f"{path}: a folder; name a log in it")
    found = preview(path.absolute(), str(path))
    about = [each.text() for each in found.problems if name in (None, each.match)]
    match = found.match(name) if name else found.only
    if match is None and len(found.matches) > 1 and not name:
        raise CommandError(f"{path} has {len(found.matches):,} matches; choose one with --match")
    if match is None:
        raise CommandError(about[0] if about else f"{path} has no match {name!r}" if name else f"{path}: no match")
    for problem in about:
        print(f"left out: {problem}" if match.is_valid else f"replayed up to {problem}", file=sys.stderr)
    return match.text()

"""Files combined into one response each: modules of the player and of recording, scripts and styles.

They are built from the current files and rebuilt when one of them changes. Lines of modules stay whole and in order,
each module after its name.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final

from dashboards.boards.modules import LOADER, MODULES, defined, needed, resolved
from dashboards.replay.scenes import pack

__all__ = ["PLAYER", "RECORDING", "SCRIPTS", "STYLES", "bundles"]

ASSETS: Final = MODULES.parent
ENTRY: Final = "player/pages.js"
PLAYER: Final = f"/assets/replay/{ENTRY}"
RECORD_ENTRY: Final = "record/pages.js"
RECORDING: Final = f"/assets/replay/{RECORD_ENTRY}"
STYLES: Final = "/assets/pages.css"
SCRIPTS: Final = "/assets/pages.js"
ELSEWHERE: Final = ("print/", "record/", "player/offline.js")
"""Modules that no page with a player loads."""
OFFERED: Final = re.compile(r"""^export \{([^}]*)\} from "(\./[\w-]+\.js)";""", re.MULTILINE)
Bundle = tuple[str, Callable[[], tuple[str, bytes]], str]
"""An address, the function for its digest and gzipped text, and its type."""


def bundles() -> list[Bundle]:
    """Return all combined files: both scripts of modules, styles, and scripts of pages."""
    return [
        (STYLES, lambda: _joined(_stamps(sorted(ASSETS.glob("*.css")))), "text/css"),
        (SCRIPTS, lambda: _joined(_stamps(sorted(ASSETS.glob("*.js")))), "text/javascript"),
        (PLAYER, lambda: _script(ENTRY, _stamps(_of_player())), "text/javascript"),
        (RECORDING, lambda: _script(RECORD_ENTRY, _stamps(_of_recording())), "text/javascript"),
    ]


def _of_player() -> list[Path]:
    names = sorted(file.relative_to(MODULES).as_posix() for file in MODULES.rglob("*.js"))
    return [MODULES / name for name in names if name != ENTRY and not name.startswith(ELSEWHERE)]


def _of_recording() -> list[Path]:
    return [MODULES / name for name in needed(RECORD_ENTRY) if name != RECORD_ENTRY]


Stamps = tuple[tuple[Path, int, int], ...]


def _stamps(files: Iterable[Path]) -> Stamps:
    """Return files with a stamp that changes when they do."""
    return tuple((file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in files)


@cache
def _script(entry: str, stamps: Stamps) -> tuple[str, bytes]:
    """Return a script of modules: each is a function that runs when needed; the script has the exports of the entry."""
    made = [defined(file.relative_to(MODULES).as_posix(), file.read_text("utf-8")) for file, *_ in stamps]

    def offered(found: re.Match[str]) -> str:
        return f'export const {{{found[1]}}} = $need("{resolved(found[2], entry)}");'

    offer = OFFERED.sub(offered, (MODULES / entry).read_text("utf-8"))
    return pack("\n".join((LOADER, *made, offer)).encode())


@cache
def _joined(stamps: Stamps) -> tuple[str, bytes]:
    return pack("\n".join(f"/* {file.name} */\n{file.read_text('utf-8')}" for file, *_ in stamps).encode())

"""What a page would ask for one by one, as one answer each: modules of the player and of recording, scripts and styles.

They are made from the files as they are, and anew when one of them changes. Lines of modules stay whole and in their
order, and a source map tells a browser's tools where each is from.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from dashboards.boards.modules import LOADER, MODULES, defined, needed, resolved
from dashboards.replay.scenes import pack

__all__ = ["PLAYER", "RECORDING", "SCRIPTS", "STYLES", "bundles"]

ASSETS: Final = MODULES.parent
ENTRY: Final = "player/pages.js"
PLAYER: Final = f"/assets/replay/{ENTRY}"
MAP: Final = f"{PLAYER}.map"
RECORD_ENTRY: Final = "record/pages.js"
RECORDING: Final = f"/assets/replay/{RECORD_ENTRY}"
STYLES: Final = "/assets/pages.css"
SCRIPTS: Final = "/assets/pages.js"
ELSEWHERE: Final = ("print/", "record/", "player/offline.js")
"""Modules that no page with a player asks for."""
OFFERED: Final = re.compile(r"""^export \{([^}]*)\} from "(\./[\w-]+\.js)";""", re.MULTILINE)
DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Bundle = tuple[str, Callable[[], tuple[str, bytes]], str]
"""An address, what returns the digest and the gzipped text that are there, and its type."""


def bundles() -> list[Bundle]:
    """Return all that is served in one: both scripts of modules with their maps, styles, and scripts of pages."""
    found: list[Bundle] = [
        (STYLES, lambda: _joined(_stamps(sorted(ASSETS.glob("*.css")))), "text/css"),
        (SCRIPTS, lambda: _joined(_stamps(sorted(ASSETS.glob("*.js")))), "text/javascript"),
    ]
    for entry, modules in ((ENTRY, _of_player), (RECORD_ENTRY, _of_recording)):
        address = f"/assets/replay/{entry}"
        found.append((address, partial(_script_now, entry, modules), "text/javascript"))
        found.append((f"{address}.map", partial(_map_now, modules), "application/json"))
    return found


def _script_now(entry: str, modules: Callable[[], list[Path]]) -> tuple[str, bytes]:
    return _script(entry, _stamps(modules()))


def _map_now(modules: Callable[[], list[Path]]) -> tuple[str, bytes]:
    return _map(_stamps(modules()))


def _of_player() -> list[Path]:
    names = sorted(file.relative_to(MODULES).as_posix() for file in MODULES.rglob("*.js"))
    return [MODULES / name for name in names if name != ENTRY and not name.startswith(ELSEWHERE)]


def _of_recording() -> list[Path]:
    return [MODULES / name for name in needed(RECORD_ENTRY) if name != RECORD_ENTRY]


Stamps = tuple[tuple[Path, int, int], ...]


def _stamps(files: Iterable[Path]) -> Stamps:
    """Return files with what changes when they do."""
    return tuple((file, (stat := file.stat()).st_mtime_ns, stat.st_size) for file in files)


@cache
def _script(entry: str, stamps: Stamps) -> tuple[str, bytes]:
    """Return a script of modules: each a function that is run when it is needed, and what the entry offers of them."""
    made = [defined(file.relative_to(MODULES).as_posix(), file.read_text("utf-8")) for file, *_ in stamps]

    def offered(found: re.Match[str]) -> str:
        return f'export const {{{found[1]}}} = $need("{resolved(found[2], entry)}");'

    offer = OFFERED.sub(offered, (MODULES / entry).read_text("utf-8"))
    return pack("\n".join((LOADER, *made, offer, f"//# sourceMappingURL={Path(entry).name}.map")).encode())


@cache
def _map(stamps: Stamps) -> tuple[str, bytes]:
    """Return the source map of such a script."""
    lines = [file.read_text("utf-8").count("\n") + 1 for file, *_ in stamps]
    document = {
        "version": 3,
        "sources": [f"../{file.relative_to(MODULES).as_posix()}" for file, *_ in stamps],
        "names": [],
        "mappings": ";" * (LOADER.count("\n") + 1) + _mappings(lines),
    }
    return pack(json.dumps(document).encode())


def _mappings(lines: Sequence[int]) -> str:
    """Return which line is which of its module, given how many each has; one more line ends a module.

    A line says how far its module and its line are from those of the line before.
    """
    parts, line = list[str](), 0
    for number, count in enumerate(lines):
        parts.append(f"A{_vlq(int(number > 0))}{_vlq(-line)}A")
        parts += ["AACA"] * (count - 1)
        parts.append("")
        line = count - 1
    return ";".join(parts)


def _vlq(value: int) -> str:
    """Return a number as source maps write it: five bits a digit, the sign in the lowest."""
    left, digits = abs(value) << 1 | (value < 0), ""
    while True:
        left, digit = left >> 5, left & 31
        digits += DIGITS[digit | (32 if left else 0)]
        if not left:
            return digits


@cache
def _joined(stamps: Stamps) -> tuple[str, bytes]:
    return pack("\n".join(f"/* {file.name} */\n{file.read_text('utf-8')}" for file, *_ in stamps).encode())

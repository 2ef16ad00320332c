"""What a page would ask for one by one, as one answer each: modules of the player and of recording, scripts and styles.

They are made from the files as they are, and anew when one of them changes. Lines of modules stay whole and in their
order, and a source map tells a browser's tools where each is from.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from flask import Flask, Response

from dashboards.boards.modules import LOADER, MODULES, defined, needed, resolved
from dashboards.replay.scenes import pack

__all__ = ["PLAYER", "RECORDING", "SCRIPTS", "STYLES", "register_bundles"]

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
Answer = Callable[[str, bytes, str], Response]


def register_bundles(server: Flask, answer: Answer) -> None:
    """Add the routes; `answer` makes one of a digest, a gzipped text and its type."""
    _register_script(server, answer, ENTRY, _of_player)
    _register_script(server, answer, RECORD_ENTRY, _of_recording)

    @server.get(STYLES)
    def styles() -> Response:
        return answer(*_joined(_stamps(sorted(ASSETS.glob("*.css")))), "text/css")

    @server.get(SCRIPTS)
    def scripts() -> Response:
        return answer(*_joined(_stamps(sorted(ASSETS.glob("*.js")))), "text/javascript")


def _register_script(server: Flask, answer: Answer, entry: str, modules: Callable[[], list[Path]]) -> None:
    """Add a script in the place of the module by which it is entered, and its map."""
    address = f"/assets/replay/{entry}"

    @server.get(address, endpoint=entry.replace(".", "-"))
    def script() -> Response:
        return answer(*_script(entry, _stamps(modules())), "text/javascript")

    @server.get(f"{address}.map", endpoint=f"{entry}.map".replace(".", "-"))
    def map_of_script() -> Response:
        return answer(*_map(_stamps(modules())), "application/json")


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
    return pack("\n".join((LOADER, *made, offer, f"//# sourceMappingURL=/assets/replay/{entry}.map")).encode())


@cache
def _map(stamps: Stamps) -> tuple[str, bytes]:
    """Return the source map of such a script."""
    lines = [file.read_text("utf-8").count("\n") + 1 for file, *_ in stamps]
    document = {
        "version": 3,
        "sources": [f"/assets/replay/{file.relative_to(MODULES).as_posix()}" for file, *_ in stamps],
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

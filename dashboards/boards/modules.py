"""The modules of the player in assets/replay, in rooms, and which of them import which."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

__all__ = ["MODULES", "SPECIFIER", "needed", "resolved"]

MODULES: Final = Path(__file__).parent.parent / "assets" / "replay"
SPECIFIER: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[\w./-]+\.js)\2""")
COMMENT: Final = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)


def resolved(specifier: str, module: str) -> str:
    """Return the name of the module that `specifier` means in `module`: `../drawing/dom.js` is `drawing/dom.js`."""
    return normpath(join(dirname(module), specifier))


@cache
def needed(entry: str, *, at_once: bool = False) -> tuple[str, ...]:
    """Return the modules that one needs, directly or not, itself included; `at_once`: without those loaded later."""
    found, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            code = COMMENT.sub("", (MODULES / name).read_text("utf-8"))
            waiting += [resolved(to, name) for how, _, to in SPECIFIER.findall(code) if not (at_once and "(" in how)]
    return tuple(sorted(found))

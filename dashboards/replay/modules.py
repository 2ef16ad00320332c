"""The modules of the player in assets/replay, and which of them import which."""

import re
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["MODULES", "SPECIFIER", "needed"]

MODULES: Final = Path(__file__).parent.parent / "assets" / "replay"
SPECIFIER: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])\./([\w-]+\.js)\2""")
COMMENT: Final = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)


@cache
def needed(entry: str, *, at_once: bool = False) -> tuple[str, ...]:
    """Return the modules that one needs, directly or not, itself included; `at_once`: without those loaded later."""
    found, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            code = COMMENT.sub("", (MODULES / name).read_text("utf-8"))
            waiting += [file for how, _, file in SPECIFIER.findall(code) if not (at_once and "(" in how)]
    return tuple(sorted(found))

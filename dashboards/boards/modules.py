"""The modules of the player in assets/replay, in folders: their imports, and each as part of one script."""

import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

__all__ = ["LOADER", "MODULES", "SPECIFIER", "ModuleError", "defined", "needed", "resolved"]

MODULES: Final = Path(__file__).parent.parent / "assets" / "replay"
SPECIFIER: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[\w./-]+\.js)\2""")
COMMENT: Final = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
IMPORT: Final = re.compile(r"^import\s*(\{[^}]*\})\s*from\s*([^;\n]+);?", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
LOADER: Final = """\
const $made = {}, $known = {};
function $define(name, make) { $made[name] = make; }
function $need(name) { return ($known[name] ??= $made[name]()); }
"""
"""Script by which `defined` modules are defined and required."""


class ModuleError(Exception):
    """A module with syntax that a script cannot have."""


def resolved(specifier: str, module: str) -> str:
    """Return the module that `specifier` means in `module`: `../drawing/dom.js` is `drawing/dom.js`."""
    return normpath(join(dirname(module), specifier))


@cache
def needed(entry: str) -> tuple[str, ...]:
    """Return the modules that one needs, directly or not, and the module itself."""
    found, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            code = COMMENT.sub("", (MODULES / name).read_text("utf-8"))
            waiting += [resolved(to, name) for _, _, to in SPECIFIER.findall(code)]
    return tuple(sorted(found))


def defined(name: str, text: str) -> str:
    """Return a module as part of a script: a function that is run on demand.

    Lines keep their numbers, so that an error names the right one.
    """

    def reference(found: re.Match[str]) -> str:
        return f"$need({json.dumps(resolved(found[3], name))})"

    exported = EXPORT.findall(text)
    code = IMPORT.sub(
        lambda found: f"const {_renamed(found[1])} = {SPECIFIER.sub(reference, f'from {found[2]}')};", text
    )
    code = SPECIFIER.sub(lambda found: f"Promise.resolve({reference(found)}", EXPORT.sub("", code))
    if strange := LEFT.search(code):
        raise ModuleError(f"{name}: cannot be part of a script: {strange[0]}")
    return f'$define({json.dumps(name)}, () => {{ "use strict"; {code}\nreturn {{ {", ".join(exported)} }}; }});'


def _renamed(names: str) -> str:
    return re.sub(r"\s+as\s+", ": ", names)

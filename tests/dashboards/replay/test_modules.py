"""Layers of the JavaScript modules in assets/replay: each layer imports only from itself and lower ones."""

import re
from posixpath import dirname

from dashboards.boards.engine import MODULES, resolved

IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.{1,2}/[\w./-]+\.js)["']""")  # includes types in comments
BOARDS = {"map", "track", "tower", "plain"}
BELOW = {
    "drawing": set[str](),
    **{board: {"drawing"} for board in BOARDS},
    "": BOARDS,  # kinds.js loads the folder of the board that is shown
    "panels": {"drawing", ""},
    "print": {"drawing", "", "track"},  # pictures without a browser, and maps of a route
    "player": {"drawing", "", "panels"},
    "record": {"drawing", "", "panels", "player"},
}
NAMES = sorted(file.relative_to(MODULES).as_posix() for file in MODULES.rglob("*.js"))


def test_every_module_is_in_a_layer() -> None:
    assert {dirname(name) for name in NAMES} == {*BELOW}
    assert [name for name in NAMES if not dirname(name)] == ["kinds.js"]


def test_a_module_imports_only_from_its_layer_and_those_below() -> None:
    for name in NAMES:
        asked = [resolved(specifier, name) for specifier in IMPORT.findall((MODULES / name).read_text("utf-8"))]
        values = [other for other in asked if other in NAMES]
        types = [other for other in asked if other not in NAMES]
        assert all((MODULES / other).with_suffix(".d.ts").exists() for other in types), name
        assert {dirname(other) for other in values} <= {dirname(name), *BELOW[dirname(name)]}, name

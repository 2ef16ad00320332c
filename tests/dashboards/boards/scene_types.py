"""Generates the TypeScript types of scenes from the Python types: `dashboards/assets/replay/scene.d.ts`.

Regenerate with `python -m tests.dashboards.boards.scene_types > dashboards/assets/replay/scene.d.ts`.
"""

import sys
import types
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any, Final, Literal, Never, NotRequired, TypeAlias, get_args, get_origin, get_type_hints

from dashboards.boards import map as map_scene
from dashboards.boards import plain as plain_scene
from dashboards.boards import scene
from dashboards.boards import tower as tower_scene
from dashboards.boards import track as track_scene

__all__ = ["declarations"]

ROOMS: Final = (scene, map_scene, track_scene, tower_scene, plain_scene)
KINDS: Final = (map_scene.MapScene, track_scene.TrackScene, tower_scene.TowerScene, plain_scene.PlainScene)
PLAIN: Final = {int: "number", float: "number", str: "string", bool: "boolean", Never: "never"}
ALIASES: Final = ("Laying", "Step")
"""Types that are not a TypedDict."""
Hint: TypeAlias = Any
BEGINS: Final = """\
// The types of a scene. Made from dashboards/boards/scene.py and the scene.py of each kind of board by
// `python -m tests.dashboards.boards.scene_types`. Seats count from 0; -1 is nobody or nothing.
"""


def declarations() -> str:
    """Return the content of the whole file."""
    return "\n".join([BEGINS, *(text for room in ROOMS for text in _of_room(room))])


def _of_room(room: types.ModuleType) -> Iterator[str]:
    for name, value in vars(room).items():
        if name in ALIASES:
            yield f"export type {name} = {_written(value)};\n"
        elif getattr(value, "__module__", "") == room.__name__ and hasattr(value, "__required_keys__"):
            yield _interface(value)


def _interface(kind: Any) -> str:
    """Return a TypedDict as an interface; the scene of any kind can have each kind of board."""
    hints = get_type_hints(kind, include_extras=True)
    bases = [
        base for base in (scene.Scene, scene.Frame) if kind is not base and set(get_type_hints(base)) <= set(hints)
    ]
    inherited = {name for base in bases for name in get_type_hints(base)}
    fields = {name: hint for name, hint in hints.items() if name not in inherited}
    lines = [f"  {_field(name, hint)};" for name, hint in fields.items()]
    if kind is scene.Scene:
        boards = " | ".join(get_type_hints(each)["board"].__name__ for each in KINDS)
        lines += [f"  board: {boards};", "  frames: Frame[];"]
    comment = cleandoc(str(kind.__doc__)).replace("\n", "\n * ").replace(" * \n", " *\n")
    extends = "".join(f" extends {base.__name__}" for base in bases)
    return f"/** {comment} */\nexport interface {kind.__name__}{extends} {{\n{chr(10).join(lines)}\n}}\n"


def _field(name: str, hint: Hint) -> str:
    if get_origin(hint) is NotRequired:
        return f"{name}?: {_written(get_args(hint)[0])}"
    return f"{name}: {_written(hint)}"


def _written(hint: Hint) -> str:
    """Return a type in TypeScript syntax."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin is list:
        return f"{_written(parts[0])}[]"
    if origin is dict:
        return f"Record<{_written(parts[0])}, {_written(parts[1])}>"
    if origin is tuple:
        return f"[{', '.join(map(_written, parts))}]"
    if origin is Literal:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in parts)
    assert isinstance(hint, type), hint
    return hint.__name__


if __name__ == "__main__":
    sys.stdout.write(declarations())

"""Generates the Python API page from signatures and docstrings. The examples are doctests."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

__all__ = ["CORE", "page"]

BEGINS: Final = """\
# Python

Play, read and check matches with `import himalaya_core as hm`, which needs no database. Query a warehouse with a
`Reader` and the figures of the catalog. The examples on this page run as tests, in one folder, from top to bottom.

"""
CORE: Final = {
    "Play a match": ("play", "PlayedMatch", "NamedPlayer"),
    "Play step by step": ("Match", "run", "Outcome", "Seed", "DiceSource", "CHANCE"),
    "Games, boards and players": ("GAMES", "Game", "PLAYERS", "shipped_board", "shipped_boards", "load_board"),
    "Rules as functions": ("step", "settle", "fold"),
    "Read and verify logs": ("read_log", "Replay", "verify"),
    "Tournaments": ("make_plan", "Plan", "run_tournament"),
    "Errors": (
        *("HimalayaError", "IllegalAction", "OptionsError", "BoardError", "UnknownPlayer", "TournamentError"),
        *("ReplayError", "PlayerFailure", "RegistryError", "LogFileError"),
    ),
}
"""Public names of `himalaya_core` by heading."""
OTHERS: Final = {
    "Branches": ("himalaya_core.tournament.branch:begin", "himalaya_core.tournament.branch:Branch",
                 "himalaya_core.tournament.playouts:playouts"),
    "Warehouse": ("ingest.pipeline:ingest", "ingest.opening:open_warehouse", "dashboards.queries.reader:Reader",
                  "dashboards.queries.filters:Filter", "dashboards.catalog.figures:figures_under",
                  "dashboards.games.figure:Figure"),
}  # fmt: skip
"""Public names of other modules, as `module:name`, by heading."""
INTRODUCED: Final = {
    "Games, boards and players": """\
>>> import himalaya_core as hm
>>> {"caravan", "summit", "climbers"} <= set(hm.GAMES)
True
>>> hm.PLAYERS["summit"]["porter"]("a seed", {}).name
'porter'
>>> hm.load_board(hm.GAMES["summit"], None) == hm.shipped_board("summit")
True
""",
    "Errors": "All but the last three are a `ValueError`; `hm.LogFileError` is an `OSError`. All but `hm.IllegalAction`"
    " and `hm.ReplayError` are a `hm.HimalayaError`.",
}
EXAMPLE: Final = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
CONSTANTS: Final = {
    "CHANCE": "The actor behind dice and decks, in `Match.actors`.",
    "GAMES": "The installed games: each name with its `Game`.",
    "PLAYERS": "For each game, the built-in players: each name with what makes the player from a seed and settings.",
}


def page() -> str:
    """Return the page as Markdown."""
    core = import_module("himalaya_core")
    parts = [BEGINS]
    for title, names in CORE.items():
        parts.append(f"## {title}\n\n")
        if title in INTRODUCED:
            parts.append(f"{_markdown(INTRODUCED[title])}\n\n")
        parts += (text for name in names for text in _entry(f"hm.{name}", getattr(core, name)))
    for title, places in OTHERS.items():
        parts.append(f"## {title}\n\n")
        for place in places:
            module, _, name = place.partition(":")
            parts += _entry(name, getattr(import_module(module), name), module)
    return "".join(parts).rstrip() + "\n"


def _entry(shown: str, found: Any, module: str = "") -> Iterator[str]:
    yield f"### `{shown}`\n\n"
    name = shown.rpartition(".")[2]
    if name in CONSTANTS:
        yield f"{CONSTANTS[name]}\n\n"
        return
    if module:
        yield f"`from {module} import {name}`\n\n"
    node = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    if isinstance(node, ast.ClassDef):
        if fields := _arguments(node):
            yield f"```python\n{_wrapped(name, fields, '')}\n```\n\n"
        yield f"{_markdown(inspect.getdoc(found) or '')}\n\n"
        members = list(_members(node))
        if members:
            yield "| member | meaning |\n|---|---|\n" + "".join(members) + "\n"
        return
    assert isinstance(node, ast.FunctionDef)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    yield f"```python\n{_wrapped(name, _of_function(node), returned)}\n```\n\n"
    yield f"{_markdown(inspect.getdoc(found) or '')}\n\n"


def _wrapped(name: str, arguments: list[str], returned: str) -> str:
    line = f"{name}({', '.join(arguments)}){returned}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in arguments) + f"){returned}"


def _of_function(node: ast.FunctionDef) -> list[str]:
    """Return a function's arguments as written in its source, without `self` and `cls`."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + [ast.unparse(each) for each in given.defaults]
    texts = [
        ast.unparse(each) + (f" = {default}" if default is not None else "")
        for each, default in zip(plain, defaults, strict=True)
        if each.arg not in {"self", "cls"}
    ]
    if given.kwonlyargs:
        texts.append("*")
    for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        texts.append(ast.unparse(each) + (f" = {ast.unparse(value)}" if value is not None else ""))
    return texts


def _arguments(node: ast.ClassDef) -> list[str]:
    """Return the constructor's arguments: those of `__init__`, or the fields of a dataclass."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return _of_function(each)
    if not any("dataclass" in ast.unparse(each) for each in node.decorator_list):
        return []
    return [
        ast.unparse(each)
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.target.id.startswith("_")
    ]


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Yield a row for each public property and method."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            is_property = any(ast.unparse(name) == "property" for name in each.decorator_list)
            call = each.name if is_property else f"{each.name}({', '.join(_names(each))})"
            text = " ".join((ast.get_docstring(each) or "").partition("\n\n")[0].split()).replace("|", "\\|")
            yield f"| `{call}` | {text} |\n"


def _names(node: ast.FunctionDef) -> list[str]:
    return [
        each.arg
        for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        if each.arg not in {"self", "cls"}
    ]


def _markdown(text: str) -> str:
    """Return a docstring as Markdown, with its examples in code fences."""
    return EXAMPLE.sub(lambda found: f"```python\n{found[0].rstrip()}\n```", text)

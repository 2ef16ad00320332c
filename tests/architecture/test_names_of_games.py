"""Names of games appear only in the games' folders, the registry (pyproject.toml), the demo and the documentation.

Three names are also words for kinds of boards: a track has a summit, climbers are on a tower, a caravan travels on a
map. Code that draws such a board may use them. Other code must not, neither in identifiers nor in texts. Docstrings,
comments and examples of commands in help count as documentation.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from himalaya_core.games import GAMES

ROOT = Path(__file__).parents[2]
PACKAGES = ("himalaya_core", "ingest", "dashboards")
NAMES = frozenset(GAMES)
OF_GAMES = ("himalaya_core/{}", "himalaya_core/players/{}", "ingest/sql/{}", "dashboards/games/{}")
DEMO = "dashboards/cli/demo.py"
RENAMED = "himalaya_core/renamed.py"
BUILT = "dashboards/documentation/"
BOARDS = ("dashboards/boards/", *(f"dashboards/assets/replay/{kind}/" for kind in ("map", "track", "tower")))
EXAMPLE = "himalaya "
"""Prefix of an example command in help texts."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def sources(suffix: str) -> list[Path]:
    own = tuple(f"{folder.format(game)}/" for folder in OF_GAMES for game in NAMES)
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob(f"*{suffix}")))
    return [path for path in found if not place(path).startswith((*own, DEMO, RENAMED, BUILT))]


def named(text: str) -> set[str]:
    """Return the games whose name occurs as a word in a text or identifier."""
    return {word.lower() for word in WORD.findall(text)} & NAMES


def identifiers(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ImportFrom(module=module, names=names):
            return [module or "", *(alias.name for alias in names)]
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case _:
            return []


def texts(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module except docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def names_in(path: Path) -> Iterator[str]:
    """Yield the identifiers and texts of a module that contain a game's name."""
    source = path.read_text("utf-8")
    if not any(name in source.lower() for name in NAMES):
        return
    tree = ast.parse(source)
    yield from (name for node in ast.walk(tree) for name in identifiers(node) if named(name))
    if not place(path).startswith(BOARDS):
        yield from (text for text in texts(tree) if named(text) and not text.startswith(EXAMPLE))


def test_python_names_no_game() -> None:
    assert [(place(path), name) for path in sources(".py") for name in names_in(path)] == []


def test_javascript_names_no_game() -> None:
    paths = [path for path in (*sources(".js"), *sources(".mjs")) if not place(path).startswith(BOARDS)]
    assert [place(path) for path in paths if named(COMMENT.sub("", path.read_text("utf-8")))] == []


def test_sql_shared_by_all_games_names_no_game() -> None:
    assert [place(path) for path in sources(".sql") if named(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("fct_summit_courses", {"summit"}),
        ("CLIMBERS_ENDED", {"climbers"}),
        ("CaravanScene", {"caravan"}),
        ("caravans", set()),
        ("?game=summit&player=greedy", {"summit"}),
    ],
)
def test_a_game_name_is_matched_as_a_whole_word(text: str, games: set[str]) -> None:
    assert named(text) == games

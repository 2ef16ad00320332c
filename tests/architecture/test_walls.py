"""The walls between the rooms: who may import what, read from the source; the first row that fits a file holds.

The standard library is free to all except where MUST_NOT says otherwise. A new file that no row fits fails the test:
give it a row.
"""

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("himalaya_core", "ingest", "dashboards")
CORE = "himalaya_core"
NOT_GAMES = {"players", "arena"}
GAMES = sorted(
    folder.name
    for folder in (ROOT / CORE).iterdir()
    if (folder / "__init__.py").exists() and folder.name not in NOT_GAMES
)
GAME_PACKAGES = [f"{CORE}.{game}" for game in GAMES]


def core(*names: str) -> list[str]:
    return [f"{CORE}.{name}" for name in names]


def game_walls(game: str) -> list[tuple[str, list[str]]]:
    def own(*names: str) -> list[str]:
        return [*core("game", "document"), *(f"{CORE}.{game}.{name}" for name in names)]

    folder = f"{CORE}/{game}"
    return [
        (f"{folder}/blocks.py", own()),
        (f"{folder}/pieces.py", own("blocks")),
        (f"{folder}/terrain.py", own("blocks")),
        (f"{folder}/opening.py", own("blocks", "terrain")),
        (f"{folder}/board.py", own("pieces", "blocks", "opening")),
        (f"{folder}/options.py", own("pieces", "board")),
        (f"{folder}/actions.py", own("pieces", "blocks")),
        (f"{folder}/events.py", own("pieces", "blocks")),
        (f"{folder}/state.py", own("pieces", "blocks", "board", "options")),
        (f"{folder}/fold.py", own("pieces", "blocks", "state", "events")),
        (f"{folder}/*", [*core("game", "document", "columns"), f"{CORE}.{game}"]),
    ]


DASH = ["dash", "dash_ag_grid", "dash_mantine_components", "flask", "plotly", "werkzeug"]
KERNEL = core("game", "engine", "match", "luck")
WALLS: list[tuple[str, list[str]]] = [
    (f"{CORE}/__init__.py", []),
    (f"{CORE}/game.py", []),
    (f"{CORE}/luck.py", core("game")),
    (f"{CORE}/document.py", core("game")),
    (f"{CORE}/columns.py", []),
    (f"{CORE}/engine.py", core("game")),
    (f"{CORE}/match.py", core("game", "engine")),
    (f"{CORE}/perft.py", core("game", "engine", "match")),
    (f"{CORE}/games.py", [*core("game"), *GAME_PACKAGES]),
    (f"{CORE}/boards.py", core("game", "games")),
    (f"{CORE}/exact_json.py", []),
    (f"{CORE}/envelope.py", [*core("game"), "pydantic", "pydantic_core"]),
    (f"{CORE}/log.py", [*core("game", "envelope", "exact_json"), "pydantic", "pydantic_core"]),
    (f"{CORE}/log_schema.py", [*core("game", "log"), "pydantic", "pydantic_core"]),
    (f"{CORE}/files.py", [*core("game", "games", "boards", "exact_json"), "zstandard"]),
    (f"{CORE}/replay.py", core("game", "engine", "log", "games", "boards")),
    (f"{CORE}/show.py", core("game", "replay")),
    (f"{CORE}/players/*", [*KERNEL, *core("games", "players"), *GAME_PACKAGES]),
    (
        f"{CORE}/arena/*",
        [*KERNEL, *core("games", "boards", "log", "files", "players", "replay", "arena"), *GAME_PACKAGES],
    ),
    (f"{CORE}/cli*.py", [CORE, "rich"]),
    (f"{CORE}/demo.py", [CORE]),
    *(wall for game in GAMES for wall in game_walls(game)),
    ("ingest/watch.py", ["ingest", "watchfiles"]),
    ("ingest/push.py", [*core("files"), "ingest", "requests", "urllib3"]),
    ("ingest/*", [CORE, "ingest", "duckdb", "numpy", "polars", "pyarrow", "msgspec", "pydantic", "zstandard"]),
    (
        "dashboards/queries*.py",
        [
            CORE,
            "dashboards",
            "ingest.bookmarks",
            "ingest.dictionary",
            "ingest.warehouse",
            "polars",
            "duckdb",
            "zstandard",
        ],
    ),
    (
        "dashboards/server.py",
        [
            "dashboards",
            "ingest.inbox",
            "ingest.owner",
            "ingest.receive",
            "ingest.warehouse",
            "ingest.watch",
            "flask",
            "waitress",
        ],
    ),
    ("dashboards/channel.py", ["waitress"]),
    (
        "dashboards/senders.py",
        ["dashboards.channel", "ingest.receive", "ingest.tokens", "ingest.warehouse", "flask", "limits"],
    ),
    ("dashboards/bookmarks.py", ["dashboards", "ingest.bookmarks", "ingest.warehouse", "flask"]),
    ("dashboards/openapi_bookmarks.py", ["dashboards", "ingest.bookmarks", "pydantic"]),
    ("dashboards/replay/shelf.py", ["dashboards", "ingest.bookmarks", *DASH]),
    ("dashboards/bodies.py", ["dashboards", "ingest.inbox", "flask"]),
    ("dashboards/replay/dropped.py", [CORE, "dashboards", "ingest.inbox", "ingest.look", "flask"]),
    (
        "dashboards/api.py",
        [*core("arena"), "dashboards", "ingest.inbox", "ingest.receive", "ingest.warehouse", "flask", "werkzeug"],
    ),
    (
        "dashboards/openapi.py",
        [*core("arena"), "dashboards", "ingest.inbox", "ingest.receive", "ingest.summary", "pydantic"],
    ),
    (
        "dashboards/operations.py",
        ["dashboards.report", "ingest.operations", "ingest.owner", "ingest.warehouse", "ingest.workers", "flask"],
    ),
    ("dashboards/report/export.py", ["dashboards", "ingest.warehouse", "polars", "pyarrow"]),
    ("dashboards/report/pdf.py", ["dashboards", "weasyprint"]),
    ("dashboards/report/workbook.py", ["dashboards", "polars", "xlsxwriter"]),
    ("dashboards/stats/*", [CORE, "dashboards", "polars", "numpy", "scipy"]),
    ("dashboards/*", [CORE, "dashboards", "ingest.warehouse", "polars", "waitress", "msgspec", *DASH]),
]
OUTER_ROOMS = ["ingest", "dashboards.app", "dashboards.replay", "dashboards.report", "dashboards.server"]
ONLY_INSIDE_FUNCTIONS = {f"{CORE}/cli*.py": OUTER_ROOMS, f"{CORE}/demo.py": OUTER_ROOMS}
MUST_NOT = {
    **{f"{CORE}/{game}/*": ["random", "secrets", "time", "datetime", "os", "uuid"] for game in GAMES},
    **{
        f"{CORE}/{name}.py": ["random", "time", "datetime", "os", "io", "pathlib"]
        for name in ("game", "engine", "log", "envelope", "exact_json")
    },
    f"{CORE}/players/*": ["time", "datetime", "os"],
}
EXCEPTED = {f"{CORE}/players/caravan/rollout.py": {"time"}}
"""Its budget may be one of milliseconds, if asked for; such matches are not said to be repeatable."""
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_in(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            base = node.module or ""
            for name in node.names:
                below = ROOT / base.replace(".", "/") / name.name
                is_module = below.with_suffix(".py").exists() or below.is_dir()
                yield f"{base}.{name.name}" if is_module else base


def at_the_top(tree: ast.Module) -> ast.Module:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return ast.Module([node for node in tree.body if not isinstance(node, functions)], [])


@pytest.mark.parametrize("path", FILES, ids=place)
def test_a_file_imports_only_what_its_room_may(path: Path) -> None:
    allowed = next((may for pattern, may in WALLS if fnmatch(place(path), pattern)), None)
    assert allowed is not None, f"{place(path)} fits no row of WALLS"
    tree = ast.parse(path.read_text("utf-8"))
    later = [
        name for pattern, names in ONLY_INSIDE_FUNCTIONS.items() if fnmatch(place(path), pattern) for name in names
    ]
    free = sys.stdlib_module_names
    strangers = {
        module for module in imported(tree) if module.split(".")[0] not in free and not is_in(module, allowed + later)
    }
    too_early = {module for module in imported(at_the_top(tree)) if is_in(module, later)}
    assert not strangers, f"{place(path)} may not import {sorted(strangers)}"
    assert not too_early, f"{place(path)} may import {sorted(too_early)} only inside functions"


@pytest.mark.parametrize("path", FILES, ids=place)
def test_rules_know_no_clock_no_chance_and_no_machine(path: Path) -> None:
    forbidden = [name for pattern, names in MUST_NOT.items() if fnmatch(place(path), pattern) for name in names]
    found = {module for module in imported(ast.parse(path.read_text("utf-8"))) if is_in(module, forbidden)}
    found -= EXCEPTED.get(place(path), set())
    assert not found, f"{place(path)} may not import {sorted(found)}"

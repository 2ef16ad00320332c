"""The replay's modules without a browser: the same bytes in every environment, and limits on time and memory."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboards.boards import engine
from dashboards.boards.engine import ENTRY, DrawingError, ModuleError, defined, run
from dashboards.boards.picture import AnyScene, draw_board
from dashboards.boards.plain import plain_scene
from dashboards.games.analytics import analytics_of
from himalaya_core.games import GAMES
from himalaya_core.replay import Replay

Broken = Callable[[str], None]
GOLDEN = Path(__file__).parents[2] / "golden"
ANOTHER_PROCESS = """
import hashlib, json, sys
from dashboards.boards.picture import draw_board
for scene in json.load(sys.stdin):
    print(hashlib.sha256(draw_board(scene, len(scene["frames"]) // 2).encode()).hexdigest())
"""


def replay_of(game: str) -> Replay:
    return Replay.read((GOLDEN / f"{game}-3.jsonl").read_bytes().splitlines(keepends=True))


@pytest.fixture(scope="module")
def scenes() -> list[AnyScene]:
    """Return a scene of each kind of board."""
    return [*(analytics_of(game).scene(replay_of(game), None) for game in GAMES), plain_scene(replay_of("caravan"))]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Broken:
    """Return a function that inserts a line at the start of the engine's drawing function."""
    modules = engine._modules()

    def break_(line: str) -> None:
        code = modules[ENTRY].replace("async function picture(asked) {", f"async function picture(asked) {{ {line}")
        assert code != modules[ENTRY]
        monkeypatch.setattr(engine, "_modules", lambda: {**modules, ENTRY: code})
        monkeypatch.setattr(engine, "_contexts", [])

    return break_


def drawn(scene: AnyScene) -> str:
    return draw_board(scene, len(scene["frames"]) // 2)


@pytest.mark.slow("a process of its own")
def test_another_process_draws_the_same(scenes: list[AnyScene]) -> None:
    digests = [
        subprocess.run(
            [sys.executable, "-c", ANOTHER_PROCESS],
            input=json.dumps(scenes),
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1] == [hashlib.sha256(drawn(scene).encode()).hexdigest() for scene in scenes]


@pytest.mark.slow("many threads")
def test_many_threads_draw_the_same_as_one(scenes: list[AnyScene]) -> None:
    alone = [drawn(scene) for scene in scenes]
    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(drawn, scenes * 3)] == alone * 3


@pytest.mark.slow("drawing fails in every way")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("for (;;);", "InternalError: interrupted"),
        ("const all = []; for (;;) all.push(`${all.length}`.repeat(1000));", "InternalError: out of memory"),
        ("throw null;", "InternalError: out of memory"),
        ("const f = () => f() + 1; f();", "RangeError: Maximum call stack size exceeded"),
        ("await new Promise(() => {});", "picture waits for what never comes"),
        ("nobody.draws();", "ReferenceError: nobody is not defined"),
        ("const = 1;", f"{ENTRY}: SyntaxError"),
    ],
)
def test_an_error_ends_the_call_and_is_reported(
    scenes: list[AnyScene], broken: Broken, monkeypatch: pytest.MonkeyPatch, line: str, says: str
) -> None:
    monkeypatch.setattr(engine, "SECONDS", 1)
    monkeypatch.setattr(engine, "MEMORY", 48 << 20)
    broken(line)
    with pytest.raises(DrawingError, match=says):
        drawn(scenes[0])


def test_after_a_failure_it_draws_again(scenes: list[AnyScene]) -> None:
    before = drawn(scenes[0])
    with pytest.raises(DrawingError, match="TypeError"):
        run("picture", {"scene": {}})
    assert drawn(scenes[0]) == before


def test_scripts_cannot_reach_anything_outside() -> None:
    context = engine._context()
    for name in ("std", "os", "require", "fetch", "XMLHttpRequest", "setTimeout", "process", "scriptArgs"):
        assert context.eval(f"typeof {name}") == "undefined", name


def test_a_module_of_another_form_is_refused() -> None:
    with pytest.raises(ModuleError, match=r"drawing/x\.js: cannot be part of a script: export default 1"):
        defined("drawing/x.js", "const a = 1;\nexport default 1;\n")

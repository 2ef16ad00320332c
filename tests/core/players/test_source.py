"""Source digests of players change only with the player's module and its imports."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from himalaya_core.players.caravan.planner import Rollout
from himalaya_core.players.external import Outside, source_sha256
from himalaya_core.players.random import RandomPlayer

BOT = """
import json
from himalaya_core.caravan import rules
from parts.tools import one
class Bot:
    name = "bot"
    def choose(self, view, seat):
        import aside
        from parts import late
        return one(view)
"""
FILES = {
    "bot.py": BOT,
    "aside.py": "import numpy\n",
    "parts/__init__.py": "",
    "parts/tools.py": "from .deep import one\n",
    "parts/deep.py": "one = max\n",
    "parts/late.py": "",
    "parts/nobody_asks.py": "",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def module(name: str) -> ModuleType:
    """Return the content of a module on disk."""
    for known in [known for known in sys.modules if known.partition(".")[0] in {"bot", "aside", "parts"}]:
        del sys.modules[known]
    importlib.invalidate_caches()
    source_sha256.cache_clear()
    return importlib.import_module(name)


def digest() -> str:
    found = source_sha256(module("bot").Bot)
    assert found is not None
    return found


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_digest_depends_on_exactly_the_imported_modules(name: str) -> None:
    before = digest()
    assert digest() == before
    Path(name).write_text(Path(name).read_text() + "# another line\n")
    assert (digest() == before) is (name == "parts/nobody_asks.py")


def test_an_installed_package_counts_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest()
    monkeypatch.setattr("himalaya_core.players.external.version", lambda _: "0.0.1")
    assert digest() != before


def test_python_and_the_core_do_not_count(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    before = digest()
    monkeypatch.setattr(module("himalaya_core.caravan.rules"), "__spec__", None)
    core = here / "rules.py"
    core.write_text("# another core")
    monkeypatch.setattr(importlib.import_module("himalaya_core.caravan.rules"), "__file__", str(core))
    assert digest() == before


def test_the_folder_of_a_file_does_not_count(tmp_path: Path) -> None:
    Path("elsewhere").mkdir()
    (tmp_path / "elsewhere" / "renamed.py").write_text(BOT)
    kinds = [Outside.read(text) for text in ("bot.py:Bot", "elsewhere/renamed.py:Bot")]
    one, other = (source_sha256(place.load()) for place in kinds if place)
    assert one == other


def test_the_digest_of_a_built_in_player_includes_the_players_it_uses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = [source_sha256(kind) for kind in (Rollout, RandomPlayer)]
    changed = tmp_path / "forecast.py"
    forecast = importlib.import_module("himalaya_core.players.caravan.trade_search")
    assert forecast.__spec__
    changed.write_text("# plays on in another way")
    monkeypatch.setattr(forecast.__spec__, "origin", str(changed))
    source_sha256.cache_clear()
    after = [source_sha256(kind) for kind in (Rollout, RandomPlayer)]
    source_sha256.cache_clear()
    assert after[0] != before[0]
    assert after[1] == before[1], "random does not look ahead"


def test_a_player_defined_in_a_notebook_has_no_source() -> None:
    typed = type("Typed", (), {"__module__": "__typed__", "choose": max})
    assert source_sha256(typed) is None

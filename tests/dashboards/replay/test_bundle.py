"""Bundles: the replay's modules as one script; scripts and style sheets of all pages as one each."""

import re
import shutil
from pathlib import Path

import pytest

from dashboards.boards.engine import needed
from dashboards.replay import offline
from dashboards.replay.offline import PLAYER, PLAYER_ENTRY, RECORD_ENTRY, RECORDING, SCRIPTS, STYLES
from tests.dashboards.client import Client


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create an app that serves a modifiable copy of its assets."""
    copy = tmp_path / "assets"
    shutil.copytree(offline.ASSETS, copy)
    monkeypatch.setattr(offline, "ASSETS", copy)
    monkeypatch.setattr(offline, "MODULES", copy / "replay")
    return copy


def test_the_script_has_every_module_that_a_page_may_need(client: Client) -> None:
    script = client.get(PLAYER).text
    names = re.findall(r'^\$define\("([^"]+)"', script, re.MULTILINE)
    assert {*names} >= {*needed(PLAYER_ENTRY)} - {PLAYER_ENTRY}
    assert len({*names}) == len(names)
    assert not [name for name in names if name.startswith(("print/", "record/"))]
    assert not re.search(r"^import\b|\bimport\(\"", script, re.MULTILINE)
    assert [line for line in script.splitlines() if line.startswith("export ")] == [
        'export const { dismiss, show } = $need("player/early.js");',
        'export const { listenForFiles } = $need("player/upload.js");',
    ]


def test_the_script_for_recording_has_only_the_modules_it_needs(client: Client) -> None:
    script = client.get(RECORDING).text
    names = re.findall(r'^\$define\("([^"]+)"', script, re.MULTILINE)
    assert sorted(names) == sorted({*needed(RECORD_ENTRY)} - {RECORD_ENTRY})
    assert "panels/timeline.js" not in names
    assert [line for line in script.splitlines() if line.startswith("export ")] == [
        'export const { show } = $need("record/show.js");'
    ]


def test_a_module_that_is_changed_is_in_the_next_answer(client: Client, assets: Path) -> None:
    before = client.get(PLAYER).headers["ETag"]
    assert client.get(PLAYER, headers={"If-None-Match": before}).status_code == 304
    (assets / "replay" / "player" / "view.js").write_text("export const NEW = 1;\n")
    answer = client.get(PLAYER, headers={"If-None-Match": before})
    assert answer.status_code == 200
    assert '$define("player/view.js", () => { "use strict"; const NEW = 1;\n\nreturn { NEW }; });' in answer.text


def test_style_sheets_are_sent_as_one_that_is_rebuilt_when_one_changes(client: Client, assets: Path) -> None:
    page = client.get("/").text
    assert re.findall(r'<link rel="stylesheet" href="([^"]+)"', page) == [STYLES]
    assert ".css?" not in page
    sheets = sorted(assets.glob("*.css"), key=lambda file: (file.name == "print.css", file.name))
    assert client.get(STYLES).text == "\n".join(f"/* {file.name} */\n{file.read_text('utf-8')}" for file in sheets)
    (assets / "zebra.css").write_text("p { color: red }")
    assert "/* zebra.css */\np { color: red }\n/* print.css */" in client.get(STYLES).text


def test_scripts_of_pages_are_sent_as_one_before_those_of_dash(client: Client, assets: Path) -> None:
    sources = re.findall(r'<script src="([^"]+)"', client.get("/").text)
    assert sources[0] == SCRIPTS
    assert [source for source in sources if re.match(r"/assets/.*\.js\b", source)] == [SCRIPTS]
    files = sorted(assets.glob("*.js"))
    assert client.get(SCRIPTS).text == "\n".join(f"/* {file.name} */\n{file.read_text('utf-8')}" for file in files)

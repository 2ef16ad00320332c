"""An external game with rules only: all pages and addresses work, with a replay as text, reports and exports."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from dash import Dash, page_registry

from dashboards.app import create_app
from dashboards.boards.plain import plain_scene
from dashboards.boards.scene import frame_at
from dashboards.catalog.figures import figures_under
from dashboards.catalog.questions import QUESTIONS
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report.render import Format, make
from dashboards.ui import figure_card
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import Plan
from himalaya_core.tournament.runner import run_tournament
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.core.cli.commands import Command
from tests.dashboards.client import Client, everything
from tests.dashboards.described import whole_document
from tests.dashboards.report.fewer import fewer_figures
from tests.toy.installing import TOY, installed

GAME = "nim2"
MATCH = "toy.000000"
OPENS = "/api/replay/{match}/opens"
APART = {OPENS, "/api/replay/{match}/playouts", "/api/replay/{match}/confirmations/{seq}"}
"""Addresses of a match that do not exist for this game."""
"""Climbs opened by a move, which few games support."""
PAGES = (
    "/",
    "/matches",
    "/replay",
    "/tournaments",
    "/tournament",
    "/record",
    "/analysis/compare",
    "/analysis",
    *(f"/analysis/{question}" for question in QUESTIONS),
    "/intake",
    "/glossary",
)


@pytest.fixture(scope="module", autouse=True)
def _toy() -> Iterator[None]:
    with installed(TOY):
        yield


@pytest.fixture(scope="module")
def database(_toy: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    run_tournament(Plan("toy", GAME, ("random", "random", "random"), 30), folder / "logs", 1)
    ingest([folder / "logs"], folder / "himalaya.duckdb", processes=0)
    return folder / "himalaya.duckdb"


@pytest.fixture(scope="module")
def warehouse(database: Path) -> Iterator[Warehouse]:
    with open_warehouse(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def app(warehouse: Warehouse) -> Dash:
    return create_app(warehouse)


@pytest.fixture(scope="module")
def client(app: Dash, warehouse: Warehouse) -> Client:
    return everything(warehouse, pages=app)


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture(scope="module")
def replay(client: Client) -> Replay:
    return Replay.read(client.get(f"/api/matches/{MATCH}").data.splitlines(keepends=True))


@pytest.mark.parametrize("path", PAGES)
def test_every_page(app: Dash, client: Client, path: str) -> None:
    address = f"{path}?game={GAME}"
    while (answer := client.get(address)).status_code in range(300, 400):
        address = answer.location
    assert answer.status_code == 200
    layout = next(entry["layout"] for entry in page_registry.values() if entry["path"] == path)
    with app.server.test_request_context(path):
        assert layout(game=GAME) is not None


@pytest.mark.usefixtures("app")
def test_the_list_of_pages_is_complete() -> None:
    assert {entry["path"] for name, entry in page_registry.items() if not name.endswith("_404")} == {
        *PAGES,
        "/analysis/none/none",
    }


@pytest.mark.slow("every figure")
def test_every_figure_is_counted_drawn_and_described(app: Dash, client: Client, warehouse: Warehouse) -> None:
    names = list(figures_under(Reader(warehouse), Filter(game=GAME)))
    assert names[:3] == ["win-share", "ratings", "head-to-head"]
    for name in names:
        assert client.get(f"/csv/{name}.csv?game={GAME}").status_code == 200
        wanted = {"figure": name, "kind": "catalog", "search": f"?game={GAME}", "scheme": "light"}
        with app.server.test_request_context("/"):
            assert "failed" not in figure_card.show(wanted)


def test_a_game_without_rounds_shows_no_rounds(client: Client, warehouse: Warehouse) -> None:
    reader, where = Reader(warehouse), Filter(game=GAME)
    length = figures_under(reader, where)["length"]
    said = length.finding(length.frame(reader, where))
    assert said.startswith("A match of 3 players takes ")
    assert "rounds" not in said
    description = re.search(r'og:description" content="([^"]*)"', client.get(f"/replay?match={MATCH}").text)
    assert description
    assert re.fullmatch(r"random, random, random; \d+ events\.", description[1])


@pytest.mark.slow("every address")
@pytest.mark.parametrize("query", ["", "?view=2", "?ply=3", "?ply=99&view=1&theme=dark"])
def test_every_address_of_a_match_without_the_game_s_own_parts(client: Client, query: str) -> None:
    paths = [path for path, methods in whole_document()["paths"].items() if "get" in methods and "{match}" in path]
    answers = {
        path: client.get(path.replace("{match}", MATCH) + query).status_code for path in paths if path not in APART
    }
    assert len(answers) > 8
    assert set(answers.values()) == {200}, answers


def test_the_effect_of_a_move_comes_from_games_that_know_it(client: Client) -> None:
    answer = client.get(f"{OPENS.replace('{match}', MATCH)}?view=1")
    assert answer.status_code == 400
    assert "Choose a match of a game in which a move can open places" in answer.text


def test_the_scene_is_as_described(client: Client) -> None:
    answer = whole_document()["paths"]["/api/replay/{match}"]["get"]["responses"]["200"]
    jsonschema_rs.validator_for(answer["content"]["application/json"]["schema"]).validate(
        client.get(f"/api/replay/{MATCH}").json
    )


def test_a_frame_has_the_position_as_the_game_describes_it(replay: Replay) -> None:
    scene = plain_scene(replay)
    names = [f"{info.label} (random)" for info in replay.header.seats]
    for frame, state in zip(scene["frames"], replay.states, strict=True):
        assert "\n".join(scene["texts"][frame["p"]]) == replay.game.describe(state, names)
    assert [moment["at"] for moment in scene["moments"]] == list(range(len(scene["frames"])))
    assert sum(row[0] for row in scene["frames"][-1]["f"]) == len({entry.ply for entry in replay.entries}) - 2


def test_the_end_names_the_winner(replay: Replay) -> None:
    scene, outcome = plain_scene(replay), replay.game.outcome(replay.states[-1])
    assert outcome is not None
    first, *_, last = (scene["endings"][frame["e"]] for frame in scene["frames"])
    assert (first["win"], first["text"]) == ([], "The match goes on.")
    assert last["win"] == list(outcome.winners)
    assert re.fullmatch(r"seat \d won: (seat \d taken \d+(; )?){3}\.", last["text"])


def test_a_seat_sees_only_the_kind_of_other_seats_events(replay: Replay) -> None:
    secret = replace(replay, game=replace(replay.game, view=lambda state, _seat: replace(state, heap=None)))
    scene = plain_scene(secret, 1)
    assert scene["terms"]["secrets"]
    assert all("heap: None" in text for text in scene["texts"])
    for entry, moment in zip(replay.entries, scene["moments"], strict=True):
        assert ("count" in moment["text"]) == (entry.type == "taken" and entry.seat == 1)


def test_a_position_is_drawn_as_its_text(client: Client, replay: Replay) -> None:
    picture = ET.fromstring(client.get(f"/api/replay/{MATCH}/board.svg?ply=4").data)
    lines = [text.text for text in picture.iter() if text.get("class") == "plain-line"]
    scene = plain_scene(replay)
    assert lines == scene["texts"][scene["frames"][frame_at("4", scene["plies"])]["p"]]


@pytest.mark.slow("another report")
@pytest.mark.parametrize("kind", [Format.HTML, Format.XLSX, Format.PDF])
def test_a_report_has_the_format_that_the_name_of_its_file_says(
    himalaya: Command, database: Path, tmp_path: Path, kind: Format
) -> None:
    out = tmp_path / f"report.{kind}"
    with fewer_figures():
        assert himalaya("report", "--game", GAME, "--db", str(database), "--out", str(out)).code == 0
    assert out.read_bytes().startswith({"html": b"<!DOCTYPE html>", "pdf": b"%PDF", "xlsx": b"PK"}[kind])


def test_a_report_has_highlights(warehouse: Warehouse) -> None:
    with fewer_figures("telling-matches"):
        page = make(warehouse, Filter(game=GAME), Format.HTML).decode()
    assert 'id="telling-1"' in page
    assert re.search(r"<text[^>]*>heap: \d+</text>", page)


@pytest.mark.parametrize("ending", ["html", "svg"])
@pytest.mark.parametrize("view", [(), ("--view", "2")])
def test_the_command_writes_a_file_and_a_picture(
    himalaya: Command, database: Path, tmp_path: Path, ending: str, view: tuple[str, ...]
) -> None:
    out = tmp_path / f"match.{ending}"
    assert himalaya("replay", MATCH, "--db", str(database), "--out", str(out), *view).code == 0
    assert MATCH in out.read_text("utf-8")


@pytest.mark.slow("every table")
@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "xlsx"])
@pytest.mark.parametrize("table", ["win-share", "telling-matches", "dim_seats", "stg_nim2_taken"])
def test_tables_and_figures_are_exported(
    himalaya: Command, database: Path, tmp_path: Path, table: str, ending: str
) -> None:
    out = tmp_path / f"table.{ending}"
    assert himalaya("export", table, "--db", str(database), "--out", str(out)).code == 0
    assert out.stat().st_size

"""Studies over HTTP: export and import give the same bytes, and texts of other users are harmless."""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dashboards.web.policy import Policy
from ingest.maintenance.integrity import check
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.dashboards.client import Client, everything
from tests.dashboards.web.test_api import conforms, refusal

PATH = "/api/studies"
STORM = {"title": "The storm", "match": "other", "ply": "12.2", "text": "It *blows*.", "shapes": [{"around": "n3"}]}
ROAD_SHAPES = [{"start": "n3", "end": "n6", "colour": "red"}]
ROAD = {"title": "The road", "match": "gone", "shapes": ROAD_SHAPES, "hidden": True}
SAID: dict[str, Any] = {"title": "Weather", "chapters": [STORM, ROAD]}


@pytest.fixture(scope="module")
def opened(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    path = tmp_path_factory.mktemp("studied") / "w.duckdb"
    ingest([logs / "other.jsonl"], path, processes=0)
    with open_warehouse(copied(path, path.with_name("opened.duckdb"))) as warehouse:
        yield warehouse


@pytest.fixture
def warehouse(opened: Warehouse) -> Warehouse:
    with opened.app.writing() as connection:
        for table in ("studies", "branches", "tokens"):
            connection.execute(f"DELETE FROM {table}")
    return opened


@cache
def served(warehouse: Warehouse, *, is_public: bool = False) -> Client:
    return everything(warehouse, policy=Policy(is_public=is_public, public_read=is_public), has_pages=False)


def kept(client: Client, said: Any = SAID) -> str:
    answer = client.post(PATH, json=said)
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


@pytest.mark.slow("another way to read a study")
def test_a_study_that_is_exported_and_sent_again_is_the_same_bytes(warehouse: Warehouse) -> None:
    client = served(warehouse)
    first = client.get(f"{PATH}/{kept(client)}")
    again = client.post(PATH, data=first.data, content_type="application/json").json["id"]
    assert client.get(f"{PATH}/{again}").data == first.data
    assert {key: value for key, value in first.json.items() if key in SAID}["title"] == SAID["title"]
    listed = client.get(PATH).json["studies"]
    assert [(each["title"], each["chapters"], each["made_by"]) for each in listed] == [("Weather", 2, "local")] * 2
    assert conforms(client.get(f"{PATH}/{again}/reading").json, "ReadStudy")
    with warehouse.reading() as connection:
        assert check(connection) == []


def test_a_study_is_read_safely_and_lists_the_matches_available(warehouse: Warehouse) -> None:
    client = served(warehouse)
    wicked = "<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://elsewhere/z.png) **bold**"
    number = kept(client, {"title": "Texts", "chapters": [{**STORM, "text": wicked}, ROAD]})
    first, second = client.get(f"{PATH}/{number}/reading").json["chapters"]
    assert "<strong>bold</strong>" in first["html"]
    assert not any(part in first["html"] for part in ("<script", 'href="javascript', "<img"))
    assert (first["is_there"], second["is_there"], second["hidden"]) == (True, False, True)
    assert first["shapes"] == [{"start": "n3", "end": None, "colour": None}]
    assert second["shapes"] == ROAD_SHAPES


@pytest.mark.slow("another way to read a study")
def test_a_branch_that_a_chapter_shows_is_kept_with_the_study(warehouse: Warehouse) -> None:
    client = served(warehouse)
    tried = client.post("/api/branches", json={"match": "other", "seq": 60, "then": {"go_on": {"decisions": 3}}})
    branch = tried.json["id"]
    assert client.get("/api/branches").json == {"branches": []}
    chapters = [STORM | {"branch": branch}, ROAD | {"branch": "0" * 32}]
    number = kept(client, SAID | {"chapters": chapters})
    assert kept(client, SAID | {"title": "Again", "chapters": [STORM | {"branch": branch, "title": "Later"}]})
    others = served(warehouse)  # a server that has not carried out this branch
    found = others.get(f"/api/branches/{branch}")
    assert (found.status_code, found.json["kept"]["title"]) == (200, "The storm")
    page = others.get(f"{PATH}/{number}/offline.html").text
    assert part(page, "branches") == {branch: found.json}


def test_the_files_of_a_match_and_of_a_study_have_the_playouts_that_the_page_shows(warehouse: Warehouse) -> None:
    client = served(warehouse)
    with warehouse.writing() as connection:
        connection.execute(
            """INSERT INTO fct_playouts SELECT match_id, 90, seat, if(seat = 1, 1, 0), 54
               FROM raw_matches CROSS JOIN range(3) AS seats(seat) WHERE match = 'other'"""
        )
    shown = client.get("/api/replay/other/playouts").json
    assert shown["chances"] == [{"seq": 90, "chances": [0.0, 1.0, 0.0]}]
    assert part(client.get(f"{PATH}/{kept(client)}/offline.html").text, "matches")["other"]["playouts"] == shown
    assert part(client.get("/api/replay/other/offline.html").text, "playouts") == shown


def part(page: str, name: str) -> Any:
    """Return a part of an offline file."""
    packed = re.search(f'id="replay-{name}">([^<]*)<', page)
    assert packed is not None
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


def test_a_study_is_changed_and_removed_but_not_over_another_user_s_change(warehouse: Warehouse) -> None:
    client = served(warehouse)
    number = kept(client)
    seen = client.get(f"{PATH}/{number}").headers["ETag"]
    changed = client.put(f"{PATH}/{number}", json={"title": "Snow", "chapters": []}, headers={"If-Match": seen})
    assert (changed.status_code, changed.json["title"]) == (200, "Snow")
    late = client.put(f"{PATH}/{number}", json=SAID, headers={"If-Match": seen})
    assert late.status_code == 412
    assert client.get(f"{PATH}/{number}").json["title"] == "Snow"
    assert client.delete(f"{PATH}/{number}").status_code == 200
    for answer in (client.get(f"{PATH}/{number}"), client.delete(f"{PATH}/{number}")):
        assert refusal(answer) == (404, f"There is no study {number}; it may have been removed.")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"more": 1}, "more"),
        ({"format": 2}, "format"),
        ({"chapters": [{**STORM, "ply": "12.x"}]}, "chapters.0.ply"),
        ({"chapters": [{**STORM, "match": "../x"}]}, "chapters.0.match"),
        ({"chapters": [{**STORM, "shapes": [{"around": '"><b>'}]}]}, "chapters.0.shapes.0"),
        ({"chapters": [{**STORM, "text": "x" * 20_001}]}, "chapters.0.text"),
        ({"chapters": [STORM] * 201}, "chapters"),
    ],
)
def test_an_invalid_study_is_refused_naming_the_field(warehouse: Warehouse, change: dict[str, Any], field: str) -> None:
    status, message = refusal(served(warehouse).post(PATH, json=SAID | change))
    assert status == 422
    assert message.startswith(field)


def test_invalid_or_oversized_json_is_refused(warehouse: Warehouse) -> None:
    client = served(warehouse)
    said = {"content_type": "application/json"}
    assert client.post(PATH, data=b"{", **said).status_code == 422
    assert client.post(PATH, data=json.dumps(SAID).encode(), content_type="text/plain").status_code == 415
    assert client.post(PATH, data=b" " * ((1 << 20) + 1), **said).status_code == 413


def test_readers_cannot_save_a_study(warehouse: Warehouse) -> None:
    client = served(warehouse, is_public=True)
    assert client.post(PATH, json=SAID).status_code == 401
    assert client.get(PATH).json == {"studies": []}

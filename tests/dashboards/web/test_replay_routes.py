"""The replay over HTTP: a cacheable gzipped scene, and plain refusals."""

import gzip
import json
from typing import cast

import pytest

from dashboards.queries.logs import QuarantinedLine
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.replay.offline import PLAYER
from dashboards.web import replay
from dashboards.web import replay as replayed
from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.tournament.plan import Pairing, play
from tests.dashboards.client import Client
from tests.dashboards.web.standing_in import stand_in


class Shelf:
    """Replaces the warehouse by the log lines of a few matches."""

    def __init__(self) -> None:
        pairing = Pairing("shelf.1", ("greedy", "random", "trader"), seed="shelf")
        self.log = play(GAMES["caravan"], shipped_board("caravan"), {}, pairing)[1]

    def match_lines(self, match: str) -> list[bytes] | None:
        if match == "locked":
            raise DatabaseError("x.duckdb: another process is writing to this database")
        lines = self.log.splitlines(keepends=True)
        return {"shelf.1": lines, "torn": [lines[0], lines[2]], "open": lines[:90]}.get(match)

    def has_match(self, match: str) -> bool:
        return match == "shelf.1"

    def quarantined_lines(self, _match: str, _most: int) -> list[QuarantinedLine]:
        return []

    def is_live(self, match: str) -> bool:
        return match != "torn"


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def client(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Client:
    return stand_in(monkeypatch, shelf)


def test_a_scene_is_gzipped_json(client: Client):
    answer = client.get("/api/replay/shelf.1", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.data))["match"] == "shelf.1"
    assert len(answer.data) < 40_000


def test_a_scene_is_uncompressed_for_clients_without_gzip(client: Client):
    answer = client.get("/api/replay/shelf.1")
    assert "Content-Encoding" not in answer.headers
    assert answer.json["game"] == "caravan"


def test_a_kept_scene_is_not_sent_again(client: Client):
    first = client.get("/api/replay/shelf.1", headers={"Accept-Encoding": "gzip"})
    again = {"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]}
    answer = client.get("/api/replay/shelf.1", headers=again)
    assert answer.status_code == 304
    assert answer.data == b""


def test_a_scene_that_changed_is_sent(client: Client):
    answer = client.get("/api/replay/shelf.1", headers={"If-None-Match": '"another"'})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("match", "status", "says"),
    [
        ("nobody", 404, "There is no match nobody in this database."),
        ("torn", 422, "seq: expected 1, found 2"),
        ("locked", 503, "another process is writing"),
    ],
)
def test_a_scene_that_cannot_be_shown_says_why(client: Client, match: str, status: int, says: str):
    answer = client.get(f"/api/replay/{match}")
    assert answer.status_code == status
    assert says in answer.json["message"]


def test_the_page_preloads_what_it_needs(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    stand_in(monkeypatch, shelf)
    monkeypatch.setattr(replayed, "match_lines", None)  # the existence of a match is known without reading its log
    reader = cast(Reader, object())
    link = replay.preload_hint(reader, "shelf.1", None)
    assert link is not None
    assert "</api/replay/shelf.1>; rel=preload" in link
    assert f"<{PLAYER}>; rel=modulepreload" in link
    assert replay.preload_hint(reader, "nobody", None) is None


@pytest.mark.parametrize(("match", "status"), [("open", "live"), ("shelf.1", "finished")])
def test_an_unfinished_match_is_live(client: Client, match: str, status: str) -> None:
    assert json.loads(client.get(f"/api/replay/{match}").data)["status"] == status

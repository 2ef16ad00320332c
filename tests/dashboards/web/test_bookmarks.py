"""Bookmarks over HTTP: set, find, change and remove; missing permissions and bad requests are reported."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dash.development.base_component import Component
from plotly.io.json import to_json_plotly

from dashboards.queries.filters import BookmarkFilter
from dashboards.queries.reader import Reader
from dashboards.replay.studies import bookmark_list
from dashboards.web import bookmarks
from dashboards.web.policy import Policy
from ingest.opening import open_for_reading, open_warehouse
from ingest.people.tokens import create_token
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.web.test_api import STRANGERS, conforms, read, refusal

PATH = "/api/bookmarks"
SAID = {"match": "other", "ply": "12.2", "label": "The storm", "tags": ["weather", "Yeti"]}


@pytest.fixture(scope="module")
def made(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "w.duckdb"
    ingest([logs / "other.jsonl", logs / "cut-off.jsonl"], path, processes=0)
    return path


@pytest.fixture(scope="module")
def opened(made: Path) -> Iterator[Warehouse]:
    with open_warehouse(copied(made, made.with_name("opened.duckdb"))) as warehouse:
        yield warehouse


@pytest.fixture
def warehouse(opened: Warehouse) -> Warehouse:
    """A warehouse with two matches, no bookmarks and no tokens."""
    with opened.app.writing() as connection:
        for table in ("bookmarks", "tokens"):
            connection.execute(f"DELETE FROM {table}")
    return opened


def served(warehouse: Warehouse, *, is_public: bool = False) -> Client:
    return everything(warehouse, policy=Policy(is_public=is_public, public_read=is_public), has_pages=False)


@pytest.fixture(scope="module")
def local(opened: Warehouse) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bookmarks, "RATE", 1_000_000)
        yield served(opened)


@pytest.fixture
def client(local: Client, warehouse: Warehouse) -> Client:  # noqa: ARG001  nothing is in it yet
    return local


def added(client: Client, **said: Any) -> Any:
    answer = client.post(PATH, json=SAID | said)
    assert answer.status_code == 201, answer.text
    return read(answer)


def found(client: Client, **reader: str) -> list[str]:
    answer = client.get(PATH, query_string=reader)
    assert answer.status_code == 200
    assert conforms(read(answer), "Listed")
    return [bookmark["label"] for bookmark in read(answer)["bookmarks"]]


# --- Allowed operations


def test_a_bookmark_is_set_and_found_with_its_match(client: Client) -> None:
    answer = client.post(PATH, json=SAID)
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    bookmark = read(answer)
    assert conforms(bookmark, "Bookmark")
    assert {key: bookmark[key] for key in SAID} == SAID
    assert bookmark["line_up"] == "trader, greedy, trader, greedy"
    assert read(client.get(PATH))["bookmarks"] == [bookmark]


def test_a_label_alone_is_a_bookmark_on_the_whole_match(client: Client) -> None:
    bookmark = read(client.post(PATH, json={"match": "other", "label": "Close"}))
    assert (bookmark["ply"], bookmark["tags"]) == (None, [])


def test_a_bookmark_is_changed_in_part(client: Client) -> None:
    before = added(client)
    answer = client.patch(f"{PATH}/{before['id']}", json={"label": "Snow"})
    assert answer.status_code == 200
    assert conforms(read(answer), "Bookmark")
    assert read(answer) == before | {"label": "Snow", "changed_at": read(answer)["changed_at"]}
    assert read(answer)["changed_at"] > before["changed_at"]
    assert read(client.patch(f"{PATH}/{before['id']}", json={"ply": None}))["ply"] is None


def test_removing_a_bookmark_returns_it(client: Client) -> None:
    bookmark = added(client)
    answer = client.delete(f"{PATH}/{bookmark['id']}")
    assert (answer.status_code, read(answer)) == (200, bookmark)
    assert found(client) == []
    assert refusal(client.delete(f"{PATH}/{bookmark['id']}"))[0] == 404


@pytest.mark.parametrize(
    ("reader", "labels"),
    [
        ({}, ["Close", "The storm"]),
        ({"q": "storm"}, ["The storm"]),
        ({"q": "yeti weather"}, ["The storm"]),
        ({"q": "cut-off"}, ["Close"]),
        ({"match": "cut-off"}, ["Close"]),
        ({"tag": "yeti"}, ["The storm"]),
        ({"tag": "yeti", "q": "close"}, []),
        ({"limit": "1"}, ["Close"]),
    ],
)
def test_bookmarks_are_searched_the_newest_first(client: Client, reader: dict[str, str], labels: list[str]) -> None:
    added(client)
    added(client, match="cut-off", label="Close", tags=[])
    assert found(client, **reader) == labels


def test_all_tags_are_named_and_all_bookmarks_counted(client: Client) -> None:
    added(client)
    added(client, tags=["Yeti"])
    listed = read(client.get(f"{PATH}?q=nothing"))
    assert listed == {"bookmarks": [], "total": 0, "tags": ["Yeti", "weather"]}
    assert read(client.get(f"{PATH}?limit=1"))["total"] == 2


def test_the_list_of_matches_is_filtered_by_tag(client: Client) -> None:
    added(client)
    added(client, match="cut-off", ply=None, tags=["close", "storm"])
    for tags, matches in ((["Yeti"], ["other"]), (["close", "Yeti"], ["cut-off", "other"]), (["x"], [])):
        rows = read(client.get("/api/matches", query_string={"stop": "9", "tag": tags}))["rows"]
        assert [row["match"] for row in rows] == matches


def drawn(component: Component) -> str:
    return json.dumps(json.loads(str(to_json_plotly(component))))


def test_the_list_names_bookmarks_and_links_to_them(client: Client, warehouse: Warehouse) -> None:
    added(client, match="other", label="<b>Snow</b> & ice", tags=["a b", "c&d"])
    added(client, match="cut-off", ply=None, label="Close", tags=[])
    reader = Reader(warehouse)
    whole = drawn(bookmark_list(reader, BookmarkFilter()))
    assert '"/replay?match=other&ply=12.2"' in whole
    assert '"/replay?match=cut-off"' in whole
    assert '"/replay?tag=c%26d"' in whole
    assert '"2 bookmarks"' in whole
    found = drawn(bookmark_list(reader, BookmarkFilter("snow", "A B")))
    assert '"/replay?match=cut-off"' not in found
    assert '"/replay?q=snow&tag=c%26d"' in found
    assert '"/replay?q=snow"' in found, "the tag that is searched for takes itself away"
    assert "No bookmark fits both." in drawn(bookmark_list(reader, BookmarkFilter("ice", "x")))


# --- Refused operations

WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "no json": ({"data": "{", "content_type": "application/json"}, 400, "expected a JSON object"),
    "nested too deep": ({"data": "[" * 9_000, "content_type": "application/json"}, 400, "expected a JSON object"),
    "a list": ({"json": [SAID]}, 400, "expected a JSON object"),
    "no match": ({"json": {"label": "a"}}, 400, "match: expected a value, found none"),
    "an unknown field": ({"json": SAID | {"colour": "red"}}, 400, "expected only label, match, ply, tags"),
    "an unknown match": ({"json": SAID | {"match": "nobody"}}, 404, "no match nobody"),
    "too large": ({"json": SAID | {"label": "x" * 17_000}}, 413, "at most 16384 bytes"),
    "no type": ({"data": json.dumps(SAID)}, 415, "expected application/json, found none"),
    "a form": ({"data": {"match": "other", "label": "a"}}, 415, "expected application/json"),
    "plain text": ({"data": json.dumps(SAID), "content_type": "text/plain"}, 415, "found text/plain"),
    "no label": ({"json": {"match": "other"}}, 422, "label: expected a text"),
    "a long label": ({"json": SAID | {"label": "x" * 201}}, 422, "label: expected 1 to 200 letters, found 201"),
    "control characters": ({"json": SAID | {"label": "a\x00b"}}, 422, "no control characters, found U+0000"),
    "half a letter": ({"json": SAID | {"label": "\ud800"}}, 422, "found U+D800"),
    "a strange ply": ({"json": SAID | {"ply": "1; drop"}}, 422, 'ply: expected "57", "57.3" or null'),
    "a ply behind the last": ({"json": SAID | {"ply": "99999"}}, 422, "the last of other"),
    "many tags": ({"json": SAID | {"tags": [str(n) for n in range(13)]}}, 422, "at most 12, found 13"),
    "a long tag": ({"json": SAID | {"tags": ["x" * 41]}}, 422, "tag 1: expected 1 to 40 letters"),
}


@pytest.mark.parametrize(("sent", "status", "says"), WRONG.values(), ids=WRONG)
def test_an_invalid_bookmark_is_refused_with_the_reason(
    client: Client, sent: dict[str, Any], status: int, says: str
) -> None:
    assert_refused(client.post(PATH, **sent), status, says)
    assert found(client) == []


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"json": {"match": "cut-off"}}, 400, "expected only label, ply, tags"),
        ({"json": {"label": ""}}, 422, "label: expected 1 to 200 letters, found 0"),
        ({"json": {"ply": "99999"}}, 422, "the last of other"),
        ({"data": "{}"}, 415, "Content-Type"),
    ],
)
def test_an_invalid_change_is_refused(client: Client, sent: dict[str, Any], status: int, says: str) -> None:
    bookmark = added(client)
    assert_refused(client.patch(f"{PATH}/{bookmark['id']}", **sent), status, says)
    assert read(client.get(PATH))["bookmarks"] == [bookmark]


@pytest.mark.parametrize("limit", ["0", "1001", "x", "-1", "9" * 400, "²"])
def test_an_invalid_limit_of_a_list_is_refused(client: Client, limit: str) -> None:
    assert_refused(client.get(PATH, query_string={"limit": limit}), 400, "limit: expected a whole number")


def test_bookmarks_per_match_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.people.bookmarks.MOST_OF_A_MATCH", 1)
    added(client)
    answer = client.post(PATH, json=SAID)
    assert_refused(answer, 409, "this match has 1 bookmarks already")
    assert (read(answer)["limit"], read(answer)["found"]) == (1, 2)


def test_a_read_only_server_says_that_it_cannot_write(made: Path) -> None:
    with open_for_reading(made) as warehouse:
        client = served(warehouse)
        assert found(client) == []
        assert_refused(client.post(PATH, json=SAID), 503, "cannot be written to")


def assert_refused(answer: Answer, status: int, says: str) -> None:
    found_status, message = refusal(answer)
    assert found_status == status
    assert says in message


# --- Permissions for bookmarks

WRITES: list[Callable[[Client, str, dict[str, str]], Answer]] = [
    lambda client, _, headers: client.post(PATH, json=SAID, headers=headers),
    lambda client, number, headers: client.patch(f"{PATH}/{number}", json={"label": "Snow"}, headers=headers),
    lambda client, number, headers: client.delete(f"{PATH}/{number}", headers=headers),
]
every_write = pytest.mark.parametrize("write", WRITES, ids=["post", "patch", "delete"])


def token(warehouse: Warehouse) -> dict[str, str]:
    return {"Authorization": f"Bearer {create_token(warehouse.app, 'laptop')}"}


@every_write
@pytest.mark.parametrize("headers", STRANGERS.values(), ids=STRANGERS)
def test_no_other_site_writes_through_a_browser(
    client: Client, write: Callable[..., Answer], headers: dict[str, str]
) -> None:
    bookmark = added(client)
    assert refusal(write(client, bookmark["id"], headers))[0] == 403
    assert read(client.get(PATH))["bookmarks"] == [bookmark]


@pytest.mark.slow("another way to sign in")
@every_write
def test_a_server_for_other_machines_needs_a_token(warehouse: Warehouse, write: Callable[..., Answer]) -> None:
    bookmark = added(served(warehouse))
    client = served(warehouse, is_public=True)
    answer = write(client, bookmark["id"], {"Host": "games.example"})
    assert refusal(answer)[0] == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="himalaya"'
    assert found(client) == ["The storm"]
    assert write(client, bookmark["id"], {"Host": "games.example"} | token(warehouse)).status_code < 300


@every_write
def test_an_unknown_token_writes_nothing(client: Client, warehouse: Warehouse, write: Callable[..., Answer]) -> None:
    bookmark, headers = added(client), token(warehouse)
    assert refusal(write(client, bookmark["id"], {"Authorization": "Bearer himalaya_no"}))[0] == 401
    assert write(client, bookmark["id"], headers).status_code < 300


def test_changes_per_sender_and_minute_are_limited(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bookmarks, "RATE", 1)
    client = served(warehouse)
    added(client)
    answer = client.post(PATH, json=SAID)
    assert refusal(answer)[0] == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_bookmarks_can_be_read_wherever_matches_can(warehouse: Warehouse) -> None:
    added(served(warehouse))
    assert found(served(warehouse, is_public=True)) == ["The storm"]
    assert served(warehouse).get(PATH, headers={"Host": "evil.example"}).status_code == 403

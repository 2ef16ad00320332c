"""A match as one offline file: self-contained, without secrets in a seat's view, and reproducible."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from dashboards.boards.engine import MODULES
from dashboards.replay.offline import offline_name, offline_page
from dashboards.replay.reviews import review_document
from dashboards.replay.scenes import as_bytes, scene_of
from tests.dashboards.client import Client
from tests.dashboards.games.caravan.tables import TABLES, lines_of, replay_of

pytestmark = pytest.mark.usefixtures("reviews_once")
BIGGEST, SMALL = TABLES[-1], TABLES[2]
MOST = 1_000 << 10
REVIEW = b'{"chances":[],"moments":[{"text":"</script>"}]}'
"""A fake review to embed unchanged; reviewing a match takes seconds."""


class Parts(HTMLParser):
    """Collects the scripts, styles, policy and references of a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.referred: list[str] = []
        self.policy = self.title = ""
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self._open = (tag, names)
        self.referred += [value for key in ("src", "href", "action", "poster", "data") if (value := names.get(key))]
        if names.get("http-equiv") == "Content-Security-Policy":
            self.policy = names["content"] or ""

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002  the base class names it
        self._open = None

    def handle_data(self, data: str) -> None:
        tag, names = self._open or ("", {})
        if tag == "script":
            self.scripts.append((names, data))
        elif tag == "style":
            self.referred += re.findall(r"url\(([^)]*)\)|@import", data)
        elif tag == "title":
            self.title = self.title or data

    def script(self, **named: str) -> str:
        return next(text for names, text in self.scripts if named.items() <= names.items())


def unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


@pytest.fixture(scope="module")
def scene() -> bytes:
    return as_bytes(scene_of(replay_of(SMALL), None))


@pytest.fixture(scope="module")
def page(scene: bytes) -> bytes:
    return offline_page(scene, REVIEW, b"".join(lines_of(SMALL)))


@pytest.fixture(scope="module")
def parts(page: bytes) -> Parts:
    return Parts(page)


def test_the_file_holds_the_scene_the_review_and_the_log(parts: Parts, scene: bytes) -> None:
    assert json.loads(unpacked(parts.script(id="replay-scene"))) == json.loads(scene)
    assert json.loads(unpacked(parts.script(id="replay-review"))) == json.loads(REVIEW)
    assert unpacked(parts.script(id="replay-log")) == b"".join(lines_of(SMALL))


def test_the_file_refers_to_nothing_outside_itself(page: bytes, parts: Parts) -> None:
    assert [each for each in parts.referred if not each.startswith(("data:", '"data:', "#"))] == []
    assert len(parts.referred) > 5
    assert not re.search(rb"""["'(]\s*(https?:)?//[a-z]""", page)


def test_the_policy_allows_the_scripts_that_are_there_and_no_network(parts: Parts) -> None:
    rules = dict(rule.split(" ", 1) for rule in parts.policy.split("; "))
    run = [text for names, text in parts.scripts if names.get("type") in (None, "module", "importmap")]
    digests = {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in run}
    assert set(rules.pop("script-src").split()) == {"data:", *digests}
    assert rules.pop("style-src") == "'unsafe-inline'"
    assert rules.pop("default-src") == "'none'"
    assert {word for rule in rules.values() for word in rule.split()} <= {"data:", "blob:", "'none'"}


def test_every_module_that_is_imported_is_in_the_map(parts: Parts) -> None:
    imports = json.loads(parts.script(type="importmap"))["imports"]
    assert parts.script(type="module") == 'import "replay/player/offline.js";'
    for name, address in imports.items():
        kind, _, packed = address.partition(";base64,")
        assert kind == "data:text/javascript"
        code = re.sub(r"^\s*(//|/?\*).*$", "", base64.b64decode(packed).decode(), flags=re.MULTILINE)
        reader = re.findall(r"""\b(?:from|import)\s*\(?\s*["']([\w./-]+\.js)["']""", code)
        assert set(reader) <= set(imports), name
        assert (MODULES / name.removeprefix("replay/")).exists()


def test_the_same_match_gives_the_same_bytes(page: bytes, scene: bytes) -> None:
    assert offline_page(scene, REVIEW, b"".join(lines_of(SMALL))) == page


@pytest.mark.soak("reviews a match of six")
def test_the_largest_match_stays_small() -> None:
    replay = replay_of(BIGGEST)
    scene, review = (as_bytes(make(replay, None)) for make in (scene_of, review_document))
    assert len(offline_page(scene, review, b"".join(lines_of(BIGGEST)))) < MOST


def test_a_seats_file_holds_neither_log_nor_secrets() -> None:
    parts = Parts(offline_page(as_bytes(scene_of(replay_of(SMALL), "2")), REVIEW, None))
    assert [names for names, _ in parts.scripts if names.get("id") == "replay-log"] == []
    scene = json.loads(unpacked(parts.script(id="replay-scene")))
    assert scene["view"] == 1
    assert scene == json.loads(as_bytes(scene_of(replay_of(SMALL), "2")))


def test_nothing_in_a_scene_ends_a_script() -> None:
    scene: Any = {**scene_of(replay_of(SMALL), None), "match": "x</script><script>alert(1)</script>&"}
    parts = Parts(offline_page(as_bytes(scene), b"null", None))
    assert parts.title.startswith("x</script><script>alert(1)")
    assert sum(names.get("type") is None for names, _ in parts.scripts) == 1


def test_a_file_is_called_by_its_match_and_its_seat() -> None:
    assert (offline_name("a.1", None), offline_name("a.1", "3")) == ("a.1.html", "a.1-seat-3.html")


def test_the_file_is_sent_to_be_kept(client: Client) -> None:
    answer = client.get("/api/replay/other/offline.html?view=2")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="other-seat-2.html"'
    assert answer.mimetype == "text/html"
    assert b'id="replay-log"' not in answer.data
    whole = client.get("/api/replay/other/offline.html")
    assert unpacked(Parts(whole.data).script(id="replay-log")) == client.get("/api/matches/other").data
    assert (
        client.get("/api/replay/other/offline.html", headers={"If-None-Match": whole.headers["ETag"]}).status_code
        == 304
    )
    assert client.get("/api/replay/other/offline.html?view=9").status_code == 400
    assert client.get("/api/replay/nobody/offline.html").status_code == 404

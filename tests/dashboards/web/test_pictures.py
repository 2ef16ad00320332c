"""A position as a picture over HTTP: parameters, results, and refusals in plain words."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dashboards.boards.engine import DrawingError
from dashboards.replay import pictures
from himalaya_core.boards import shipped_board
from himalaya_core.games import GAMES
from himalaya_core.tournament.plan import Pairing, play
from tests.dashboards.client import Client
from tests.dashboards.web.standing_in import stand_in

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "/api/replay/shelf.1/board.svg"
PAIRING = Pairing("shelf.1", ("greedy", "random", "trader"), seed="shelf")
LOG = play(GAMES["caravan"], shipped_board("caravan"), {}, PAIRING)[1].splitlines(keepends=True)
PLANNED = next(line for line in LOG if b'"plan_committed"' in line and b'"seat":1' in line)


class Shelf:
    """Replaces the warehouse by one match."""

    def match_lines(self, match: str) -> list[bytes] | None:
        return LOG if match == "shelf.1" else None

    def quarantined_lines(self, _match: str, _most: int) -> list[Any]:
        return []

    def is_live(self, _match: str) -> bool:
        return False


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    return stand_in(monkeypatch, Shelf())


def caption(svg: bytes) -> str:
    (found,) = [text for text in ET.fromstring(svg).iter(f"{SVG}text") if text.get("class") == "caption"]
    return found.text or ""


def test_a_position_comes_as_a_picture(client: Client) -> None:
    answer = client.get(f"{BOARD}?ply=57")
    assert answer.mimetype == "image/svg+xml"
    assert "ply 57: " in caption(answer.data)
    assert "Set-up · ply 0: " in caption(client.get(BOARD).data)


def test_a_cached_picture_is_not_sent_again(client: Client) -> None:
    tag = client.get(f"{BOARD}?ply=57").headers["ETag"]
    assert client.get(f"{BOARD}?ply=57", headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{BOARD}?ply=57&theme=dark", headers={"If-None-Match": tag}).status_code == 200


def test_a_small_picture_has_the_board_alone_and_is_drawn_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.get(f"{BOARD}?ply=58&part=board")
    root = ET.fromstring(answer.data)
    assert (root.get("width"), root.get("height")) == ("640", "400")
    assert not [
        text for text in root.iter(f"{SVG}text") if text.get("class") in {"caption", "name"} or text.get("y") == "0"
    ]
    monkeypatch.setattr(pictures, "draw_board", None)
    assert client.get(f"{BOARD}?ply=58&part=board").data == answer.data


def test_a_seat_s_picture_does_not_reveal_another_s_plan(client: Client) -> None:
    ply = PLANNED.split(b'"ply":')[1].split(b",")[0].decode()
    all_seeing, other = client.get(f"{BOARD}?ply={ply}"), client.get(f"{BOARD}?ply={ply}&view=1")
    assert " plans " in caption(all_seeing.data)
    assert " commits a plan" in caption(other.data)


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("ply=x", 400, "ply: expected a number such as 57 or 57.3, found 'x'."),
        ("theme=blue", 400, "theme: expected light or dark, found 'blue'."),
        ("part=half", 400, "part: expected board, found 'half'."),
        ("view=4", 400, "view: expected the number of a seat, from 1 to 3, found '4'."),
    ],
)
def test_a_missing_picture_says_why(client: Client, query: str, status: int, says: str) -> None:
    answer = client.get(f"{BOARD}?{query}")
    assert (answer.status_code, answer.json["message"]) == (status, says)


def test_a_drawing_that_fails_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> str:
        raise DrawingError("InternalError: interrupted\n    at draw")

    monkeypatch.setattr(pictures, "draw_board", fail)
    answer = client.get(f"{BOARD}?ply=1")  # other tests do not request this picture, so it is not cached
    assert (answer.status_code, answer.json["message"]) == (
        422,
        "The position cannot be drawn: InternalError: interrupted.",
    )


def test_a_match_that_is_not_there(client: Client) -> None:
    assert client.get("/api/replay/nobody/board.svg").status_code == 404

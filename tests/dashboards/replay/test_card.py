"""The preview of a shared match link: name, players and picture, no scripts, no winner."""

import re
from html import unescape
from io import BytesIO

from PIL import Image

from ingest.warehouse import Warehouse
from tests.dashboards.client import Client, everything

TAG = re.compile(r'<meta property="([\w:]+)" content="([^"]*)">')


def card(client: Client, address: str) -> dict[str, str]:
    head = client.get(address).text.partition("</head>")[0]
    return {name: unescape(content) for name, content in TAG.findall(head)}


def test_a_link_to_a_moment_names_the_match_and_shows_the_board(client: Client) -> None:
    found = card(client, "/replay?match=other&ply=57.2&view=2&theme=dark&panel=here")
    assert found["og:title"] == "other, after ply 57.2"
    assert re.fullmatch(r"trader, greedy, trader, greedy; 12 rounds, \d+ events\.", found["og:description"])
    assert found["og:image"] == "http://localhost/api/replay/other/board.png?ply=57.2&view=2&theme=dark"


def test_a_link_counts_what_its_game_counts(both: Warehouse) -> None:
    found = card(everything(both), "/replay?match=ropes.000000")
    assert re.fullmatch(r"racer, porter, greedy; \d+ throws, \d+ events\.", found["og:description"])


def test_the_picture_is_there_in_the_size_that_is_named(client: Client) -> None:
    found = card(client, "/replay?match=other")
    picture = client.get(found["og:image"].removeprefix("http://localhost"))
    assert picture.mimetype == found["og:image:type"] == "image/png"
    with Image.open(BytesIO(picture.data)) as image:
        assert image.format == "PNG"
        assert list(map(str, image.size)) == [found["og:image:width"], found["og:image:height"]] == ["1200", "630"]
        assert len(image.getcolors(1 << 20) or ()) > 50


def test_an_address_cannot_add_anything_to_the_page(client: Client) -> None:
    page = client.get('/replay?match=other&ply="><script>alert(1)</script>').text
    assert "<script>alert" not in page
    found = card(client, '/replay?match=other&ply="><b>&view="><b>')
    assert found["og:title"] == "other", "only a ply is named there"
    assert found["og:image"].endswith("?ply=%22%3E%3Cb%3E&view=%22%3E%3Cb%3E")


def test_other_pages_have_no_card(client: Client) -> None:
    for address in ("/replay", "/replay?match=nobody", "/?match=other"):
        assert card(client, address) == {}

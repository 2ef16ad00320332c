"""Preview of a shared link to a match: its name, its players, and the board as a picture."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import quote, urlencode

from dashboards.games.analytics import terms_of
from dashboards.warehouse.logs import match_summary
from dashboards.warehouse.reader import DatabaseError, Reader

__all__ = ["social_card"]

PLY: Final = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
SIZE: Final = (1200, 630)
SHOWN: Final = ("ply", "view", "theme")
"""Keys of the address that the picture uses."""


def social_card(reader: Reader, query: Mapping[str, str], root: str) -> str:
    """Return the meta tags of a page that shows a match; empty for an unknown match.

    `query` is that of its address, `root` the address of the server, with a slash at its end. The winner is not
    named: people who share a moment of a match may not want that.
    """
    try:
        facts = match_summary(reader, query.get("match", ""))
    except DatabaseError:
        return ""
    if facts is None:
        return ""
    parameters = urlencode({key: query[key] for key in SHOWN if key in query})
    picture = f"{root}api/replay/{quote(facts.match, safe='')}/board.png{parameters and '?'}{parameters}"
    moment = f", after ply {query['ply']}" if PLY.fullmatch(query.get("ply", "")) else ""
    rounds = f"{terms_of(facts.game).counted(facts.rounds)}, " if facts.rounds else ""
    width, height = SIZE
    tags = {
        "og:type": "website",
        "og:site_name": "Himalaya",
        "og:title": facts.match + moment,
        "og:description": f"{facts.line_up}; {rounds}{facts.events} events.",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": f"The board of {facts.match}{moment}",
        "twitter:card": "summary_large_image",
    }
    return "".join(f'<meta property="{name}" content="{escape(content)}">\n' for name, content in tags.items())

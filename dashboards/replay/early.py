"""Place in the HTML for the player that starts while Dash is loading; see assets/replay/player/early.js."""

from html import escape

from dashboards.replay.bundle import PLAYER
from dashboards.warehouse.addresses import url

__all__ = ["with_early_player"]


def with_early_player(page: str, match: str, scripts: str) -> str:
    """Return the HTML of a page with the player of `match` before the app, whose scripts wait for the first board.

    All that follows `scripts` in the body is put into a template, which early.js carries out. If run immediately, Dash
    would delay the first board by a third of a second.
    """
    name = escape(match)
    player = f"""<main class="replay-early"><div id="replay" class="replay" data-match="{name}">\
<p class="replay-none meta">Loading {name} …</p></div></main>
<script type="module" async src="{url(PLAYER)}"></script>"""
    page = page.replace("<body>", f"<body>{player}", 1)
    return page.replace(scripts, '<template id="dash-scripts">', 1).replace("</body>", "</template></body>", 1)

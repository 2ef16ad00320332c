"""The place in the HTML where the player starts while Dash is still being fetched; assets/replay/early.js says how."""

from html import escape

__all__ = ["early_player"]


def early_player(match: str) -> str:
    """Return what stands before the app in the page of a match."""
    name = escape(match)
    return f"""<main class="replay-early"><div id="replay" class="replay" data-match="{name}">\
<p class="replay-none meta">Loading {name} …</p></div></main>
<script type="module" async src="/assets/replay/early.js"></script>"""

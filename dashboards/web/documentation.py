"""Serve the site that `make docs` builds, at `/docs`. Its content policy allows inline scripts by their hashes."""

import base64
import hashlib
import re
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from dashboards.queries.addresses import url
from dashboards.replay.offline import STYLES
from dashboards.web.access import DOCUMENTATION
from dashboards.web.middleware import content_policy
from dashboards.web.request_log import EXCHANGE

__all__ = ["BUILT", "routes"]

BUILT: Final = Path(__file__).parents[1] / "documentation"
"""Folder of the built site. A wheel contains it; in a checkout it exists after `make docs`."""
INLINE_SCRIPT: Final = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
NOT_BUILT: Final = """<!DOCTYPE html>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Documentation · Himalaya</title>
        <link rel="stylesheet" href="{styles}">
    </head>
    <body class="sign-in-body">
        <main class="card sign-in">
            <h1>The documentation is not built</h1>
            <p>Run <code>make docs</code> in the folder of Himalaya's sources, then reload this page. An installed
            wheel contains the documentation.</p>
            <p><a class="button" href="{home}">Back to Himalaya</a></p>
        </main>
    </body>
</html>
"""


def routes(folder: Path) -> list[BaseRoute]:
    """Return the routes of the site in a folder."""
    return [Route(DOCUMENTATION, _to_index, include_in_schema=False), Mount(DOCUMENTATION, _Site(folder))]


async def _to_index(_: object) -> RedirectResponse:
    return RedirectResponse(url(f"{DOCUMENTATION}/"))


class _Site:
    """Serves the files of the site, or explains how to build it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the content policy of its page."""
        if exchange := scope.get(EXCHANGE):
            exchange.set_route(f"{DOCUMENTATION}/{{path}}", {})
        index = self._folder / "index.html"
        if not index.is_file():
            page = NOT_BUILT.format(styles=url(STYLES), home=url("/"))
            await HTMLResponse(page, HTTPStatus.NOT_FOUND)(scope, receive, send)
            return
        policy = content_policy(_scripts_below(self._folder, index.stat().st_mtime_ns))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                headers["Cache-Control"] = "no-cache"  # file names do not change with the contents
            await send(message)

        full = {**scope, "path": scope["app_root_path"] + scope["path"]}  # redirects must include the path prefix
        await self._files(full, receive, sending)


@lru_cache(maxsize=1)
def _scripts_below(folder: Path, _built: int) -> tuple[str, ...]:
    """Return the hashes of the inline scripts of all pages; a new `_built` makes the cache read them again."""
    found = {script for page in folder.rglob("*.html") for script in INLINE_SCRIPT.findall(page.read_bytes())}
    return tuple(f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in sorted(found))

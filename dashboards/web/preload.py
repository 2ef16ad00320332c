"""What Dash would have pages run whole, and first, as far as ours need it and when they do.

Of plotly.js, which comes with the first graph of a page, the bundle with Cartesian axes: bars, scatters and heat maps
are all that `dashboards.charts` draws. It is of one version; where the package `plotly` that is installed has another,
pages get that. Of the polyfills, which each page begins with, what runs generators that were compiled away: Dash and
Mantine need it, and all else is in browsers that know modules, which the replay asks for.

The script of the grid, the largest of all, is fetched by a page that has one. A page with figures fetches plotly.js
while Dash starts.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import Flask, Response, request, send_from_directory
from plotly.offline import get_plotlyjs_version

from dashboards.boards.modules import MODULES
from dashboards.warehouse.addresses import url

__all__ = ["AT_ONCE", "GENERATORS", "PLOTLY", "VERSION", "asks_ahead", "register"]

VENDOR: Final = MODULES.parent / "vendor"
PLOTLY: Final = VENDOR / "plotly-cartesian.min.js"
"""`package/plotly-cartesian.min.js` of `npm pack plotly.js-cartesian-dist-min`, of this version:"""
VERSION: Final = "4.1.1"
GENERATORS: Final = VENDOR / "regenerator-runtime.js"
"""`package/runtime.js` of `npm pack regenerator-runtime@0.14.1`."""
SUITES: Final = "/_dash-component-suites"
A_YEAR: Final = 365 * 24 * 3600  # seconds; for an address with a version in it
AT_ONCE: Final = b"//# allFunctionsCalledOnLoad\n"
"""Has V8 compile a script whole while it arrives, beside the page's own thread, which else does it bit by bit.

Nearly all of plotly.js is called as it starts: it keeps the page's thread half as long.
https://v8.dev/blog/explicit-compile-hints
"""
GRID: Final = re.compile(rf'<script src="([^"]*{SUITES}/dash_ag_grid/[^"]+)"></script>')
LATER: Final = '<meta name="grid-script" content="{}">'
"""Where assets/grid.js finds the script of the grid."""


def register(server: Flask) -> None:
    """Answer with the part where Dash would send the whole."""

    @server.get(f"{SUITES}/dash/deps/polyfill@<version>")
    def generators(version: str) -> Response:  # noqa: ARG001
        return _sent(GENERATORS)

    if get_plotlyjs_version() == VERSION:

        @server.get(f"{SUITES}/plotly/package_data/<name>")
        def plotly(name: str) -> Response:  # noqa: ARG001
            return _with_hint(PLOTLY)


def asks_ahead(page: str, *, has_grid: bool, has_figures: bool) -> str:
    """Return the HTML of a page that asks at once for what Dash finds out late that it needs, and for no more."""
    ahead = [("fetch", f"/_dash-{part}") for part in ("layout", "dependencies")]
    if has_grid:
        ahead.append(("script", f"{SUITES}/dash_ag_grid/async-community.js"))
    elif found := GRID.search(page):
        page = page.replace(found[0], "", 1).replace("</head>", f"{LATER.format(found[1])}</head>", 1)
    if has_figures:
        ahead += [
            ("script", f"{SUITES}/{name}") for name in ("dash/dcc/async-graph.js", "plotly/package_data/plotly.min.js")
        ]
    links = [f'<link rel="preload" as="{kind}" href="{url(path)}"{_of(kind)}>' for kind, path in ahead]
    return page.replace("</head>", f"{''.join(links)}</head>", 1)


def _of(kind: str) -> str:
    return " crossorigin" if kind == "fetch" else ""


def _sent(file: Path) -> Response:
    return send_from_directory(file.parent, file.name, max_age=A_YEAR)


def _with_hint(file: Path) -> Response:
    """Send plotly.js, to be asked after each time: the address that Dash has for it names no version."""
    text, tag = _hinted(file)
    answer = Response(text, mimetype="text/javascript")
    answer.cache_control.public, answer.cache_control.no_cache = True, True
    answer.set_etag(tag)
    answer.make_conditional(request)
    return answer


@cache
def _hinted(file: Path) -> tuple[bytes, str]:
    """Return a script behind the hint, and its digest."""
    text = AT_ONCE + file.read_bytes()
    return text, sha256(text).hexdigest()[:32]

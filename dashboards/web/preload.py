"""Smaller builds of Dash's scripts, loaded only by pages that need them.

Instead of all of plotly.js pages get the bundle with Cartesian axes: `dashboards.charts` draws only bars, scatters and
heat maps. If the installed package `plotly` has another version, pages get its full script. Instead of all polyfills
pages get only the runtime of generators, which Dash and Mantine need: browsers with modules, which the replay requires,
have the rest.

The script of the grid, the largest one, is loaded by pages with a grid. Pages with figures load plotly.js while Dash
starts.
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

__all__ = ["AT_ONCE", "GENERATORS", "PLOTLY", "VERSION", "register", "with_preloads"]

VENDOR: Final = MODULES.parent / "vendor"
PLOTLY: Final = VENDOR / "plotly-cartesian.min.js"
"""`package/plotly-cartesian.min.js` of `npm pack plotly.js-cartesian-dist-min`, of this version:"""
VERSION: Final = "4.1.1"
GENERATORS: Final = VENDOR / "regenerator-runtime.js"
"""`package/runtime.js` of `npm pack regenerator-runtime@0.14.1`."""
SUITES: Final = "/_dash-component-suites"
A_YEAR: Final = 365 * 24 * 3600  # seconds; for an address with a version in it
AT_ONCE: Final = b"//# allFunctionsCalledOnLoad\n"
"""Makes V8 compile a whole script while it arrives, in another thread than the page's.

Nearly all of plotly.js is called at its start; the hint halves the time on the page's thread.
https://v8.dev/blog/explicit-compile-hints
"""
GRID: Final = re.compile(rf'<script src="([^"]*{SUITES}/dash_ag_grid/[^"]+)"></script>')
LATER: Final = '<meta name="grid-script" content="{}">'
"""Where assets/grid.js finds the script of the grid."""


def register(server: Flask) -> None:
    """Serve the smaller builds at Dash's addresses."""

    @server.get(f"{SUITES}/dash/deps/polyfill@<version>")
    def generators(version: str) -> Response:  # noqa: ARG001
        return _sent(GENERATORS)

    if get_plotlyjs_version() == VERSION:

        @server.get(f"{SUITES}/plotly/package_data/<name>")
        def plotly(name: str) -> Response:  # noqa: ARG001
            return _with_hint(PLOTLY)


def with_preloads(page: str, *, has_grid: bool, has_figures: bool) -> str:
    """Return the HTML of a page with preload links for what Dash would request late."""
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
    """Send plotly.js, to be revalidated each time, since its address in Dash has no version."""
    text, tag = _hinted(file)
    answer = Response(text, mimetype="text/javascript")
    answer.cache_control.public, answer.cache_control.no_cache = True, True
    answer.set_etag(tag)
    answer.make_conditional(request)
    return answer


@cache
def _hinted(file: Path) -> tuple[bytes, str]:
    """Return a script with the hint before it, and its digest."""
    text = AT_ONCE + file.read_bytes()
    return text, sha256(text).hexdigest()[:32]

"""What Dash would have pages run whole, as far as ours need it: two files under the addresses that Dash asks for.

Of plotly.js, which comes with the first graph of a page, the bundle with Cartesian axes: bars, scatters and heat maps
are all there is in `dashboards.charts.plotly`. It is of one version; where the package `plotly` that is installed has
another, pages get that. Of the polyfills, which each page begins with, what runs generators that were compiled away:
Dash and Mantine need it, and all else is in browsers that know modules, which the replay asks for.
"""

from pathlib import Path
from typing import Final

from flask import Flask, Response, send_from_directory
from plotly.offline import get_plotlyjs_version

from dashboards.boards.modules import MODULES

__all__ = ["GENERATORS", "PLOTLY", "VERSION", "register"]

VENDOR: Final = MODULES.parent / "vendor"
PLOTLY: Final = VENDOR / "plotly-cartesian.min.js"
"""`package/plotly-cartesian.min.js` of `npm pack plotly.js-cartesian-dist-min`, of this version:"""
VERSION: Final = "4.1.1"
GENERATORS: Final = VENDOR / "regenerator-runtime.js"
"""`package/runtime.js` of `npm pack regenerator-runtime@0.14.1`."""
SUITES: Final = "/_dash-component-suites"
A_YEAR: Final = 365 * 24 * 3600  # seconds; addresses have a version in them


def register(server: Flask) -> None:
    """Answer with the part where Dash would send the whole."""

    @server.get(f"{SUITES}/dash/deps/polyfill@<version>")
    def generators(version: str) -> Response:  # noqa: ARG001
        return _sent(GENERATORS)

    if get_plotlyjs_version() == VERSION:

        @server.get(f"{SUITES}/plotly/package_data/<name>")
        def plotly(name: str) -> Response:  # noqa: ARG001
            return _sent(PLOTLY)


def _sent(file: Path) -> Response:
    return send_from_directory(file.parent, file.name, max_age=A_YEAR)

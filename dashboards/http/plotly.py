"""plotly.js without what none of our figures has: a third of the whole that Dash would have a page of figures run.

Dash asks for plotly.js when a page has its first graph, and gets the bundle with Cartesian axes here: bars, scatters
and heat maps are all there is in `dashboards.charts.plotly`. It is of one version of plotly.js; where the package
`plotly` that is installed has another, pages get that.
"""

from typing import Final

from flask import Flask, Response, send_from_directory
from plotly.offline import get_plotlyjs_version

from dashboards.boards.modules import MODULES

__all__ = ["BUNDLE", "VERSION", "register"]

BUNDLE: Final = MODULES.parent / "vendor" / "plotly-cartesian.min.js"
"""`package/plotly-cartesian.min.js` of `npm pack plotly.js-cartesian-dist-min`."""
VERSION: Final = "4.1.1"
A_YEAR: Final = 365 * 24 * 3600  # seconds; the address says the version


def register(server: Flask) -> None:
    """Answer with the bundle where Dash would send the whole."""
    if get_plotlyjs_version() != VERSION:
        return

    @server.get("/_dash-component-suites/plotly/package_data/<name>")
    def plotly(name: str) -> Response:  # noqa: ARG001  # it has the version of `plotly` in it
        return send_from_directory(BUNDLE.parent, BUNDLE.name, max_age=A_YEAR)

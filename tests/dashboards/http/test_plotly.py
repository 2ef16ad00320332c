"""Pages of figures get the part of plotly.js that draws them."""

from flask import Flask
from plotly.offline import get_plotlyjs_version

from dashboards.http.plotly import BUNDLE, VERSION, register

ASKED = "/_dash-component-suites/plotly/package_data/plotly.min.v7_1_0m1.js"


def test_the_bundle_is_of_the_version_that_is_installed() -> None:
    """Who raises the version of `plotly` in the lock fetches its bundle too."""
    assert get_plotlyjs_version() == VERSION
    assert f"plotly.js (cartesian - minified) v{VERSION}\n" in BUNDLE.read_text("utf-8")[:100]


def test_it_comes_where_dash_would_send_the_whole() -> None:
    server = Flask(__name__)
    register(server)
    with server.test_client().get(ASKED) as answer:
        assert (answer.status_code, answer.data) == (200, BUNDLE.read_bytes())
        assert "max-age" in answer.headers["Cache-Control"]

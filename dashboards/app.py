"""The Dash app: the frame around all pages, and the handling of requests before and after Dash."""

from functools import partial
from http import HTTPStatus
from typing import Any, Final

import dash_mantine_components as dmc
from dash import (
    ClientsideFunction,
    Dash,
    Input,
    Output,
    dcc,
    hooks,
    html,
    page_container,
    page_registry,
    set_props,
)
from dash.development.base_component import Component
from flask import Response, current_app, redirect, request
from flask.typing import ResponseReturnValue

from dashboards.catalog.figures import all_figures, figures_under
from dashboards.catalog.questions import ANALYSIS, figure_path
from dashboards.charts.theme import MANTINE
from dashboards.games.analytics import analytics_of
from dashboards.queries.addresses import url
from dashboards.queries.filters import Filter
from dashboards.queries.imports import quarantine_reasons
from dashboards.queries.logs import has_match
from dashboards.queries.matches import MATCH_KEYS
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.replay.offline import RECORDING, SCRIPTS, STYLES, with_early_player
from dashboards.replay.pictures import social_card
from dashboards.ui.components import aria, icon
from dashboards.web import callbacks
from dashboards.web.access import DOCUMENTATION, who_is_here
from dashboards.web.callbacks import check_callbacks
from dashboards.web.middleware import SCHEME_SCRIPT
from dashboards.web.policy import SIGN_IN
from dashboards.web.replay import preload_hint
from dashboards.web.request_log import EXCHANGE
from dashboards.web.sign_in import SIGN_OUT
from himalaya_core.games import GAMES, title_of
from ingest.replica import Replica
from ingest.warehouse import Warehouse

__all__ = ["add_callbacks_of_pages", "create_app"]

NAVIGATION: Final = (
    ("Matches", "/matches"),
    ("Tournaments", "/tournaments"),
    ("Analysis", "/analysis"),
    ("Record", "/record"),
)
IMPORTS: Final = "/intake"
HELP: Final = (
    ("Documentation", f"{DOCUMENTATION}/"),
    ("Keys of a replay", f"{DOCUMENTATION}/start/read-a-replay.html#move-through-it"),
)

MOVED: Final = {"/outcomes": "/analysis", "/traffic": "/analysis/where", "/compare": "/analysis/compare"}
"""Addresses of pages in earlier versions, which assets/shell.js lists too, with their present address."""
GRID: Final = "/matches"
"""The page with the grid of matches."""
RECORD: Final = "/record"
"""The page for recording matches, which loads a separate script."""
LACKING: Final = " Runs, quarantine, bookmarks and studies are not taken from a lake."
APP: Final = "<!-- app -->"
"""Placeholder in the HTML; the scripts that start Dash follow it."""
FONT: Final = "/assets/fonts/inter-latin-variable.woff2"


def index_of(prefix: str) -> str:
    """Return the HTML template of every page, with placeholders for Dash's own parts."""
    return f"""<!DOCTYPE html>
<html lang="en" data-prefix="{prefix}">
    <head>
        {{%metas%}}
        <script>{SCHEME_SCRIPT}</script>
        <title>{{%title%}}</title>
        <link rel="icon" type="image/svg+xml" href="{prefix}/assets/favicon.svg">
        <link rel="preload" as="font" type="font/woff2" href="{prefix}{FONT}" crossorigin>
        {{%css%}}
        <link rel="stylesheet" href="{prefix}{STYLES}">
    </head>
    <body>
        {{%app_entry%}}
        {{%config%}}
        {APP}
        <script src="{prefix}{SCRIPTS}"></script>
        {{%scripts%}}
        {{%renderer%}}
    </body>
</html>"""


def create_app(warehouse: Warehouse, prefix: str = "") -> Dash:
    """Return the Dash app for a warehouse, served below a path prefix such as `/himalaya`."""
    reader = Reader(warehouse)
    app = Dash(
        "dashboards",
        title="Himalaya",
        update_title="",
        use_pages=True,
        include_pages_meta=False,
        index_string=index_of(prefix),
        meta_tags=[{"name": "viewport", "content": "width=device-width, initial-scale=1, viewport-fit=cover"}],
        requests_pathname_prefix=f"{prefix}/",
        routes_pathname_prefix="/",
        suppress_callback_exceptions=True,  # a page's inputs exist only while it is shown
        compress=True,
        serve_locally=True,
        assets_path_ignore=["replay", "vendor"],  # loaded by the pages that need them
        assets_ignore=r"\.(css|js)$",  # combined into one file per type
        on_error=show_problem,
    )
    app.server.config["READER"] = reader
    app.layout = partial(shell, reader)
    app.clientside_callback(
        ClientsideFunction("shell", "markCurrentPage"),
        Input("_pages_location", "pathname"),
    )
    app.clientside_callback(
        ClientsideFunction("shell", "scheme"), Output("drawn-scheme", "data"), Input("_pages_location", "pathname")
    )
    app.callback(
        Output("imports-badge", "children"),
        Input("_pages_location", "pathname"),
        Input("intake-shown", "data", allow_optional=True),  # only on the page with the imports
        prevent_initial_call=True,
    )(lambda _path, _shown: badge(reader))
    app.clientside_callback(
        ClientsideFunction("shell", "hideWinners"), Output("hide-winners", "checked"), Input("hide-winners", "checked")
    )
    callbacks.register(app.server)
    check_callbacks(app)
    finish_answers(app)
    redirect_old_addresses(app, reader)
    return app


def add_callbacks_of_pages(app: Dash) -> None:
    """Make Dash register its callbacks now instead of at its first request.

    A page left open during a restart sends several requests together. Without this, those after the first might find no
    callbacks.
    """
    with app.server.test_request_context():
        app.server.preprocess_request()


def has_figures(path: str) -> bool:
    """Return whether the page at a path has figures that plotly.js draws."""
    return path == ANALYSIS or path.startswith(f"{ANALYSIS}/")


@hooks.index()
def with_what_it_needs(page: str) -> str:
    """Add preload links to a page; for a match, also the link preview and the player."""
    page = callbacks.with_preloads(page, has_grid=request.path == GRID, has_figures=has_figures(request.path))
    if request.path == RECORD:
        page = page.replace("</head>", f'<link rel="modulepreload" href="{url(RECORDING)}"></head>', 1)
    return with_match(page) if request.path == "/replay" else page


def with_match(page: str) -> str:
    """Add a match's link preview to its page, and the player, which loads before Dash."""
    reader, match = current_app.config["READER"], request.args.get("match", "")
    try:
        if not has_match(reader, match):
            return page
    except DatabaseError:
        return page
    card = social_card(reader, request.args, request.url_root)
    return with_early_player(page.replace("</head>", f"{card}</head>", 1), match, APP)


def finish_answers(app: Dash) -> None:
    """Set status 404 for unknown addresses, preload a match's replay, and note the route for the request log."""

    @app.server.after_request
    def status_of_page(answer: Response) -> Response:
        pages = {entry["path"].strip("/") for name, entry in page_registry.items() if not name.endswith("_404")}
        pages |= {figure_path(name).strip("/") for name in all_figures()}
        was_shown = answer.status_code == HTTPStatus.OK
        if was_shown and request.endpoint == "/<path:path>" and request.path.strip("/") not in pages:
            answer.status_code = 404
        if was_shown and request.path == "/replay" and (match := request.args.get("match")):
            hint = preload_hint(app.server.config["READER"], match, request.args.get("view"))
            if hint is not None:
                answer.headers["Link"] = hint
        exchange = request.environ.get("asgi.scope", {}).get(EXCHANGE)
        if exchange is not None and request.url_rule is not None:
            exchange.set_route(request.url_rule.rule, {})
        return answer


def page_of_figure(reader: Reader) -> str | None:
    """Return the path for a figure that the requested path places wrongly, as in `/analysis/figure/win-share`.

    A game that lacks the figure has the question's first instead, which is shown without a figure's name.
    """
    folder, _, name = request.path.rpartition("/")
    if not folder.startswith(f"{ANALYSIS}/") or name not in all_figures():
        return None
    query = {key: request.args.getlist(key) for key in request.args}
    path = figure_path(name)
    right = path if name in figures_under(reader, Filter.read(query)) else path.rpartition("/")[0]
    return right if right != request.path else None


def redirect_old_addresses(app: Dash, reader: Reader) -> None:
    """Redirect addresses of earlier versions, such as home addresses with a filter, which had the list of matches."""

    @app.server.before_request
    def to_new_address() -> ResponseReturnValue | None:
        is_list = request.path == "/" and any(key in request.args for key in MATCH_KEYS)
        path = "/matches" if is_list else MOVED.get(request.path) or page_of_figure(reader)
        query = f"?{request.query_string.decode()}" if request.query_string else ""
        return redirect(url(f"{path}{query}")) if path else None


def shell(reader: Reader) -> Component:
    """Return the frame around every page: skip link, header with navigation, help and colour scheme, the page."""
    replica = [notice_of_replica(reader.warehouse)] if isinstance(reader.warehouse, Replica) else []
    around: Component = dmc.MantineProvider(
        [
            html.A("Skip to the page", href="#main", className="skip-link"),
            dcc.Store(id="drawn-scheme"),
            html.Header(
                [
                    html.A(
                        [html.Span(className="brand-mark"), html.Span("Himalaya", className="brand-name")],
                        href=url("/"),
                        className="brand",
                        title="Home",
                    ),
                    html.Button(
                        [icon("menu"), html.Span(id="menu-page"), html.Span(": pages", className="visually-hidden")],
                        id="menu",
                        type="button",
                        className="button",
                        **aria(expanded="false", controls="navigation"),
                    ),
                    html.Nav(
                        [
                            *(html.A(name, href=url(path), className="nav-link") for name, path in NAVIGATION),
                            html.A(
                                ["Imports", html.Span(badge(reader), id="imports-badge", className="badge")],
                                href=url(IMPORTS),
                                className="nav-link nav-apart",
                            ),
                        ],
                        id="navigation",
                        **aria(label="Pages"),
                    ),
                    *signed_in(),
                    html.Button(
                        "?",
                        id="help",
                        type="button",
                        className="help",
                        title="Help",
                        **aria(label="Help", expanded="false", controls="help-menu"),
                    ),
                    help_menu(),
                    dmc.ColorSchemeToggle(
                        id="scheme",
                        lightIcon=icon("sun"),
                        darkIcon=icon("moon"),
                        variant="default",
                        size="lg",
                        **aria(label="Switch between light and dark"),
                    ),
                ],
                className="header",
            ),
            *replica,
            html.Main([html.Div(id="problem", role="alert"), page_container], id="main", tabIndex=-1),
        ],
        theme=MANTINE,
        defaultColorScheme="auto",
    )
    return around


def badge(reader: Reader) -> list[Any] | None:
    """Return the number of quarantined logs; `None` if there are none, or if it is unknown."""
    try:
        quarantined = 0 if reader.of_lake else int(quarantine_reasons(reader)["rows"].sum())
    except DatabaseError:
        return None
    return [f"{quarantined:,}", html.Span(" quarantined", className="visually-hidden")] if quarantined else None


def help_menu() -> Component:
    """Return links to the documentation, the glossary and the rules of the games."""
    links = [html.A(name, href=url(path), className="help-link") for name, path in HELP]
    words = html.Div(html.A("Glossary", href=url("/glossary"), className="help-link"), className="carries")
    guides = [(title_of(game), guide) for game in GAMES if (guide := analytics_of(game).guide)]
    rules = [html.A(name, href=url(f"{DOCUMENTATION}/{guide}"), className="help-link") for name, guide in guides]
    how = [html.Span("How to play", className="meta"), *rules] if rules else []
    return html.Nav([words, *links, *how], id="help-menu", className="help-menu", **aria(label="Help"))


def notice_of_replica(replica: Replica) -> Component:
    """Return the notice that the data are a backup or a lake, with its date and what a lake lacks."""
    at = replica.written_at
    moment = html.Time(f"{at:%Y-%m-%d %H:%M} UTC", dateTime=at.isoformat(timespec="seconds"))
    what, lacking = ("lake", LACKING) if replica.of_lake else ("backup", "")
    return html.P(
        [f"A replica, read-only: the {what} of ", moment, f".{lacking}"], className="replica-notice meta", role="note"
    )


def signed_in() -> list[Component]:
    """Return the signed-in user or the link to sign in, on servers with roles."""
    name, is_offered = who_is_here()
    if name is not None:
        out = html.Form(html.Button("Sign out", type="submit"), action=url(SIGN_OUT), method="POST")
        return [html.Div([html.Span(name, title=f"Signed in as {name}"), out], className="signed-in")]
    return [html.Div(html.A("Sign in", href=url(SIGN_IN)), className="signed-in")] if is_offered else []


def show_problem(error: Exception) -> None:
    """Show on the page that the database cannot be read; any other error is a bug and is raised again."""
    if not isinstance(error, DatabaseError):
        raise error
    set_props("problem", {"children": str(error)})

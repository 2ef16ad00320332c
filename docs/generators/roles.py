"""Generates the page of roles: the requests that each role may make, read from the routes."""

from collections.abc import Iterator
from typing import Final

from fastapi import FastAPI
from fastapi.routing import APIRoute

from dashboards.web.access import Scope
from dashboards.web.application import create_web
from dashboards.web.routing import Services
from ingest.inbox.receive import Intake
from ingest.opening import open_warehouse
from ingest.people.tokens import ROLES, Role
from ingest.warehouse import IN_MEMORY

__all__ = ["COLUMNS", "page", "roles_by_route", "web"]

COLUMNS: Final = (Role.VIEWER, Role.EDITOR, Role.OPERATOR, Role.SENDER)
BEGINS: Final = """\
# Roles

A token has one or more roles; the table shows the requests that each role may make.

- Requests from the server's own machine may do everything, unless you start it with `--require-token`.
- With `--public-read`, everyone is a viewer.
- Viewers may open all pages. This documentation, scripts and styles need no role.
- Operators also see the reports of others, and `/metrics`.

| request | what it does | viewer | editor | operator | sender |
|---|---|---|---|---|---|
"""


def roles_by_route(app: FastAPI) -> Iterator[tuple[str, str, str, list[Role]]]:
    """Yield method, path, summary and allowed roles of each documented route."""
    for route in app.routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            needed = getattr(route.endpoint, "needs", frozenset({Scope.READ}))
            may = [role for role in COLUMNS if not needed or needed & ROLES[role]]
            for method in sorted(route.methods or ()):
                yield method, route.path_format, route.summary or "", may


def web() -> FastAPI:
    """Return a web application without pages, used only to list its routes."""
    with open_warehouse(IN_MEMORY) as warehouse:
        services = Services.of(warehouse, Intake(warehouse))
        try:
            return create_web(services)
        finally:
            services.close()


def page() -> str:
    """Return the page as Markdown."""
    rows = sorted(roles_by_route(web()), key=lambda row: (row[1], row[0]))
    lines = (
        f"| `{method} {path}` | {summary} | {' | '.join('yes' if role in may else '' for role in COLUMNS)} |\n"
        for method, path, summary, may in rows
    )
    return BEGINS + "".join(lines)

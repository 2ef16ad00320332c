"""The page `docs/roles.md`: what each role may ask of the API, made from the routes themselves.

Generated again with `python -m tests.dashboards.roles > docs/roles.md`.
"""

import sys
from collections.abc import Iterator
from typing import Final

from fastapi import FastAPI
from fastapi.routing import APIRoute

from ingest.opening import open_warehouse
from ingest.people.tokens import ROLES, Role, Scope
from ingest.warehouse import IN_MEMORY
from tests.dashboards.client import everything

__all__ = ["COLUMNS", "page", "roles_by_route"]

COLUMNS: Final = (Role.VIEWER, Role.EDITOR, Role.OPERATOR, Role.SENDER)
BEGINS: Final = """\
# Who may what

A [token](operator.md#who-may-what) has one or more roles. Whoever is on the server's own machine may do everything,
unless it was started with `--require-token`; with `--public-read` everybody is a viewer. Pages are for viewers; an
operator also sees everybody's reports, and `/metrics`. This page is made by `python -m tests.dashboards.roles`.

| request | what it does | viewer | editor | operator | sender |
|---|---|---|---|---|---|
"""


def roles_by_route(web: FastAPI) -> Iterator[tuple[str, str, str, list[Role]]]:
    """Yield method, path, summary and allowed roles of each documented route."""
    for route in web.routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            needed = getattr(route.endpoint, "needs", frozenset({Scope.READ}))
            may = [role for role in COLUMNS if not needed or needed & ROLES[role]]
            for method in sorted(route.methods or ()):
                yield method, route.path_format, route.summary or "", may


def page() -> str:
    """Return the text of the page."""
    with open_warehouse(IN_MEMORY) as warehouse:
        rows = sorted(roles_by_route(everything(warehouse, has_pages=False).web), key=lambda row: (row[1], row[0]))
    lines = (
        f"| `{method} {path}` | {summary} | {' | '.join('yes' if role in may else '' for role in COLUMNS)} |\n"
        for method, path, summary, may in rows
    )
    return BEGINS + "".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())

"""The web application: the API and Dash's pages, with middleware in front of both."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from wsgiref.types import WSGIApplication

import anyio.to_thread
from a2wsgi import WSGIMiddleware
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import Receive, Scope, Send

from dashboards.queries.addresses import PREFIX, url
from dashboards.web import (
    bookmarks,
    branches,
    data,
    documentation,
    drafts,
    logs,
    matches,
    monitoring,
    operations,
    playouts,
    replay,
    reports,
    sign_in,
    studies,
    upload,
)
from dashboards.web.access import DOCUMENTATION, Access
from dashboards.web.errors import handlers
from dashboards.web.middleware import (
    LEAST_BODY,
    BodyLimit,
    HeadAsGet,
    PathPrefix,
    ReadersFirst,
    SecurityHeaders,
    TrustedProxies,
    in_wsgi,
)
from dashboards.web.policy import Authenticator, Policy
from dashboards.web.refusals import API, Refusal, Refused, refusal
from dashboards.web.request_log import RequestLog, write_down
from dashboards.web.routing import Services
from himalaya_core import __version__
from ingest.owner import OPERATIONS_PATH, Owner

__all__ = ["Settings", "create_web"]

THREADS: Final = 8
AHEAD_OF_CLIENT: Final = 256
"""Maximum number of chunks (8 KiB each for files) that a thread may produce before the client reads them."""
NOTHING: Final = "The API has no such address; {} lists all of them."
BY_HAND: Final[tuple[type, ...]] = (Refusal, upload.DroppedLog)
"""Models added to the OpenAPI document by hand, because no route declares them as its return type."""
UNUSED: Final = ("HTTPValidationError", "ValidationError")
"""Schemas that FastAPI adds for its validation errors. This API answers with `Refusal` instead."""
PACKED: Final = 6
"""Gzip level of answers; level 9 takes three times as long for answers 6% smaller."""
UNPACKED: Final = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/jsonl", *data.TYPES.values(), "font/*")
"""Media types sent without gzip: already compressed, large, or streamed line by line."""
API_OF: Final = (
    matches.routes,
    logs.routes,
    bookmarks.routes,
    branches.routes,
    playouts.branch_playout_routes,
    studies.routes,
    drafts.routes,
    upload.routes,
    replay.routes,
    playouts.routes,
    data.routes,
    reports.routes,
)
ABOUT: Final = "Send match logs, follow their loading, and read stored matches, replays, tables, figures and reports."
BEARER: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": """\
Create a token with `himalaya token create NAME`; it has one or more of the roles viewer, editor, operator and sender.
Requests from the server's own machine need no token, unless the server was started with `--require-token`. Requests
from other machines or through a proxy need one, except for reading from a server started with `--public-read`. A
missing token is answered with 401, a role that does not allow the request with 403.""",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server: policy, trusted proxies, path prefix, owner of operations, startup callback, built docs."""

    policy: Policy = field(default_factory=Policy)
    trusted_proxies: Sequence[str] = ()
    prefix: str = ""
    owner: Owner | None = None
    begin: Callable[[], None] = lambda: None
    documentation: Path = documentation.BUILT


def create_web(
    services: Services,
    pages: WSGIApplication | None = None,
    scripts: Callable[[], Sequence[str]] = tuple,
    settings: Settings = Settings(),
) -> FastAPI:
    """Return the application: the API and the pages; `scripts` returns the hashes of the pages' inline scripts."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        settings.begin()
        yield

    authenticator, numbers = Authenticator(services.warehouse, settings.policy), monitoring.Metrics(services)
    web = FastAPI(
        title="Himalaya",
        version=__version__,
        description=ABOUT,
        openapi_url=None,
        telemetry={"tracing": False, "metrics": False},
        redirect_slashes=False,
        separate_input_output_schemas=False,
        exception_handlers=handlers(services.reader),
        lifespan=lifespan,
    )
    for routes_of in API_OF:
        web.router.routes.extend(routes_of(services).routes)
    for router in (
        sign_in.routes(authenticator),
        operations.routes(services.warehouse),
        monitoring.routes(services),
        monitoring.metric_routes(numbers),
    ):
        web.router.routes.extend(router.routes)
    _describe(web)
    nothing = _Nothing(web.routes)
    web.router.routes += [Route(API, nothing, methods=None, include_in_schema=False), Mount(API, nothing)]
    web.router.routes += documentation.routes(settings.documentation)
    if pages is not None:
        web.mount("/", WSGIMiddleware(in_wsgi(pages), THREADS, AHEAD_OF_CLIENT))  # type: ignore[arg-type]
    most = {logs.LOGS: services.intake.limits.body, OPERATIONS_PATH: services.intake.limits.body}
    bodies = {path: max(size, LEAST_BODY) for path, size in most.items()} | {upload.DROP: upload.LIMITS.body}
    work = (OPERATIONS_PATH, logs.LOGS, monitoring.HEALTH, monitoring.READY, monitoring.METRICS, DOCUMENTATION)
    # the middleware added last handles a request first
    web.add_middleware(GZipMiddleware, compresslevel=PACKED, exclude_content_types=UNPACKED)
    web.add_middleware(ReadersFirst, warehouse=services.warehouse, work=work, long=data.TABLES)
    web.add_middleware(BodyLimit, most=bodies)
    web.add_middleware(Access, authenticator=authenticator, owner=settings.owner, routes=web.router.routes)
    web.add_middleware(HeadAsGet)
    web.add_middleware(RequestLog, listeners=(numbers.count, write_down))
    web.add_middleware(SecurityHeaders, scripts=scripts)
    web.add_middleware(TrustedProxies, trusted=settings.trusted_proxies)
    if settings.prefix:
        web.add_middleware(PathPrefix, prefix=settings.prefix)
    return web


def _describe(web: FastAPI) -> None:
    """Add the OpenAPI document; FastAPI builds it on the first request."""

    @web.get(f"{API}/openapi.json", operation_id="describe", summary="Get this OpenAPI document")
    def describe() -> dict[str, Any]:
        document = web.openapi()
        document["components"]["securitySchemes"] = {"token": BEARER}
        schemas = document["components"]["schemas"]
        _, more = TypeAdapter.json_schemas(
            [(each.__name__, "serialization", TypeAdapter(each)) for each in BY_HAND],
            ref_template="#/components/schemas/{model}",
        )
        schemas |= more["$defs"]
        for name in UNUSED:
            schemas.pop(name, None)
        for path in document["paths"].values():
            for operation in path.values():
                if UNUSED[0] in str(operation["responses"].get("422")):
                    del operation["responses"]["422"]
        here = {"servers": [{"url": PREFIX.get()}]} if PREFIX.get() else {}
        return document | here | {"security": [{}, {"token": []}]}


class _Nothing:
    """Answer 404 for an unknown API address, or 405 with the allowed methods for a wrong method."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unprefixed = {**scope, "root_path": ""}
        allowed = sorted(
            method
            for route in self._routes
            if isinstance(route, APIRoute) and route.matches(unprefixed)[0] is Match.PARTIAL
            for method in route.methods or ()
        )
        refused = Refused(HTTPStatus.NOT_FOUND, NOTHING.format(url("/api/openapi.json")))
        if allowed:
            message = f"this address does not allow {scope['method']}; use {' or '.join(allowed)}"
            refused = Refused(HTTPStatus.METHOD_NOT_ALLOWED, message, headers={"Allow": ", ".join(allowed)})
        await refusal(scope["path"], refused)(scope, receive, send)

"""Shared by the routes of the API: services, rate and size limits, cache headers, descriptions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Self

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict

from dashboards.queries.addresses import Key
from dashboards.queries.reader import Reader
from dashboards.replay.branches import Branches
from dashboards.replay.session_programs import Programs
from dashboards.replay.sessions import Drafts
from dashboards.report.render import Reports
from dashboards.web.access import caller
from dashboards.web.limiter import Rate
from dashboards.web.refusals import Refused
from himalaya_core.names import did_you_mean
from ingest.inbox.receive import Intake
from ingest.load.reviews import Playouts
from ingest.warehouse import Warehouse

__all__ = [
    "JSON",
    "NO_OBJECT",
    "NO_STORE",
    "UNCHANGED",
    "UNREADABLE",
    "WRITING",
    "Body",
    "Services",
    "as_body",
    "as_parameters",
    "at_most",
    "check_json",
    "check_keys",
    "invalid",
    "limited",
    "refusals",
]


@dataclass(frozen=True, slots=True)
class Services:
    """Services that the routes use. On a read-only warehouse, `programs` and `playouts` are `None`."""

    warehouse: Warehouse
    reader: Reader
    intake: Intake
    branches: Branches
    drafts: Drafts
    programs: Programs | None
    reports: Reports
    playouts: Playouts | None

    @classmethod
    def of(cls, warehouse: Warehouse, intake: Intake) -> Self:
        """Return the services of a warehouse; close them after use."""
        drafts, writes = Drafts(warehouse), not warehouse.read_only
        return cls(
            warehouse,
            Reader(warehouse),
            intake,
            Branches(),
            drafts,
            Programs(drafts) if writes else None,
            Reports(warehouse),
            Playouts(warehouse) if writes else None,
        )

    def close(self) -> None:
        """End the background work."""
        self.reports.jobs.close()
        if self.playouts is not None:
            self.playouts.jobs.close()
        if self.programs is not None:
            self.programs.close()


JSON: Final = "application/json"
UNCHANGED: Final = {"description": "Unchanged since the tag in If-None-Match"}
UNREADABLE: Final = {503: "The database cannot be read at present"}
WRITING: Final = {
    401: "A token is required, or the one sent is unknown",
    403: "The role does not allow this; or a request without a token came from another site or for another host",
    429: "Too many requests within a minute",
    503: "Nothing can be written at present",
}
NO_OBJECT: Final = "body: expected a JSON object, found something else"
REFUSAL: Final = {"$ref": "#/components/schemas/Refusal"}
HEADERS: Final = {
    401: {"WWW-Authenticate": {"description": "Bearer", "schema": {"type": "string"}}},
    429: {"Retry-After": {"description": "seconds to wait", "schema": {"type": "string"}}},
}


class Body(BaseModel):
    """A body that is a JSON object; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def given(self, *without: str) -> dict[str, Any]:
        """Return the fields that the client sent, except those named in `without`."""
        return self.model_dump(exclude_unset=True, exclude=set(without))


def refusals(*reasons: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of a route by status, for FastAPI's `responses`."""
    return {
        status: {**as_body(text, REFUSAL), "headers": HEADERS.get(status, {})}
        for each in reasons
        for status, text in each.items()
    }


def as_body(text: str, schema: Mapping[str, Any], *kinds: str) -> dict[str, Any]:
    """Describe an answer for FastAPI's `responses`; its media types are `kinds`, JSON by default."""
    return {"description": text, "content": {kind: {"schema": schema} for kind in kinds or (JSON,)}}


def as_parameters(keys: Iterable[Key]) -> dict[str, Any]:
    """Describe query keys for FastAPI's `openapi_extra`, for routes that read the query without FastAPI."""
    described = [{"name": key.name, "in": "query", "description": key.text, "schema": dict(key.schema)} for key in keys]
    return {"parameters": described}


def check_keys(request: Request, names: Collection[str]) -> None:
    """Refuse an unknown query key, which would otherwise be ignored."""
    for name in request.query_params:
        if name not in names:
            near = did_you_mean(name, names)
            message = f"{request.url.path} has no parameter {name[:40]!r}{near}"
            raise Refused(HTTPStatus.BAD_REQUEST, message)


def check_json(request: Request) -> None:
    """Refuse a body if its Content-Type is not JSON; HTML forms on other sites cannot send that type."""
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        message = f"Content-Type: expected {JSON}, found {kind or 'none'}"
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)


def limited(most: int | Rate) -> Any:
    """Return a dependency that limits each caller to `most` requests a minute. Routes that share it share the limit."""
    rate = Rate(most) if isinstance(most, int) else most

    async def count() -> None:
        rate.count(caller().key)

    return Depends(count)


def at_most(size: int) -> Any:
    """Return a dependency that limits the request body to `size` bytes."""

    async def check(request: Request) -> None:
        found = len(await request.body())
        if found > size:
            message = f"body: expected at most {size} bytes, found more"
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, size, found)

    return Depends(check)


async def _no_store(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


NO_STORE: Final = Depends(_no_store)
"""Dependency that keeps caches from storing the answer."""


def invalid(request: Request, error: RequestValidationError) -> Refused:
    """Return the refusal of a path, query or body that does not fit the description of its route."""
    found = error.errors()[0]
    where, *names = found["loc"]
    name = ".".join(str(each) for each in names)
    if where == "body":
        try:
            check_json(request)
        except Refused as refused:
            return refused
        if found["type"] == "extra_forbidden":
            fields = ", ".join(sorted(request.scope["route"].body_field.field_info.annotation.model_fields))
            return Refused(HTTPStatus.BAD_REQUEST, f"body: expected only {fields}, found {name[:40]!r}")
        if not name or found["type"] == "json_invalid":
            return Refused(HTTPStatus.BAD_REQUEST, NO_OBJECT)
    given = "none" if found["type"] == "missing" else repr(str(found["input"])[:40])
    return Refused(HTTPStatus.BAD_REQUEST, f"{name}: expected {_expected(found)}, found {given}")


def _expected(found: Mapping[str, Any]) -> str:
    context = found.get("ctx", {})
    if "ge" in context:
        return f"a whole number from {context['ge']}"
    if "le" in context:
        return f"a whole number up to {context['le']}"
    words = {
        "missing": "a value",
        "int_parsing": "a whole number",
        "string_pattern_mismatch": f"a text that matches {context.get('pattern')}",
    }
    return words.get(found["type"], str(found["msg"]).removeprefix("Input should be "))

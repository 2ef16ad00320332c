"""A client of the web application within the test process, and the application with all services."""

import threading
from collections.abc import Iterable, Mapping
from functools import cache
from json import dumps, loads
from typing import Any, Final
from urllib.parse import urlencode

import anyio
import httpx2 as httpx
from anyio.from_thread import BlockingPortal
from dash import Dash
from starlette.testclient import TestClient

from dashboards.app import add_callbacks_of_pages, create_app
from dashboards.web.application import Settings, create_web
from dashboards.web.middleware import hashes_of_scripts
from dashboards.web.policy import Policy
from dashboards.web.routing import Services
from ingest.inbox.receive import Intake
from ingest.warehouse import Warehouse

__all__ = ["PROXY", "Answer", "Client", "everything"]

LOCAL: Final = Policy()
PROXY: Final = "192.0.2.99"
"""Address of the trusted proxy of all servers here."""


@cache
def _portal() -> BlockingPortal:
    """Return the event loop shared by all servers here, which runs in its own thread."""
    found, is_there = list[BlockingPortal](), threading.Event()

    async def run() -> None:
        async with BlockingPortal() as portal:
            found.append(portal)
            is_there.set()
            await portal.sleep_until_stopped()

    threading.Thread(target=anyio.run, args=(run,), daemon=True).start()
    is_there.wait()
    return found[0]


class Answer:
    def __init__(self, found: httpx.Response) -> None:
        self.status_code = int(found.status_code)
        self.headers = found.headers
        self.data = b"".join(found.iter_raw())
        self.path = found.url.path

    @property
    def mimetype(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0]

    @property
    def text(self) -> str:
        return self.data.decode()

    @property
    def location(self) -> str:
        return str(self.headers["Location"])

    @property
    def json(self) -> Any:
        return loads(self.data)


class Client:
    """Sends requests to a server from one address; `services` are the server's services."""

    def __init__(self, web: Any, services: Services, address: str = "127.0.0.1") -> None:
        self.web = web
        self.services = services
        self.asking = TestClient(
            web,
            base_url="http://localhost",
            raise_server_exceptions=False,
            follow_redirects=False,
            client=(address, 50_000),
            headers={"Accept-Encoding": "identity"},
        )
        self.asking.portal = _portal()

    def another(self, address: str = "127.0.0.1") -> "Client":
        """Return another client of the same server without cookies; from `PROXY` its forwarded headers are trusted."""
        return Client(self.web, self.services, address)

    def open(
        self,
        path: str,
        method: str = "GET",
        *,
        json: Any = None,
        data: bytes | str | Iterable[bytes] | Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        content_type: str | None = None,
        query_string: Mapping[str, Any] | None = None,
        via_proxy: bool = False,
        scheme: str = "http",
    ) -> Answer:
        """Send a request; `data` is the body, or a form's fields."""
        if via_proxy:
            given = {"json": json, "data": data, "headers": headers, "content_type": content_type}
            return self.another(PROXY).open(path, method, **given, query_string=query_string)
        said: dict[str, Any] = {name: value.encode("latin-1") for name, value in (headers or {}).items()}
        if content_type is not None:
            said["Content-Type"] = content_type
        if json is not None:
            data = dumps(json)
            said.setdefault("Content-Type", "application/json")
        if isinstance(data, Mapping):
            data = urlencode(data)
            said.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if query_string:
            path = f"{path}?{urlencode(query_string, doseq=True)}"
        with self.asking.stream(method, f"{scheme}://localhost{path}", content=data, headers=said) as found:
            return Answer(found)

    def get(self, path: str, **named: Any) -> Answer:
        return self.open(path, "GET", **named)

    def head(self, path: str, **named: Any) -> Answer:
        return self.open(path, "HEAD", **named)

    def post(self, path: str, **named: Any) -> Answer:
        return self.open(path, "POST", **named)

    def put(self, path: str, **named: Any) -> Answer:
        return self.open(path, "PUT", **named)

    def patch(self, path: str, **named: Any) -> Answer:
        return self.open(path, "PATCH", **named)

    def delete(self, path: str, **named: Any) -> Answer:
        return self.open(path, "DELETE", **named)


def everything(
    warehouse: Warehouse,
    intake: Intake | None = None,
    policy: Policy = LOCAL,
    *,
    has_pages: bool = True,
    pages: Dash | None = None,
    prefix: str = "",
) -> Client:
    """Return a client of a server with all services; background work runs only if requested."""
    services, settings = Services.of(warehouse, intake or Intake(warehouse)), Settings(policy, (PROXY,), prefix)
    if not has_pages:
        return Client(create_web(services, settings=settings), services)
    pages = pages or create_app(warehouse, prefix)
    add_callbacks_of_pages(pages)
    return Client(create_web(services, pages.server, lambda: hashes_of_scripts(pages), settings), services)

"""Records the responses of a real server to every route of the API: `python -m tests.dashboards.web.answers`.

Requests go over HTTP to `himalaya serve` with golden matches, so they do not depend on the server's internals. Values
that differ between runs (ids, times, versions of packages) are replaced by a name. Long responses are stored as their
structure and a digest.
"""

import json
import re
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.operations import run_operation
from ingest.pipeline import ingest

FILE: Final = Path(__file__).with_suffix(".jsonl")
PLANS: Final = (
    Plan("walls", "climbers", ("greedy", "random", "blocker"), 2),
    Plan("ropes", "summit", ("racer", "porter"), 3),
    Plan("three", "caravan", ("trader", "greedy", "random"), 2),
)
MATCH: Final = "ropes.000001"
LOG: Final = (Path(__file__).parents[2] / "golden" / "summit-4.jsonl").read_bytes()
HEADERS: Final = (
    "Content-Type",
    "Content-Disposition",
    "Content-Encoding",
    "Content-Range",
    "Accept-Ranges",
    "Cache-Control",
    "Allow",
    "Location",
    "Retry-After",
    "Vary",
    "WWW-Authenticate",
)
VARIES: Final = (
    (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?", "TIME"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "UUID"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"),
    (r"127\.0\.0\.1:\d+", "HOST"),
    (r'"(done|total)": \d+', r'"\1": COUNT'),  # progress of a report
    (r'"step": "[^"]*"', '"step": STEP'),
    (r'"status": "(?:waiting|running)"', '"status": UNDER_WAY'),
    (r'(?<=id="replay-study">)[^<]+', "PACKED"),  # the value contains times
)
AS_TEXT: Final = 1_500
"""Maximum length of a response stored as a whole, in characters."""
DEADLINE: Final = 60

Step = tuple[str, str, str, Any, dict[str, str]]


def asks(*said: Any, **headers: str) -> Step:
    """Return a request as a tuple: its name, method, address, and optional body."""
    name, method, address, *body = said
    return (
        name,
        method,
        address,
        body[0] if body else None,
        {key.replace("_", "-"): each for key, each in headers.items()},
    )


def steps() -> Iterator[Step]:
    """Yield the requests in order; `{name}` is replaced by the id in the response to the request of that name."""
    yield from matches()
    yield from replays()
    yield from notes()
    yield from branches()
    yield from studies()
    yield from records()
    yield from tables()
    yield from intake()
    yield from refusals()


def matches() -> Iterator[Step]:
    """Request lists and logs of matches."""
    yield asks("matches", "GET", "/api/matches")
    yield asks("matches of a game", "GET", "/api/matches?game=summit&sort=-rounds&stop=1")
    yield asks("matches, an unknown key", "GET", "/api/matches?gmae=summit")
    yield asks("matches, a bad number", "GET", "/api/matches?stop=many")
    yield asks("log", "GET", f"/api/matches/{MATCH}")
    yield asks("log of nothing", "GET", "/api/matches/nothing")
    yield asks("openapi", "GET", "/api/openapi.json")


def replays() -> Iterator[Step]:
    """Request everything about a match of each game, and about an uploaded log."""
    for match in ("walls.000001", MATCH, "three.000001"):
        place = f"/api/replay/{match}"
        yield asks(f"replay {match}", "GET", place)
        yield asks(f"replay {match} of a seat", "GET", f"{place}?view=1")
        yield asks(f"position {match}", "GET", f"{place}/position.json?ply=9&view=1")
        yield asks(f"text {match}", "GET", f"{place}/position.txt?ply=9")
        yield asks(f"picture {match}", "GET", f"{place}/board.svg?ply=9&part=board&theme=dark")
        yield asks(f"same luck {match}", "GET", f"{place}/same-luck")
        yield asks(f"origin {match}", "GET", f"{place}/origin")
        yield asks(f"offline {match}", "GET", f"{place}/offline.html?view=1")
    yield asks("opens", "GET", "/api/replay/walls.000001/opens?ply=40&view=1")
    yield asks("chances", "GET", f"/api/replay/{MATCH}/chances")
    yield asks("review", "GET", f"/api/replay/{MATCH}/review?view=1")
    yield asks("png", "GET", f"/api/replay/{MATCH}/board.png?ply=4&part=board")
    yield asks("replay, a bad seat", "GET", f"/api/replay/{MATCH}?view=9")
    yield asks("position, a bad ply", "GET", f"/api/replay/{MATCH}/position.json?ply=x")
    yield asks("replay of nothing", "GET", "/api/replay/nothing")
    yield asks("a log sent along", "POST", "/api/replay", LOG)
    yield asks("a log sent along, as a seat", "POST", "/api/replay?view=1", LOG)
    yield asks("no log sent along", "POST", "/api/replay", b"{}\n")
    yield asks("playouts", "GET", f"/api/replay/{MATCH}/playouts")
    yield asks("playouts of nothing", "POST", "/api/replay/nothing/playouts")
    yield asks("confirmation", "GET", f"/api/replay/{MATCH}/confirmations/9")
    yield asks("confirmation of nothing", "POST", "/api/replay/nothing/confirmations/9")


def notes() -> Iterator[Step]:
    """Set, find, change and remove a bookmark."""
    place = "/api/bookmarks"
    yield asks("bookmark", "POST", place, {"match": MATCH, "ply": "4", "label": "look", "tags": ["a"]})
    yield asks("bookmarks", "GET", f"{place}?match={MATCH}")
    yield asks("bookmarks by word", "GET", f"{place}?q=look&limit=3")
    yield asks("bookmark changed", "PATCH", place + "/{bookmark}", {"label": "look again"})
    yield asks("bookmark of nothing", "POST", place, {"match": "nothing", "label": "look"})
    yield asks("bookmark without a label", "POST", place, {"match": MATCH})
    yield asks("bookmark changed by nothing", "PATCH", place + "/{bookmark}", {})
    yield asks("bookmark removed", "DELETE", place + "/{bookmark}")
    yield asks("bookmark removed again", "DELETE", place + "/{bookmark}")


def branches() -> Iterator[Step]:
    """Branch from a position, read the branch, and remove it."""
    place, otherwise = "/api/branches", {"match": MATCH, "seq": 2, "luck": "answers"}
    yield asks("what if", "POST", place, otherwise)
    yield asks("branch", "POST", place, {**otherwise, "then": {"go_on": {"decisions": 3}}, "keep": "named"})
    yield asks("an action checked", "POST", f"{place}/check", {**otherwise, "action": {"type": "pass", "seat": 0}})
    yield asks("what if of nothing", "POST", place, {"match": "nothing", "seq": 0})
    yield asks("what if, a bad place", "POST", place, {"match": MATCH, "seq": -1})
    yield asks("branches", "GET", f"{place}?match={MATCH}")
    yield asks("branch shown", "GET", place + "/{branch}")
    yield asks("branch as a log", "GET", place + "/{branch}/log.jsonl")
    yield asks("branch offline", "GET", place + "/{branch}/offline.html?view=1")
    yield asks("branch removed", "DELETE", place + "/{branch}")
    yield asks("branch of nothing", "GET", f"{place}/nothing")
    yield asks("branch of nothing removed", "DELETE", f"{place}/nothing")
    yield asks("branch played out", "POST", f"{place}/nothing/playouts", {})


def studies() -> Iterator[Step]:
    """Write a study, read it, update it by version, and remove it."""
    place = "/api/studies"
    chapter = {"match": MATCH, "ply": "4", "title": "One", "text": "Look *here*."}
    yield asks("study", "POST", place, {"title": "Storms", "chapters": [chapter]})
    yield asks("studies", "GET", place)
    yield asks("study exported", "GET", place + "/{study}")
    yield asks("study read", "GET", place + "/{study}/reading")
    yield asks("study offline", "GET", place + "/{study}/offline.html")
    yield asks("study changed", "PUT", place + "/{study}", {"title": "Calm", "chapters": []})
    yield asks(
        "study changed against another", "PUT", place + "/{study}", {"title": "x", "chapters": []}, If_Match='"0"'
    )
    yield asks("study without a title", "POST", place, {"chapters": []})
    yield asks("study removed", "DELETE", place + "/{study}")
    yield asks("study of nothing", "GET", f"{place}/nothing")


def records() -> Iterator[Step]:
    """Record a match, undo, view it as a seat, submit it unfinished, and remove it."""
    place, one = "/api/records", "/api/records/{record}"
    setup = {"game": "summit", "seats": [{"name": "Anna"}, {"name": "Ben"}]}
    yield asks("record", "POST", place, setup)
    yield asks("records", "GET", place)
    yield asks("an entry", "POST", f"{one}/actions", {"expects": 0, "text": "first 1"})
    yield asks("an entry that says nothing", "POST", f"{one}/actions", {"expects": 1, "text": "dance"})
    yield asks("an entry too late", "POST", f"{one}/actions", {"expects": 0, "text": "first 1"})
    yield asks("an entry checked", "POST", f"{one}/check", {"text": "first 2"})
    yield asks("a seat taken", "POST", f"{one}/seats", {"seat": 0})
    yield asks("record shown", "GET", one)
    yield asks("record shown to a seat", "GET", f"{one}?seat=1")
    yield asks("record as a log", "GET", f"{one}/log.jsonl")
    yield asks("record as text", "GET", f"{one}/notation.txt")
    yield asks("entries undone", "POST", f"{one}/undo", {"expects": 1, "to": 0})
    yield asks("handed in too early", "POST", f"{one}/hand-in", {"expects": 9})
    yield asks("record removed", "DELETE", one)
    yield asks("record of nothing", "GET", f"{place}/nothing")
    yield asks("record of no game", "POST", place, {"game": "chess", "seats": []})


def tables() -> Iterator[Step]:
    """Request tables and figures, in parts and whole, and reports."""
    yield asks("tables", "GET", "/api/tables")
    yield asks("table as csv", "GET", "/api/tables/dim_seats.csv?columns=player,seat&game=summit")
    yield asks("a column of nothing", "GET", "/api/tables/dim_seats.csv?columns=nothing")
    yield asks("table as parquet", "GET", "/api/tables/fct_summit_moves.parquet?columns=seat")
    yield asks("a part of a table", "GET", "/api/tables/dim_seats.csv?columns=player", Range="bytes=0-9")
    yield asks("a table of nothing", "GET", "/api/tables/nothing.csv")
    yield asks("a table in no format", "GET", "/api/tables/dim_seats.xls")
    yield asks("figures", "GET", "/api/figures?game=summit")
    yield asks("figure", "GET", "/api/figures/win-share?game=summit")
    yield asks("figure as csv", "GET", "/api/figures/win-share.csv?game=summit")
    yield asks("a figure of nothing", "GET", "/api/figures/nothing")
    yield asks("a figure of no game", "GET", "/api/figures/win-share?game=chess")
    yield asks("a report in no format", "POST", "/api/reports", {"format": "scroll"})
    yield asks("report", "POST", "/api/reports", {"format": "xlsx", "filter": "game=summit"})
    yield asks("report looked at", "GET", "/api/reports/{report}")
    yield asks("report cancelled", "DELETE", "/api/reports/{report}")
    yield asks("report of nothing", "GET", "/api/reports/nothing/file")


def intake() -> Iterator[Step]:
    """Send a log twice, a log from another site, and an invalid one."""
    yield asks("logs", "POST", "/api/logs?tournament=spring", LOG)
    yield asks("receipt", "GET", "/api/logs/{logs}")
    yield asks("logs again", "POST", "/api/logs?tournament=spring", LOG)
    yield asks("logs that are none", "POST", "/api/logs", b"{}\n")
    yield asks("no logs", "POST", "/api/logs", b"")
    yield asks("logs packed badly", "POST", "/api/logs", b"abc", Content_Encoding="gzip")
    yield asks("logs in an unknown packing", "POST", "/api/logs", b"abc", Content_Encoding="br")
    yield asks("logs for a bad name", "POST", "/api/logs?tournament=%00", LOG)
    yield asks("receipt of nothing", "GET", f"/api/logs/{'0' * 64}")


def refusals() -> Iterator[Step]:
    """Send requests that no route accepts."""
    yield asks("nothing there", "GET", "/api/nothing")
    yield asks("another method", "PUT", "/api/matches")
    yield asks("no JSON", "POST", "/api/bookmarks", b"{", Content_Type="application/json")
    yield asks("another type", "POST", "/api/bookmarks", b"a=1", Content_Type="text/plain")
    yield asks("another site", "POST", "/api/bookmarks", {"label": "x"}, Origin="http://elsewhere.example")
    yield asks("another host", "GET", "/api/matches", Host="elsewhere.example")
    yield asks("a bad token", "GET", "/api/matches", Authorization="Bearer nothing")
    yield asks("health", "GET", "/healthz")
    yield asks("readiness", "GET", "/readyz")


@contextmanager
def serving(database: Path) -> Iterator[int]:
    """Serve a database on this machine and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "himalaya_core.cli.main", "serve", "--db", str(database), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + DEADLINE
            while time.monotonic() < until:
                try:
                    if asked(port, "GET", "/readyz", None, {})[0] == 200:
                        break
                except OSError:
                    time.sleep(0.05)
            yield port
        finally:
            server.terminate()


def asked(port: int, method: str, address: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, bytes]:
    """Return status, headers and body of a response."""
    connection = HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    try:
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        more = {} if isinstance(body, bytes | None) else {"Content-Type": "application/json"}
        connection.request(method, address, sent, {**more, **headers})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def answers() -> list[dict[str, Any]]:
    """Return a server's responses to all requests."""
    with TemporaryDirectory() as folder:
        database, logs = Path(folder) / "w.duckdb", Path(folder) / "logs"
        for plan in PLANS:
            run_tournament(plan, logs, 1)
        ingest([logs], database, processes=0)
        run_operation(database, "review", {})  # otherwise the server would do it during the requests
        known: dict[str, str] = {}
        with serving(database) as port:
            return [answer_to(port, step, known) for step in steps()]


def answer_to(port: int, step: Step, known: dict[str, str]) -> dict[str, Any]:
    """Return the response to a request, and store its id under the request's name."""
    name, method, address, body, headers = step
    status, said, found = asked(port, method, address.format_map(defaultdict(lambda: "unknown", known)), body, headers)
    if status == 202 and name == "logs":  # until it is loaded, its receipt has the status waiting
        until = time.monotonic() + DEADLINE
        place = f"/api/logs/{json.loads(found)['receipt']}"
        while b'"waiting"' in asked(port, "GET", place, None, {})[2] and time.monotonic() < until:
            time.sleep(0.05)
    shown = {header: said[header] for header in HEADERS if header in said}
    text = found.decode("utf-8", "backslashreplace")
    if said.get_content_type() == "application/json":
        given = json.loads(text)
        if isinstance(given, dict) and status < 300 and (own := given.get("id", given.get("receipt"))):
            known[name] = str(own)
        text = json.dumps(given, ensure_ascii=False, sort_keys=True)
    for of, number in known.items():
        for part in (number, number[:8]):  # a recorded match is named after the start of its id
            text = text.replace(part, of.upper())
            shown = {header: value.replace(part, of.upper()) for header, value in shown.items()}
    for pattern, word in VARIES:
        text = re.sub(pattern, word, text)
    return {"name": name, "method": method, "address": address, "status": status, "headers": shown, **kept(text)}


def kept(text: str) -> dict[str, Any]:
    """Return a response as it is stored: the whole, or its digest and JSON structure."""
    if len(text) <= AS_TEXT:
        return {"text": text}
    try:
        made = shape(json.loads(text))
    except ValueError:
        made = None
    return {"sha256": sha256(text.encode()).hexdigest(), "characters": len(text), "shape": made}


def shape(value: Any, depth: int = 2) -> Any:
    """Return the keys of a response, two levels deep."""
    if isinstance(value, dict):
        return {key: shape(each, depth - 1) for key, each in value.items()} if depth else "object"
    if isinstance(value, list):
        return [shape(value[0], depth - 1)] if value and depth else "array"
    return type(value).__name__


if __name__ == "__main__":
    FILE.write_text("".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in answers()), "utf-8")

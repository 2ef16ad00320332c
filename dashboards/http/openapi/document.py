"""The OpenAPI document of the API: made from the records it answers with, so that the two agree."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from dashboards.games.analytics import all_analytics
from dashboards.http.openapi.bookmarks import RECORDS as BOOKMARK_RECORDS
from dashboards.http.openapi.bookmarks import bookmark_paths
from dashboards.http.openapi.parts import (
    API,
    IF_NONE_MATCH,
    UNREADABLE,
    Answer,
    Part,
    Refusal,
    answers,
    path_parameter,
    query,
    ref,
)
from dashboards.http.openapi.replay import RECORDS, replay_paths
from dashboards.warehouse.filters import VERDICTS
from dashboards.warehouse.matches import MATCH_COLUMNS, STATUSES
from himalaya_core.arena.plan_file import TOURNAMENT_NAME
from ingest.load.summary import Summary
from ingest.receive.inbox import Encoding
from ingest.receive.receive import Receipt, Status

__all__ = ["API", "LOGS", "Refusal", "as_json", "document", "shown"]

LOGS: Final = f"{API}/logs"
SORTS: Final = [*MATCH_COLUMNS, *(f"-{column}" for column in MATCH_COLUMNS)]
BODY_TYPES: Final = ("application/jsonl", "application/gzip", "application/zstd", "application/octet-stream")


@dataclass(frozen=True, slots=True)
class ReceivedLog:
    """What became of a body of logs. `receipt` is its SHA-256.

    `accepted`: it is safe on the server's disk; `pending`: it waits there, `problem` says why if it has to; `taken`: it
    was taken in, `summary` says what of it.
    """

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None
    problem: str | None
    links: dict[str, str]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as the list of matches shows it."""

    match: str
    game: str
    tournament: str | None
    line_up: str
    winner: str | None
    margin: int | None
    gap: int | None
    gap_unit: str | None
    lowest: float | None
    lowest_ply: int | None
    rounds: int
    events: int
    status: str
    players: int
    luck: str | None
    file: str
    verdict: str
    luck_verdict: str | None


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A part of the list of matches, and how long the whole list is."""

    rows: list[MatchRow]
    total: int


def shown(receipt: Receipt) -> ReceivedLog:
    """Return a receipt as the API shows it."""
    facts = {each.name: getattr(receipt, each.name) for each in fields(receipt)}
    facts["received_at"] = receipt.received_at.replace(tzinfo=UTC)
    return ReceivedLog(**facts, links={"self": f"{LOGS}/{receipt.receipt}", "matches": f"{API}/matches"})


def as_json(record: Any) -> Any:
    """Return a record as the API answers with it."""
    return TypeAdapter(type(record)).dump_python(record, mode="json")


def document(*others: Part) -> dict[str, Any]:
    """Return the document, OpenAPI 3.1; `others` are served beside what this package serves."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Himalaya",
            "version": version("himalaya"),
            "description": "Send logs of matches, ask what became of them, and read what is stored.",
        },
        "security": [{}, {"token": []}],
        "paths": {
            LOGS: {"post": _receive()},
            f"{LOGS}/{{receipt}}": {"get": _what_became_of()},
            f"{API}/matches": {"get": _matches()},
            f"{API}/matches/{{match}}": {"get": _log()},
            **replay_paths(),
            **bookmark_paths(),
            f"{API}/openapi.json": {"get": _itself()},
            **{path: operations for part in others for path, operations in part.paths.items()},
        },
        "components": {
            "schemas": _schemas(record for part in others for record in part.records),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "`himalaya token create NAME` makes one, for some of the scopes read, send, write, "
                    "run and operate. On the server's own machine reading and reports need none, and nothing does "
                    "as long as there is none. From other machines and through a proxy everything needs one, but "
                    "reading where the server was started with `--public-read`: 401 without, 403 if its scopes "
                    "are others.",
                }
            },
        },
    }


def _receive() -> dict[str, Any]:
    receipt = ref(ReceivedLog)
    place = {"Location": "where to ask what became of it"}
    types = {"schema": {"contentMediaType": "application/jsonl"}}
    return {
        "operationId": "sendLogs",
        "summary": "Send logs",
        "description": "The body is JSON Lines, plain or one gzip or zstd stream, recognised by its first bytes; it is "
        "kept as it is sent. Content-Encoding may say the same; data compressed twice is refused. The answer comes "
        "once the body is safe on the disk. Sending the same bytes again changes nothing.",
        "security": [{}, {"token": []}],
        "parameters": [
            query("tournament", "given to matches whose log names none", {"pattern": f"^{TOURNAMENT_NAME}$"}),
            {
                "name": "Content-Encoding",
                "in": "header",
                "description": "how the body is compressed",
                "schema": {"enum": [str(encoding) for encoding in Encoding]},
            },
        ],
        "requestBody": {"required": True, "content": dict.fromkeys(BODY_TYPES, types)},
        "responses": answers(
            {
                "202": Answer("It is safe on disk and will be loaded soon", receipt, headers=place),
                "200": Answer("It was sent before and is loaded", receipt, headers=place),
            },
            {
                "400": "The body is empty, or the tournament's name is not allowed",
                "401": "A token is needed, or the one sent is unknown to this server",
                "403": "The token is not for sending; or without a token, it came from a page of another site or under "
                "another name",
                "413": "The body is too large, or has too many lines",
                "415": "The Content-Type is not that of a log",
                "422": "The compressed body is damaged, compressed twice, or not as Content-Encoding says",
                "429": "Too many requests within a minute",
                "503": "Nothing can be written here",
                "507": "The disk is full",
            },
        ),
    }


def _what_became_of() -> dict[str, Any]:
    return {
        "operationId": "askReceipt",
        "summary": "What became of logs that were sent",
        "parameters": [path_parameter("receipt", "SHA-256 of the body as it was sent", "^[0-9a-f]{64}$")],
        "responses": answers(
            {"200": Answer("What is known of it", ref(ReceivedLog))}, {"404": "Nothing was received under that digest"}
        ),
    }


def _matches() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 0}
    names = {"type": "array", "items": {"type": "string"}}
    return {
        "operationId": "listMatches",
        "summary": "The list of matches, filtered, sorted, a part of it",
        "parameters": [
            query("start", "the first row, from 0", count | {"default": 0}),
            query("stop", "the row after the last: 100 rows if left out, never more than 1,000", count),
            query("sort", "by which column; with a leading -, largest first", {"enum": SORTS, "default": "match"}),
            query("find", "a part of the name or of the line-up", {"type": "string"}),
            query("game", "of this game; if left out, of the one most played", {"type": "string"}),
            query("tournament", "of one of these tournaments, `(none)` for none", names),
            query("option", "all of these options hold, each as name=value", names),
            query("players", "of one of these sizes of table", {"type": "array", "items": count}),
            query("player", "a seat of one of these; one seat fits this and the next three", names),
            query("version", "a seat of one of these versions, each as in `envoy 1:horizon=2`", names),
            query("seat", "one of these seats, from 1", {"type": "array", "items": count}),
            query("result", "a seat that won, lost, or was eliminated by this", names),
            query("from", "ignored: a match has all its rounds", count),
            query("to", "ignored: a match has all its rounds", count),
            query("board", "on the board of this id", {"type": "string"}),
            query(
                "verdict", "on which the rules gave one of these verdicts", names | {"items": {"enum": list(VERDICTS)}}
            ),
            query("with", "all of these players sat at the table", names),
            query("ending", f"it ended so: {_endings()}", names),
            query("tag", "with a bookmark that has one of these tags", names),
            query("status", "with one of these statuses", {"type": "array", "items": {"enum": list(STATUSES)}}),
        ],
        "responses": answers(
            {"200": Answer("The rows, and how many there are in all", ref(MatchPage))},
            {"400": "There is no such parameter; the nearest is named", "503": UNREADABLE},
        ),
    }


def _endings() -> str:
    """Return the words for how matches end, game by game."""
    return "; ".join(", ".join(each.terms.endings) for each in all_analytics() if each.terms.endings)


def _log() -> dict[str, Any]:
    text = {"type": "string", "contentMediaType": "application/jsonl"}
    tag = {"ETag": "SHA-256 of the lines"}
    return {
        "operationId": "downloadLog",
        "summary": "The log of a match, as it was",
        "parameters": [path_parameter("match", "name of the match"), *IF_NONE_MATCH],
        "responses": answers(
            {
                "200": Answer("Its lines", text, "application/jsonl", tag),
                "304": Answer("It has not changed"),
            },
            {"404": "There is no match of that name", "503": UNREADABLE},
        ),
    }


def _itself() -> dict[str, Any]:
    return {
        "operationId": "describe",
        "summary": "This document",
        "responses": {"200": Answer("It", {"type": "object"}).described()},
    }


def _schemas(others: Iterable[type]) -> dict[str, Any]:
    """Return the schemas of the records that answers are made of, and of the records in those."""
    adapters: list[tuple[str, Literal["serialization"], TypeAdapter[Any]]] = [
        (record.__name__, "serialization", TypeAdapter(record))
        for record in (ReceivedLog, Refusal, MatchPage, *RECORDS, *BOOKMARK_RECORDS, *others)
    ]
    _, schemas = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    found: dict[str, Any] = schemas["$defs"]
    return found

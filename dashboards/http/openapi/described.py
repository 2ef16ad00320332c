"""A route and its description in one: what is served stands in the OpenAPI document, and nothing else does.

`served` registers a handler with Flask together with its `Operation`. Parts of the path come from the rule itself, keys
of the query from the records that also read them (`parameters` and `asked`, or a filter's own keys), and schemas from
the records that are answered with; `document.py` puts them together.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, wraps
from http import HTTPStatus
from typing import Any, Final, TypeVar

from flask import Flask, g, request
from pydantic import TypeAdapter, ValidationError

from dashboards.http.access import Refused
from dashboards.warehouse.addresses import Key
from himalaya_core.names import did_you_mean

__all__ = [
    "API",
    "IF_NONE_MATCH",
    "UNREADABLE",
    "Answer",
    "Operation",
    "Refusal",
    "adapter_of",
    "asked",
    "body_of",
    "operations_of",
    "parameters",
    "path_of",
    "records_of",
    "said",
    "served",
]

API: Final = "/api"
UNREADABLE: Final = "The database cannot be read at present"
IF_NONE_MATCH: Final = Key("If-None-Match", "ETag of what is known already", {"type": "string"})
OPERATIONS: Final = "described operations"
PART: Final = re.compile(r"<(?:[^:<>]+:)?(\w+)>")
"""A part of the path that stands for a name."""
PARTS: Final[Mapping[str, Key]] = {
    "match": Key("match", "name of the match", {"type": "string"}),
    "bookmark": Key("bookmark", "id of the bookmark", {"type": "string"}),
    "branch": Key("branch", "id of the branch", {"type": "string", "pattern": "^[0-9a-f]{32}$"}),
    "record": Key("record", "id of the match that is being recorded", {"type": "string"}),
    "study": Key("study", "id of the study", {"type": "string"}),
    "seq": Key("seq", "place of the decision in the log", {"type": "integer", "minimum": 1}),
    "receipt": Key("receipt", "SHA-256 of the body as it was sent", {"type": "string", "pattern": "^[0-9a-f]{64}$"}),
    "report": Key("report", "id of the report", {"type": "string", "pattern": "^[A-Za-z0-9_-]{16}$"}),
    "table": Key("table", "name of a table, as the list of tables has it", {"type": "string"}),
    "figure": Key("figure", "name of a figure, as the list of figures has it", {"type": "string"}),
    "format": Key("format", "of the file", {"enum": ["parquet", "arrow", "csv"]}),
}
"""What can stand in a path."""
HEADERS: Final = {"401": {"WWW-Authenticate": "Bearer"}, "429": {"Retry-After": "seconds to wait"}}
"""Headers of refusals."""
Handler = TypeVar("Handler", bound=Callable[..., Any])
Record = TypeVar("Record")
Body = type | Mapping[str, Any]
"""What is answered with: a record, or a schema."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not served, in one sentence; where a limit was passed, which, and what was found."""

    message: str
    limit: int | None = None
    found: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation: what it means, its body (none: it has none; several: one of them), its headers.

    `types` are those that the body may have.
    """

    text: str
    body: Body | tuple[Body, ...] | None = None
    types: tuple[str, ...] = ("application/json",)
    headers: Mapping[str, str] = field(default_factory=dict)

    def bodies(self) -> tuple[Body, ...]:
        """Return all that the body may be."""
        return self.body if isinstance(self.body, tuple) else () if self.body is None else (self.body,)

    def described(self) -> dict[str, Any]:
        """Return it as OpenAPI has it."""
        found: dict[str, Any] = {"description": self.text}
        schemas = [_schema(body) for body in self.bodies()]
        if schemas:
            schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
            found["content"] = {kind: {"schema": schema} for kind in self.types}
        if self.headers:
            found["headers"] = {
                name: {"description": text, "schema": {"type": "string"}} for name, text in self.headers.items()
            }
        return found


@dataclass(frozen=True, slots=True)
class Operation:
    """What a route does: its id and summary, its answers by status, and why there may be none.

    `query` and `headers` are what it reads of the address and of headers, `body` is its request body as OpenAPI has it.
    `is_strict`: another key in the address is refused, as it would be as if nothing had been asked.
    """

    id: str
    summary: str
    answers: Mapping[str, Answer]
    refusals: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    query: tuple[Key, ...] = ()
    headers: tuple[Key, ...] = ()
    body: Mapping[str, Any] | None = None
    takes_token: bool = False
    is_strict: bool = False

    def records(self) -> Iterator[type]:
        """Yield the records that its answers are made of."""
        for answer in self.answers.values():
            yield from (body for body in answer.bodies() if isinstance(body, type))

    def described(self, rule: str) -> dict[str, Any]:
        """Return it as OpenAPI has it, served under a rule of Flask."""
        parts = [PARTS[name] for name in PART.findall(rule)]
        given = [
            *(_parameter(key, "path") | {"required": True} for key in parts),
            *(_parameter(key, "query") for key in self.query),
            *(_parameter(key, "header") for key in self.headers),
        ]
        refusals = {code: Answer(text, Refusal, headers=HEADERS.get(code, {})) for code, text in self.refusals.items()}
        every = {code: answer.described() for code, answer in sorted({**refusals, **self.answers}.items())}
        optional: dict[str, Any] = {
            "description": self.description,
            "security": [{}, {"token": []}] if self.takes_token else None,
            "parameters": given,
            "requestBody": self.body,
        }
        found: dict[str, Any] = {"operationId": self.id, "summary": self.summary}
        return found | {name: value for name, value in optional.items() if value} | {"responses": every}


def served(server: Flask, method: str, rule: str, operation: Operation) -> Callable[[Handler], Handler]:
    """Register a handler under a rule, and what it does; `KeyError` for a part of the path that nothing explains."""

    def add(handler: Handler) -> Handler:
        operation.described(rule)
        operations_of(server)[path_of(rule), method] = rule, operation

        @wraps(handler)
        def checked(**parts: Any) -> Any:
            g.operation = operation
            if operation.is_strict:
                _refuse_unknown(operation)
            return handler(**parts)

        server.add_url_rule(rule, operation.id, checked, methods=[method])
        return handler

    return add


def body_of(fields: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    """Describe a request body that is a JSON object of these fields."""
    schema = {"type": "object", "additionalProperties": False, "properties": dict(fields)}
    if required:
        schema["required"] = list(required)
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def operations_of(server: Flask) -> dict[tuple[str, str], tuple[str, Operation]]:
    """Return the rules and operations of a server by path and method."""
    found: dict[tuple[str, str], tuple[str, Operation]] = server.extensions.setdefault(OPERATIONS, {})
    return found


def path_of(rule: str) -> str:
    """Return a rule of Flask as OpenAPI has it."""
    return PART.sub(r"{\1}", rule)


def parameters(record: type) -> tuple[Key, ...]:
    """Return the keys of a query that a record reads, one per field, whose `Field` describes it."""
    keys = []
    for name, about in TypeAdapter(record).json_schema().get("properties", {}).items():
        schema = {key: value for key, value in about.items() if key not in {"title", "description", "anyOf"}}
        schema |= next((each for each in about.get("anyOf", ()) if each.get("type") != "null"), {})
        if not schema.get("default"):
            schema.pop("default", None)  # to leave it out is to ask for nothing
        keys.append(Key(name, about["description"], schema))
    return tuple(keys)


@cache
def adapter_of(record: type[Record]) -> TypeAdapter[Record]:
    """Return what reads and writes records of a type; to make one takes longer than most answers."""
    return TypeAdapter(record)


def asked(record: type[Record]) -> Record:
    """Return what the address of the request asks for; a value that a field cannot have is refused."""
    arrays = {key.name for key in parameters(record) if key.schema.get("type") == "array"}
    known = [key.name for key in parameters(record) if said(key) is not None]
    given = {name: request.args.getlist(name) if name in arrays else request.args[name] for name in known}
    try:
        return adapter_of(record).validate_python(given)  # type: ignore[arg-type,no-any-return]  # a class has a hash
    except ValidationError as error:
        found = error.errors()[0]
        key = next(key for key in parameters(record) if key.name == found["loc"][0])
        message = f"{key.name}: expected {_expected(key, found['msg'])}, found {str(found['input'])[:40]!r}"
        raise Refused(HTTPStatus.BAD_REQUEST, message) from None


def _expected(key: Key, otherwise: str) -> str:
    low, high = key.schema.get("minimum"), key.schema.get("maximum")
    if low is None:
        return otherwise.removeprefix("Input should be ")
    return f"a whole number from {low}" if high is None else f"{low} to {high}"


def said(key: Key) -> str | None:
    """Return what the address of the request says under a key; `LookupError` if the operation does not describe it."""
    if key not in g.operation.query:
        raise LookupError(f"{g.operation.id} reads {key.name!r}, and does not describe it")
    return request.args.get(key.name)


def _refuse_unknown(operation: Operation) -> None:
    known = [key.name for key in operation.query]
    for name in request.args:
        if name not in known:
            message = f"expected a parameter of {request.path}, found {name[:40]!r}{did_you_mean(name, known)}"
            raise Refused(HTTPStatus.BAD_REQUEST, message)


def _parameter(key: Key, where: str) -> dict[str, Any]:
    return {"name": key.name, "in": where, "description": key.text, "schema": dict(key.schema)}


def _schema(body: Body) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{body.__name__}"} if isinstance(body, type) else dict(body)


def records_of(operations: Iterable[Operation]) -> tuple[type, ...]:
    """Return the records that answers and refusals of operations are made of, each once."""
    return tuple(dict.fromkeys([Refusal, *(record for each in operations for record in each.records())]))

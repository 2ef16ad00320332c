"""What descriptions of operations are put together from: answers, refusals, parameters, schemas of records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = [
    "API",
    "IF_NONE_MATCH",
    "UNREADABLE",
    "Answer",
    "Part",
    "Refusal",
    "answers",
    "path_parameter",
    "query",
    "ref",
]

API: Final = "/api"
UNREADABLE: Final = "The database cannot be read at present"
IF_NONE_MATCH: Final = (
    {
        "name": "If-None-Match",
        "in": "header",
        "description": "ETag of what is known already",
        "schema": {"type": "string"},
    },
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not served, in one sentence; where a limit was passed, which, and what was found."""

    message: str
    limit: int | None = None
    found: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation: what it means, the schema of its body (none: it has no body), its headers."""

    text: str
    schema: dict[str, Any] | None = None
    type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """Return it as OpenAPI has it."""
        found: dict[str, Any] = {"description": self.text}
        if self.schema:
            found["content"] = {self.type: {"schema": self.schema}}
        if self.headers:
            found["headers"] = {
                name: {"description": text, "schema": {"type": "string"}} for name, text in self.headers.items()
            }
        return found


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the document: operations by their paths, and the records that their answers are made of."""

    paths: Mapping[str, Any]
    records: tuple[type, ...]


def answers(good: dict[str, Answer], refusals: dict[str, str]) -> dict[str, Any]:
    """Describe the answers of an operation, by their status; `refusals` say why there are none."""
    headers = {"401": {"WWW-Authenticate": "Bearer"}, "429": {"Retry-After": "seconds to wait"}}
    bad = {code: Answer(text, ref(Refusal), headers=headers.get(code, {})) for code, text in refusals.items()}
    return {code: answer.described() for code, answer in sorted((good | bad).items())}


def query(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Describe a parameter of the query."""
    return {"name": name, "in": "query", "description": text, "schema": schema}


def path_parameter(name: str, text: str, pattern: str | None = None) -> dict[str, Any]:
    """Describe a part of the path."""
    schema = {"type": "string"} | ({"pattern": pattern} if pattern else {})
    return {"name": name, "in": "path", "required": True, "description": text, "schema": schema}


def ref(record: type) -> dict[str, str]:
    """Refer to the schema of a record."""
    return {"$ref": f"#/components/schemas/{record.__name__}"}

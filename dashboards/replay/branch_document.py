"""A branch of a match as a document: the event after which it leaves the match, its dice, and a tree of actions.

A document records choices only. When it is carried out, the rules decide which choices are allowed and what follows.
Unknown fields are errors. Its id is a digest of its canonical form, so that equal branches have the same address.
"""

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from himalaya_core.game import Game
from himalaya_core.log.codec import MATCH_NAME, LogError, canonical, decode_action, written_action

__all__ = [
    "CHANCE_NAME",
    "MOST_NODES",
    "PERSON",
    "ROOT",
    "STRICT",
    "Document",
    "DocumentError",
    "GoOn",
    "Node",
    "Then",
    "as_document",
    "read_action",
    "read_record",
    "write_action",
]

MOST_NODES: Final = 5_000
ROOT: Final = -1
"""Node number that means the position from which the branch leaves the match."""
PERSON: Final = "person"
CHANCE_NAME: Final = "chance"
STRICT: Final = {"strict": True, "extra": "forbid"}
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class DocumentError(ValueError):
    """Error for a branch that cannot be read or carried out; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Node:
    """A decision or chance result of a branch: its parent node (-1: the start), the choice, and its author."""

    __pydantic_config__: ClassVar[Any] = STRICT

    parent: Annotated[int, Field(ge=ROOT, lt=MOST_NODES)]
    action: dict[str, Any]
    by: Name = PERSON


@dataclass(frozen=True, slots=True)
class Document:
    """A branch: its match (by name and by the digest of its lines), the event after which it leaves, and its dice.

    `luck` is the seed of its dice; null for the seed of the match, which gives the same dice as the match had. `at` is
    the node at the shown position.
    """

    __pydantic_config__: ClassVar[Any] = STRICT

    match: Annotated[str, Field(pattern=MATCH_NAME)]
    seq: Annotated[int, Field(ge=0, lt=2**31)]
    lines_sha256: Digest | None = None
    luck: Name | None = None
    nodes: Annotated[tuple[Node, ...], Field(max_length=MOST_NODES)] = ()
    at: Annotated[int, Field(ge=ROOT, lt=MOST_NODES)] = ROOT
    format: Literal[1] = 1

    def __post_init__(self) -> None:
        """Check that each node comes after its parent, and that `at` exists; `DocumentError` if not."""
        for number, node in enumerate(self.nodes):
            if node.parent >= number:
                raise DocumentError(f"nodes.{number}.parent: expected a node before it, found {node.parent}")
        if self.at >= len(self.nodes):
            raise DocumentError(f"at: expected one of {len(self.nodes)} nodes or -1, found {self.at}")

    @property
    def written(self) -> str:
        """The document as canonical JSON."""
        return canonical(asdict(self)).decode()

    @property
    def id(self) -> str:
        """Id of the branch in addresses."""
        return sha256(self.written.encode()).hexdigest()[:32]

    def path(self, number: int) -> list[int]:
        """Return the numbers of the nodes from the start of the branch to node `number`, inclusive."""
        found = []
        while number != ROOT:
            found.append(number)
            number = self.nodes[number].parent
        return found[::-1]

    def going_on(self, chosen: Iterable[tuple[Mapping[str, Any], str]], apart: Container[int] = ()) -> "Document":
        """Return the document with actions added after the shown node; the last one becomes the shown node.

        Each action comes with its author. An action already tried there reuses its node. Nodes in `apart` are never
        reused, since that would reveal that a secret choice was the same.
        """
        nodes, at = list(self.nodes), self.at
        joined = [(number, node) for number, node in enumerate(nodes) if number not in apart]
        there = {(node.parent, canonical(node.action)): number for number, node in reversed(joined)}
        for action, by in chosen:
            key = at, canonical(action)
            if key not in there:
                there[key] = len(nodes)
                nodes.append(Node(at, dict(action), by))
            at = there[key]
        if len(nodes) > MOST_NODES:
            raise DocumentError(f"a branch has at most {MOST_NODES} nodes")
        return replace(self, nodes=tuple(nodes), at=at)


@dataclass(frozen=True, slots=True)
class GoOn:
    """Programs that continue a branch: their names by seat; null keeps the player of the match.

    `decisions` is the number of decisions to make; null continues to the end of the match.
    """

    __pydantic_config__: ClassVar[Any] = STRICT

    players: Annotated[tuple[Name | None, ...], Field(max_length=6)] | None = None
    decisions: Annotated[int, Field(ge=0, le=MOST_NODES)] | None = None


@dataclass(frozen=True, slots=True)
class Then:
    """Next step after the shown node: an action, an action in the game's notation, or programs that continue."""

    __pydantic_config__: ClassVar[Any] = STRICT

    action: dict[str, Any] | None = None
    text: Annotated[str, Field(max_length=2_000)] | None = None
    go_on: GoOn | None = None

    def __post_init__(self) -> None:
        """Check that exactly one of the three is given; `DocumentError` if not."""
        given = [name for name in ("action", "text", "go_on") if getattr(self, name) is not None]
        if len(given) != 1:
            raise DocumentError(f"then: expected one of action, text and go_on, found {' and '.join(given) or 'none'}")


def read_record(kind: Any, data: Mapping[str, Any]) -> Any:
    """Return a record of type `kind` from JSON data; `DocumentError` names the first invalid field."""
    try:
        return _adapter(kind).validate_json(json.dumps(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "body"
        reason = first["msg"].removeprefix("Value error, ").removeprefix("Input should ").removeprefix("be ")
        if first["type"] == "value_error":
            raise DocumentError(reason) from None
        found = json.dumps(first["input"], ensure_ascii=False, default=repr)[:40]
        raise DocumentError(f"{field}: expected {reason[:1].lower()}{reason[1:]}, found {found}") from None


def as_document(text: str) -> Document:
    """Parse stored text into a document."""
    found: Document = _adapter(Document).validate_json(text)
    return found


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read_action(game: Game[Any, Any, Any], data: Mapping[str, Any]) -> Any:
    """Return the action that a node stores; `DocumentError` if it is no action of the game."""
    rest = dict(data)
    seat = rest.pop("seat", None)
    if seat is not None and type(seat) is not int:
        raise DocumentError(f"action.seat: expected the number of a seat, from 0, found {str(seat)[:40]!r}")
    try:
        return decode_action(game, rest, seat)
    except LogError as error:
        raise DocumentError(str(error)) from None


def write_action(game: Game[Any, Any, Any], action: Any) -> dict[str, Any]:
    """Return an action as stored in a node: type, seat of the player if any, and data."""
    found: dict[str, Any] = json.loads(written_action(game, action))
    seat = getattr(action, "seat", None)
    return {"type": found.pop("type")} | ({} if seat is None else {"seat": seat}) | found

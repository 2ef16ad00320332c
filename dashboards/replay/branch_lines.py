"""Carry out branches up to a node, replace secret choices by tokens, and play branches out in a separate process."""

import json
import resource
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from cachetools import LRUCache

from dashboards.replay.branch_document import ROOT, Document, DocumentError, Node, read_action
from dashboards.replay.reviews import Valued
from dashboards.replay.scenes import cut, grown
from himalaya_core.child import Child, serve
from himalaya_core.game import CHANCE, Game, IllegalAction
from himalaya_core.log.codec import as_logged, canonical, decode_action
from himalaya_core.replay import Replay
from himalaya_core.tournament.branch import Branch, BranchError, begin
from himalaya_core.tournament.playouts import playouts
from himalaya_core.winprob.key_moments import decisions, rounded
from himalaya_core.winprob.model import Model, chances, not_valued, shipped

__all__ = [
    "SEALED",
    "Line",
    "Lines",
    "Seals",
    "after_node",
    "main",
    "reports",
    "root_of",
    "sealed_nodes",
    "secret_nodes",
    "tree_of",
]


MOST_KEPT: Final = 24
"""Maximum number of cached lines; each holds all positions of its match."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: the branch up to one node, its replay, and the chances of winning after its decisions."""

    branch: Branch
    replay: Replay
    valued: tuple[Valued, ...]

    def grown(self, branch: Branch) -> "Line":
        """Return this line extended to `branch`, which continues the branch of this line."""
        replay = grown(self.replay, branch.steps[len(self.branch.steps) :], branch.outcome)
        return Line(branch, replay, _valued(replay, branch.seq, self.valued))


class Lines:
    """Carries out branches and caches their lines; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: LRUCache[bytes, Line] = LRUCache(MOST_KEPT)

    def to(self, origin: Replay, document: Document) -> Line:
        """Return the line that ends at the shown node of a document, which must have the digest of its match's log.

        `DocumentError` names the action that is not allowed, with the reason.
        """
        path = document.path(document.at)
        keys = _keys(document, path)
        done, line = self._longest(keys) or (0, _begun(origin, document))
        for number in path[done:]:
            line = line.grown(after_node(line.branch, document, number))
        self._keep(keys[-1], line)
        return line

    def keep(self, document: Document, line: Line) -> None:
        """Cache the line that ends at the shown node of a document, so that it can be continued quickly."""
        self._keep(_keys(document, document.path(document.at))[-1], line)

    def _longest(self, keys: Sequence[bytes]) -> tuple[int, Line] | None:
        with self._lock:
            for number in range(len(keys) - 1, -1, -1):
                if keys[number] in self._lines:
                    return number, self._lines[keys[number]]
        return None

    def _keep(self, key: bytes, line: Line) -> None:
        with self._lock:
            self._lines[key] = line


def after_node(branch: Branch, document: Document, number: int) -> Branch:
    """Return a branch after the action of a node; `DocumentError` if it is not allowed or contradicts the dice."""
    game = branch.origin.game
    try:
        action = read_action(game, document.nodes[number].action)
        _check_dice(branch, action)
        return branch.play(action)
    except (BranchError, DocumentError, IllegalAction) as error:
        raise DocumentError(f"nodes.{number}: {error}") from None


def _check_dice(branch: Branch, action: Any) -> None:
    """Raise `DocumentError` for dice that differ from those drawn with the branch's seed."""
    game = branch.origin.game
    if CHANCE in branch.actors and action != (drawn := game.sample_chance(branch.state, branch.seed)):
        raise DocumentError(f"expected {as_logged(game, drawn)}, as the dice fall, found {as_logged(game, action)}")


def _keys(document: Document, path: Sequence[int]) -> list[bytes]:
    """Return the cache keys of a path: for the line before its first node, then for the line to each node."""
    found = [sha256(canonical([document.match, document.lines_sha256, document.seq, document.luck])).digest()]
    for number in path:
        found.append(sha256(found[-1] + canonical(document.nodes[number].action)).digest())
    return found


def root_of(origin: Replay, document: Document) -> Branch:
    """Return the branch without any nodes; `DocumentError` if no branch can leave the match there."""
    try:
        return begin(origin, document.seq, document.luck)
    except BranchError as error:
        raise DocumentError(f"seq: {error}") from None


def _begun(origin: Replay, document: Document) -> Line:
    branch = root_of(origin, document)
    return Line(replace(branch, steps=()), cut(origin, document.seq + 1), ()).grown(branch)


def _valued(replay: Replay, seq: int, before: Sequence[Valued]) -> tuple[Valued, ...]:
    """Return the chances of winning after each decision from event `seq` on; those in `before` are reused."""
    model = _model(replay.game)
    if model is None or not_valued(model, replay.header):
        return ()
    there = {each.seq: each for each in before}
    return tuple([there.get(at) or _value(model, replay, at) for at in decisions(replay) if at >= seq])


def _value(model: Model, replay: Replay, at: int) -> Valued:
    return Valued(at, list(rounded(chances(model, replay.states[at]))))


@lru_cache(maxsize=8)
def _model(game: Game[Any, Any, Any]) -> Model | None:
    try:
        return shipped(game)
    except ValueError:
        return None


SEALED: Final = "sealed"
"""Key of the token in a sealed action. The token replaces the secret data; type and seat stay."""
MOST_SECRETS: Final = 20_000


class Seals:
    """Replaces secret actions by tokens, and tokens by their actions; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._choices: LRUCache[str, tuple[int, dict[str, Any]]] = LRUCache(MOST_SECRETS)

    def opened(self, document: Document, view: int | None) -> Document:
        """Return a document with its sealed actions opened; `DocumentError` for an expired token or another seat's."""
        return replace(document, nodes=tuple([self._open(node, view) for node in document.nodes]))

    def sealed(self, document: Document, hidden: Iterable[int], view: int, before: Document) -> Document:
        """Return a document for the view of a seat, with the actions of the `hidden` nodes sealed.

        `before` is the document as received; actions that were sealed in it keep their tokens.
        """
        nodes = list(document.nodes)
        came = sealed_nodes(before)
        for number in hidden:
            nodes[number] = before.nodes[number] if number in came else self._seal(nodes[number], view)
        return replace(document, nodes=tuple(nodes))

    def _seal(self, node: Node, view: int) -> Node:
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._choices[token] = view, node.action
        shown = {key: node.action[key] for key in ("type", "seat") if key in node.action}
        return replace(node, action=shown | {SEALED: token})

    def _open(self, node: Node, view: int | None) -> Node:
        if SEALED not in node.action:
            return node
        with self._lock:
            seat, action = self._choices.get(str(node.action[SEALED]), (None, None))
        if seat is None or action is None:
            raise DocumentError("this server no longer has the secret choices of this branch; start the branch again")
        if seat != view:
            raise DocumentError(f"view: expected {seat + 1}, the seat to which it was shown without its secrets")
        return replace(node, action=action)


def sealed_nodes(document: Document) -> frozenset[int]:
    """Return the numbers of the nodes with sealed actions."""
    return frozenset(number for number, node in enumerate(document.nodes) if SEALED in node.action)


def tree_of(root: Branch, document: Document) -> list[Branch]:
    """Return the branch after each node of a document; `DocumentError` for the first action not allowed."""
    found: list[Branch] = []
    for number, node in enumerate(document.nodes):
        before = root if node.parent == ROOT else found[node.parent]
        found.append(after_node(before, document, number))
    return found


def secret_nodes(root: Branch, document: Document, view: int) -> list[int]:
    """Return the nodes of other seats with choices that are still secret to this seat.

    A choice is revealed once the seat sees all of the position after it or after one of its successors.
    """
    game, tree = root.origin.game, tree_of(root, document)
    is_open = [bool(game.view(branch.state, view) == branch.state) for branch in tree]
    for number in range(len(tree) - 1, -1, -1):
        parent = document.nodes[number].parent
        if parent != ROOT and is_open[number]:
            is_open[parent] = True
    return [
        number
        for number, node in enumerate(document.nodes)
        if not is_open[number] and node.action.get("seat") not in (None, view)
    ]


NICE: Final = 5
SECONDS: Final = 120
"""Time limit of a playout job in seconds, for both wall-clock and CPU time."""
TOO_SLOW: Final = "one pair takes longer than {:.0f} seconds"
REPORTS: Final = 0.25
"""Minimum seconds between two progress reports."""


def reports(
    what: dict[str, Any], gone: threading.Event, quiet: float = REPORTS, seconds: float = SECONDS
) -> Iterator[bytes]:
    """Play out and yield progress reports as lines, or empty lines, until the end or until the client disconnects.

    The last report says why it is the last (`ended`). Pairs that were played within the time limit count.
    """
    child = Child("dashboards.replay.branch_lines:main")
    until, last = time.monotonic() + seconds, b""
    try:
        child.ask(what)
        while not gone.is_set():
            try:
                line = child.line(quiet)
            except TimeoutError:
                line = b"\n"
            if line is None:
                return
            yield line
            last = line.strip() or last
            if time.monotonic() > until and not _is_end(last):
                yield _line(json.loads(last) | {"ended": "time"} if last else {"error": TOO_SLOW.format(seconds)})
                return
    finally:
        child.end()


def _is_end(line: bytes) -> bool:
    return bool(line) and not {"ended", "error"}.isdisjoint(json.loads(line))


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode() + b"\n"


def main() -> None:
    """Read a branch from standard input, play it out, and write progress reports to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * 2, SECONDS * 2))
    serve(_answer, NICE, once=True)


def _answer(what: dict[str, Any], say: Callable[[Any], None]) -> None:
    try:
        _play(what, say)
    except Exception as error:  # noqa: BLE001  a player may fail in any way in a position it never came to
        say({"error": str(error) if isinstance(error, ValueError) else f"a player fails ({type(error).__name__})"})


def _play(what: dict[str, Any], say: Callable[[Any], None]) -> None:
    replay = Replay.read(what["log"].encode().splitlines(keepends=True))
    branch = begin(replay, what["seq"], what["luck"])
    for action in what["actions"]:
        seat = action.pop("seat", None)
        branch = branch.play(decode_action(replay.game, action, seat))
    last = 0.0

    def report(found: Any) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORTS:
            last = time.monotonic()
            say(found)

    found = playouts(branch, what["players"], what["samples"], report, precision=what["precision"])
    say(found | {"ended": "all" if found["done"] == found["of"] else "precision"})

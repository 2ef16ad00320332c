"""The line of a branch to one of its nodes: carried out by the rules, like a match.

Recent lines are cached, so that the next move costs only that move.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from cachetools import LRUCache

from dashboards.replay.branch_document import Document, DocumentError, read_action
from dashboards.replay.chances import Valued
from dashboards.replay.growth import cut, grown
from himalaya_core.arena.branch import Branch, BranchError, begin
from himalaya_core.game import CHANCE, Game, IllegalAction
from himalaya_core.log.codec import as_logged, canonical
from himalaya_core.replay import Replay
from himalaya_core.review.course import decisions, rounded
from himalaya_core.review.model import Model, chances, not_valued, shipped

__all__ = ["Line", "Lines", "after_node", "root_of"]

MOST_KEPT: Final = 24
"""Maximum number of lines; each keeps the positions of its match."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the branch, the branch as a match, and the chances after its decisions."""

    branch: Branch
    replay: Replay
    valued: tuple[Valued, ...]

    def grown(self, branch: Branch) -> "Line":
        """Return the line of a branch that continues this one's."""
        replay = grown(self.replay, branch.steps[len(self.branch.steps) :], branch.outcome)
        return Line(branch, replay, _valued(replay, branch.seq, self.valued))


class Lines:
    """Carries out branches; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: LRUCache[bytes, Line] = LRUCache(MOST_KEPT)

    def to(self, origin: Replay, document: Document) -> Line:
        """Return the line to the shown node of a document, which names the digest of its match's lines.

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
        """Keep the line to the shown node of a document, for later continuations."""
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
    """Return a branch after the action of a node; `DocumentError` if it is not allowed or differs from the dice."""
    game = branch.origin.game
    try:
        action = read_action(game, document.nodes[number].action)
        _check_dice(branch, action)
        return branch.play(action)
    except (BranchError, DocumentError, IllegalAction) as error:
        raise DocumentError(f"nodes.{number}: {error}") from None


def _check_dice(branch: Branch, action: Any) -> None:
    """Refuse dice that differ from those of the branch's seed."""
    game = branch.origin.game
    if CHANCE in branch.actors and action != (drawn := game.sample_chance(branch.state, branch.seed)):
        raise DocumentError(f"expected {as_logged(game, drawn)}, as the dice fall, found {as_logged(game, action)}")


def _keys(document: Document, path: Sequence[int]) -> list[bytes]:
    """Return the keys of the line before the nodes of a path, and to each of them."""
    found = [sha256(canonical([document.match, document.lines_sha256, document.seq, document.luck])).digest()]
    for number in path:
        found.append(sha256(found[-1] + canonical(document.nodes[number].action)).digest())
    return found


def root_of(origin: Replay, document: Document) -> Branch:
    """Return the branch before any node; `DocumentError` if no branch can leave the match there."""
    try:
        return begin(origin, document.seq, document.luck)
    except BranchError as error:
        raise DocumentError(f"seq: {error}") from None


def _begun(origin: Replay, document: Document) -> Line:
    branch = root_of(origin, document)
    return Line(replace(branch, steps=()), cut(origin, document.seq + 1), ()).grown(branch)


def _valued(replay: Replay, seq: int, before: Sequence[Valued]) -> tuple[Valued, ...]:
    """Return the chances after each decision from an event on; those of `before` are not computed again."""
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

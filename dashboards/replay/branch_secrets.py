"""Secrets in a branch: secret choices of others leave the server sealed until they are revealed.

A sealed action is a token that only this server can open, as long as it runs and remembers it. It is drawn at random: a
function of the plan would leak it, because all plans can be tried until one fits.
"""

import secrets
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from cachetools import LRUCache

from dashboards.replay.branch_document import ROOT, Document, DocumentError, Node
from dashboards.replay.branch_lines import after_node
from himalaya_core.arena.branch import Branch

__all__ = ["SEALED", "Seals", "sealed_nodes", "secret_nodes", "tree_of"]

SEALED: Final = "sealed"
"""The key of a token, next to the type and the seat of its action."""
MOST_KEPT: Final = 20_000


class Seals:
    """Seals actions and opens them again; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._choices: LRUCache[str, tuple[int, dict[str, Any]]] = LRUCache(MOST_KEPT)

    def opened(self, document: Document, view: int | None) -> Document:
        """Return a document with its sealed actions opened; `DocumentError` for another seat or a forgotten one."""
        return replace(document, nodes=tuple([self._open(node, view) for node in document.nodes]))

    def sealed(self, document: Document, hidden: Iterable[int], view: int, before: Document) -> Document:
        """Return a document without the choices of some nodes, for the view of a seat.

        Actions that were sealed on arrival, in `before`, keep their tokens.
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
    """Return the nodes of a document that are sealed."""
    return frozenset(number for number, node in enumerate(document.nodes) if SEALED in node.action)


def tree_of(root: Branch, document: Document) -> list[Branch]:
    """Return the branch after each node of a document; `DocumentError` for the first action not allowed."""
    found: list[Branch] = []
    for number, node in enumerate(document.nodes):
        before = root if node.parent == ROOT else found[node.parent]
        found.append(after_node(before, document, number))
    return found


def secret_nodes(root: Branch, document: Document, view: int) -> list[int]:
    """Return the nodes of other seats that were never revealed to a seat.

    A choice counts as secret as long as every position after it is a different one for that seat.
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

"""What-if branches: carry out a branch of a match by the rules, continue it, and return it as a scene."""

import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from threading import Event
from typing import Annotated, Any, ClassVar, Final

from cachetools import LRUCache
from pydantic import Field

from dashboards.boards.picture import AnyScene
from dashboards.replay.branch_document import (
    CHANCE_NAME,
    PERSON,
    STRICT,
    Document,
    DocumentError,
    GoOn,
    Then,
    read_action,
    write_action,
)
from dashboards.replay.branch_lines import Line, Lines, Seals, root_of, sealed_nodes, secret_nodes, tree_of
from dashboards.replay.scenes import Checked, Choices, checked, choices_of, folded, scene_of
from himalaya_core.errors import HimalayaError
from himalaya_core.game import CHANCE, IllegalAction
from himalaya_core.notation import NotationError, read, refusal_in_words
from himalaya_core.replay import Replay
from himalaya_core.tournament.branch import Branch, BranchError
from himalaya_core.winprob.review import names_in

__all__ = [
    "MOST_SAMPLES",
    "USUAL_SAMPLES",
    "Branches",
    "OtherLines",
    "PlayOut",
    "Played",
    "digest_of",
]

MOST_OF_NAME: Final = 55
"""Maximum number of characters of a match's name in the name of its branch. Logs limit the whole name."""
MOST_RECENT: Final = 500
MOST_RECENT_NODES: Final = 100_000
USUAL_SAMPLES: Final = 200
MOST_SAMPLES: Final = 2_000
SECONDS: Final = 10.0
"""Time limit in seconds for programs that continue a branch."""


class OtherLines(ValueError):
    """Error for a branch that was made from an earlier log of its match."""


@dataclass(frozen=True, slots=True)
class Played:
    """A branch carried out up to its shown node, in the view of a seat (`None`: everything is shown)."""

    document: Document
    line: Line
    view: int | None

    def scene(self) -> AnyScene:
        """Return the scene of the match up to the start of the branch, followed by the branch."""
        scene = scene_of(self.line.replay, None if self.view is None else str(self.view + 1))
        scene["status"] = "branch"
        scene.pop("review", None)
        return scene

    def answer(self, saved: dict[str, Any] | None) -> dict[str, Any]:
        """Return all data that a page needs to show the branch; `saved` has facts about a saved branch."""
        scene = self.scene()
        choices = self._choices([seat["name"] for seat in scene["seats"]])
        return {
            "id": self.document.id,
            "branch": asdict(self.document),
            "scene": scene,
            "from": self.document.seq,
            "choices": choices and choices.as_dict(),
            "chances": [asdict(each) for each in self.line.valued],
            "kept": saved,
        }

    def _choices(self, names: Sequence[str]) -> Choices | None:
        branch = self.line.branch
        if not branch.actors or branch.actors[0] == CHANCE:
            return None
        return choices_of(branch.origin.game, branch.state, branch.actors[0], names)


@dataclass(frozen=True, slots=True)
class PlayOut:
    """A request to play out a branch: number of playouts, and player names by seat, null for the match's player.

    Playing stops early once each difference is known within `precision`; 0 plays all.
    """

    __pydantic_config__: ClassVar[Any] = STRICT

    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = USUAL_SAMPLES
    precision: Annotated[float, Field(ge=0, le=1)] = 0.0
    players: Annotated[tuple[str | None, ...], Field(max_length=6)] | None = None


class Recent:
    """Recent branches, by their ids; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recent: LRUCache[str, Document] = LRUCache(MOST_RECENT_NODES, _share)

    def add(self, document: Document) -> None:
        """Remember a branch; the oldest are forgotten."""
        with self._lock:
            self._recent[document.id] = document

    def get(self, number: str) -> Document | None:
        """Return a recent branch; `None` if it was forgotten."""
        with self._lock:
            return self._recent.get(number)


def _share(document: Document) -> int:
    """Return how many nodes a branch counts as in the cache; a minimum limits it to `MOST_RECENT` branches."""
    return min(max(len(document.nodes), MOST_RECENT_NODES // MOST_RECENT), MOST_RECENT_NODES)


class Branches:
    """Carries out branches from pages; safe to use from several threads."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._seals = Seals()
        self._recent = Recent()

    def play(
        self, log: bytes, came: Document, then: Then | None, view: int | None, gone: Event | None = None
    ) -> Played:
        """Carry out a received branch and its next step; chance results are drawn when they are due.

        `DocumentError` gives the reason if that fails; `OtherLines` means that the log of its match has changed.
        """
        document, line = self._line(log, came, view)
        if then is None and not document.nodes:
            then = Then(go_on=GoOn(decisions=0))
        if then is not None:
            try:
                branch, names = _carried_out(line.branch, then, gone)
            except BranchError as error:
                raise DocumentError(str(error)) from None
            except IllegalAction as error:
                raise DocumentError(refusal_in_words(str(error), names_in(line.replay))) from None
            chosen = _chosen(line.branch, branch, names)
            document = document.going_on(chosen, sealed_nodes(came))
            line = line.grown(branch)
            self._lines.keep(document, line)
        if view is not None:
            hidden = secret_nodes(root_of(line.branch.origin, document), document, view)
            document = self._seals.sealed(document, hidden, view, came)
        self._recent.add(document)
        return Played(document, line, view)

    def recalled(self, number: str) -> Document | None:
        """Return a recent branch by its id."""
        return self._recent.get(number)

    def log(self, log: bytes, document: Document) -> bytes:
        """Return a branch as the log of a separate match; `DocumentError` if it has sealed choices."""
        if sealed_nodes(document):
            raise DocumentError("a branch has no log while a choice is still secret; continue until it is revealed")
        _, line = self._line(log, document, None)
        return line.branch.log(f"{document.match[:MOST_OF_NAME]}-{document.id[:8]}")

    def check(self, log: bytes, came: Document, action: dict[str, Any], view: int | None) -> Checked:
        """Return whether an action is allowed after the shown node of a document, as `checked` does."""
        _, line = self._line(log, came, view)
        game = line.branch.origin.game
        try:
            return checked(game, line.branch.state, read_action(game, action), names_in(line.replay))
        except DocumentError as error:
            return Checked(legal=False, message=str(error))

    def to_keep(self, played: Played) -> str:
        """Carry out all nodes of a branch, then return its document as text to store; `DocumentError` if that fails."""
        document = played.document
        if sealed_nodes(document):
            raise DocumentError("a branch with a choice still secret cannot be kept; continue until it is revealed")
        tree_of(root_of(played.line.branch.origin, document), document)
        return document.written

    def to_play_out(self, log: bytes, came: Document, wanted: PlayOut, view: int | None) -> dict[str, Any]:
        """Return the input for the playout process; `DocumentError` if the branch cannot be played out."""
        document, line = self._line(log, came, view)
        seats = len(line.branch.origin.header.seats)
        return {
            "log": log.decode(),
            "seq": document.seq,
            "luck": document.luck,
            "actions": [document.nodes[number].action for number in document.path(document.at)],
            "players": names_by_seat(wanted.players, seats),
            "samples": wanted.samples,
            "precision": wanted.precision,
        }

    def _line(self, log: bytes, came: Document, view: int | None) -> tuple[Document, Line]:
        origin = folded(log)
        digest = digest_of(origin, log)
        if came.lines_sha256 not in (None, digest):
            raise OtherLines(f"the match {came.match} has other lines now than those that this branch is of")
        document = self._seals.opened(replace(came, lines_sha256=digest), view)
        return document, self._lines.to(origin, document)


def digest_of(replay: Replay, log: bytes) -> str:
    """Return the digest of a match's log: the one in its last line, or that of the lines so far."""
    return replay.ended.lines_sha256 if replay.ended else sha256(log).hexdigest()


def _carried_out(branch: Branch, then: Then, gone: Event | None) -> tuple[Branch, Sequence[str]]:
    """Return the branch after the next step, and the names of the deciding players by seat."""
    game, seats = branch.origin.game, branch.origin.header.seats
    branch = branch.draw()
    if then.go_on is not None:
        return _gone_on(branch, then.go_on, gone)
    try:
        action = read_action(game, then.action or {}) if then.text is None else read(game, branch.state, then.text)
    except NotationError as error:
        raise DocumentError(str(error)) from None
    return branch.play(action).draw(), [PERSON] * len(seats)


def _gone_on(branch: Branch, go_on: GoOn, gone: Event | None) -> tuple[Branch, Sequence[str]]:
    """Let programs continue a branch; return the branch and each seat's player name."""
    seats = branch.origin.header.seats
    players = names_by_seat(go_on.players, len(seats))
    until = time.monotonic() + SECONDS

    def check() -> None:
        if time.monotonic() > until or (gone is not None and gone.is_set()):
            raise DocumentError(f"the programs take longer than {SECONDS:.0f} seconds; ask for fewer decisions")

    try:
        after = branch.go_on(players, go_on.decisions, check)
    except HimalayaError as error:
        raise DocumentError(str(error)) from None
    return after, [name or info.player for name, info in zip(players, seats, strict=True)]


def names_by_seat(given: Sequence[str | None] | None, seats: int) -> list[str | None]:
    """Return the name of a player for each seat, `None` for the player of the match; `DocumentError` for too many."""
    names = list(given or ())
    if len(names) > seats:
        raise DocumentError(f"go_on.players: expected at most {seats}, found {len(names)}")
    return names + [None] * (seats - len(names))


def _chosen(before: Branch, after: Branch, names: Sequence[str]) -> list[tuple[dict[str, Any], str]]:
    """Return the choices that `after` has in addition to `before`, with their authors."""
    game = after.origin.game
    actions = [step.action for step in after.steps[len(before.steps) :] if step.action is not None]
    seats: list[int | None] = [getattr(action, "seat", None) for action in actions]
    return [
        (write_action(game, action), CHANCE_NAME if seat is None else names[seat])
        for action, seat in zip(actions, seats, strict=True)
    ]

"""Background decisions of programs in recording sessions, one after the other, while a browser watches.

A thread requests one decision at a time and enters it like any other; a separate process computes it. Both start with
the first decision and end after `IDLE` seconds without one.
"""

import logging
import threading
from collections import OrderedDict
from typing import Any, Final

from dashboards.replay.branch_document import DocumentError, read_action
from dashboards.replay.draft_deciding import Deciding, NotDecided
from dashboards.replay.session import Draft, written
from dashboards.replay.sessions import Drafts, Outrun
from himalaya_core.recording import RecordingError
from ingest.errors import NoDraft, WarehouseError

__all__ = ["Programs"]

IDLE: Final = 60.0
"""Seconds without a decision after which the process ends."""
MOST_PROBLEMS: Final = 1_000

log = logging.getLogger(__name__)


class Programs:
    """The programs of a server's matches; safe to use from several threads."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, None] = OrderedDict()
        self._problems: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._deciding: Deciding | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def wake(self, draft: Draft) -> None:
        """Queue a decision if a program is due to make one, unless it already failed in this position."""
        if seat_due(draft) is None or self.problem(draft):
            return
        with self._changed:
            if self._is_closed:
                return
            self._waiting.setdefault(draft.stored.id)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="programs", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def problem(self, draft: Draft) -> str | None:
        """Return why the due program made no decision; it is not tried again until the session changes."""
        changes, why = self._problems.get(draft.stored.id, (-1, ""))
        return why if changes == len(draft.changes) else None

    def close(self) -> None:
        """Stop the current decision and the thread; a restarted server decides once a browser watches the match."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            if self._deciding is not None:
                self._deciding.end()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while (number := self._next()) is not None:
            again = False
            try:
                again = self._decided(number)
            except (NoDraft, DocumentError, WarehouseError) as error:
                log.info("no program decides in %s: %s", number, error)
            except Exception:
                log.exception("a program could not decide in %s", number)
            with self._changed:
                self._waiting.pop(number, None)
                if again and not self._is_closed:
                    self._waiting[number] = None  # last in the queue

    def _next(self) -> str | None:
        """Return the next waiting match; after `IDLE` seconds without one, end the process and return `None`."""
        with self._changed:
            if not self._waiting and not self._is_closed:
                self._changed.wait(IDLE)
            if self._waiting and not self._is_closed:
                return next(iter(self._waiting))
            if self._deciding is not None:
                self._deciding.end()
            self._deciding = self._thread = None
            return None

    def _decided(self, number: str) -> bool:
        """Make the due program decide; return whether another decision of a program is due."""
        with self._drafts.opened(number) as draft:
            seat, changes = seat_due(draft), len(draft.changes)
            if seat is None:
                return False
            name, wanted = str(draft.setup.seats[seat].program), _wanted(draft, seat)
        try:
            action = self._decision(wanted)
            with self._drafts.opened(number) as draft:
                if len(draft.changes) == changes:  # otherwise the position has changed meanwhile
                    self._drafts.enter_for(draft, name, read_action(draft.game, action))
                return seat_due(draft) is not None
        except Outrun:
            return True
        except NotDecided as error:
            self._note_problem(number, changes, f"{name} (seat {seat + 1}) {error}")
        except (DocumentError, RecordingError) as error:  # only logged: the text may reveal a secret choice
            log.warning("%s in seat %d of %s: %s", name, seat + 1, number, error)
            self._note_problem(number, changes, f"{name} (seat {seat + 1}) chose an illegal action")
        return False

    def _decision(self, wanted: dict[str, Any]) -> dict[str, Any]:
        with self._changed:
            if self._is_closed:
                raise NotDecided("decides when the server is back")
            if self._deciding is None:
                self._deciding = Deciding()
            deciding = self._deciding
        try:
            return deciding.decision(wanted)
        except NotDecided:
            with self._changed:
                if not self._is_closed:
                    deciding.end()
                    self._deciding = None
            raise

    def _note_problem(self, number: str, changes: int, why: str) -> None:
        self._problems[number] = changes, why
        if len(self._problems) > MOST_PROBLEMS:
            self._problems.popitem(last=False)


def seat_due(draft: Draft) -> int | None:
    """Return the first seat that is due to decide and has a program."""
    return next((seat for seat in draft.actors if seat >= 0 and draft.setup.seats[seat].program), None)


def _wanted(draft: Draft, seat: int) -> dict[str, Any]:
    """Return the data that the process needs for a decision."""
    actions = [entry.action for entry in draft.entries]
    return {"draft": draft.stored.id, "setup": written(draft.setup), "actions": actions, "seat": seat}

"""Recording sessions, kept in memory while in use: each entry is carried out, then stored.

The app store has every change, so a server that was killed rebuilds the sessions from there.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from dashboards.boards.scene import counted
from dashboards.replay.branch_document import CHANCE_NAME, DocumentError
from dashboards.replay.session import Draft, HandedIn, checked_name, new_setup, written
from dashboards.replay.session_view import Look, Who
from himalaya_core.recording import RecordingError
from ingest.app_store import one_line
from ingest.errors import ChangedMeanwhile, NoDraft
from ingest.people.drafts import MOST_TITLE, Change, KeptDraft, add_changes, add_draft, changes_of, find_draft
from ingest.warehouse import Warehouse

__all__ = ["Drafts", "NotNow", "NotYours", "Outrun"]

MOST_LIVE: Final = 64
MOST_DESCRIBED: Final = 5
"""Maximum number of changes that an error message describes."""
NOTHING: Final = "nothing was entered yet, so there is nothing to take back"


class NotNow(Exception):
    """Error for a change that the current state does not allow, or that came after another change."""


class NotYours(Exception):
    """Error for an action that belongs to the player of another seat."""


class Outrun(Exception):
    """Error for a conflict: another process changed the match meanwhile."""


class _Live:
    """Cache entry of a session, used by one thread at a time; `draft` is `None` at first and after a failure."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.draft: Draft | None = None


class Drafts:
    """The recording sessions of a server; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self._lock = threading.Lock()
        self._live: OrderedDict[str, _Live] = OrderedDict()

    @contextmanager
    def opened(self, number: str) -> Iterator[Draft]:
        """Yield a session, up to date with the app store and locked against other changes meanwhile.

        `NoDraft` if there is none, `DocumentError` if today's rules reject its changes.
        """
        live = self._live_of(number)
        with live.lock:
            draft, live.draft = live.draft or self._begun(number), None
            try:
                draft = self._followed(draft, number)
            except (RecordingError, DocumentError) as error:
                raise DocumentError(f"what was entered is not allowed by the rules of this version: {error}") from None
            try:
                yield draft
            except (DocumentError, NotNow, NotYours, RecordingError):
                live.draft = draft  # the draft is unchanged, so it can be kept
                raise
            live.draft = draft

    def _followed(self, draft: Draft, number: str) -> Draft:
        """Return a session after adding newer changes from the app store.

        It is rebuilt if the store has different changes, as after a restore.
        """
        if draft.stored != find_draft(self.warehouse.app, number):
            draft = self._begun(number)
        changes = changes_of(self.warehouse.app, number, max(len(draft.changes) - 1, 0))
        if changes[: len(draft.changes[-1:])] != draft.changes[-1:]:
            draft, changes = self._begun(number), changes_of(self.warehouse.app, number)
        draft.follow(changes[len(draft.changes[-1:]) :])
        return draft

    def _begun(self, number: str) -> Draft:
        try:
            return Draft(find_draft(self.warehouse.app, number))
        except NoDraft:
            with self._lock:
                self._live.pop(number, None)
            raise

    def _live_of(self, number: str) -> _Live:
        with self._lock:
            live = self._live.setdefault(number, _Live())
            self._live.move_to_end(number)
            if len(self._live) > MOST_LIVE:
                self._live.popitem(last=False)
            return live

    def begin(self, fields: Mapping[str, Any], title: Any, take: Sequence[int], who: Who, key: str) -> str:
        """Set up a match, claim seats with the user's key, and return the session's id.

        `DocumentError` or `Unfit` give the reason if it is invalid.
        """
        setup, now = new_setup(fields, take), _now()
        title = ", ".join(setup.names) if title is None else title
        stored = KeptDraft(
            secrets.token_hex(8), setup.game, written(setup), one_line(title, "title", MOST_TITLE), who.name, now
        )
        draft = Draft(stored)
        taken = [(_taken(seat, str(setup.seats[seat].name), key), who.name) for seat in sorted(set(take))]
        taken += [(change, CHANCE_NAME) for change in _drawn(draft, now)]
        add_draft(self.warehouse.app, stored, _changes(draft, 0, taken, now))
        return stored.id

    def enter(self, look: Look, expects: int, choose: Callable[[Look], Any]) -> None:
        """Carry out a choice, draw chance results that follow, and store all.

        `NotNow` if the session has changed since the user saw it, `NotYours` if the choice belongs to another seat.
        `RecordingError` or `DocumentError` if it is not allowed; then nothing is changed.
        """
        draft, before = look.draft, len(look.draft.entries)
        if not _is_of_one_moment(look, expects):
            require_latest(look, expects)
        action = choose(look)
        seat = getattr(action, "seat", None)
        if seat is None and not look.may_say_what_fell:
            raise NotYours("you have no seat in this match; take one first")
        if seat is not None and seat not in look.own and seat in draft.actors:
            raise NotYours(f"seat {seat + 1} is not yours; choose for a seat of your own")
        now = _now()
        new = [(draft.enter(action, now), look.who.name)]
        new += [(change, CHANCE_NAME) for change in _drawn(draft, now)]
        self._keep(draft, before, new, now)

    def enter_for(self, draft: Draft, name: str, action: Any) -> None:
        """Carry out a program's choice and store it; `RecordingError` if it is not allowed."""
        before, now = len(draft.entries), _now()
        new = [(draft.enter(action, now), name)]
        new += [(change, CHANCE_NAME) for change in _drawn(draft, now)]
        self._keep(draft, before, new, now)

    def draw(self, look: Look, expects: int) -> None:
        """Draw chance results that people do not enter, and store them."""
        draft, before, now = look.draft, len(look.draft.entries), _now()
        require_latest(look, expects)
        if not look.may_say_what_fell:
            raise NotYours("you have no seat in this match; take one first")
        self._keep(draft, before, [(draft.draw(now), CHANCE_NAME)], now)

    def undo(self, look: Look, expects: int, to: int) -> None:
        """Undo all entries after the first `to`; in play only if no other person takes part.

        The undo continues back to an entry that a person made.
        """
        draft, now = look.draft, _now()
        require_latest(look, expects)
        if draft.is_play:
            others = [
                seat for seat, there in enumerate(draft.setup.seats) if not there.program and seat not in look.own
            ]
            if others or not look.own:
                raise NotNow("a match against others is not taken back; only who plays against programs alone may")
        if not 0 <= to < len(draft.entries):
            most = len(draft.entries) - 1
            raise RecordingError(f"to: expected 0 to {most} entries to keep, found {to}" if draft.entries else NOTHING)
        to = draft.entry_to_redo(to)
        draft.recording.undo(to)
        new: list[tuple[dict[str, Any], str]] = [({"undo": to}, look.who.name)]
        new += [(change, CHANCE_NAME) for change in _drawn(draft, now)]
        self._keep(draft, to, new, now)

    def take(self, look: Look, seat: int, name: Any, key: str) -> None:
        """Claim a seat for the user with this key; `NotNow` if it is already claimed."""
        draft, now = look.draft, _now()
        if not draft.is_play:
            raise NotNow("a match at a table has no seats to claim: callers with the scope write enter for all")
        if not 0 <= seat < len(draft.seats):
            raise DocumentError(f"seat: expected 0 to {len(draft.seats) - 1}, found {seat}")
        if draft.setup.seats[seat].program or draft.seats[seat]:
            raise NotNow(f"seat {seat + 1} is taken, by {draft.recording.players[seat]}")
        name = draft.setup.seats[seat].name if name is None else name
        change = _taken(seat, checked_name(name), key)
        self._keep(draft, len(draft.entries), [(change, look.who.name)], now)

    def hand_in(self, look: Look, expects: int, send: Callable[[bytes], str]) -> None:
        """Submit the log with `send`, which returns its receipt; in play only once the match is over."""
        draft, now = look.draft, _now()
        if draft.is_play and not draft.is_over:
            raise NotNow("a match in play is submitted when it is over")
        require_latest(look, expects)
        if not draft.entries:
            raise NotNow("nothing was entered yet, so there is nothing to submit")
        match = draft.match
        handed_in = HandedIn(match, send(look.log()), len(draft.entries))
        if handed_in != draft.handed_in:
            change = {"handed_in": asdict(handed_in)}
            self._keep(draft, len(draft.entries), [(change, look.who.name)], now)

    def _keep(self, draft: Draft, before: int, new: Sequence[tuple[dict[str, Any], str]], now: datetime) -> None:
        changes = _changes(draft, before, new, now)
        try:
            add_changes(self.warehouse.app, draft.stored.id, len(draft.changes), changes)
        except ChangedMeanwhile as error:
            raise Outrun(str(error)) from None
        for change in changes:
            draft.note(change)


def require_latest(look: Look, expects: int) -> None:
    """Raise `NotNow`, with the changes since, if a session differs from the one that the user saw."""
    draft = look.draft
    if expects == len(draft.changes):
        return
    if not 0 <= expects < len(draft.changes):
        raise NotNow(f"expects: expected {len(draft.changes)}, the number of changes, found {expects}")
    since = draft.changes[expects:]
    described = [_described(change) for change in since[:MOST_DESCRIBED]]
    more = [f"{len(since) - MOST_DESCRIBED} more changes"] if len(since) > MOST_DESCRIBED else []
    raise NotNow(f"the session was changed meanwhile: {'; '.join([*described, *more])}")


def _is_of_one_moment(look: Look, expects: int) -> bool:
    """Return whether this browser's turn is unchanged: in play, others only made choices or claimed seats since."""
    draft = look.draft
    if not draft.is_play or not 0 <= expects < len(draft.changes):
        return False
    for change in draft.changes[expects:]:
        match change.change:
            case {"take": _}:
                continue
            case {"add": {"seat": seat}} if seat not in look.own:
                continue
            case _:
                return False
    then = draft.changes[expects - 1].entries if expects else 0
    due = draft.game.actors(draft.recording.positions[then])
    return any(seat in due and seat in draft.actors for seat in look.own)


def _described(change: Change) -> str:
    """Describe a change; choices in play are left out, as they may be secret."""
    match change.change:
        case {"add": {"seat": seat}}:
            return f"{change.by} entered a choice of seat {seat + 1}"
        case {"add": _}:
            return f"{change.by} entered what fell"
        case {"undo": entries}:
            return f"{change.by} went back to {counted(entries, 'entry', 'entries') or 'the start'}"
        case {"take": seat, "name": name}:
            return f"{name} took seat {seat + 1}"
        case _:
            return f"{change.by} submitted the match"


def _taken(seat: int, name: str, key: str) -> dict[str, Any]:
    return {"take": seat, "name": name, "key_sha256": sha256(key.encode()).hexdigest()}


def _drawn(draft: Draft, now: datetime) -> list[dict[str, Any]]:
    """Draw all chance results that are due, if the server throws the dice; return the changes."""
    found = []
    while draft.draws:
        found.append(draft.draw(now))
    return found


def _changes(draft: Draft, before: int, new: Sequence[tuple[dict[str, Any], str]], now: datetime) -> list[Change]:
    """Return new changes in their stored form; `before` is the number of entries before the first change."""
    found, entries = list[Change](), before
    for change, by in new:
        entries += "add" in change
        is_over = draft.is_over and entries == len(draft.recording.times)
        found.append(Change(change, entries, is_over, by, now))
    return found


def _now() -> datetime:
    return datetime.now(UTC)

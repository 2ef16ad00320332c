"""A recording session in the view of one browser: all data that its page needs, without secrets.

In play a browser sees what its seat knows; with several seats, what the deciding seat knows; without one, public facts.
Secret choices of others never leave the server in any form until they are revealed.
"""

import gzip
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from dashboards.boards.scene import joined
from dashboards.replay.scenes import Choices, as_bytes, choices_of, cut, seen_scene
from dashboards.replay.session import Draft, HandedIn, moment
from himalaya_core.game import CHANCE
from himalaya_core.games import title_of
from himalaya_core.notation import expected, offers
from himalaya_core.record_file import file_of
from himalaya_core.winprob.review import names_in

__all__ = ["Look", "Offered", "SeatOfDraft", "ShownEntry", "Who"]

PERSON: Final = "person"
PROGRAM: Final = "program"
QUICK: Final = 1
"""Gzip level of responses: compared with level 9, a twentieth of the time for twice the bytes."""


@dataclass(frozen=True, slots=True)
class Who:
    """The user: name, permission to enter actions, and digest of the key to their seats, if any."""

    name: str
    may_write: bool
    key_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class SeatOfDraft:
    """A seat: its player, whether it is claimed, and whether this browser decides for it."""

    name: str
    kind: str
    taken: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry and the `frame` after it; `text` is null if it is secret, `seat` is null for a chance result."""

    text: str | None
    seat: int | None
    round: int
    at: str
    by: str
    frame: int


@dataclass(frozen=True, slots=True)
class Offered:
    """A text that may follow the first word of the next entry, and a remark about it."""

    text: str
    about: str


SHOWN: Final = tuple(each.name for each in fields(ShownEntry))


@dataclass(frozen=True)
class Look:
    """One browser's view of a recording session; if several of its seats may decide, `wanted` names one."""

    draft: Draft
    who: Who
    wanted: int | None = None

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The seats that this browser decides for."""
        draft, key = self.draft, self.who.key_sha256
        if not self.who.may_write:
            return ()
        if not draft.is_play:
            return tuple(range(len(draft.seats)))
        return tuple([seat for seat, there in enumerate(draft.seats) if there and key and there.key_sha256 == key])

    @cached_property
    def turn(self) -> int | None:
        """The seat that chooses next, preferably one of this browser's; -1 for chance, `None` at the end."""
        due = self.draft.actors
        if self.wanted in due:
            return self.wanted
        mine = [seat for seat in due if seat in self.own]
        return next(iter((*mine, *due)), None)

    @cached_property
    def seat(self) -> int | None:
        """The seat that this browser sees the match as; `None` if it sees everything, -1 if only public facts."""
        if not self.draft.is_play or self.draft.is_over:
            return None
        if self.turn in self.own:
            return self.turn
        return self.own[0] if self.own else CHANCE

    @cached_property
    def may_say_what_fell(self) -> bool:
        """True if this browser may enter chance results or have the server draw them."""
        return bool(self.own) or (self.who.may_write and not self.draft.is_play)

    @cached_property
    def open_entries(self) -> int:
        """Number of entries before the first secret one."""
        return next((number for number, is_open in enumerate(self._is_open) if not is_open), len(self._is_open))

    @cached_property
    def _is_open(self) -> list[bool]:
        """Return for each entry true if this browser may see it.

        Others' choices are secret until the seat sees all of a later position.
        """
        draft, seat = self.draft, self.seat
        entries, states, view = draft.entries, draft.replay.states, draft.game.view
        first = len(entries)
        if seat is not None:
            while first and view((state := states[entries[first - 1].frame]), seat) != state:
                first -= 1
        return [number < first or entry.seat in (None, seat) for number, entry in enumerate(entries)]

    def tag(self, problem: str | None) -> str:
        """Return a tag that changes with the response; it reveals no secrets."""
        parts = (len(self.draft.changes), self.own, self.wanted, self.turn, self.who.may_write, problem)
        return sha256(repr(parts).encode()).hexdigest()[:32]

    def packed(self, problem: str | None) -> bytes:
        """Return the response as gzipped JSON; browsers with the same view share it."""
        tag = self.tag(problem)
        if tag not in self.draft.answers:
            self.draft.answers[tag] = gzip.compress(as_bytes(self.answer(problem)), QUICK)
        return self.draft.answers[tag]

    def answer(self, problem: str | None = None) -> dict[str, Any]:
        """Return all data that a page needs; `problem` is the reason why a program's decision is missing."""
        draft, turn = self.draft, self.turn
        scene = seen_scene(draft.replay, self.seat)
        scene["match"], scene["status"] = draft.match, "draft"
        scene.pop("review", None)
        choices = self._choices()
        return {
            "id": draft.stored.id,
            "changes": len(draft.changes),
            "match": draft.match,
            "game": draft.stored.game,
            "game_title": title_of(draft.stored.game),
            "title": draft.stored.title,
            "made_by": draft.stored.made_by,
            "at": moment(draft.stored.made_at),
            "kind": draft.setup.kind,
            "dice": draft.setup.dice,
            "over": draft.is_over,
            "seats": [asdict(seat) for seat in self.seats],
            "entries": self._entries(),
            "scene": scene,
            "due": list(draft.actors),
            "turn": turn,
            "choices": choices and choices.as_dict(),
            "expected": choices.expected if choices and len(draft.actors) == 1 else self.expected,
            "offers": [{"text": text, "about": about} for text, about in self.offers],
            "waiting": problem or self.waiting,
            "handed_in": _as_told(draft.handed_in),
        }

    @property
    def seats(self) -> list[SeatOfDraft]:
        """All seats in the view of this browser."""
        draft = self.draft
        return [
            SeatOfDraft(
                draft.recording.players[seat],
                PROGRAM if there.program else PERSON,
                bool(there.program or draft.seats[seat]),
                seat in self.own,
            )
            for seat, there in enumerate(draft.setup.seats)
        ]

    @property
    def expected(self) -> str | None:
        """The next expected choice and its notation; `None` at the end."""
        draft, turn = self.draft, self.turn
        if turn is None:
            return None
        state = draft.state if self.seat is None else draft.game.view(draft.state, self.seat)
        return expected(draft.game, state, turn if draft.is_play or self.wanted is not None else None)

    @property
    def offers(self) -> list[tuple[str, str]]:
        """Texts that may follow the first word of the chance result that this browser enters, each with a remark."""
        draft = self.draft
        return offers(draft.game, draft.state) if self.turn == CHANCE and self.may_say_what_fell else []

    @property
    def waiting(self) -> str | None:
        """Sentence that names the seats this browser waits for; `None` if it waits for none."""
        draft, due = self.draft, self.draft.actors
        if not due or any(seat in self.own for seat in due):
            return None
        if due[0] == CHANCE:
            return None if self.may_say_what_fell else "Waiting for the roll to be entered"
        thinking = [self._called(seat) for seat in due if draft.setup.seats[seat].program]
        if thinking:
            return f"{joined(thinking)} {'are' if len(thinking) > 1 else 'is'} thinking"
        people = [self._called(seat) for seat in due]
        return f"{joined(people)} {'are' if len(people) > 1 else 'is'} to decide"

    def log(self) -> bytes:
        """Return the log up to the first secret entry; in play it contains the seed only at the end."""
        return self.draft.log(self.open_entries)

    def notation(self) -> str:
        """Return the match in notation up to the first secret entry."""
        draft = self.draft
        return file_of(cut(draft.replay, draft.lines_of(self.open_entries)))

    def _called(self, seat: int) -> str:
        name = self.draft.recording.players[seat]
        is_there = self.draft.seats[seat] or self.draft.setup.seats[seat].program
        return f"{name} (seat {seat + 1})" if is_there else f"seat {seat + 1}, which is open,"

    def _choices(self) -> Choices | None:
        draft, turn = self.draft, self.turn
        if turn is None or turn not in self.own:
            return None
        return choices_of(draft.game, draft.state, turn, names_in(draft.replay))

    def _entries(self) -> list[dict[str, Any]]:
        """Return the entries in the form of `ShownEntry`, ten times as fast as `asdict`."""
        return [
            {key: getattr(each, key) for key in SHOWN} | {"text": each.text if is_open else None}
            for each, is_open in zip(self.draft.entries, self._is_open, strict=True)
        ]


def _as_told(handed_in: HandedIn | None) -> dict[str, Any] | None:
    return None if handed_in is None else asdict(handed_in)

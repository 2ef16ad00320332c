"""Scenes of games that have rules but no drawing: positions are shown as text."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import accumulate
from typing import Any, Final, Literal, Never, TypedDict

from dashboards.boards.scene import (
    FORMAT,
    NOBODY,
    Ending,
    Frame,
    Measure,
    Moment,
    Scene,
    Summary,
    Terms,
    check_view,
    counted,
    joined,
    names_of,
    seats_of,
    spans_of,
    status_of,
)
from himalaya_core.defaults import open_to_all
from himalaya_core.log.codec import Entry
from himalaya_core.log.envelope import Ended, Header
from himalaya_core.names import shown_name
from himalaya_core.replay import Replay

__all__ = ["WIDEST", "PlainBoard", "PlainFrame", "PlainScene", "facts_of", "in_words", "plain_scene"]


class PlainBoard(TypedDict):
    """An empty board, for games without a drawing. It has no places to draw or select."""

    kind: Literal["plain"]
    nodes: list[Never]
    links: list[Never]


class PlainFrame(Frame):
    """A position: `p` is the index of its text."""

    p: int


class PlainScene(Scene):
    """A match of a game without a drawing. `texts` are its positions, each in lines of at most 96 characters."""

    board: PlainBoard
    frames: list[PlainFrame]
    texts: list[list[str]]


WIDEST: Final = 96
"""Maximum number of characters in a line; longer lines are wrapped."""
ACTIONS: Final = Measure(key="actions", short="Acts", name="Actions so far")
HIDDEN: Final = "anything else only they know"


def plain_scene(replay: Replay, view: int | None = None) -> PlainScene:
    """Return the scene of a match: a frame for each line of its log, the first for `match_started`.

    In a seat's view, positions come from `Game.view`. Games do not mark which parts of an event a seat knows. So the
    events of other seats are shown by name only, unless the game has no secrets. `ValueError` for a seat that does not
    exist.
    """
    game, header, entries = replay.game, replay.header, replay.entries
    check_view(header, view)
    names = names_of(header)
    texts, position = _distinct(_texts(replay, view))
    endings, ending = _distinct(_endings(replay, names))
    done = _actions(entries, len(names))
    rounds = [entry.round for entry in entries]
    frames = [
        PlainFrame(f=[[count] for count in done[at]], a=_acting(replay, at), x=0, e=ending[at], p=position[at])
        for at in range(len(entries))
    ]
    secret = game.view is not open_to_all
    moments = [
        _moment(at, entry, names, whole=view is None or not secret or entry.seat == view)
        for at, entry in enumerate(entries)
    ]
    return PlainScene(
        format=FORMAT,
        match=entries[0].match,
        game=header.game,
        status=status_of(replay),
        view=NOBODY if view is None else view,
        terms=_terms(secret=secret),
        seats=seats_of(header),
        measures=[ACTIONS],
        kinds={entry.type: in_words(entry.type) for entry in entries},
        names={},
        groups={},
        board=PlainBoard(kind="plain", nodes=[], links=[]),
        plies=[entry.ply for entry in entries],
        rounds=rounds,
        when=list(accumulate(rounds, max)),
        frames=frames,
        endings=endings,
        moments=moments,
        visits=[],
        summaries=_summaries(rounds, done),
        lanes=[],
        texts=texts,
    )


def _terms(*, secret: bool) -> Terms:
    return Terms(
        round="Round",
        rounds="rounds",
        short="R",
        step="",
        setup="Before the first round.",
        keys="the end",
        secrets=HIDDEN if secret else "",
        notes=[],
        chance="draws",
    )


def _distinct(values: Iterable[Any]) -> tuple[list[Any], list[int]]:
    """Merge equal neighbours; return the remaining values, and for each original value its index among them."""
    found: list[Any] = []
    which = []
    for value in values:
        if value not in found[-1:]:
            found.append(value)
        which.append(len(found) - 1)
    return found, which


def _texts(replay: Replay, view: int | None) -> Iterable[list[str]]:
    game = replay.game
    names = [
        f"{name} ({shown_name(info.player)})"
        for name, info in zip(names_of(replay.header), replay.header.seats, strict=True)
    ]
    for state in replay.states:
        text = game.describe(state if view is None else game.view(state, view), names)
        yield [
            piece
            for line in text.splitlines()
            for piece in textwrap.wrap(line, WIDEST, replace_whitespace=False, drop_whitespace=False) or [""]
        ]


def _actions(entries: Sequence[Entry], seats: int) -> list[list[int]]:
    """Return for each entry how many actions each seat has taken so far."""
    found = [[0] * seats]
    for entry in entries[1:]:
        mine = None if entry.action is None else entry.seat
        found.append([count + (seat == mine) for seat, count in enumerate(found[-1])])
    return found


def _acting(replay: Replay, at: int) -> int:
    """Return the seat to act; `NOBODY` for chance, several seats, or the end."""
    actors = () if isinstance(replay.entries[at].event, Ended) else replay.game.actors(replay.states[at])
    return actors[0] if len(actors) == 1 and actors[0] >= 0 else NOBODY


def _endings(replay: Replay, names: Sequence[str]) -> Iterable[Ending]:
    """Yield the result as of each entry; it names no winner until the match is over."""
    for entry, state in zip(replay.entries, replay.states, strict=True):
        outcome = replay.game.outcome(state)
        if outcome is None:
            over = isinstance(entry.event, Ended)
            text = "The match was not finished." if over else "The match goes on."
            yield Ending(head="Result" if over else "So far", over=over, out=[], win=[], text=text)
            continue
        winners = outcome.winners
        verb = "shared the win" if len(winners) > 1 else "won"
        scores = (
            f"{names[seat]} {', '.join(_pair(key, value) for key, value in outcome.scores[seat].items())}".strip()
            for group in outcome.ranking
            for seat in group
        )
        text = f"{joined([names[seat] for seat in winners])} {verb}: {'; '.join(scores)}."
        yield Ending(head="Result", over=True, out=[], win=list(winners), text=text)


def _moment(at: int, entry: Entry, names: Sequence[str], *, whole: bool) -> Moment:
    """Return an event in words: its actor and name, and its facts if `whole` is true."""
    facts = [] if isinstance(entry.event, Header | Ended) or not whole else facts_of(entry.event)
    name = in_words(entry.type)
    what = name if entry.seat is None else f"{names[entry.seat]}: {name[0].lower()}{name[1:]}"
    text = "".join([what, *(f", {fact}" for fact in facts)])
    moment = Moment(at=at, seat=NOBODY if entry.seat is None else entry.seat, kind=entry.type, text=text)
    if isinstance(entry.event, Ended):
        moment["key"] = True
    return moment


def in_words(name: str) -> str:
    """Return the name of an event or action as words: "Match started"."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def facts_of(event: Any) -> list[str]:
    """Return the fields of an event or action as words, without its seat: "village 7"."""
    return [_pair(each.name.rstrip("_"), getattr(event, each.name)) for each in fields(event) if each.name != "seat"]


def _pair(key: str, value: Any) -> str:
    return f"{key.replace('_', ' ')} {_value(value)}"


def _value(value: Any) -> str:
    if is_dataclass(value) and not isinstance(value, type):
        return f"({', '.join(facts_of(value))})"
    if isinstance(value, tuple | list):
        return " ".join(map(_value, value)) or "none"
    if isinstance(value, Enum):
        return str(value.value)
    return "none" if value is None else str(value)


def _summaries(rounds: Sequence[int], done: Sequence[Sequence[int]]) -> list[Summary]:
    """Return a summary of each round that has begun: each seat's number of actions."""
    found = []
    for start, following in spans_of(rounds):
        gains = [now - then for then, now in zip(done[start - 1], done[following - 1], strict=True)]
        found.append(
            Summary(
                round=rounds[start],
                at=start,
                end=following - 1,
                gains=[[gain] for gain in gains],
                got=[counted(gain, "action", "actions") for gain in gains],
                notes=[],
            )
        )
    return found

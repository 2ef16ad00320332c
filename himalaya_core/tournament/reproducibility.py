"""Reproducibility check: run the named players of a match again and compare every decision with the log.

A player's decisions follow from its version, parameters and seed, and from the views of its seat in order. Its seed
follows from the match's seed. A player that cannot be run here is reported, and never counts as reproduced.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from himalaya_core.errors import RegistryError
from himalaya_core.game import Game
from himalaya_core.log.codec import Entry, SeatInfo, as_logged
from himalaya_core.log.envelope import PERSON
from himalaya_core.players import NamedPlayer, players_of
from himalaya_core.players.named import UnknownPlayer, in_full, line_up, make_player, settings_of, source_of
from himalaya_core.players.program import begin_match
from himalaya_core.replay import Replay
from himalaya_core.tournament.plan import seed_of
from himalaya_core.verification import Divergence

__all__ = ["NOT_INSTALLED", "NotAsked", "PlayersVerdict", "SeatAnswer", "ask", "player_of"]

GAMES_KEPT: Final = 8
NOT_INSTALLED: Final = "it is not installed"


class PlayersVerdict(StrEnum):
    """Result of running a seat's player again: the same choices as in the log, different ones, or not run."""

    REPEATS = "repeats"
    DIFFERS = "differs"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """The result for the player of one seat.

    `departure` is the first decision that differs. `reason` says why the player could not be run. `decisions` counts
    the decisions that were reproduced.
    """

    seat: int
    player: str
    version: str
    verdict: PlayersVerdict
    decisions: int = 0
    departure: Divergence | None = None
    reason: str | None = None


class NotAsked(Exception):
    """A player that cannot be run here; the message gives the reason."""


def ask(lines: Sequence[bytes], board: Any | None = None, outside: Sequence[str] = ()) -> tuple[SeatAnswer, ...]:
    """Run a match's players again, up to the end of its log, and return one result per seat.

    `outside` gives the sources of players that are not installed (`FILE.py:CLASS`), as for playing. Raises
    `ReplayError` for a match that cannot be replayed, and `UnknownPlayer` for an invalid source.
    """
    replay = Replay.read(lines, board)
    return tuple(_asked(replay, info, outside) for info in replay.header.seats)


def _asked(replay: Replay, info: SeatInfo, outside: Sequence[str]) -> SeatAnswer:
    try:
        player = player_of(replay, info, outside)
    except NotAsked as error:
        return SeatAnswer(info.seat, info.player, info.version, PlayersVerdict.NOT_ASKED, reason=str(error))
    alike = 0
    for entry, before in zip(replay.entries[1:], replay.states, strict=False):
        if entry.action is None or entry.seat != info.seat:
            continue
        departure = _departure(replay.game, player, entry, before)
        if departure is not None:
            return SeatAnswer(info.seat, info.player, info.version, PlayersVerdict.DIFFERS, alike, departure)
        alike += 1
    return SeatAnswer(info.seat, info.player, info.version, PlayersVerdict.REPEATS, alike)


def _departure(game: Game[Any, Any, Any], player: NamedPlayer, entry: Entry, before: Any) -> Divergence | None:
    assert entry.seat is not None, "decisions of seats alone"
    who = f"{player.name} in seat {entry.seat + 1}"
    found = as_logged(game, entry.action)
    try:
        action = player.choose(game.view(before, entry.seat), entry.seat)
    except Exception as error:  # noqa: BLE001  a player may raise anything in a match it never played
        said = " ".join(str(error).split())
        return Divergence(entry.seq + 1, entry.seq, f"a choice of {who}, which fails here ({said})", found)
    if action == entry.action:
        return None
    named = as_logged(game, action) if type(action) in set(game.action_types.values()) else repr(action)
    return Divergence(entry.seq + 1, entry.seq, f"{named}, the choice of {who}", found)


def player_of(replay: Replay, info: SeatInfo, outside: Sequence[str] = (), seed: str | None = None) -> NamedPlayer:
    """Return a seat's player as in the match, or with another seed. `NotAsked` says why it cannot be run."""
    game, header = replay.game, replay.header
    if info.version == PERSON:
        raise NotAsked("a person decided")
    seed = header.luck if seed is None else seed
    if seed is None:
        raise NotAsked("the match names no seed")
    entrants = _entrants(game, tuple(outside))
    if info.player in entrants:
        names, known = line_up(game, [entrants[info.player]])
        name = names[0]
    elif info.player in players_of(game):
        name, known = info.player, {}
    else:
        raise NotAsked(NOT_INSTALLED)
    try:
        there = make_player(game, name, "", known)
        if there.version != info.version:
            raise NotAsked(f"version {there.version} is installed")
        if info.source_sha256 not in (None, source_of(there)):
            raise NotAsked("its source is not the one that played")
        if not known:
            name = in_full(name, _settings(there, info))
            there = make_player(game, name, "")
        if dict(there.params) != info.params:
            raise NotAsked("it has other settings")
        if not getattr(there, "is_repeatable", True):
            raise NotAsked("it decides on a budget of time")
        player = make_player(game, name, seed_of(seed, name, info.seat), known)
    except (RegistryError, UnknownPlayer) as error:
        raise NotAsked(str(error)) from None
    begin_match([player], header, replay.board)
    return player


def _settings(there: NamedPlayer, info: SeatInfo) -> Mapping[str, Any]:
    if set(there.params) != set(info.params):
        raise NotAsked("it has other settings")
    return settings_of(there.params, info.params)


@lru_cache(maxsize=GAMES_KEPT)
def _entrants(game: Game[Any, Any, Any], outside: tuple[str, ...]) -> Mapping[str, str]:
    """Map the log name of each player in `outside` to its source."""
    names = [line_up(game, [text])[0][0] for text in outside]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UnknownPlayer(f"two players are called {twice[0]!r}: add =NAME to one")
    return dict(zip(names, outside, strict=True))

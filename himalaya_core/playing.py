"""One match played from Python: its players, its seed, and the file for its log."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from himalaya_core.arena.record import Pairing, play_between, seed_of
from himalaya_core.files import load_board, write_log
from himalaya_core.game import Game, Outcome
from himalaya_core.games import GAMES
from himalaya_core.match import Match, Player
from himalaya_core.names import TOURNAMENT_NAME, did_you_mean
from himalaya_core.players import NamedPlayer, players_of
from himalaya_core.players.named import UnknownPlayer, line_up, make_player, refuse_taken
from himalaya_core.players.outside import Outside, OutsideError, made, outside_player
from himalaya_core.replay import Replay

__all__ = ["Entrant", "PlayedMatch", "play"]

Entrant: TypeAlias = str | type[Any] | Callable[..., Any] | Player[Any, Any]
"""A player by its name, as a class or function that makes it, or as an object."""


@dataclass(frozen=True)
class PlayedMatch:
    """A match that was played to its end, and its log."""

    match: Match[Any, Any, Any]
    seed: str
    log: bytes

    @property
    def outcome(self) -> Outcome:
        """Ranking and scores."""
        outcome = self.match.outcome
        assert outcome is not None, "a match that was played to its end has an outcome"
        return outcome

    @property
    def replay(self) -> Replay:
        """The log read back: every entry with the position after it."""
        return Replay.read(BytesIO(self.log), self.match.board)


def play(
    game: str | Game[Any, Any, Any],
    players: Sequence[Entrant],
    *,
    seed: str | None = None,
    options: Mapping[str, Any] | None = None,
    board: Any | None = None,
    out: str | Path | None = None,
) -> PlayedMatch:
    """Play a match to its end, and write its log to a file if `out` names one.

    A player is a name (`"rollout:playouts=80"`, `"bots.py:Careful"`), a class or function that makes one from a seed
    and settings, or an existing object. With the same seed the same dice are rolled; without one the match has
    its own seed. `board` is a board, a file, or the id of one that ships with the game.

    Raises `ValueError` for an unknown game or a seed that is no name, and its subclasses `UnknownPlayer`,
    `OptionsError`, `BoardError`, and `IllegalAction` if a player chooses an illegal action; `LogFileError` if the log
    cannot be written.
    """
    if isinstance(game, str):
        if game not in GAMES:
            there = f"there are {', '.join(GAMES)}{did_you_mean(game, GAMES)}"
            raise ValueError(f"the game {game!r} is unknown; {there}")
        game = GAMES[game]
    seed = seed or f"play-{secrets.token_hex(4)}"
    if not re.fullmatch(TOURNAMENT_NAME, seed):
        raise ValueError(f"seed: expected 1 to 57 of A-Z a-z 0-9 . _ -, found {seed!r}")
    if board is None or isinstance(board, str | Path):
        board = load_board(game, None if board is None else Path(board))
    names, outside = _named(game, players)
    pairing = Pairing(seed, names, seed)
    seated = [_seated(game, player, pairing, seat, outside) for seat, player in enumerate(players)]
    match, log = play_between(game, board, options or {}, pairing, seated)
    if out is not None:
        with write_log(Path(out)) as file:
            file.write(log)
    return PlayedMatch(match, seed, log)


def _named(game: Game[Any, Any, Any], players: Sequence[Entrant]) -> tuple[tuple[str, ...], Mapping[str, Outside]]:
    """Return the name of each player, and the source of those from files and modules."""
    texts = [player for player in players if isinstance(player, str)]
    known, outside = line_up(game, texts)
    of_text = dict(zip(texts, known, strict=True))
    kinds: dict[str, tuple[type[Any], Mapping[str, Any]]] = {}
    names: list[str] = []
    for player in players:
        if isinstance(player, str):
            names.append(of_text[player])
            continue
        inner = _made(player, "")
        name = _complete(game, inner).name
        kind = (type(inner), dict(getattr(inner, "params", {})))
        if name in outside or kinds.setdefault(name, kind) != kind:
            raise UnknownPlayer(f"two players are called {name!r}: give one another name")
        names.append(name)
    return tuple(names), outside


def _seated(
    game: Game[Any, Any, Any], player: Entrant, pairing: Pairing, seat: int, outside: Mapping[str, Outside]
) -> NamedPlayer:
    seed = seed_of(pairing.seed, pairing.players[seat], seat)
    if isinstance(player, str):
        return make_player(game, pairing.players[seat], seed, outside)
    return _complete(game, _made(player, seed))


def _made(player: Any, seed: str) -> Any:
    """Return a player as it is, or made from a seed by its class or a function."""
    if not isinstance(player, type) and hasattr(player, "choose"):
        return player
    try:
        if not callable(player):
            raise UnknownPlayer(f"expected a player, its name or its class, found {player!r}")
        return made(player, seed, {})
    except OutsideError as error:
        raise UnknownPlayer(f"player {getattr(player, '__name__', player)!r}: {error}") from None


def _complete(game: Game[Any, Any, Any], player: Any) -> NamedPlayer:
    """Return a player that a log can name; one that only shares the name of a built-in one is refused."""
    try:
        complete = outside_player(player)
        maker = players_of(game).get(complete.name)
        if maker is None or type(maker("", {})) is not type(player):
            refuse_taken(game, complete.name, "give this one another name")
    except ValueError as error:
        raise UnknownPlayer(f"player {type(player).__name__!r}: {error}") from None
    return complete

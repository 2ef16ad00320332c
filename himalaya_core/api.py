"""Play, read and verify matches from Python: the functions behind `import himalaya_core as hm`."""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from himalaya_core.files import load_board, log_files, read_lines, write_log
from himalaya_core.game import Game, Outcome
from himalaya_core.games import GAMES
from himalaya_core.log.matches import matches
from himalaya_core.match import Match, Player, PlayerFailure
from himalaya_core.names import SEED_HINT, SEED_NAME, did_you_mean
from himalaya_core.players import NamedPlayer, players_of
from himalaya_core.players.external import OutsideError, made, outside_player
from himalaya_core.players.named import Source, UnknownPlayer, line_up, make_player, refuse_taken
from himalaya_core.replay import Replay, ReplayError
from himalaya_core.tournament.plan import Pairing, play_between, seed_of
from himalaya_core.tournament.verify_files import verdict_on, verdicts

__all__ = ["Entrant", "Log", "PlayedMatch", "play", "read_log", "verify"]


Entrant: TypeAlias = str | type[Any] | Callable[..., Any] | Player[Any, Any]
"""A player: its name, an object, or a class or function that creates one."""


@dataclass(frozen=True)
class PlayedMatch:
    """A finished match and its log."""

    match: Match[Any, Any, Any]
    seed: str
    log: bytes

    @property
    def outcome(self) -> Outcome:
        """The ranking and the scores."""
        outcome = self.match.outcome
        assert outcome is not None, "a match that was played to its end has an outcome"
        return outcome

    @property
    def replay(self) -> Replay:
        """The match read back from its log: every entry with the position after it."""
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
    """Play a match to its end. If `out` is given, write the log to that file.

    A player is a name (`"rollout:playouts=80"`, `"bots.py:Careful"`), an existing object, or a class or function that
    creates one from a seed and settings. The same seed gives the same dice; by default each match gets a new seed.
    A match of a tournament has a seed such as `"cup/3"`.
    `board` is a board, a file, or the id of a board that ships with the game.

    Raises `ValueError` for an unknown game or an invalid seed, and its subclasses `UnknownPlayer`, `OptionsError` and
    `BoardError`. Raises `PlayerFailure` if a player raises an error or chooses an illegal action; `out` then has the
    log up to that position. Raises `LogFileError` if the log cannot be written.

    >>> import himalaya_core as hm
    >>> played = hm.play("caravan", ["trader", "pilgrim", "greedy"], seed="monday", out="monday.jsonl")
    >>> played.outcome.ranking
    ((0,), (1,), (2,))
    >>> dict(played.outcome.scores[0])
    {'religious': 4, 'political': 3, 'economic': 46}

    The same seed, players, options and board give the same bytes on every machine.

    >>> hm.play("caravan", ["trader", "pilgrim", "greedy"], seed="monday").log == played.log
    True
    >>> class First:
    ...     name = "first"
    ...
    ...     def choose(self, view, seat):
    ...         return hm.GAMES["summit"].legal_actions(view, seat)[0]
    >>> played = hm.play("summit", [First, "porter", First()], seed="monday")
    >>> [seat.player for seat in played.replay.header.seats]
    ['first', 'porter', 'first']
    """
    if isinstance(game, str):
        if game not in GAMES:
            there = f"there are {', '.join(GAMES)}{did_you_mean(game, GAMES)}"
            raise ValueError(f"the game {game!r} is unknown; {there}")
        game = GAMES[game]
    seed = seed or f"play-{secrets.token_hex(4)}"
    if not re.fullmatch(SEED_NAME, seed):
        raise ValueError(f"seed: expected {SEED_HINT}, found {seed!r}")
    if board is None or isinstance(board, str | Path):
        board = load_board(game, None if board is None else Path(board))
    names, outside = _named(game, players)
    pairing = Pairing(seed.replace("/", "."), names, seed)
    seated = [_seated(game, player, pairing, seat, outside) for seat, player in enumerate(players)]
    try:
        match, log = play_between(game, board, options or {}, pairing, seated)
    except PlayerFailure as failure:
        if out is not None:
            _write(out, failure.log)
        raise
    if out is not None:
        _write(out, log)
    return PlayedMatch(match, seed, log)


def _write(out: str | Path, log: bytes) -> None:
    with write_log(Path(out)) as file:
        file.write(log)


def _named(game: Game[Any, Any, Any], players: Sequence[Entrant]) -> tuple[tuple[str, ...], Mapping[str, Source]]:
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
    game: Game[Any, Any, Any], player: Entrant, pairing: Pairing, seat: int, outside: Mapping[str, Source]
) -> NamedPlayer:
    seed = seed_of(pairing.seed, pairing.players[seat], seat)
    if isinstance(player, str):
        return make_player(game, pairing.players[seat], seed, outside)
    return _complete(game, _made(player, seed))


def _made(player: Any, seed: str) -> Any:
    """Return a player object: the given one, or one created from the seed."""
    if not isinstance(player, type) and hasattr(player, "choose"):
        return player
    try:
        if not callable(player):
            raise UnknownPlayer(f"expected a player, its name or its class, found {player!r}")
        return made(player, seed, {})
    except OutsideError as error:
        raise UnknownPlayer(f"player {getattr(player, '__name__', player)!r}: {error}") from None


def _complete(game: Game[Any, Any, Any], player: Any) -> NamedPlayer:
    """Return the player with all attributes that a log needs. Reject a custom player with a built-in player's name."""
    try:
        complete = outside_player(player)
        maker = players_of(game).get(complete.name)
        if maker is None or type(maker("", {})) is not type(player):
            refuse_taken(game, complete.name, "give this one another name")
    except ValueError as error:
        raise UnknownPlayer(f"player {type(player).__name__!r}: {error}") from None
    return complete


Log: TypeAlias = str | Path | bytes | Iterable[bytes]
"""A log: its path, its contents as bytes, or its lines."""


def read_log(log: Log, board: Any | None = None) -> Iterator[Replay]:
    """Yield a `Replay` of each match in a log. The log may be a plain, `.gz` or `.zst` file, or a folder of such files.

    Pass `board` if the log names a board that neither ships with the game nor is included in the log.
    Raises `ReplayError`, with file and line, for a match that cannot be replayed, and `LogFileError` for an unreadable
    file.

    >>> import himalaya_core as hm
    >>> (replay,) = hm.read_log(hm.play("caravan", ["trader", "pilgrim", "greedy"], seed="monday").log)
    >>> replay.header.game, replay.header.luck, replay.entries[1].type
    ('caravan', 'monday', 'refill_rolled')
    """
    for path in _files(log):
        for numbers, lines in matches(read_lines(path) if path else _lines(log)):
            try:
                replay = Replay.read(lines, board)
            except ReplayError as error:
                file = str(path) if path else None
                raise ReplayError(numbers[error.line - 1], error.reason, file) from None
            yield replay


def verify(log: Log, board: Any | None = None, *, players: bool | Sequence[str] = False) -> list[str]:
    """Check a log against the rules and its seed; return one message for each divergence, or an empty list.

    For each match the message describes the first event that does not follow from the rules. If all events follow, it
    describes the first roll that the seed does not give. Unreadable lines are reported too. Each message names the file
    and line, the expected value and the one found.

    If `players` is true, players with reproducible decisions choose again, and the first differing decision of each is
    reported. `players` can also be a list with the sources of players that are not installed (`"bots.py:Careful"`).

    Raises `ValueError` if the log contains no match, `LogFileError` if a file is missing, and `UnknownPlayer` if
    `players` names an unknown one.

    >>> import himalaya_core as hm
    >>> log = hm.play("caravan", ["trader", "pilgrim", "greedy"], seed="monday").log
    >>> hm.verify(log, players=True)
    []
    >>> hm.verify(log.replace(b'"seq":9,', b'"seq":7,'))
    ['line 10: seq: expected 9, found 7']
    """
    outside = None if players is False else () if players is True else tuple(players)
    if isinstance(log, str | Path):
        found = list(verdicts(log_files([Path(log)]), board, 1, outside))
    else:
        found = [verdict_on(numbers, lines, board, outside) for numbers, lines in matches(_lines(log))]
    if not found:
        raise ValueError("there is no match in this log")
    return [text for verdict in found for text in verdict.problems]


def _files(log: Log) -> list[Path] | list[None]:
    return log_files([Path(log)]) if isinstance(log, str | Path) else [None]


def _lines(log: Log) -> Iterable[bytes]:
    assert not isinstance(log, str | Path), "a path has been opened before"
    return BytesIO(log) if isinstance(log, bytes) else log

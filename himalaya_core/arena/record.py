"""Play one match between named players, and write its log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from himalaya_core.boards import carried
from himalaya_core.game import Game
from himalaya_core.log.codec import BoardReference, Header, SeatInfo
from himalaya_core.log.encoder import encode_match
from himalaya_core.match import Match, run
from himalaya_core.players import NamedPlayer
from himalaya_core.players.named import NOBODY, class_of, make_player
from himalaya_core.players.outside import Outside
from himalaya_core.players.source import is_of_the_core, source_sha256
from himalaya_core.seed import Seed

__all__ = ["Pairing", "header", "play", "play_between", "seat_info", "seed_of"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to play: its name, the players in seat order, and the seed of its dice."""

    match: str
    players: tuple[str, ...]
    seed: str
    tournament: str | None = None
    number: int | None = None


def play(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    outside: Mapping[str, Outside] = NOBODY,
) -> tuple[Match[Any, Any, Any], bytes]:
    """Play a match to its end; return it and the lines of its log.

    A player's own draws are a function of the seed, its name and its seat. `outside` gives the source of players that
    are not built in.
    """
    return play_between(game, board, options, pairing, _players(game, pairing, outside))


def play_between(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    players: Sequence[NamedPlayer],
) -> tuple[Match[Any, Any, Any], bytes]:
    """Play a match between existing player objects; return it and the lines of its log."""
    match = Match(game, board, {**options, "players": len(players)})
    run(match, players, Seed(pairing.seed))
    header = _header(game, board, options, pairing, players)
    return match, encode_match(game, pairing.match, header, match.history, carried(game, board))


def header(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    outside: Mapping[str, Outside] = NOBODY,
) -> Header:
    """Return the contents of the first line of a match's log."""
    return _header(game, board, options, pairing, _players(game, pairing, outside))


def seed_of(seed: str, player: str, seat: int) -> str:
    """Return the seed of a player's own draws: made from the match's seed, the player's name and its seat."""
    return f"{seed}|{player}|{seat}"


def _players(game: Game[Any, Any, Any], pairing: Pairing, outside: Mapping[str, Outside]) -> list[NamedPlayer]:
    return [
        make_player(game, name, seed_of(pairing.seed, name, seat), outside) for seat, name in enumerate(pairing.players)
    ]


def _header(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    players: Sequence[NamedPlayer],
) -> Header:
    return Header(
        format=1,
        game=game.name,
        rules_version=game.rules_version,
        options={"players": len(players), **options},
        board=BoardReference(board.id, board.sha256),
        seats=_seats(game, players),
        tournament=pairing.tournament,
        pairing=pairing.number,
        luck=pairing.seed,
    )


def _seats(game: Game[Any, Any, Any], players: Sequence[NamedPlayer]) -> tuple[SeatInfo, ...]:
    return tuple(seat_info(game, seat, player) for seat, player in enumerate(players))


def seat_info(game: Game[Any, Any, Any], seat: int, player: NamedPlayer) -> SeatInfo:
    """Return the entry in the first line of a log for a seat and its player."""
    return SeatInfo(seat, player.name, player.version, dict(player.params), game.seat_labels[seat], _source(player))


def _source(player: NamedPlayer) -> str | None:
    """Return the digest of a player from outside; core players are identified by their version."""
    kind = class_of(player)
    return None if is_of_the_core(kind) else source_sha256(kind)

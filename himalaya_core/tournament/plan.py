"""The plan of a tournament: its schedule and seating, and how to play and log one of its matches."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, Final

from himalaya_core.boards import carried
from himalaya_core.errors import HimalayaError
from himalaya_core.game import SEAT, Game
from himalaya_core.games import GAMES
from himalaya_core.log.encoder import LogEncoder, encode_match
from himalaya_core.log.envelope import BoardReference, Header, SeatInfo
from himalaya_core.match import Match, PlayerFailure, run
from himalaya_core.players import NamedPlayer
from himalaya_core.players.external import is_of_the_core
from himalaya_core.players.named import NOBODY, Source, class_of, line_up, make_player, source_of
from himalaya_core.players.program import NO_LIMITS, Limits, ProgramPlayer, begin_match, end_match
from himalaya_core.seed import Seed

__all__ = [
    "Pairing",
    "Plan",
    "Schedule",
    "Seating",
    "TournamentError",
    "check",
    "header",
    "line_ups",
    "make_plan",
    "pairings",
    "play",
    "play_between",
    "play_command",
    "seat_info",
    "seed_name",
    "seed_of",
    "tables",
]


LineUp = tuple[str, ...]


class Schedule(StrEnum):
    """The ways to form line-ups from the entrants."""

    FIXED = "fixed"
    ALL = "all"
    LADDER = "ladder"


class Seating(StrEnum):
    """The ways to seat a line-up. Every resulting seating order is played once with each seed."""

    ROTATE = "rotate"
    EVERY = "every"


def line_ups(schedule: Schedule, entrants: Sequence[str], seats: int) -> list[LineUp]:
    """Return the line-ups of a schedule. For the fixed schedule, `seats` must be the number of entrants."""
    match schedule:
        case Schedule.FIXED:
            return [tuple(entrants)]
        case Schedule.ALL:
            return list(combinations(entrants, seats))
        case Schedule.LADDER:
            return [tuple(entrants[top : top + seats]) for top in range(len(entrants) - seats + 1)]


def tables(schedule: Schedule, seating: Seating, entrants: Sequence[str], seats: int) -> list[LineUp]:
    """Return the tables played with each seed, in order: every line-up in every seating order."""
    return [table for line_up in line_ups(schedule, entrants, seats) for table in _seatings(seating, line_up)]


def _seatings(seating: Seating, line_up: LineUp) -> Iterator[LineUp]:
    match seating:
        case Seating.ROTATE:
            yield from (line_up[turn:] + line_up[:turn] for turn in range(len(line_up)))
        case Seating.EVERY:
            yield from dict.fromkeys(permutations(line_up))


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played: its name, the players by seat, and the seed of its dice."""

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
    outside: Mapping[str, Source] = NOBODY,
) -> tuple[Match[Any, Any, Any], bytes]:
    """Play a match to its end; return the match and the lines of its log.

    A player's random draws depend only on the seed, its name and its seat. `outside` gives the sources of external
    players.
    """
    return play_between(game, board, options, pairing, _players(game, pairing, outside))


def play_between(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    players: Sequence[NamedPlayer],
) -> tuple[Match[Any, Any, Any], bytes]:
    """Play a match between existing player objects. Return the match and the lines of its log.

    Raises `PlayerFailure` if a player fails; its `log` has the lines up to that position.
    """
    match = Match(game, board, {**options, "players": len(players)})
    header = _header(game, board, options, pairing, players)
    begin_match(players, header, board)
    try:
        run(match, players, Seed(pairing.seed))
    except PlayerFailure as failure:
        encoder = LogEncoder(game, pairing.match)
        lines = [encoder.start(header, carried(game, board)), *map(encoder.step, match.history)]
        failure.log = b"".join(lines)
        raise
    finally:
        end_match(players, match.outcome)
    return match, encode_match(game, pairing.match, header, match.history, carried(game, board))


def header(
    game: Game[Any, Any, Any],
    board: Any,
    options: Mapping[str, Any],
    pairing: Pairing,
    outside: Mapping[str, Source] = NOBODY,
) -> Header:
    """Return the header of a match's log."""
    return _header(game, board, options, pairing, _players(game, pairing, outside))


def seed_of(seed: str, player: str, seat: int) -> str:
    """Return the seed for a player's own random draws, made from the match's seed, the player's name and the seat."""
    return f"{seed}|{player}|{seat}"


def _players(game: Game[Any, Any, Any], pairing: Pairing, outside: Mapping[str, Source]) -> list[NamedPlayer]:
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
    """Return the header entry of one seat and its player."""
    return SeatInfo(seat, player.name, player.version, dict(player.params), game.seat_labels[seat], _source(player))


def _source(player: NamedPlayer) -> str | None:
    """Return the source digest of an external player; `None` for a built-in one, which its version identifies."""
    is_built_in = is_of_the_core(class_of(player)) and not isinstance(player, ProgramPlayer)
    return None if is_built_in else source_of(player)


MOST_MATCHES: Final = 1_000_000
"""Maximum number of matches in a tournament, because match numbers have six digits."""
USUAL_MATCHES: Final = 200
USUAL_SEATS: Final = 4


class TournamentError(HimalayaError, ValueError):
    """A tournament that cannot be played as requested; the message says what to do."""


@dataclass(frozen=True)
class Plan:
    """A tournament: a schedule and its number of matches.

    `players` lists the seats of a fixed line-up, or the entrants of another schedule. `outside` gives the sources of
    external players by name, and `limits` applies to programs. `seats` is the number of seats per table; by default,
    one per player. Matches are ordered by seed: the whole schedule is played with one seed before the next seed begins.
    """

    name: str
    game: str
    players: tuple[str, ...]
    matches: int
    options: Mapping[str, Any] = field(default_factory=dict)
    board: Path | None = None
    schedule: Schedule = Schedule.FIXED
    seating: Seating = Seating.ROTATE
    seats: int | None = None
    outside: Mapping[str, Source] = field(default_factory=dict)
    limits: Limits = NO_LIMITS

    @cached_property
    def tables(self) -> list[tuple[str, ...]]:
        """The tables played with each seed, in order."""
        return tables(self.schedule, self.seating, self.players, self.seats or len(self.players))


def make_plan(
    name: str,
    game: str,
    players: tuple[str, ...],
    *,
    schedule: Schedule = Schedule.FIXED,
    seating: Seating = Seating.ROTATE,
    seats: int | None = None,
    seeds: int | None = None,
    matches: int | None = None,
    options: Mapping[str, Any] | None = None,
    board: Path | None = None,
    beside: Path | None = None,
    limits: Limits = NO_LIMITS,
) -> Plan:
    """Return a checked plan. Give its length in `matches`, or in `seeds`, each of which plays the whole schedule.

    External players (`FILE.py:CLASS`, `prog:COMMAND`) are allowed; their files are searched for in the folder `beside`
    first. `limits` apply to programs.

    Raises `TournamentError`, `OptionsError` or `UnknownPlayer` if the plan cannot be played.
    """
    if schedule is not Schedule.FIXED and seats is None:
        seats = USUAL_SEATS
    names, outside = line_up(GAMES[game], players, beside, limits)
    length = matches or USUAL_MATCHES
    plan = Plan(name, game, names, length, options or {}, board, schedule, seating, seats, outside, limits)
    check(plan)
    if seeds is None:
        return plan
    if matches is not None:
        raise TournamentError("give either seeds or matches: each seed makes as many matches as the schedule has")
    plan = replace(plan, matches=seeds * len(plan.tables))
    check(plan)
    return plan


def check(plan: Plan) -> None:
    """Raise `TournamentError`, `OptionsError` or `UnknownPlayer` for a plan that cannot be played."""
    game = GAMES[plan.game]
    seats = plan.seats or len(plan.players)
    game.parse_options({**plan.options, "players": seats})
    for player in plan.players:
        make_player(game, player, "", plan.outside)
    if plan.schedule is Schedule.FIXED and seats != len(plan.players):
        raise TournamentError(f"a fixed line-up of {len(plan.players)} players has as many seats; you gave {seats}")
    if len(plan.players) < seats:
        raise TournamentError(f"{seats} seats need at least {seats} players; you named {len(plan.players)}")
    twice = [player for player in plan.players if plan.players.count(player) > 1]
    if twice and plan.schedule is not Schedule.FIXED:
        raise TournamentError(f"player {twice[0]!r} enters twice; under schedule {plan.schedule} each enters once")
    if not 1 <= plan.matches <= MOST_MATCHES:
        raise TournamentError(f"a tournament has 1 to {MOST_MATCHES:,} matches; you requested {plan.matches:,}")


def pairings(plan: Plan) -> Iterator[Pairing]:
    """Yield the matches of a plan in order."""
    for number in range(plan.matches):
        table = plan.tables[number % len(plan.tables)]
        yield Pairing(f"{plan.name}.{number:06d}", table, seed_name(plan, number), plan.name, number)


def seed_name(plan: Plan, number: int) -> str:
    """Return the name of the plan's seed with this number."""
    return f"{plan.name}/{number // len(plan.tables)}"


def play_command(plan: Plan, pairing: Pairing) -> str:
    """Return the command that plays one match of a plan again."""
    seats = {option.name for option in GAMES[plan.game].options if option.number == SEAT}
    players = [plan.outside[name].text if name in plan.outside else name for name in pairing.players]
    words = ["himalaya", "play", plan.game, "--players", ",".join(players), "--seed", pairing.seed]
    words += ["--board", str(plan.board)] if plan.board else []
    for flag, limit in zip(("time-per-move", "time-per-match", "memory"), astuple(plan.limits), strict=True):
        words += [] if limit is None else [f"--{flag}", f"{limit:g}"]
    for name, value in plan.options.items():
        if value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value + (name in seats))])]
    return shlex.join([*words, "--out", "failed.jsonl"])

"""The plan of a tournament, and the matches that follow from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from himalaya_core.arena.record import Pairing
from himalaya_core.arena.schedules import Schedule, Seating, tables
from himalaya_core.errors import HimalayaError
from himalaya_core.games import GAMES
from himalaya_core.players.named import line_up, make_player
from himalaya_core.players.outside import Outside

__all__ = ["Plan", "TournamentError", "check", "make_plan", "pairings", "seed_name"]

MOST_MATCHES: Final = 1_000_000
"""Matches are numbered with six digits."""
USUAL_MATCHES: Final = 200
USUAL_SEATS: Final = 4


class TournamentError(HimalayaError, ValueError):
    """A tournament that cannot be played as requested; the message says what to do."""


@dataclass(frozen=True)
class Plan:
    """A tournament to play: so many matches of a schedule.

    `players` are the seats of a fixed line-up or the entrants of another schedule; `outside` gives, by name, the source
    of those that are not built in. `seats` is the number of seats at a table (not given: one for each player). Matches
    are ordered by seed: the whole schedule is played with one seed before the next seed begins.
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
    outside: Mapping[str, Outside] = field(default_factory=dict)

    @cached_property
    def tables(self) -> list[tuple[str, ...]]:
        """The tables that are played with each seed, in order."""
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
) -> Plan:
    """Return a checked plan; its length is given in matches, or in seeds, each of which plays the whole schedule.

    Players may come from outside (`FILE.py:CLASS`); their files are looked for in the folder `beside` first.

    Raises `TournamentError`, `OptionsError` or `UnknownPlayer` if it cannot be played.
    """
    if schedule is not Schedule.FIXED and seats is None:
        seats = USUAL_SEATS
    names, outside = line_up(GAMES[game], players, beside)
    length = matches or USUAL_MATCHES
    plan = Plan(name, game, names, length, options or {}, board, schedule, seating, seats, outside)
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
    """Return the seed of a match of a plan."""
    return f"{plan.name}/{number // len(plan.tables)}"

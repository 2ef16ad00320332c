"""Evidence behind a report: the logs under its filter with their digests, the players, and their sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import polars as pl

from dashboards.queries.filters import VERDICTS, Filter
from dashboards.queries.imports import Copies, copies_under, intake_stamp
from dashboards.queries.participants import version_of
from dashboards.queries.reader import Reader
from dashboards.queries.results import results_stamp
from dashboards.queries.reviews import Reviewing, reviewing_under
from dashboards.queries.tournaments import looks_under
from dashboards.queries.where import SEATS, SEED_GROUP, seats_where, with_such_a_seat
from himalaya_core.players.external import former_sources
from himalaya_core.tournament.reproducibility import PlayersVerdict
from himalaya_core.tournament.sequential import Looks, said_of_looks
from himalaya_core.verification import DiceVerdict
from ingest.validate.after_load import Verdict

__all__ = ["NOBODY_ASKED", "Checks", "Reader", "Scope", "Sources", "in_words", "sources_under"]


SHORT: Final = 8
"""Number of hexadecimal digits shown of a source's digest."""
MOST_SOURCES: Final = 5
MOST_PLAYERS: Final = 3
ADVICE: Final = "raise a player's version whenever its strategy changes"


@dataclass(frozen=True, slots=True)
class Sources:
    """A version of a player that was played from several sources: number of seats by digest, most first.

    `nameless` is the number of seats for which neither the log nor the tournament's manifest records a source.
    """

    player: str
    version: str
    seats: tuple[tuple[str, int], ...]
    nameless: int

    def __str__(self) -> str:
        (source, first), *others = self.seats[:MOST_SOURCES]
        parts = [f"{first:,} {'seat' if first == 1 else 'seats'} from {_short(source)}"]
        parts += [f"{seats:,} from {_short(other)}" for other, seats in others]
        if more := sum(seats for _, seats in self.seats[MOST_SOURCES:]):
            parts.append(f"{more:,} from others")
        if self.nameless:
            parts.append(f"{self.nameless:,} from sources that neither log nor manifest names")
        called = f"{self.player} (version {self.version})"
        return f"{called} was played from {len(self.seats)} different sources: {', '.join(parts)}"


def sources_under(reader: Reader, where: Filter) -> tuple[Sources, ...]:
    """Return the versions of players with more than one source under a filter, sorted by name.

    Earlier sources of built-in players count as the current source.
    """
    condition, values = seats_where(where)
    rows = reader.rows(
        f"""with played as (select s.player, s.version, s.source_sha256 as source, count(*) as seats
                from {SEATS} where {condition} and not list_contains($former, coalesce(s.source_sha256, ''))
                group by all)
            select player, version, list((source, seats) order by seats desc, source) filter (source is not null),
                coalesce(sum(seats) filter (source is null), 0)::bigint
            from played group by 1, 2 having count(source) > 1 order by 1, 2""",
        {**values, "former": sorted(former_sources())},
    )
    return tuple(Sources(player, version, tuple(seats), nameless) for player, version, seats, nameless in rows)


def in_words(sources: tuple[Sources, ...]) -> str:
    """Return a sentence, without a full stop, on players with several sources; empty if there are none."""
    if not sources:
        return ""
    more = len(sources) - MOST_PLAYERS
    others = [f"so were {more:,} other versions of players" if more > 1 else "so was another"] if more > 0 else []
    return "; ".join([*map(str, sources[:MOST_PLAYERS]), *others, ADVICE])


def _short(source: str) -> str:
    return f"{source[:SHORT]}…"


NOBODY_ASKED: Final = ""
"""Verdict on a player that has not had a reproducibility check yet."""

NOT_CLEAN: Final = {
    Verdict.WAITING: ("is not yet verified", "are not yet verified"),
    Verdict.UNJUDGED: ("was not judged", "were not judged"),
}
ASKED: Final = {
    PlayersVerdict.REPEATS: "repeated its choices",
    PlayersVerdict.DIFFERS: "chose differently",
    PlayersVerdict.NOT_ASKED: "could not be checked",
    NOBODY_ASKED: "has not been checked yet",
}


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks of the counted matches: number of matches by verdict of the rules, and by verdict on the dice.

    `left_out` are verdicts of finished matches that fit the filter but are not counted; `copies` are copies of counted
    matches. `players` are verdicts on the players of the selected seats, including `NOBODY_ASKED`. `sources` are
    versions with several sources.
    """

    verdicts: Mapping[str, int]
    dice: Mapping[str, int]
    left_out: Mapping[str, int]
    players: Mapping[str, int]
    sources: tuple[Sources, ...]
    copies: Copies = field(default_factory=Copies)

    def in_words(self, chance: str) -> str:
        """Return the checks in a sentence, with numbers; `chance` is the game's word for what a seed decides."""
        return "; ".join(self.by_kind(chance).values())

    def by_kind(self, chance: str) -> dict[str, str]:
        """Return the checks in words, by subject; `chance` as in `in_words`."""
        matches, clean = sum(self.verdicts.values()), self.verdicts.get(Verdict.CLEAN, 0)
        rules = [f"{_of_all(clean, matches)} obey the rules"] if clean else []
        follow, differ, nameless = (self.dice.get(name, 0) for name in DiceVerdict)
        dice = [f"in {_of_all(follow, matches)} the {chance} match the seed"] if follow else []
        if differ:
            dice.append(f"in {differ:,} they do not, and each of these counts as its own seed")
        if nameless:
            dice.append(f"{nameless:,} {'names' if nameless == 1 else 'name'} no seed")
        left_out = f"not counted although they fit the filter: {', '.join(_named(self.left_out))}"
        found = {
            "Rules": [*rules, *_named(self.verdicts)],
            chance.capitalize(): dice,
            "Left out": [left_out] if self.left_out else [],
            "Copies": [f"{self.copies.in_words()}; each counts once"] if self.copies.matches else [],
            "Players": self._of_players(),
            "Sources": [in_words(self.sources)] if self.sources else [],
        }
        return {kind: "; ".join(parts) for kind, parts in found.items() if parts}

    def _of_players(self) -> list[str]:
        seats = sum(self.players.values())
        found = [(self.players[name], words) for name, words in ASKED.items() if self.players.get(name)]
        if seats == self.players.get(NOBODY_ASKED, 0):
            return ["what players chose was not re-checked (himalaya check --players does that)"]
        (first, words), *others = found
        where = "the one seat" if seats == 1 else f"{_of_all(first, seats)} seats"
        return [f"in {where} the player {words}", *(f"in {number:,} it {words}" for number, words in others)]


def _of_all(part: int, every: int) -> str:
    return f"all {every:,}" if part == every else f"{part:,} of {every:,}"


def _named(verdicts: Mapping[str, int]) -> list[str]:
    found = [(verdicts[name], words) for name, words in NOT_CLEAN.items() if verdicts.get(name)]
    return [f"{number:,} {one if number == 1 else many}" for number, (one, many) in found]


@dataclass(frozen=True, slots=True)
class Scope:
    """Contents of a selection: numbers of matches and seeds, games, rules, tournaments, boards, options, sizes."""

    matches: int
    seeds: int
    games: list[str]
    rules: list[str]
    tournaments: list[str]
    boards: list[str]
    options: list[str]
    sizes: list[int]
    checks: Checks
    looks: tuple[Looks, ...]
    reviewing: Reviewing

    def looked_at(self) -> str:
        """Return tournaments with interim analyses in a sentence; empty if there are none."""
        return said_of_looks(self.looks)


def logs_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, sha256` of the logs of matches with a selected seat, sorted by name."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select r.match, r.bytes_sha256 as sha256 from raw_matches r
            where r.match_id in (select m.match_id from {SEATS} where {condition}) order by r.match""",
        values,
    )


def player_verdicts_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, seat, verdict` on the players of the selected seats, sorted by match and seat."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select m.match, s.seat, coalesce(s.player_verdict, '{NOBODY_ASKED}') as verdict
            from {SEATS} where {condition} order by m.match, s.seat""",
        values,
    )


def checks_stamp(reader: Reader) -> str:
    """Return a text that changes whenever anything is loaded, continued or verified.

    It also changes when a player's reproducibility is checked.
    """
    sql = """select count(player_verdict), count(*) filter (player_verdict = 'not asked'),
        count(*) filter (player_verdict = 'differs') from dim_seats"""
    verdicts = "/".join(str(value) for value in reader.rows(sql, {})[0])
    return f"{intake_stamp(reader)}/{results_stamp(reader)}/{verdicts}"


def scope_under(reader: Reader, where: Filter, players: Mapping[str, int] | None = None) -> Scope:
    """Return what the filter selects; lists are sorted.

    `players` maps each verdict on players to its number of seats; if given, it replaces the numbers in the warehouse.
    """
    condition, values = with_such_a_seat(where)
    each = ", ".join(
        f"coalesce(list_sort(list(distinct {column}) filter ({column} is not null)), [])"
        for column in (
            "m.game",
            "m.game || ' ' || m.rules_version",
            "m.tournament",
            "m.board_id || ' (' || left(m.board_sha256, 12) || ')'",
            "m.options::varchar",
            "m.players",
        )
    )
    sql = f"select count(*), count(distinct {SEED_GROUP}), {each} from dim_matches m where {condition}"
    players = _players_under(reader, where) if players is None else players
    facts: list[Any] = [*reader.rows(sql, values)[0], _checks_under(reader, where, players)]
    facts += [looks_under(reader, where), reviewing_under(reader, where)]
    return Scope(*facts)


def _checks_under(reader: Reader, where: Filter, players: Mapping[str, int]) -> Checks:
    counted = _counts(reader, where, "m.verdict")
    every = _counts(reader, replace(where, verdicts=tuple(VERDICTS)), "m.verdict")
    left_out = {} if where.verdicts else {name: count for name, count in every.items() if name not in counted}
    dice = _counts(reader, where, "m.luck_verdict")
    return Checks(counted, dice, left_out, players, sources_under(reader, where), copies_under(reader, where))


def _players_under(reader: Reader, where: Filter) -> Mapping[str, int]:
    condition, values = seats_where(where)
    verdict = f"coalesce(s.player_verdict, '{NOBODY_ASKED}')"
    return dict(reader.rows(f"select {verdict}, count(*) from {SEATS} where {condition} group by 1 order by 1", values))


def _counts(reader: Reader, where: Filter, column: str) -> dict[str, int]:
    """Return the number of finished matches with a selected seat, by value of a column."""
    condition, values = with_such_a_seat(where)
    sql = (
        f"select {column}, count(*) from dim_matches m where {condition} and {column} is not null group by 1 order by 1"
    )
    return dict(reader.rows(sql, values))


def versions_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, version, played` of the selected seats; `played` is the number of seats."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""with kinds as (select s.player, s.version, s.params, count(*) as played from {SEATS}
                where {condition} group by all)
            select player, {version_of("kinds")} as version, sum(played)::bigint as played from kinds
            group by all order by all""",
        values,
    )

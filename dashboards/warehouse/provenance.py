"""Reading what a report rests on: the logs under its filter with their digests, who played, and what was checked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from dashboards.warehouse.filters import VERDICTS, Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import version_of
from dashboards.warehouse.where import SEATS, SEED_GROUP, seats_where, with_such_a_seat
from himalaya_core.judging import DiceVerdict
from ingest.validate.judged import Verdict

__all__ = ["Checks", "Reader", "Scope"]


NOT_CLEAN: Final = {
    Verdict.WAITING: ("waits to be judged", "wait to be judged"),
    Verdict.UNJUDGED: ("was not judged", "were not judged"),
}


@dataclass(frozen=True, slots=True)
class Checks:
    """What was checked of the matches that count: how many have each verdict of the rules, and on their dice.

    `left_out` are verdicts of finished matches that fit the filter and do not count.
    """

    verdicts: Mapping[str, int]
    dice: Mapping[str, int]
    left_out: Mapping[str, int]

    def in_words(self) -> str:
        """Return in a sentence what was checked, with its numbers."""
        matches, clean = sum(self.verdicts.values()), self.verdicts.get(Verdict.CLEAN, 0)
        parts = [f"{_of_all(clean, matches)} follow from the rules, decided anew"] if clean else []
        parts += _named(self.verdicts)
        follow, differ, nameless = (self.dice.get(name, 0) for name in DiceVerdict)
        if follow:
            parts.append(f"in {_of_all(follow, matches)} the dice are those of the seed")
        if differ:
            parts.append(f"in {differ:,} they are not, and each of these counts as a seed of its own")
        if nameless:
            parts.append(f"{nameless:,} {'names' if nameless == 1 else 'name'} no seed")
        if self.left_out:
            parts.append(f"not counted, though they fit the filter: {', '.join(_named(self.left_out))}")
        return "; ".join([*parts, "what the players chose was not checked"])


def _of_all(part: int, every: int) -> str:
    return f"all {every:,}" if part == every else f"{part:,} of {every:,}"


def _named(verdicts: Mapping[str, int]) -> list[str]:
    found = [(verdicts[name], words) for name, words in NOT_CLEAN.items() if verdicts.get(name)]
    return [f"{number:,} {one if number == 1 else many}" for number, (one, many) in found]


@dataclass(frozen=True, slots=True)
class Scope:
    """What there is under a filter: counts of matches and seeds; games, rules, tournaments, boards, options, sizes."""

    matches: int
    seeds: int
    games: list[str]
    rules: list[str]
    tournaments: list[str]
    boards: list[str]
    options: list[str]
    sizes: list[int]
    checks: Checks


def logs_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, sha256` (of the lines of its log) of the matches that the filter leaves a seat of, by name."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select r.match, r.bytes_sha256 as sha256 from raw_matches r
            where r.match_id in (select m.match_id from {SEATS} where {condition}) order by r.match""",
        values,
    )


def scope_under(reader: Reader, where: Filter) -> Scope:
    """Return the contents of the warehouse under the filter; lists are sorted."""
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
    facts: list[Any] = [*reader.rows(sql, values)[0], _checks_under(reader, where)]
    return Scope(*facts)


def _checks_under(reader: Reader, where: Filter) -> Checks:
    counted = _counts(reader, where, "m.verdict")
    every = _counts(reader, replace(where, verdicts=tuple(VERDICTS)), "m.verdict")
    left_out = {} if where.verdicts else {name: count for name, count in every.items() if name not in counted}
    return Checks(counted, _counts(reader, where, "m.luck_verdict"), left_out)


def _counts(reader: Reader, where: Filter, column: str) -> dict[str, int]:
    """Return how many finished matches have each value of a column, of those that the filter leaves a seat of."""
    condition, values = with_such_a_seat(where)
    sql = (
        f"select {column}, count(*) from dim_matches m where {condition} and {column} is not null group by 1 order by 1"
    )
    return dict(reader.rows(sql, values))


def versions_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, version, played` (number of seats) of the seats that the filter leaves."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""with kinds as (select s.player, s.version, s.params, count(*) as played from {SEATS}
                where {condition} group by all)
            select player, {version_of("kinds")} as version, sum(played)::bigint as played from kinds
            group by all order by all""",
        values,
    )

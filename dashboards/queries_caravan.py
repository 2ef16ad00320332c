"""Reading what caravan's seats did in their matches, and the course of these: sums over seats and over matches."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries_sums import SumQueries
from dashboards.queries_where import LUCK, player_of, seats_where, with_such_a_seat

__all__ = ["CaravanQueries"]

DEEDS: Final = "fct_seats f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
COURSES: Final = "fct_courses f join dim_matches m using (match_id)"
TOKENS: Final = "coalesce(json_extract_string(m.options, '$.tokens'), 'false') = 'true'"


class CaravanQueries(SumQueries):
    """Sums as `stats.intervals.sums` has them. Names of columns come from files in `stats`, never from a filter."""

    def seat_sums(self, where: Filter, columns: Mapping[str, str], trials: str = "1") -> pl.DataFrame:
        """Return `player, kind` with the sum of a column of `fct_seats` for each kind; a trial is a seat.

        With `trials` the name of a column, its sum is the number of trials.
        """
        base, values = self._deeds(where, {**columns, "n": trials}, "true")
        return self.column_sums(base, ["player"], "kind", dict.fromkeys(columns, "n"), values)

    def token_sums(self, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
        """Return the same of matches with tokens in play."""
        base, values = self._deeds(where, {**columns, "n": "1"}, TOKENS)
        return self.column_sums(base, ["player"], "kind", dict.fromkeys(columns, "n"), values)

    def effect_sums(self, where: Filter, effects: Mapping[str, tuple[str, str]]) -> pl.DataFrame:
        """Return `player, kind` of matches with tokens in play: what a token did, given with how many were placed."""
        done = {effect: column for effect, (column, _) in effects.items()}
        placed = {f"placed {effect}": column for effect, (_, column) in effects.items()}
        base, values = self._deeds(where, done | placed, TOKENS)
        trials = {effect: f"placed {effect}" for effect in effects}
        return self.column_sums(base, ["player"], "kind", trials, values)

    def course_sums(self, where: Filter, columns: Sequence[str]) -> pl.DataFrame:
        """Return `kind, players` with the sum of each column of `fct_courses`; a trial is a match with such a seat."""
        condition, values = with_such_a_seat(where)
        summed = ", ".join(f"sum(f.{column}) as {column}" for column in columns)
        base = f"""select m.players, {LUCK} as unit, count(*) as n, {summed} from {COURSES}
            where {condition} group by all"""  # noqa: S608
        found = self.column_sums(base, ["players"], "kind", dict.fromkeys(columns, "n"), values)
        return found.select("kind", "players", "trials", "total", "groups", "residual")

    def course_histogram(self, where: Filter, columns: Sequence[str]) -> pl.DataFrame:
        """Return `kind, players, value, matches`: in how many matches a column of `fct_courses` had the value."""
        condition, values = with_such_a_seat(where)
        named = ", ".join(f"f.{column}" for column in columns)
        return self._frame(
            f"""select kind, players, value, count(*) as matches
                from (unpivot (select m.players, {named} from {COURSES} where {condition})
                    on {", ".join(columns)} into name kind value value)
                group by all""",  # noqa: S608
            values,
        )

    def decisive_sums(self, where: Filter) -> pl.DataFrame:
        """Return `round` with how many matches were decided from its end on; 0 for those never; a trial is a match."""
        condition, values = with_such_a_seat(where)
        amounts = f"""select coalesce(f.decisive_round, 0) as round, {LUCK} as unit, count(*) as x from {COURSES}
            where {condition} group by all"""  # noqa: S608
        trials = f"select {LUCK} as unit, count(*) as n from {COURSES} where {condition} group by all"  # noqa: S608
        return self.sums(amounts, trials, ["round"], [], values)

    def decided_sums(self, where: Filter) -> pl.DataFrame:
        """Return `round` with how many matches were decided by its end, for each round that decided any."""
        condition, values = with_such_a_seat(where)
        base = f"""select f.decisive_round as round, {LUCK} as unit, count(*) as n from {COURSES}
            where {condition} group by all"""  # noqa: S608
        amounts = """select r.round, b.unit, sum(b.n) as x from base b
            join (select distinct round from base where round is not null) r on b.round <= r.round group by all"""
        trials = "select unit, sum(n) as n from base group by all"
        return self.sums(amounts, trials, ["round"], [], values, base)

    def comeback_sums(self, where: Filter) -> pl.DataFrame:
        """Return `player` with its comebacks; a trial is a seat that won."""
        condition, values = seats_where(where)
        player = player_of(where, "s")
        source = f"""from dim_seats s join dim_matches m using (match_id) join fct_courses f using (match_id)
            where {condition} and s.won group by all"""
        amounts = f"select {player} as player, {LUCK} as unit, count(*) filter (f.comeback) as x {source}"
        trials = f"select {player} as player, {LUCK} as unit, count(*) as n {source}"
        return self.sums(amounts, trials, ["player"], ["player"], values)

    def _deeds(self, where: Filter, columns: Mapping[str, str], only: str) -> tuple[str, dict[str, Any]]:
        """Return the question for `player, unit` and sums of columns, with its values."""
        condition, values = seats_where(where)
        summed = ", ".join(f'sum({column}) as "{kind}"' for kind, column in columns.items())
        player = player_of(where, "s")
        counted = f"from {DEEDS} where {condition} and {only} group by all"
        return f"select {player} as player, {LUCK} as unit, {summed} {counted}", values

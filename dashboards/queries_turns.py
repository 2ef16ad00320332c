"""Reading when matches of caravan turned, so that a link can lead there."""

from collections.abc import Sequence

from dashboards.queries_replay import ReplayQueries

__all__ = ["TurnQueries"]


class TurnQueries(ReplayQueries):
    """The question that links into replays ask of one warehouse."""

    def turning_plies(self, matches: Sequence[str]) -> dict[str, int]:
        """Return the ply at the end of the decisive round of each match that has one, see `fct_courses`."""
        sql = """select m.match, max(e.ply) from dim_matches m join fct_courses c using (match_id)
                 join stg_caravan_round_ended e on e.match_id = m.match_id and e.round = c.decisive_round
                 where list_contains($matches, m.match) group by m.match"""
        return {str(match): int(ply) for match, ply in self._rows(sql, {"matches": list(matches)})}

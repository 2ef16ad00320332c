"""Reading who came where; with it, which finished matches a filter of outcomes means."""

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from dashboards.filters import NO_TOURNAMENT, OutcomeFilter
from dashboards.queries_replay import ReplayQueries

__all__ = ["StrengthQueries", "Where", "conjunction", "in_outcomes", "in_tournaments"]

Where = tuple[str, dict[str, Any]]


class StrengthQueries(ReplayQueries):
    """The question that the figures of strength ask of one warehouse."""

    def results(self, where: OutcomeFilter) -> pl.DataFrame:
        """Return `match, luck, tournament, seat, player, version, place` of the seats of finished matches.

        `version` is that of the player with its settings, as in `1:horizon=2:playouts=80`. See `stats/results.py`.
        """
        condition, values = in_outcomes(where)
        frame = self._frame(
            f"""select m.match, m.luck, m.tournament, s.seat::bigint as seat, s.player, s.version,
                    s.params::varchar as params, s.place::bigint as place
                from dim_seats s join dim_matches m using (match_id) where {condition}
                order by m.match, s.seat""",  # noqa: S608
            values,
        )
        known = {params: _settings(params) for params in frame["params"].unique()}
        settings = pl.col("params").replace_strict(known, return_dtype=pl.String)
        return frame.with_columns(pl.concat_str("version", settings).alias("version")).drop("params")


def in_outcomes(where: OutcomeFilter) -> Where:
    """Return the condition on finished matches `m`, and its values."""
    parts, values = in_tournaments(where.tournaments)
    parts.append("m.status = 'finished'")
    if where.sizes:
        parts.append("list_contains($sizes, m.players)")
        values["sizes"] = list(where.sizes)
    return conjunction(parts), values


def in_tournaments(names: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the conditions on the tournament of matches `m`, and their values; none for all tournaments."""
    if not names:
        return [], {}
    part = "list_contains($tournaments, coalesce(m.tournament, $none))"
    return [part], {"tournaments": list(names), "none": NO_TOURNAMENT}


def conjunction(parts: Sequence[str]) -> str:
    """Return the condition that all parts hold."""
    return " and ".join(parts) if parts else "true"


def _settings(params: str) -> str:
    shown = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in json.loads(params).items()}
    return "".join(f":{key}={shown[key]}" for key in sorted(shown))

"""Queries for the turning points of matches, as targets of links."""

from collections.abc import Iterable, Sequence

from dashboards.warehouse.reader import Reader

__all__ = ["turning_plies"]


def turning_plies(reader: Reader, matches: Sequence[str], questions: Iterable[str]) -> dict[str, int]:
    """Return the ply at the end of the decisive round of each match that has one; see the courses of its game.

    `questions` are those of the games for `match, ply` of `$matches`; a match is of one game, so only one finds it.
    """
    parts = [f"({sql})" for sql in questions if sql]
    rows = reader.rows(" union all ".join(parts), {"matches": list(matches)}) if parts else []
    return {str(match): int(ply) for match, ply in rows}

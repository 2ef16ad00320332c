"""Check that the names of a filter occur at all; one that does not is likely misspelt."""

from typing import Final

from dashboards.warehouse.filters import NO_TOURNAMENT, Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import version_of
from himalaya_core.names import did_you_mean

__all__ = ["unknown_name"]

KNOWN: Final = {
    "tournament": "select distinct tournament from dim_matches where tournament is not null order by 1",
    "player": "select distinct player from dim_seats order by 1",
    "version": f"""select distinct player || ' ' || {version_of("s")}
        from (select distinct player, version, params from dim_seats) s order by 1""",
    "board": "select distinct board_id from dim_matches where board_id is not null order by 1",
}
"""The columns that hold the names, by key of the filter."""
FEW: Final = 8


def unknown_name(reader: Reader, where: Filter) -> str:
    """Describe the first name of a filter that no match has, as a sentence without its end.

    Empty if all names are known.
    """
    for key, name in where.pairs():
        if key not in KNOWN or name == NO_TOURNAMENT:
            continue
        names = [str(each) for (each,) in reader.rows(KNOWN[key], {})]
        if name not in names:
            near = did_you_mean(name, names)
            there = f"; there are {', '.join(names)}" if not near and 0 < len(names) <= FEW else ""
            return f"no matches of {key} {name!r}{near or there}"
    return ""

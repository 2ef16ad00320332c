"""Query for tournaments under a filter with interim analyses, which intervals for one analysis ignore.

Matches of an extension know of them from their manifest; matches loaded before it do not.
"""

import json

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat
from himalaya_core.arena.looks import Looks

__all__ = ["looks_under"]


def looks_under(reader: Reader, where: Filter) -> tuple[Looks, ...]:
    """Return the tournaments under a filter that were analysed more than once, by name."""
    condition, values = with_such_a_seat(where)
    rows = reader.rows(
        f"""select distinct m.tournament, r.looks::varchar from dim_matches m join raw_matches r using (match_id)
            where {condition} and m.tournament is not null and r.looks is not null order by all""",
        values,
    )
    found: dict[str, Looks] = {}
    for tournament, text in rows:
        record = json.loads(text)
        before = found.get(tournament, Looks(tournament))
        newest = max(before.extended, tuple(record.get("extended", ())), key=len)
        found[tournament] = Looks(tournament, newest, until_decided=before.until_decided or "until_decided" in record)
    return tuple(found.values())

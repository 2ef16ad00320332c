"""Reading which tournaments under a filter were looked at before they ended, which intervals for one look do not know.

The matches of an extension know of it from their manifest; those that came in before it do not.
"""

import json
from dataclasses import dataclass

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat

__all__ = ["Looks", "in_words", "looks_under"]


@dataclass(frozen=True, slots=True)
class Looks:
    """A tournament that was extended, after so many matches each time, or ended by a sequential test."""

    tournament: str
    extended: tuple[int, ...] = ()
    until_decided: bool = False

    def __str__(self) -> str:
        after = " and ".join(f"{number:,}" for number in self.extended)
        parts = (
            [f"was extended after {after} {'match' if self.extended == (1,) else 'matches'}"] if self.extended else []
        )
        if self.until_decided:
            parts.append("was looked at after each seed until a sequential test decided")
        return f"{self.tournament} {' and '.join(parts)}"


def looks_under(reader: Reader, where: Filter) -> tuple[Looks, ...]:
    """Return the tournaments under a filter that were looked at more than once, by name."""
    condition, values = with_such_a_seat(where)
    rows = reader.rows(
        f"""select distinct m.tournament, r.looks::varchar from dim_matches m join raw_matches r using (match_id)
            where {condition} and m.tournament is not null and r.looks is not null order by all""",
        values,
    )
    found: dict[str, Looks] = {}
    for tournament, text in rows:
        said = json.loads(text)
        before = found.get(tournament, Looks(tournament))
        newest = max(before.extended, tuple(said.get("extended", ())), key=len)
        found[tournament] = Looks(tournament, newest, until_decided=before.until_decided or "until_decided" in said)
    return tuple(found.values())


def in_words(looks: tuple[Looks, ...]) -> str:
    """Return in a sentence, without its end, what that means for the figures; nothing if nobody looked before."""
    if not looks:
        return ""
    said = "; ".join(map(str, looks))
    decided = "; the verdict of the test holds at any time" if any(look.until_decided for look in looks) else ""
    return f"{said}: intervals and p-values, which hold for one look, are too optimistic{decided}"

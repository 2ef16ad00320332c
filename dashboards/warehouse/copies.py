"""Query for matches under a filter that were loaded several times, and under which names."""

from dataclasses import dataclass
from typing import Final

from dashboards.warehouse.filters import Filter, listed
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import with_such_a_seat

__all__ = ["Copies", "copies_under"]

MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Copies:
    """Number of counted matches with copies, and the other tournaments that hold them; else the names of the copies."""

    matches: int = 0
    names: tuple[str, ...] = ()

    def in_words(self) -> str:
        """Describe the copies as part of a sentence that counts matches; empty without copies."""
        return f"{self.matches:,} also loaded as {listed(self.names, MOST_NAMED)}" if self.matches else ""


def copies_under(reader: Reader, where: Filter) -> Copies:
    """Return the copies of the matches under a filter, including copies outside it."""
    condition, values = with_such_a_seat(where)
    ((matches, names),) = reader.rows(
        f"""select count(distinct m.match_id),
                coalesce(list_sort(list(distinct
                    case when other.tournament <> coalesce(m.tournament, '') then other.tournament else other.match end
                )), [])
            from dim_matches m join dim_matches other on other.contents = m.contents and other.match_id <> m.match_id
            where m.contents in (select contents from dim_matches where is_copy) and {condition}""",
        values,
    )
    return Copies(matches, tuple(names))

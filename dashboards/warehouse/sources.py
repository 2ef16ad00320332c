"""Sources of players whose seats under a filter are combined as one version."""

from dataclasses import dataclass
from typing import Final

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.where import SEATS, seats_where

__all__ = ["Reader", "Sources", "in_words", "sources_under"]

SHORT: Final = 8
"""Number of hexadecimal digits shown of a source."""
MOST_SOURCES: Final = 5
MOST_PLAYERS: Final = 3
ADVICE: Final = "raise a player's version whenever its strategy changes"


@dataclass(frozen=True, slots=True)
class Sources:
    """A version of a player with several sources: seats by digest, most first.

    `nameless` counts its seats without a source in the log or the manifest of its tournament.
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
    """Return the versions of players with more than one source under a filter, by name."""
    condition, values = seats_where(where)
    rows = reader.rows(
        f"""with played as (select s.player, s.version, s.source_sha256 as source, count(*) as seats
                from {SEATS} where {condition} group by all)
            select player, version, list((source, seats) order by seats desc, source) filter (source is not null),
                coalesce(sum(seats) filter (source is null), 0)::bigint
            from played group by 1, 2 having count(source) > 1 order by 1, 2""",
        values,
    )
    return tuple(Sources(player, version, tuple(seats), nameless) for player, version, seats, nameless in rows)


def in_words(sources: tuple[Sources, ...]) -> str:
    """Describe players with several sources in a sentence, without its end; empty without any."""
    if not sources:
        return ""
    more = len(sources) - MOST_PLAYERS
    others = [f"so were {more:,} other versions of players" if more > 1 else "so was another"] if more > 0 else []
    return "; ".join([*map(str, sources[:MOST_PLAYERS]), *others, ADVICE])


def _short(source: str) -> str:
    return f"{source[:SHORT]}…"

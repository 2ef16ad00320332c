"""State of a warehouse in a few numbers, quick to query, for monitoring."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboards.warehouse.reader import Reader
from ingest.load import judging, reviewing

__all__ = ["State", "answers", "state_of"]


@dataclass(frozen=True, slots=True)
class State:
    """Open quarantine, matches by source, and numbers of waiting matches by reason."""

    quarantined: int
    loaded: Mapping[str, int]
    waiting: Mapping[str, int]


def answers(reader: Reader) -> bool:
    """Run a minimal query; `DatabaseError` without an answer."""
    return bool(reader.rows("select version from schema_version", {}))


def state_of(reader: Reader) -> State:
    """Return the state; queries read no events and at most two columns of the list of matches."""
    ((quarantined,),) = reader.rows("select count(*) from quarantine where resolved_in is null", {})
    loaded = reader.rows("select source, sum(matches) from ingest_runs where source <> 'judged' group by 1", {})
    waiting = {
        "judging": judging.how_many_wait(reader.warehouse),
        "review": reviewing.how_many_wait(reader.warehouse),
    }
    return State(quarantined, {source: int(matches) for source, matches in loaded}, waiting)

"""The state of a warehouse in a few numbers, quickly asked, for those who watch a server."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboards.warehouse.reader import Reader
from ingest.load import judging, reviewing

__all__ = ["State", "answers", "state_of"]


@dataclass(frozen=True, slots=True)
class State:
    """What is open in quarantine, how many matches every source brought, and how many wait for what."""

    quarantined: int
    loaded: Mapping[str, int]
    waiting: Mapping[str, int]


def answers(reader: Reader) -> bool:
    """Ask for next to nothing; `DatabaseError` where there is no answer."""
    return bool(reader.rows("select version from schema_version", {}))


def state_of(reader: Reader) -> State:
    """Return the state, by questions that read no events and no more than a column or two of the list of matches."""
    ((quarantined,),) = reader.rows("select count(*) from quarantine where resolved_in is null", {})
    loaded = reader.rows("select source, sum(matches) from ingest_runs where source <> 'judged' group by 1", {})
    waiting = {
        "judging": judging.how_many_wait(reader.warehouse),
        "review": reviewing.how_many_wait(reader.warehouse),
    }
    return State(quarantined, {source: int(matches) for source, matches in loaded}, waiting)

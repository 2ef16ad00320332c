"""Services that the routes share: the warehouse and its reader, the inbox, and background work."""

from dataclasses import dataclass
from typing import Self

from dashboards.replay.branches import Branches
from dashboards.replay.draft_programs import Programs
from dashboards.replay.drafts import Drafts
from dashboards.report.background import Reports
from dashboards.warehouse.reader import Reader
from ingest.load.playing_out import Playouts
from ingest.receive.receive import Intake
from ingest.warehouse import Warehouse

__all__ = ["Services"]


@dataclass(frozen=True, slots=True)
class Services:
    """Services of the routes; on a read-only warehouse no programs play and no match is played out."""

    warehouse: Warehouse
    reader: Reader
    intake: Intake
    branches: Branches
    drafts: Drafts
    programs: Programs | None
    reports: Reports
    playouts: Playouts | None

    @classmethod
    def of(cls, warehouse: Warehouse, intake: Intake) -> Self:
        """Return the services of a warehouse; close them after use."""
        drafts, writes = Drafts(warehouse), not warehouse.read_only
        return cls(
            warehouse,
            Reader(warehouse),
            intake,
            Branches(),
            drafts,
            Programs(drafts) if writes else None,
            Reports(warehouse),
            Playouts(warehouse) if writes else None,
        )

    def close(self) -> None:
        """End the background work."""
        self.reports.jobs.close()
        if self.playouts is not None:
            self.playouts.jobs.close()
        if self.programs is not None:
            self.programs.close()

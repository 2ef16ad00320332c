"""The dictionary of payloads: what follows the head of a line is decoded, checked and spread over columns once.

A million events of caravan have some 70,000 different payloads. They are kept by game, from piece to piece, for as long
as the process lives.
"""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ingest.tables.schema import EventSchema
from ingest.validate.columns import columns_of, roles
from ingest.validate.heads import Numbers
from ingest.validate.reader import FEW_BYTES, decoded_payloads
from ingest.validate.values import Values

__all__ = ["Payloads", "payloads_of"]

UNKNOWN: Final = -1
REFUSED: Final = (-1, 0)
MOST_KEPT: Final = 1 << 17
"""Some 50 MB."""

_kept: "dict[str, Payloads]" = {}


class Payloads:
    """The different payloads of a game, with what its tables hold of each. Safe to use from several threads.

    A payload has a kind, the index of its table in `EventSchema.tables`, and a row in the values of that table. What
    does not recur (first and last lines, long payloads) is not kept.
    """

    def __init__(self, schema: EventSchema) -> None:
        self._schema = schema
        self._codes: dict[bytes, int] = {}
        """Row and kind in one number, by payload."""
        self._rows = [0] * len(schema.tables)
        self._new: list[list[Any]] = [[] for _ in schema.tables]
        """Payloads that are not spread over columns yet."""
        self.values = Values(schema.game.name, len(schema.tables))
        self.figures = [[np.empty(0, np.int32) for _ in roles(table)] for table in schema.tables]
        """By table, what must fit the number of seats (`ingest.validate.columns.roles`), by row."""
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Whether there are so many that it is time to begin anew."""
        return len(self._codes) > MOST_KEPT

    def find(self, texts: Sequence[bytes]) -> tuple[Numbers, Numbers, list[Any]]:
        """Return the kind and the row of each payload, given as it stands in the log, line end included.

        Those that are not kept are returned as well, decoded; their rows are -1, -2 and so on. A payload that is not
        valid has the kind -1.
        """
        known = self._codes.get
        codes = np.array([known(text, UNKNOWN) for text in texts], np.int64)
        row, kind = np.divmod(codes, len(self._schema.tables))
        own: list[Any] = []
        unknown = np.flatnonzero(codes == UNKNOWN)
        if len(unknown):
            with self._lock:
                found = [*self._decoded([texts[place] for place in unknown.tolist()], own)]
            kind[unknown], row[unknown] = np.array(found, np.int64).T
        return kind.astype(np.int32), row.astype(np.int32), own

    def _decoded(self, texts: Sequence[bytes], own: list[Any]) -> Iterator[tuple[int, int]]:
        """Yield kind and row of payloads that are new, or were until another thread decoded them."""
        schema, known = self._schema, self._codes.get
        alone = (schema.started, schema.ended)
        for text, payload in zip(texts, decoded_payloads(texts, schema), strict=True):
            if payload is None:
                yield REFUSED
                continue
            kind = schema.kinds[type(payload)]
            if kind in alone or len(text) >= FEW_BYTES:
                own.append(payload)
                yield kind, -len(own)
                continue
            if (code := known(text)) is None:
                code = self._codes[text] = self._rows[kind] * len(schema.tables) + kind
                self._rows[kind] += 1
                self._new[kind].append(payload)
            yield kind, code // len(schema.tables)

    def spread(self, kind: int) -> None:
        """Have `values` hold what the table of a kind holds of all its payloads."""
        with self._lock:
            if not self._new[kind]:
                return
            rows, figures = columns_of(self._schema.tables[kind], self._new[kind])
            self.values.add(kind, rows)
            self.figures[kind] = [*map(np.append, self.figures[kind], figures)]
            self._new[kind].clear()


def payloads_of(schema: EventSchema) -> Payloads:
    """Return the payloads of a game that this process knows."""
    kept = _kept.get(schema.game.name)
    if kept is None or kept.is_full:
        kept = _kept[schema.game.name] = Payloads(schema)
    return kept

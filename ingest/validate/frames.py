"""Decoded lines as frames: one per type of event, with the columns of its table."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ingest.tables.schema import EventSchema
from ingest.validate.batches import Lines
from ingest.validate.columns import columns_of
from ingest.validate.heads import Numbers

__all__ = ["frames", "misfits"]


def frames(lines: Lines, matches: Sequence[range], schema: EventSchema) -> dict[str, pl.DataFrame]:
    """Return the events of matches, given by their lines, by table; the column `match` says which of them, from 0."""
    if not matches:
        return {}
    owner = np.repeat(np.arange(len(matches), dtype=np.int32), [len(match) for match in matches])
    every = np.concatenate([np.arange(match.start, match.stop) for match in matches])
    kinds = lines.kind[every].astype(np.int16)  # which numpy sorts by counting
    order = np.argsort(kinds, kind="stable")
    every = every[order]
    heads = lines.heads
    columns = {"match": owner[order], "seq": heads.seq[every], "ply": heads.ply[every], "round": heads.round[every]}
    envelopes, row = pl.DataFrame(columns), lines.row[every]
    found: dict[str, pl.DataFrame] = {}
    start = 0
    for kind, count in enumerate(np.bincount(kinds, minlength=len(schema.tables)).tolist()):
        if count:
            table, stop = schema.tables[kind], start + count
            found[table.name] = envelopes.slice(start, count)
            if table.has_seat or table.spread.columns:
                found[table.name] = found[table.name].hstack(_values(lines, schema, kind, row[start:stop]))
            start = stop
    return found


def _values(lines: Lines, schema: EventSchema, kind: int, row: Numbers) -> pl.DataFrame:
    """Return what the table of a kind holds of the payloads in these rows."""
    if row.min() >= 0:
        return lines.payloads.values(kind)[row]
    places = np.unique(-1 - row[row < 0])
    own = pl.DataFrame(columns_of(schema.tables[kind], [lines.own[place] for place in places.tolist()]))
    if row.max() < 0:
        return own[np.searchsorted(places, -1 - row)]
    kept = lines.payloads.values(kind)
    return pl.concat([kept, own])[np.where(row < 0, kept.height + np.searchsorted(places, -1 - row), row)]


def misfits(
    events: Mapping[str, pl.DataFrame], schema: EventSchema, seats: Sequence[int]
) -> dict[int, tuple[int, str]]:
    """Return the matches with a seat that nobody sits in, or a list that has not one figure per seat.

    `seats` is the number of seats of each match; the result maps a match to the line within it and the message.
    """
    number = pl.Series("limit", seats, dtype=pl.Int32)
    found: dict[int, tuple[int, str]] = {}
    for table in schema.tables:
        if table.name not in events:
            continue
        frame = events[table.name]
        limit = number.gather(frame["match"])
        roles = [("seat", "seat", "seat")] if table.has_seat else []
        roles += [(f"data.{column.name}", column.name, column.role) for column in table.spread.columns if column.role]
        for field, name, role in roles:
            figure = frame[name] if role == "seat" else frame[name].list.len().cast(pl.Int32)
            wrong = figure >= limit if role == "seat" else figure != limit
            if not wrong.any():
                continue
            for match, line, value, most in (
                pl.DataFrame([frame["match"], frame["seq"], figure, limit]).filter(wrong).rows()
            ):
                expected = f"a seat 0..{most - 1}" if role == "seat" else f"{most} figures, one per seat"
                if match not in found or line < found[match][0]:
                    found[match] = (line, f"{field}: expected {expected}, found {value}")
    return found

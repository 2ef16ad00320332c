"""Text that a spreadsheet would take for a formula, made plain text: for CSV, and for XLSX alike.

A cell that begins with one of these is run by a spreadsheet program when the file is opened, and names of players or
tournaments come from logs that anybody may send (OWASP, "CSV injection"). An apostrophe before it makes it text.
Numbers are written by us and stay numbers, negative ones too.
"""

from typing import Any, Final

import polars as pl

__all__ = ["neutral", "neutral_frame"]

RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def neutral(value: Any) -> Any:
    """Return a value as it can stand in a cell: text that would be run gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(RISKY) else value


def neutral_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame in which no text would be run, headings too; columns of other types stay as they are."""
    texts = (pl.String, pl.Categorical, pl.Enum)
    columns = []
    for name, dtype in frame.schema.items():
        if isinstance(dtype, texts):
            text = pl.col(name).cast(pl.String)
            risky = pl.any_horizontal(*(text.str.starts_with(start) for start in RISKY))
            columns.append(pl.when(risky).then(pl.concat_str(pl.lit("'"), text)).otherwise(text).alias(name))
    return frame.with_columns(columns).rename(lambda name: str(neutral(name)))

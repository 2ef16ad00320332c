"""Make text safe that a spreadsheet would run as a formula, for CSV and XLSX.

A spreadsheet program runs cells that begin with one of these characters when it opens the file. Names of players and
tournaments come from logs that anyone may send (OWASP, "CSV injection"). A leading apostrophe turns them into text. Our
own numbers stay numbers, including negative ones.
"""

from typing import Any, Final

import polars as pl

__all__ = ["neutral", "neutral_frame"]

RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def neutral(value: Any) -> Any:
    """Return a value that is safe in a cell: text that would be run gets a leading apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(RISKY) else value


def neutral_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with all text and headings made safe; columns of other types are unchanged."""
    texts = (pl.String, pl.Categorical, pl.Enum)
    columns = []
    for name, dtype in frame.schema.items():
        if isinstance(dtype, texts):
            text = pl.col(name).cast(pl.String)
            risky = pl.any_horizontal(*(text.str.starts_with(start) for start in RISKY))
            columns.append(pl.when(risky).then(pl.concat_str(pl.lit("'"), text)).otherwise(text).alias(name))
    return frame.with_columns(columns).rename(lambda name: str(neutral(name)))

"""Aligned columns of text for a terminal."""

from collections.abc import Iterable, Sequence

__all__ = ["table"]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a header and rows as aligned columns; numbers are right-aligned."""
    cells = [[str(cell) for cell in row] for row in rows]
    columns = list(zip(head, *cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    to_right = [all(cell.isdecimal() or not cell for cell in column[1:]) for column in columns]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, to_right, strict=True)
        ).rstrip()
        for row in [list(head), *cells]
    ]
    return "\n".join([*lines, ""])

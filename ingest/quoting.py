"""Quoted texts in statements, for use when DuckDB takes no parameters: above all names of files."""

__all__ = ["quoted"]


def quoted(text: object) -> str:
    """Return a text as an SQL literal, in quotes."""
    return "'{}'".format(str(text).replace("'", "''"))

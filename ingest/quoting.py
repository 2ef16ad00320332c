"""Texts within statements, where DuckDB takes no parameters: names of files above all."""

__all__ = ["quoted"]


def quoted(text: object) -> str:
    """Return a text as it stands in SQL, in quotes."""
    return "'{}'".format(str(text).replace("'", "''"))

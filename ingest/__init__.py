"""Load event logs into a DuckDB warehouse: find the files, validate their lines, insert the rows."""

"""Event logs into a DuckDB warehouse: discover, check, load."""

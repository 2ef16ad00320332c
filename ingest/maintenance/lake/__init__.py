"""Writes a warehouse as a lake: Parquet files in a folder or a bucket; and reads a lake as a warehouse."""

"""The warehouse as a lake of Parquet files, in a folder or a bucket."""

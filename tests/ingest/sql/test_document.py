"""The dictionary of tables is read from the files that define them."""

from pathlib import Path

from ingest.tables.definitions import sql_tables


def test_every_table_of_the_folder_is_read_with_its_grain() -> None:
    folder = Path(__file__).parents[3] / "ingest" / "sql"
    files = sorted(folder.rglob("*.sql"), key=lambda file: (file.name, file.parent.name))
    made = [line.split()[2] for file in files for line in file.read_text().splitlines() if line.startswith("CREATE ")]
    assert [table.name for table in sql_tables()] == made

"""The page about the warehouse is generated from the tables."""

from pathlib import Path

from ingest.tables.definitions import sql_tables
from ingest.tables.dictionary import document

PAGE = Path(__file__).parents[3] / "docs" / "warehouse.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == document(), "run: python -m ingest.tables.dictionary > docs/warehouse.md"


def test_every_table_of_the_folder_is_read_with_its_grain() -> None:
    folder = Path(__file__).parents[3] / "ingest" / "sql"
    files = sorted(folder.rglob("*.sql"), key=lambda file: (file.name, file.parent.name))
    made = [line.split()[2] for file in files for line in file.read_text().splitlines() if line.startswith("CREATE ")]
    assert [table.name for table in sql_tables()] == made

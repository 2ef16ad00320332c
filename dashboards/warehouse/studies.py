"""Studies as pages ask for them."""

from dashboards.warehouse.reader import Reader
from ingest.studies import KeptStudy, ListedStudy, list_studies, read_study

__all__ = ["kept_study", "listed_studies"]


def listed_studies(reader: Reader) -> list[ListedStudy]:
    """Return all studies, the one that was changed last first."""
    with reader.cursor():  # which turns errors into sentences
        return list_studies(reader.warehouse)


def kept_study(reader: Reader, number: str) -> KeptStudy:
    """Return a study; `NoStudy` if there is none with that id."""
    with reader.cursor():
        return read_study(reader.warehouse, number)

"""Queries of pages for studies."""

from dashboards.warehouse.reader import Reader
from ingest.people.studies import KeptStudy, ListedStudy, list_studies, read_study

__all__ = ["kept_study", "listed_studies"]


def listed_studies(reader: Reader) -> list[ListedStudy]:
    """Return all studies, latest change first."""
    with reader.app() as store:
        return list_studies(store)


def kept_study(reader: Reader, number: str) -> KeptStudy:
    """Return a study; `NoStudy` if there is none with that id."""
    with reader.app() as store:
        return read_study(store, number)

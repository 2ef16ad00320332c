"""Bookmarks on matches and positions."""

from dashboards.warehouse.reader import Reader
from ingest.people.bookmarks import Listed, find_bookmarks

__all__ = ["bookmark_tags", "listed_bookmarks"]


def listed_bookmarks(reader: Reader, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
    """Return bookmarks, newest first, filtered by match, words and tag."""
    with reader.cursor():  # turns errors into sentences
        return find_bookmarks(reader.warehouse, match=match, find=find, tag=tag, most=most)


def bookmark_tags(reader: Reader) -> list[str]:
    """Return the tags of bookmarks, most used first."""
    return listed_bookmarks(reader, most=1).tags

"""Data found for matches and people to forget, in a warehouse and its app store."""

from dataclasses import dataclass, field

from ingest.maintenance.mentions import Mentions

__all__ = ["Found", "QuarantinedText"]


@dataclass(frozen=True, slots=True)
class QuarantinedText:
    """A text in quarantine, the matches that it names and those that its first line names.

    It `is_wanted` if it is of a tournament or mentions a person; it `begins_so` if its first line does.
    """

    number: int
    match: str | None
    sha256: str
    file: str
    names: set[str]
    first_names: set[str]
    first_line_sha256: str
    is_wanted: bool
    begins_so: bool


@dataclass(slots=True)
class Found:
    """Everything about the matches and people to forget; rows by their keys."""

    names: set[str]
    mentions: Mentions
    matches: list[int] = field(default_factory=list)
    events: int = 0
    tournaments: dict[str | None, int] = field(default_factory=dict)
    """Number of matches by tournament."""
    others: list[str] = field(default_factory=list)
    """Other people who played in these matches."""
    same: list[str] = field(default_factory=list)
    """Copies of the matches, loaded under other names; they stay."""
    remaining: list[str] = field(default_factory=list)
    """Matches that stay although their logs mention a person."""
    tokens: list[str] = field(default_factory=list)
    quarantined: list[int] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    bookmarks: int = 0
    branches: list[str] = field(default_factory=list)
    drafts: set[str] = field(default_factory=set)
    studies: list[str] = field(default_factory=list)
    chapters: int = 0
    changed_texts: dict[str, int] = field(default_factory=dict)
    """Number of texts that lose a name, by table."""
    files: set[str] = field(default_factory=set)
    digests: dict[str, str | None] = field(default_factory=dict)
    """Digests of texts, and of their first lines."""
    seen: set[str] = field(default_factory=set)
    """Known matches and tournaments, and people."""

    @property
    def is_anything(self) -> bool:
        """Return whether there is anything to forget."""
        return bool(self.seen or self.changed_texts)

    def take(self, text_row: QuarantinedText) -> None:
        """Add a text in quarantine if it is of one of the matches or is itself wanted."""
        names = text_row.names & self.names
        if names or text_row.is_wanted:
            self.quarantined.append(text_row.number)
            begins = text_row.first_names & self.names or text_row.begins_so
            self.digests[text_row.sha256] = text_row.first_line_sha256 if begins else None
            self.files.add(text_row.file)
            self.seen |= names

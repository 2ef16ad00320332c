"""Content of a page, place by place, and differences between two pages: words, tables, drawings."""

import re
from html.parser import HTMLParser
from itertools import zip_longest
from typing import Final

from dashboards.report.data import DATA_ID

__all__ = ["changes", "shown"]

MOST: Final = 5
"""Largest number of changes that are listed one by one."""
AROUND: Final = 40
LONGEST: Final = 160
KINDS: Final = {
    **dict.fromkeys(("title", "h1", "h2", "h3", "summary"), "title"),
    **dict.fromkeys(("p", "li", "figcaption"), "sentence"),
    **dict.fromkeys(("caption", "th", "td"), "table"),
    **dict.fromkeys(("dt", "dd", "pre"), "text"),
}
"""Names for the words in an element."""
ROOMS: Final = frozenset({"header", "section", "article"})
HIDDEN: Final = frozenset({"style", "template"})
BEFORE: Final = re.compile(r"^figure-")
DATA: Final = re.compile(f'(<template id="{DATA_ID}">)[A-Za-z0-9+/=]*(</template>)')


def changes(reported: str, found: str) -> list[str]:
    """Return sentences on differences between a page and the one from its data, `found`: expected, and found in it.

    The data embedded in the page is left out: that is compared number by number.
    """
    reported, found = (DATA.sub(r"\1\2", page, count=1) for page in (reported, found))
    if reported == found:
        return []
    there, expected = shown(reported), shown(found)
    lines = []
    for place, kind in dict.fromkeys([*expected, *there]):
        theirs, ours = expected.get((place, kind), []), there.get((place, kind), [])
        if theirs != ours:
            lines.append(f"{place}, {kind}: {_first(theirs, ours)}")
    more = [f"{len(lines) - MOST:,} other places"] if len(lines) > MOST else []
    unseen = _first(found.splitlines(), reported.splitlines())
    return [*lines[:MOST], *more] or [f"outside its words and drawings: {unseen}"]


def shown(page: str) -> dict[tuple[str, str], list[str]]:
    """Return the content of a page, by place and kind."""
    return _Shown(page).parts


def _first(expected: list[str], found: list[str]) -> str:
    """Describe the first difference between two lists."""
    differ = ((one, other) for one, other in zip_longest(expected, found) if one != other)
    one, other = next(differ, ("", ""))
    same = next((at for at, (a, b) in enumerate(zip(one or "", other or "", strict=False)) if a != b), 0)
    return f"expected {_short(one, same)}, found {_short(other, same)}"


def _short(text: str | None, at: int) -> str:
    """Return a text in quotes; a long one is cut to the surroundings of one letter."""
    if text is None:
        return "nothing"
    start = max(at - AROUND, 0) if len(text) > LONGEST else 0
    end = start + LONGEST
    return f"“{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}”"


class _Shown(HTMLParser):
    """Collects the content of a page by place and kind; a drawing is its elements and words, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: dict[tuple[str, str], list[str]] = {}
        self._places = ["the page"]
        self._rooms: list[str] = []
        self._words: list[str] = []
        self._kind = ""
        self._is_hidden = False
        self._drawings = 0
        self.feed(page)
        self.close()
        self._end_words()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a place, a drawing or an element with words."""
        attributes = dict(attrs)
        if tag == "svg":
            self._end_words()
            self._drawings += 1
        if self._drawings:
            self._add("drawing", self.get_starttag_text() or "")
        elif tag in ROOMS:
            self._end_words()
            self._rooms.append(tag)
            self._places.append(BEFORE.sub("", attributes.get("id") or attributes.get("aria-labelledby") or tag))
        elif tag in KINDS:
            self._end_words()
            self._kind = KINDS[tag]
        self._is_hidden = tag in HIDDEN

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element of a drawing without content."""
        if self._drawings:
            self._add("drawing", self.get_starttag_text() or "")
        else:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close the current element."""
        self._is_hidden = False
        if tag == "svg" and self._drawings:
            self._end_words()
            self._drawings -= 1
        elif tag in KINDS:
            self._end_words()
        elif self._rooms and tag == self._rooms[-1]:
            self._end_words()
            self._rooms.pop()
            self._places.pop()

    def handle_data(self, data: str) -> None:
        """Keep words."""
        if self._drawings:
            if data.strip():
                self._add("drawing", data)
        elif not self._is_hidden:
            self._words.append(data)

    def _end_words(self) -> None:
        text = " ".join("".join(self._words).split())
        if text:
            self._add(self._kind or "text", text)
        self._words, self._kind = [], ""

    def _add(self, kind: str, text: str) -> None:
        self.parts.setdefault((self._places[-1], kind), []).append(text)

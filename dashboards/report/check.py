"""Check a report: list the differences between its data and page and the current ones."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import zip_longest
from math import isclose
from typing import Any, Final

from dashboards.report.model import DATA_ID, contradicted, unchecked

__all__ = ["changes", "differences", "notes", "shown"]


MOST: Final = 5
"""Maximum number of differences listed individually."""
AROUND: Final = 40
LONGEST: Final = 160
KINDS: Final = {
    **dict.fromkeys(("title", "h1", "h2", "h3", "summary"), "title"),
    **dict.fromkeys(("p", "li", "figcaption"), "sentence"),
    **dict.fromkeys(("caption", "th", "td"), "table"),
    **dict.fromkeys(("dt", "dd", "pre"), "text"),
}
"""Kinds of text by HTML element."""
ROOMS: Final = frozenset({"header", "section", "article"})
HIDDEN: Final = frozenset({"style", "template"})
BEFORE: Final = re.compile(r"^figure-")
DATA: Final = re.compile(f'(<template id="{DATA_ID}">)[A-Za-z0-9+/=]*(</template>)')


def changes(reported: str, found: str) -> list[str]:
    """Return sentences on differences between a reported page and the page computed now (`found`).

    Each sentence quotes the text computed now and the text in the reported page. The data embedded in the page is left
    out, because it is compared number by number.
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
    """Return the content of a page, by section and kind."""
    return _Shown(page).parts


def _first(expected: list[str], found: list[str]) -> str:
    """Return a description of the first difference between two lists."""
    differ = ((one, other) for one, other in zip_longest(expected, found) if one != other)
    one, other = next(differ, ("", ""))
    same = next((at for at, (a, b) in enumerate(zip(one or "", other or "", strict=False)) if a != b), 0)
    return f"expected {_short(one, same)}, found {_short(other, same)}"


def _short(text: str | None, at: int) -> str:
    """Return a text in quotes; a long text is shortened to the part around position `at`."""
    if text is None:
        return "nothing"
    start = max(at - AROUND, 0) if len(text) > LONGEST else 0
    end = start + LONGEST
    return f"“{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}”"


class _Shown(HTMLParser):
    """HTML parser that collects the content of a page by section and kind; a drawing counts as elements and text."""

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
        """Open a section, a drawing or an element with text."""
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
        """Store an element of a drawing that has no content."""
        if self._drawings:
            self._add("drawing", self.get_starttag_text() or "")
        else:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
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


MOST_LOGS: Final = 5
MOST_CELLS: Final = 3
CLOSE: Final = {"rel_tol": 1e-6, "abs_tol": 1e-9}
"""Tolerance for equal numbers; another machine may round the last digits of a fitted model differently."""

Data = Mapping[str, Any]


def notes(reported: Data, found: Data) -> list[str]:
    """Return notes on changes that do not count as differences."""
    if "nothing" in found:
        return []
    lines = []
    if reported["software"] != found["software"]:
        made = f"the report was made with himalaya {reported['software']}, this is {found['software']}"
        lines.append(f"{made}: only its data is checked, not its words and drawings")
    if seats := unchecked(reported["players"], found["players"]):
        where = f"in {seats:,} {'seat' if seats == 1 else 'seats'}"
        lines.append(f"{where} the player is not available here: the report's statements on it were not checked")
    return lines


def differences(reported: Data, found: Data) -> list[str]:
    """Return sentences on the differences between a report and the current data; empty if the report is correct.

    `page` is the whole page. It is compared only if the same software made it, because wording and drawings change.
    """
    if "nothing" in found:
        return [f"{found['nothing']}; the report has {reported['matches']:,}"]
    lines = [
        *_of_logs(reported, found),
        *_of_players(reported, found),
        *_of_choices(reported, found),
        *_of_models(reported, found),
        *_of_figures(reported, found),
        *_of_telling(reported, found),
    ]
    if not lines and reported["software"] == found["software"]:
        return changes(reported["page"], found["page"])
    return lines


def _of_logs(reported: Data, found: Data) -> Iterator[str]:
    if reported["digest"] == found["digest"]:
        return
    before, now = dict(reported["logs"]), dict(found["logs"])
    changed = [match for match, digest in before.items() if match in now and now[match] != digest]
    for what, names in (
        ("changed since", changed),
        ("missing now", [match for match in before if match not in now]),
        ("not in the report", [match for match in now if match not in before]),
    ):
        if names:
            more = f" and {len(names) - MOST_LOGS:,} more" if len(names) > MOST_LOGS else ""
            yield f"logs {what}: {', '.join(names[:MOST_LOGS])}{more}"
    yield f"the digest of the logs: {reported['digest'][:16]} in the report, {found['digest'][:16]} in the data"


def _of_players(reported: Data, found: Data) -> Iterator[str]:
    before, now = (
        {(player, version): seats for player, version, seats in each["versions"]} for each in (reported, found)
    )
    for player, version in sorted({*before, *now}):
        seats, others = before.get((player, version), 0), now.get((player, version), 0)
        if seats != others:
            yield f"seats of {player} {version}: {seats:,} in the report, {others:,} in the data"


def _of_choices(reported: Data, found: Data) -> Iterator[str]:
    lines = list(contradicted(reported["players"], found["players"]))
    yield from lines[:MOST_LOGS]
    if len(lines) > MOST_LOGS:
        yield f"what players chose, in {len(lines) - MOST_LOGS:,} other seats"


def _of_models(reported: Data, found: Data) -> Iterator[str]:
    """Yield differences in the number of evaluated matches and in their models; older reports have neither."""
    (before, models), (now, others) = reported.get("valued", found["valued"]), found["valued"]
    if before != now:
        yield f"matches with chances of winning: {before:,} in the report, {now:,} in the data"
    if models != others:
        named = (", ".join(model[:16] for model in each) or "none" for each in (models, others))
        yield "models of the chances: {} in the report, {} in the data".format(*named)


def _of_figures(reported: Data, found: Data) -> Iterator[str]:
    for name, before in reported["figures"].items():
        now = found["figures"].get(name)
        if now is None:
            yield f"{name}: this version of himalaya has no such figure"
        elif before["columns"] != now["columns"]:
            yield f"{name}: different columns in the data"
        else:
            yield from _of_rows(name, before, now)
    for name in found["figures"]:
        if name not in reported["figures"]:
            yield f"{name}: not in the report"


def _of_rows(name: str, before: Data, now: Data) -> Iterator[str]:
    if len(before["rows"]) != len(now["rows"]):
        yield f"{name}: {len(before['rows']):,} rows in the report, {len(now['rows']):,} in the data"
        return
    cells = [
        f"{name}, row {place} ({row[0]}), {column}: {value} in the report, {other} in the data"
        for place, (row, others) in enumerate(zip(before["rows"], now["rows"], strict=True), 1)
        for column, value, other in zip(before["columns"], row, others, strict=True)
        if not _same(value, other)
    ]
    yield from cells[:MOST_CELLS]
    if len(cells) > MOST_CELLS:
        yield f"{name}: {len(cells) - MOST_CELLS:,} more cells"


def _of_telling(reported: Data, found: Data) -> Iterator[str]:
    if reported["telling"] != found["telling"]:
        yield "the notable matches or their moments"


def _same(value: Any, other: Any) -> bool:
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (value, other))
    return isclose(value, other, **CLOSE) if numbers else bool(value == other)

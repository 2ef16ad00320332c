"""Check a report: compare its data with the current data, difference by difference."""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any, Final

from dashboards.report.players import contradicted, unchecked
from dashboards.report.shown import changes

__all__ = ["differences", "notes"]

MOST_LOGS: Final = 5
MOST_CELLS: Final = 3
CLOSE: Final = {"rel_tol": 1e-6, "abs_tol": 1e-9}
"""Tolerance for equal numbers: another machine may round the last digits of a fit differently."""

Data = Mapping[str, Any]


def notes(reported: Data, found: Data) -> list[str]:
    """Return notes that are no differences."""
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
    """Return the differences between a report and the data in sentences; none if the report is correct.

    `page` is the whole page; only the same software draws and words it the same.
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
    """Yield changes in the number of valued matches and their models; older reports have neither."""
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

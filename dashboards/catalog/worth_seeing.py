"""The matches that the home page opens on, of all games: each with its reason and the ply that shows it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dashboards.catalog.highlights import about, unlikely_wins
from dashboards.games.analytics import all_analytics, analytics_of, terms_of
from dashboards.games.shared.memo import memo
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.turning_points import turning_plies
from dashboards.warehouse.worth_seeing import closest_matches, latest_matches, played, turned_late, won_matches

__all__ = ["WINNER", "Worth", "worth_seeing"]

WINNER: Final = "{winner}"
"""Stands in a sentence for the name of whoever won."""
OF_EACH: Final = 3
"""How many matches of each game may be taken for a reason."""
UNLIKELY: Final = 0.5
"""A win is an upset at most at this part of the chance that equals would have."""
ENOUGH: Final = 20
"""Of fewer matches of a game no ratings are told."""
COMEBACK_BY: Final = 0.5
"""A winner came back that led for at most this part of the match."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A match and why it is worth seeing; seats count from 0, the last ply is that of the final board."""

    reason: str
    match: str
    game: str
    players: tuple[str, ...]
    winner: str
    winners: frozenset[int]
    told: str
    ply: int
    last_ply: int


Candidates = Iterator[tuple[int, str]]
"""Numbers of matches, the best first, each with its sentence."""


def worth_seeing(reader: Reader) -> list[Worth]:
    """Return a match for each reason that any gives; they differ, and are of different games where that can be."""
    return memo(reader, ("worth seeing",), lambda: _worth_seeing(reader))


def _worth_seeing(reader: Reader) -> list[Worth]:
    games = played(reader)
    candidates = {
        "Close finish": list(_close(reader, len(games))),
        "Comeback": list(_comebacks(reader, games)),
        "Upset": list(_upsets(reader, games)),
        "Latest": list(_latest(reader)),
    }
    facts = won_matches(reader, [number for found in candidates.values() for number, _ in found])
    chosen: dict[str, tuple[int, str]] = {}
    seen: Counter[str] = Counter()
    for reason, found in candidates.items():
        taken = {number for number, _ in chosen.values()}
        fresh = [each for each in found if each[0] not in taken]
        if fresh:
            chosen[reason] = min(fresh, key=lambda each: seen[facts[each[0]]["game"]])
            seen[facts[chosen[reason][0]]["game"]] += 1
    names = [facts[number]["match"] for number, _ in chosen.values()]
    turned = turning_plies(reader, names, [each.turning_points for each in all_analytics()])
    return [_worth(reason, facts[number], told, turned) for reason, (number, told) in chosen.items()]


def _worth(reason: str, row: Mapping[str, Any], told: str, turned: Mapping[str, int]) -> Worth:
    """Return what is shown of a match: of a close one the moment before its last decision, else where it turned."""
    before_the_end = max(row["plies"] - 1, 0)
    ply = before_the_end if reason == "Close finish" else min(turned.get(row["match"], before_the_end), row["plies"])
    players, winners = tuple(row["line_up"].split(", ")), frozenset(row["winner_seats"])
    return Worth(reason, row["match"], row["game"], players, row["winner"], winners, told, ply, row["plies"])


def _close(reader: Reader, games: int) -> Candidates:
    for row in closest_matches(reader, OF_EACH * games).iter_rows(named=True):
        yield row["match_id"], terms_of(row["game"]).how_close(row["nearest"], row["gap"], row["gap_unit"], WINNER)


def _comebacks(reader: Reader, games: Mapping[str, int]) -> Candidates:
    found = [
        (led / counted, number, led, counted, since, game)
        for game in games
        if (course := analytics_of(game).course)
        for number, led, counted, since in turned_late(reader, course, OF_EACH)
        if led <= COMEBACK_BY * counted
    ]
    for _, number, led, counted, since, game in sorted(found):
        words = terms_of(game)
        for_good = f"{WINNER} took the lead for good at {words.round} {since} of {counted}"
        # who led before as well was ahead more often than from then on
        earlier = f"; ahead after only {led} of {words.counted(counted)}" if led > counted - since + 1 else ""
        yield number, f"{for_good}{earlier}"


def _upsets(reader: Reader, games: Mapping[str, int]) -> Candidates:
    """Yield upsets: of each game the wins that its ratings gave the least chance."""
    found: list[tuple[int, float]] = []
    for game, matches in games.items():
        if matches >= ENOUGH:
            upsets = unlikely_wins(reader, Filter(game=game), OF_EACH)
            found += upsets
    facts = won_matches(reader, [number for number, _ in found])
    for number, chance in sorted(found, key=lambda each: each[1]):
        row = facts[number]
        if chance <= UNLIKELY / len(row["line_up"].split(", ")):
            yield number, f"the ratings gave {WINNER} a chance of {about(chance)}"


def _latest(reader: Reader) -> Candidates:
    for number, came_in in latest_matches(reader, OF_EACH):
        yield number, f"loaded on {came_in} UTC"

"""Notable matches, from a selection or from all games, each with the reason and the ply to show."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from dashboards.boards.story import title_from
from dashboards.games.analytics import all_analytics, analytics_of, terms_of
from dashboards.games.figure import Figure
from dashboards.games.shared.recent import counted_results, memo
from dashboards.queries.actions import match_facts, named_line_ups
from dashboards.queries.filters import Filter, listed
from dashboards.queries.logs import match_lines
from dashboards.queries.matches import turning_plies
from dashboards.queries.notable import (
    closest_matches,
    favourites_beaten,
    from_the_lowest,
    latest_matches,
    played,
    turned_late,
    valued_games,
    won_matches,
)
from dashboards.queries.reader import Reader
from dashboards.queries.reviews import moments_of
from dashboards.queries.where import game_under, participants
from dashboards.stats.ratings import ELO, joints, ratings
from dashboards.stats.words import NOTHING

__all__ = [
    "TELLING",
    "WINNER",
    "Title",
    "Worth",
    "about",
    "match_titles",
    "story",
    "telling_finding",
    "telling_matches",
    "unlikely_wins",
    "worth_seeing",
]


REASONS: Final = ("comeback", "upset", "luckless", "lead", "close", "quick")
MOST: Final = 3
EVEN: Final = 0.5
LEAST_CHANCE: Final = 0.01
SCHEMA: Final = {
    "what": pl.String,
    "match": pl.String,
    "tournament": pl.String,
    "line_up": pl.String,
    "winner": pl.String,
    "why": pl.String,
    "telling": pl.Float64,
}


def telling_matches(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, why, telling`: at most three matches for each reason.

    Reasons: upsets by rating, and those of the game: comebacks, wins against the dice, changes of the lead, close ends
    and early decisions. `telling` is the value that ranked the match; its meaning depends on the reason.
    """
    own = analytics_of(game_under(reader, where)).highlights
    rows = [*(own(reader, where) if own else []), *_upsets(reader, where)]
    rows.sort(key=lambda row: REASONS.index(row["what"]) if row["what"] in REASONS else len(REASONS))
    if participants(reader, where):
        rows = _with_names(reader, where, rows)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _with_names(reader: Reader, where: Filter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with each player replaced by its name as a participant."""
    names = {row[0]: row[1:] for row in named_line_ups(reader, where, [row["match"] for row in rows])}
    renamed = []
    for row in rows:
        line_up, winner = names[row["match"]]
        begins = row["winner"] and row["why"].startswith(f"{row['winner']} ")
        why = f"{winner}{row['why'].removeprefix(row['winner'])}" if begins else row["why"]
        renamed.append({**row, "line_up": line_up, "winner": winner, "why": why})
    return renamed


def telling_finding(frame: pl.DataFrame) -> str:
    """Return a sentence with the first match for each reason."""
    if frame.is_empty():
        return NOTHING
    first = frame.unique("what", keep="first", maintain_order=True)
    return " ".join(f"{row['match']}: {row['why']}." for row in first.iter_rows(named=True))


def unlikely_wins(reader: Reader, where: Filter, most: int) -> list[tuple[int, float]]:
    """Return `match_id` and chance of the matches of a filter with the least likely winners.

    The chance of a seat is its strength divided by the sum over the table, from ratings of all these matches
    (Plackett–Luce without ties). A winner with a chance of one half or more is no upset. Matches between weakly
    connected halves of a pool have no chance.
    """
    lineups = counted_results(reader, where)
    if not lineups.count:
        return []
    strength = (pl.col("rating").fill_null(0.0) / ELO).exp().alias("strength")
    rated = ratings(lineups.whole(), bounds=False).select("player", strength)
    seats = lineups.seats.join(rated, on="player", how="left")
    chance = seats.with_columns((pl.col("strength") / pl.col("strength").sum().over("match")).alias("chance"))
    won = chance.filter((pl.col("place") == 1) & (pl.col("sharing") == 1)).select("match", "chance")
    by_lineup = np.full(lineups.count, np.nan)
    by_lineup[won["match"].to_numpy()] = won["chance"].to_numpy()
    for joint in joints(lineups):  # ratings of the two halves cannot be compared
        one, other = (seats.filter(pl.col("player").is_in(half))["match"] for half in (joint.one, joint.other))
        by_lineup[one.filter(one.is_in(other.to_list())).to_numpy()] = np.nan
    kept = np.zeros(lineups.count, dtype=bool)
    kept[lineups.seats.filter("kept")["match"].to_numpy()] = True
    odds = np.where(kept, by_lineup, np.nan)[lineups.lineup]
    order = [int(at) for at in np.lexsort((lineups.matches.to_numpy(), odds)) if odds[at] < EVEN][:most]
    return [(lineups.matches[at], float(odds[at])) for at in order]


def about(chance: float) -> str:
    """Return a chance from a rating in whole per cent; a very small one is shown as “below 1%”."""
    return f"about {chance:.0%}" if chance >= LEAST_CHANCE else f"below {LEAST_CHANCE:.0%}"


def _upsets(reader: Reader, where: Filter) -> list[dict[str, Any]]:
    """Return the matches under the filter with the least likely winners, by ratings of all its matches."""
    upsets = unlikely_wins(reader, where, MOST)
    facts = {row["match_id"]: row for row in match_facts(reader, [match_id for match_id, _ in upsets]).to_dicts()}
    found: list[dict[str, Any]] = []
    for match_id, chance in upsets:
        row = facts[match_id]
        why = f"{row['winner']} won against the odds ({about(chance)} by the ratings of these matches)"
        facts_of_it = {name: row[name] for name in ("match", "tournament", "line_up", "winner")}
        found.append({"what": "upset", **facts_of_it, "why": why, "telling": chance})
    return found


TELLING: Final = Figure(
    "telling-matches",
    "Notable matches",
    "when",
    telling_matches,
    {
        "what": "Reason",
        "match": "Match",
        "tournament": "Tournament",
        "line_up": "Players",
        "winner": "Winner",
        "why": "Why",
        "telling": "Chosen by",
    },
    telling_finding,
)


WINNER: Final = "{winner}"
"""Placeholder for the winner's name in a sentence."""
OF_EACH: Final = 3
UNLIKELY: Final = 0.5
"""Maximum win probability of an upset, as a fraction of that of equal players."""
ENOUGH: Final = 20
"""Minimum number of a game's matches for upsets by rating."""
COMEBACK_BY: Final = 0.5
"""A win is a comeback only if the winner led in at most this share of the rounds."""
FAVOURITE: Final = 0.75
"""Minimum win probability in the second half of the match for a loser to count as a beaten favourite."""
LEAST: Final = 0.005
"""Smallest probability shown as a number; models are not precise enough for smaller ones."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A notable match with its reason; seats count from 0, and `last_ply` is the ply of the final board.

    `seats` are the players with the labels of their seats.
    """

    reason: str
    match: str
    game: str
    seats: tuple[tuple[str, str], ...]
    winner: str
    winners: frozenset[int]
    told: str
    ply: int
    last_ply: int
    title: str = ""
    """What changed the chances most, if the match has been reviewed; empty for a card that is told otherwise."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate match: its number, the reason as a sentence, and the ply to show (`None`: its turning point)."""

    number: int
    told: str
    ply: int | None = None


def story(worth: Worth, winner: str = "") -> tuple[str, str]:
    """Return a title for a match, and a further fact or an empty text; `winner` replaces the winner's name.

    A player's name is not capitalised, even at the beginning.
    """
    if WINNER not in worth.told:
        players = listed(player for player, _ in worth.seats)
        return players if winner else worth.title or players, _upper(worth.told)
    told, _, more = worth.told.partition("; ")
    text = told.replace(WINNER, winner or worth.winner)
    return text if text.startswith(worth.winner) and not winner else _upper(text), more


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


@dataclass(frozen=True, slots=True)
class Title:
    """A title of a match, such as "Tamang's plan turned it in round 7", and the ply at which to look at it."""

    text: str
    ply: int


def match_titles(reader: Reader, matches: Sequence[str]) -> dict[str, Title]:
    """Map matches to titles from their key moments; a match without a review has none."""
    titles = {}
    for match, found in moments_of(reader, matches).items():
        named = ((title_from(each.text, turned=each.turned), each.at) for each in found)
        text, at = next((each for each in named if each[0]), ("", 0))
        lines = match_lines(reader, match) if text else None
        if lines:
            titles[match] = Title(text, json.loads(lines[at])["ply"])
    return titles


Candidates = Iterator[Candidate]
"""Candidate matches, best first."""


def worth_seeing(reader: Reader) -> list[Worth]:
    """Return at most one match per reason, all different and from different games if possible."""
    return memo(reader, ("worth seeing",), lambda: _worth_seeing(reader))


def _worth_seeing(reader: Reader) -> list[Worth]:
    games, valued = played(reader), valued_games(reader)
    others = {game: matches for game, matches in games.items() if game not in valued}
    candidates = {
        "Comeback": [*_from_the_lowest(reader), *_comebacks(reader, others)],
        "Close finish": list(_close(reader, len(games))),
        "Upset": [*_favourites_beaten(reader), *_upset_cards(reader, others)],
        "Latest": list(_latest(reader)),
    }
    facts = won_matches(reader, [each.number for found in candidates.values() for each in found])
    chosen: dict[str, Candidate] = {}
    seen: Counter[str] = Counter()
    for reason, found in candidates.items():
        taken = {each.number for each in chosen.values()}
        fresh = [each for each in found if each.number not in taken]
        if fresh:
            chosen[reason] = min(fresh, key=lambda each: seen[facts[each.number]["game"]])
            seen[facts[chosen[reason].number]["game"]] += 1
    names = [facts[each.number]["match"] for each in chosen.values()]
    turned = turning_plies(reader, names, [each.turning_points for each in all_analytics()])
    cards = [_worth(reason, facts[each.number], each, turned) for reason, each in chosen.items()]
    titles = match_titles(reader, [card.match for card in cards if WINNER not in card.told])
    return [
        replace(card, title=title.text, ply=title.ply) if (title := titles.get(card.match)) else card for card in cards
    ]


def _worth(reason: str, row: Mapping[str, Any], chosen: Candidate, turned: Mapping[str, int]) -> Worth:
    """Return the card of a match. A close finish opens before its last decision, other matches at the turning point."""
    before_the_end = max(row["plies"] - 1, 0)
    ply = before_the_end if reason == "Close finish" else min(turned.get(row["match"], before_the_end), row["plies"])
    ply = ply if chosen.ply is None else chosen.ply
    seats, winners = tuple(zip(row["players"], row["labels"], strict=True)), frozenset(row["winner_seats"])
    return Worth(reason, row["match"], row["game"], seats, row["winner"], winners, chosen.told, ply, row["plies"])


def _close(reader: Reader, games: int) -> Candidates:
    for row in closest_matches(reader, OF_EACH * games).iter_rows(named=True):
        told = terms_of(row["game"]).how_close(row["nearest"], row["gap"], row["gap_unit"], WINNER)
        yield Candidate(row["match_id"], told)


def _from_the_lowest(reader: Reader) -> Candidates:
    """Yield comebacks by win probability: for each game with a model, the least likely winners."""
    for row in from_the_lowest(reader, OF_EACH).iter_rows(named=True):
        if row["chance"] <= UNLIKELY / row["players"]:
            yield Candidate(row["match_id"], f"{WINNER} won after the model gave it {_when(row)}", row["ply"])


def _favourites_beaten(reader: Reader) -> Candidates:
    """Yield upsets by win probability: for each game with a model, the losers who were most likely to win."""
    for row in favourites_beaten(reader, OF_EACH).iter_rows(named=True):
        if row["chance"] >= FAVOURITE:
            yield Candidate(row["match_id"], f"{WINNER} beat a player that the model gave {_when(row)}", row["ply"])


def _when(row: Mapping[str, Any]) -> str:
    """Return a win probability with its round: `7% in round 9`."""
    chance = row["chance"]
    said = "under 1%" if chance < LEAST else "over 99%" if chance > 1 - LEAST else f"{chance:.0%}"
    return f"{said} in {terms_of(row['game']).round} {row['round']}"


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
        # mentioned only if the winner also led in earlier rounds
        earlier = f"; ahead after only {led} of {words.counted(counted)}" if led > counted - since + 1 else ""
        yield Candidate(number, f"{for_good}{earlier}")


def _upset_cards(reader: Reader, games: Mapping[str, int]) -> Candidates:
    """Yield upsets by rating: for each game, the wins that were least likely."""
    found: list[tuple[int, float]] = []
    for game, matches in games.items():
        if matches >= ENOUGH:
            upsets = unlikely_wins(reader, Filter(game=game), OF_EACH)
            found += upsets
    facts = won_matches(reader, [number for number, _ in found])
    for number, chance in sorted(found, key=lambda each: each[1]):
        row = facts[number]
        if chance <= UNLIKELY / len(row["players"]):
            yield Candidate(number, f"the ratings gave {WINNER} a chance of {about(chance)}")


def _latest(reader: Reader) -> Candidates:
    for number, came_in in latest_matches(reader, OF_EACH):
        yield Candidate(number, f"loaded on {came_in} UTC" if came_in else "one of the last loaded")

"""Features of each seat for the win-probability model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from himalaya_core.game import BySeat, Features, below, leads, over_mean
from himalaya_core.summit.flow import bad_weather_is_in
from himalaya_core.summit.pieces import FACES, Phase, values_of
from himalaya_core.summit.scoring import standing
from himalaya_core.summit.state import State

__all__ = ["FEATURES"]

NAMES: Final[Mapping[str, str]] = {
    "climber": "How far its climber is, as a share of the route.",
    "climber_lead": "Fields that its climber is ahead of the farthest other one.",
    "climber_lead_2": "Fields that its climber is ahead of the second farthest other one.",
    "climber_below": "The share of the other climbers that are behind its own.",
    "scored_now": "Its share of the win if the match ended now.",
    "scored_now_in_weather": "The same, once the bad weather is in the deck.",
    "weather_lead": "Fields that its climber is ahead of the farthest other one, times the chance of bad weather next.",
    "in_reach": "Whether its climber can be on the summit with one die.",
    "in_reach_by_pool": "Whether a die in the pool takes its climber to the summit.",
    "to_move_in_reach": "The same, and it is its turn.",
    "site": "Fields up to the farthest place, within a die, where its climber may go.",
    "sites": "How many such places there are.",
    "sherpas": "Fields of its Sherpas in all, as a share of four routes.",
    "sherpas_lead": "Fields of its Sherpas in all above the mean of the other seats.",
    "sherpas_ahead": "Its Sherpas that are ahead of its climber.",
    "sherpa_best": "Fields that its highest Sherpa is ahead of its climber.",
    "sherpa_second": "Fields that its second highest Sherpa is ahead of its climber.",
    "sherpas_camped": "Its Sherpas in camps, safe from the Yeti.",
    "exposed": "Fields that its Sherpas would lose, on average, to the next Yeti card.",
    "cards": "Supply cards in hand.",
    "cards_worth": "Fields that its supply cards lead in all, each by its higher number.",
    "cards_lead": "Supply cards more than the others have on average.",
    "wait": "How many turns it waits until its own, over the number of the others.",
}


def _rows(state: State) -> Sequence[Sequence[float]]:
    return list(zip(*_climbers(state), *_sherpas(state), *_supplies(state), strict=True))


def _climbers(state: State) -> Iterator[BySeat]:
    climbers, summit = state.climbers, state.board.summit
    now, to_weather = standing(state).shares, _weather(state)
    yield [at / summit for at in climbers]
    yield leads(climbers)
    yield leads(climbers, 1)
    yield below(climbers)
    yield now
    yield [share * bad_weather_is_in(state) for share in now]
    yield [lead * to_weather for lead in leads(climbers)]
    left = [summit - at for at in climbers]
    by_pool = [float(fields in state.pool) for fields in left]
    yield [float(fields <= FACES) for fields in left]
    yield by_pool
    yield [fits * (seat == state.active) for seat, fits in enumerate(by_pool)]
    sites = [_sites(state, seat) for seat in state.seats]
    yield [max(found, default=at) - at for found, at in zip(sites, climbers, strict=True)]
    yield [float(len(found)) for found in sites]


def _weather(state: State) -> float:
    return 1 / (len(state.deck) + 1) if bad_weather_is_in(state) else 0.0


def _sites(state: State, seat: int) -> list[int]:
    """Return the fields within reach of one die that the seat's climber may enter.

    These are the unblocked fields with two own Sherpas, and the summit.
    """
    at, row, summit = state.climbers[seat], state.sherpas[seat], state.board.summit
    taken = (*state.climbers, state.yeti)
    waiting = {field for field in row if row.count(field) > 1 and at < field <= at + FACES and field not in taken}
    return [*waiting, summit] if summit - at <= FACES else [*waiting]


def _sherpas(state: State) -> Iterator[BySeat]:
    rows, summit, camps = state.sherpas, state.board.summit, state.board.camps
    ordered = [sorted(row) for row in rows]
    sums = [sum(row) for row in rows]
    yield [fields / (4 * summit) for fields in sums]
    yield over_mean(sums)
    yield [float(sum([field > at for field in row])) for row, at in zip(rows, state.climbers, strict=True)]
    yield [float(row[-1] - at) for row, at in zip(ordered, state.climbers, strict=True)]
    yield [float(row[-2] - at) for row, at in zip(ordered, state.climbers, strict=True)]
    yield [float(sum([field in camps for field in row])) for row in rows]
    cards = state.deck or state.board.yeti_cards
    goals = [min(max(state.yeti + card, 0), summit - 1) for card in cards]
    below = state.board.camp_below
    yield [
        sum([goals.count(field) * (field - below[field]) for field in row if field != at]) / len(cards)
        for row, at in zip(rows, state.climbers, strict=True)
    ]


def _supplies(state: State) -> Iterator[BySeat]:
    counts = [float(len(hand)) for hand in state.hands]
    yield counts
    yield [float(sum([max(values_of(card)) for card in hand])) for hand in state.hands]
    yield over_mean(counts)
    count = len(state.seats)
    following = (state.active + (state.phase in (Phase.RESOLVE, Phase.CLOSE, Phase.TURN))) % count
    yield [(seat - following) % count / (count - 1) for seat in state.seats]


def _progress(state: State) -> float:
    """Return the match's progress from 0 to 1, combined from the leading climber and the approach of bad weather."""
    weather = (len(state.seen) / (len(state.board.yeti_cards) + 1) + 1) / 2 if state.cycle > 1 else 0.0
    return max(*state.climbers, 0) / state.board.summit * (1 - weather) + weather


def _is_closing(state: State) -> bool:
    """Return whether bad weather is the only card left: the next throw brings it, whatever it shows (S-10.weather)."""
    return bad_weather_is_in(state) and not state.deck


FEATURES: Final = Features[State](NAMES, _rows, _progress, standing, "himalaya_core.summit", _is_closing)

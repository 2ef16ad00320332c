"""Watch the matches of a tournament until the sequential test decides between two of its players.

A referee sees the last line of each match in the order of the plan, so its verdict depends on the log files alone: a
tournament that was stopped and resumed reads its files again and reaches the same verdict.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from himalaya_core.arena.deciding import Course, Decision, EloModel, SequentialTest
from himalaya_core.arena.plan import Plan, TournamentError
from himalaya_core.games import GAMES
from himalaya_core.log.codec import Ended, decode_line
from himalaya_core.names import did_you_mean
from himalaya_core.players.named import line_up

__all__ = ["Referee", "SequentialOutcome", "at_most", "compared"]

MOST_UNDECIDED: Final = 100_000
"""Approximate limit on matches if none is given."""
DIGITS: Final = 6
"""Decimals of figures in a manifest: few enough to be the same on every machine."""
BIASED: Final = "biased away from 50%, as the test stops at an extreme"


@dataclass(frozen=True, slots=True)
class SequentialOutcome:
    """Result of the test; `better_share` (0 to 1) is the share of `pairs` pairs of seats that the player won.

    The fields are keys of the manifest, where seeds are called `lucks`, as in the option.

    A test that stops itself tends to stop at an extreme, so the share is no estimate of strength.
    """

    decision: Decision
    player: str
    other: str
    lucks: int
    matches: int
    pairs: int
    better_share: float
    ratio: float

    def in_words(self, test: SequentialTest) -> str:
        """Return the meaning of the decision, and no more, in lines."""
        after = f"after {self.lucks:,} seeds ({self.matches:,} matches)"
        lead, model = f"{self.player}'s lead over {self.other}", f"Elo ({test.elo_model})"
        ahead = f"{self.player} finished ahead of {self.other} in"
        share = f"{ahead} {self.better_share:.1%} of {self.pairs:,} pairs of seats"
        bounds = f"{test.lower:.2f} (H0: {test.elo0:g} Elo) and {test.upper:.2f} (H1: {test.elo1:g} Elo)"
        ratio = f"log-likelihood ratio {self.ratio:.2f}, bounds {bounds}"
        wrongly = "the test would say so with a probability of at most"
        if self.decision is Decision.BETTER:
            said = f"decided for H1 {after}: {lead} is above {test.elo0:g} {model}"
            error = f"if it were {test.elo0:g} Elo or less, {wrongly} {test.alpha:g}"
            return "\n  ".join((said, error, f"{share}, {BIASED}", ratio))
        if self.decision is Decision.NOT_BETTER:
            said = f"decided for H0 {after}: {lead} is below {test.elo1:g} {model}"
            error = f"if it were {test.elo1:g} Elo or more, {wrongly} {test.beta:g}"
            return "\n  ".join((said, f"{error}; it may still be above {test.elo0:g} Elo", f"{share}, {BIASED}", ratio))
        nothing = f"undecided {after}, and that was all: nothing follows about {lead} in {model}"
        return f"{nothing}\n  {share}\n  {ratio}"


class Referee:
    """Scores seed groups as their matches arrive, until the test has decided."""

    def __init__(self, plan: Plan, pair: tuple[str, str], test: SequentialTest) -> None:
        """Raise `TournamentError` if the two never sit at one table, or too often for the bounds of the test."""
        self.test = test
        self.matches = 0
        self._pair = pair
        self._game = GAMES[plan.game]
        self._meetings = [_meetings(table, pair) for table in plan.tables]
        self._pairs = sum(map(len, self._meetings))
        if not self._pairs:
            raise TournamentError(f"{pair[0]} and {pair[1]} never sit at one table, so they cannot be compared")
        self._points = 0
        self._won = 0
        try:
            self._course = Course(test, sum(map(bool, self._meetings)))
        except ValueError as error:
            raise TournamentError(str(error)) from None

    @property
    def asked(self) -> dict[str, Any]:
        """Return the test's question, as a manifest keeps it; logistic Elo is unnamed, so earlier ones continue."""
        question = {"players": list(self._pair), **asdict(self.test)}
        if self.test.elo_model is EloModel.LOGISTIC:
            del question["elo_model"]
        return question

    @property
    def is_decided(self) -> bool:
        """Return whether the test has decided."""
        return self._course.decision is not Decision.UNDECIDED

    @property
    def state(self) -> str:
        """Log-likelihood ratio and its bounds, for the progress bar."""
        return f"LLR {self._course.ratio:+.2f} in {self.test.lower:.2f} … {self.test.upper:.2f}"

    @property
    def verdict(self) -> SequentialOutcome:
        """Verdict on the matches so far."""
        course = self._course
        seeds = course.groups.total()
        share = self._won / (2 * self._pairs * seeds) if seeds else 0.5
        matches, pairs = seeds * len(self._meetings), seeds * self._pairs
        return SequentialOutcome(
            course.decision, *self._pair, seeds, matches, pairs, round(share, DIGITS), round(course.ratio, DIGITS)
        )

    def see(self, last_line: bytes) -> None:
        """Take the next match in the order of the plan."""
        turn = self.matches % len(self._meetings)
        self.matches += 1
        if self.is_decided:
            return
        event = decode_line(last_line, self._game).event
        assert isinstance(event, Ended), "whole matches only"
        place = {seat: place for place, seats in enumerate(event.ranking) for seat in seats}
        self._points += sum(
            1 + (place[mine] < place[his]) - (place[mine] > place[his]) for mine, his in self._meetings[turn]
        )
        if turn == len(self._meetings) - 1:
            self._close_group()

    def _close_group(self) -> None:
        self._course.add(self._points / (2 * self._pairs))
        self._won += self._points
        self._points = 0


def at_most(plan: Plan) -> Plan:
    """Return a plan with the default limit on seeds."""
    return replace(plan, matches=max(1, MOST_UNDECIDED // len(plan.tables)) * len(plan.tables))


def compared(plan: Plan, named: tuple[str, ...] | None) -> tuple[str, str]:
    """Return the two players of a plan to compare; the test asks whether the first is better."""
    players = tuple(dict.fromkeys(plan.players))
    first, *others = _known(plan, named) if named else players
    if len(others) != 1 or others[0] == first:
        there = f"you named {', '.join(named or players)}"
        raise TournamentError(f"the test compares two players: name them with --compare A,B; {there}")
    for player in (first, *others):
        if player not in players:
            raise TournamentError(
                f"player {player!r} to be compared does not take part; there are {', '.join(players)}"
                f"{did_you_mean(player, players)}"
            )
    return first, others[0]


def _known(plan: Plan, texts: tuple[str, ...]) -> list[str]:
    """Return the plan's names of players given as on a command line."""
    from_outside = {place.text: name for name, place in plan.outside.items()}
    there = {**from_outside, **{name: name for name in plan.players}}
    return [there.get(text) or line_up(GAMES[plan.game], [text])[0][0] for text in texts]


def _meetings(table: tuple[str, ...], pair: tuple[str, str]) -> list[tuple[int, int]]:
    """Return the pairs of seats in which the two sit at a table."""
    seats: Mapping[str, list[int]] = {
        player: [seat for seat, name in enumerate(table) if name == player] for player in pair
    }
    return [(mine, his) for mine in seats[pair[0]] for his in seats[pair[1]]]

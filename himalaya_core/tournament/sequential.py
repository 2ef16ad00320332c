"""The sequential test: stop a tournament when two players have met often enough. Also computes its expected length."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import exp, inf, log, log10, sqrt
from typing import Any, Final

from himalaya_core.games import GAMES
from himalaya_core.log.codec import decode_line
from himalaya_core.log.envelope import Ended
from himalaya_core.names import did_you_mean
from himalaya_core.players.named import line_up
from himalaya_core.tournament.likelihood import Bets, BetsOnMeans, BetsOnTValues, ratio_of_means, ratio_of_t_values
from himalaya_core.tournament.plan import Plan, TournamentError

__all__ = [
    "Course",
    "Decision",
    "EloModel",
    "Looks",
    "Referee",
    "SequentialOutcome",
    "SequentialTest",
    "at_most",
    "compared",
    "elo_of",
    "expected_groups",
    "said_of_looks",
    "share_of",
    "t_value_of",
]


@dataclass(frozen=True, slots=True)
class Looks:
    """A tournament with interim looks at its results, at the match counts in `extended` or by a sequential test."""

    tournament: str
    extended: tuple[int, ...] = ()
    until_decided: bool = False

    def __str__(self) -> str:
        after = " and ".join(f"{number:,}" for number in self.extended)
        parts = (
            [f"was extended after {after} {'match' if self.extended == (1,) else 'matches'}"] if self.extended else []
        )
        if self.until_decided:
            parts.append("was looked at after each seed until a sequential test decided")
        return f"{self.tournament} {' and '.join(parts)}"


def said_of_looks(looks: Sequence[Looks]) -> str:
    """Return a sentence, without its full stop, on how interim looks affect the statistics; empty for none."""
    if not looks:
        return ""
    said = "; ".join(map(str, looks))
    decided = "; the verdict of the test holds at any time" if any(look.until_decided for look in looks) else ""
    return f"{said}: intervals and p-values, which assume a single look, are too optimistic{decided}"


ADDED: Final = 0.5
"""Weight of the imaginary groups added at the lowest score, and again at the highest."""
ELO_PER_T: Final = 800 / log(10)
"""Normalised Elo that equals a t-value of 1 per match."""
MOST_T: Final = 1.0
"""Largest absolute t-value of a group that the test supports."""


class EloModel(StrEnum):
    """How Elo is defined: by the mean score, or by the mean score in standard deviations (a t-value)."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


class Decision(StrEnum):
    """The result of a test."""

    BETTER = "better"  # accepts H1: the difference is above `elo0`
    NOT_BETTER = "not better"  # accepts H0: the difference is below `elo1`
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A sequential test of H0 (`elo0`) against H1 (`elo1`), both differences in Elo.

    The probability of a wrong decision is at most `alpha` if H0 is true, and at most `beta` if H1 is. Raises
    `ValueError` for values outside the supported range.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    elo_model: EloModel = EloModel.LOGISTIC

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ValueError(
                f"expected elo0 below elo1, both from -2000 to 2000, found {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 1e-9 <= value < 0.5:
                raise ValueError(f"expected {name} above 0 and below 0.5, found {value:g}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted: log(beta)."""
        return log(self.beta)

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted: log(1/alpha)."""
        return -log(self.alpha)

    def effects(self, matches: int = 1) -> tuple[float, float]:
        """Return both hypotheses, as means or t-values of groups of `matches`. Raises `ValueError` above `MOST_T`."""
        if self.elo_model is EloModel.LOGISTIC:
            return share_of(self.elo0), share_of(self.elo1)
        low, high = t_value_of(self.elo0, matches), t_value_of(self.elo1, matches)
        if max(-low, high) > MOST_T:
            most = int(MOST_T * ELO_PER_T / sqrt(matches))
            raise ValueError(
                f"expected elo0 and elo1 from {-most} to {most} in normalised Elo with {matches} matches a seed, "
                f"found {self.elo0:g} and {self.elo1:g}"
            )
        return low, high

    def ratio(self, groups: Mapping[float, int], matches: int = 1) -> float:
        """Return the log-likelihood ratio of H1 to H0, given the number of groups with each score (0 to 1).

        `matches` is the number of matches per group in which the two players meet.
        """
        counts = Counter({0.0: ADDED, 1.0: ADDED})
        counts.update({float(score): number for score, number in groups.items()})
        of_either = ratio_of_means if self.elo_model is EloModel.LOGISTIC else ratio_of_t_values
        return of_either(counts, *self.effects(matches))

    def decision(self, ratio: float) -> Decision:
        """Return the decision that follows from a log-likelihood ratio."""
        if ratio >= self.upper:
            return Decision.BETTER
        return Decision.NOT_BETTER if ratio <= self.lower else Decision.UNDECIDED

    def first_decision(self, scores: Iterable[float], matches: int = 1) -> tuple[Decision, int, float]:
        """Return the first decision as groups are added, the number of groups it took, and the ratio at that point."""
        course = Course(self, matches)
        for score in scores:
            course.add(score)
            if course.decision is not Decision.UNDECIDED:
                break
        return course.decision, course.groups.total(), course.ratio


class Course:
    """A running test: the groups so far, the two bets, and the decision."""

    def __init__(self, test: SequentialTest, matches: int = 1) -> None:
        """Start a test with groups of `matches` matches. `ValueError` if the test does not support such groups."""
        self.test = test
        self.matches = matches
        self.groups: Counter[float] = Counter()
        self.decision = Decision.UNDECIDED
        kind = BetsOnMeans if test.elo_model is EloModel.LOGISTIC else BetsOnTValues
        self.bets: Bets = kind(*test.effects(matches))

    def add(self, score: float) -> None:
        """Add the score of the next group. After a decision, nothing changes.

        The ratio takes a hundred times as long as the bets, so it is computed only when a bet is won.
        """
        if self.decision is not Decision.UNDECIDED:
            return
        self.bets.add(score)
        self.groups[score] += 1
        won = {
            Decision.BETTER: self.bets.against_h0 >= self.test.upper,
            Decision.NOT_BETTER: self.bets.against_h1 >= -self.test.lower,
            Decision.UNDECIDED: False,
        }
        if any(won.values()) and won[decision := self.test.decision(self.ratio)]:
            self.decision = decision

    @property
    def ratio(self) -> float:
        """Return the log-likelihood ratio of the groups so far; 0 without groups."""
        return self.test.ratio(self.groups, self.matches) if self.groups else 0.0


def share_of(elo: float) -> float:
    """Return the better-place share that corresponds to an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """Return the Elo difference that corresponds to a better-place share; infinite at 0 and 1."""
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def t_value_of(elo: float, matches: int) -> float:
    """Return the t-value of groups of `matches` matches that corresponds to a difference in normalised Elo."""
    return sqrt(matches) * elo / ELO_PER_T


def expected_groups(test: SequentialTest, elo: float, deviation: float, matches: int = 1) -> float:
    """Return the approximate number of groups until a decision if the true difference is `elo`.

    `deviation` is the standard deviation of scores. The result is Wald's approximation (1945, Annals of Mathematical
    Statistics 16) of the ratio by a random walk. Its steps have mean (s1 − s0)(s − (s0 + s1)/2) / deviation² and
    variance ((s1 − s0) / deviation)².

    Overshoot, the added groups and the bets lengthen the test: by a tenth with the usual hypotheses, by up to half if
    it takes few groups. For normalised Elo the s are t-values and `deviation` is ignored, as it is 1.
    """
    s0, s1 = test.effects(matches)
    if test.elo_model is EloModel.LOGISTIC:
        truth = share_of(elo)
    else:
        truth, deviation = t_value_of(elo, matches), 1.0
    variance = ((s1 - s0) / deviation) ** 2
    drift = (s1 - s0) * (truth - (s0 + s1) / 2) / deviation**2
    if abs(drift) < 1e-9 * variance:
        return -test.lower * test.upper / variance
    tilt = 2 * drift / variance
    to_upper = (1 - exp(-tilt * test.lower)) / (exp(-tilt * test.upper) - exp(-tilt * test.lower))
    return (to_upper * test.upper + (1 - to_upper) * test.lower) / drift


MOST_UNDECIDED: Final = 100_000
"""Approximate maximum number of matches for a test without a given length."""
DIGITS: Final = 6
"""Decimals of numbers in a manifest, few enough to be the same on every machine."""
BIASED: Final = "biased away from 50%, as the test stops at an extreme"


@dataclass(frozen=True, slots=True)
class SequentialOutcome:
    """The result of the test. `better_share` (0 to 1) is the share of `pairs` pairs of seats that the player won.

    The fields are keys of the manifest, where seeds are called `lucks`.

    A test that stops itself tends to stop at an extreme, so the share does not estimate strength.
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
        """Return lines of text that explain the decision."""
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
    """Scores groups of matches as they finish, until the test decides."""

    def __init__(self, plan: Plan, pair: tuple[str, str], test: SequentialTest) -> None:
        """Set up the test. `TournamentError` if the players never meet, or meet too often per seed for the test."""
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
        """The test's settings for the manifest. Logistic Elo, the default of earlier versions, is omitted."""
        question = {"players": list(self._pair), **asdict(self.test)}
        if self.test.elo_model is EloModel.LOGISTIC:
            del question["elo_model"]
        return question

    @property
    def is_decided(self) -> bool:
        """True if the test has decided."""
        return self._course.decision is not Decision.UNDECIDED

    @property
    def state(self) -> str:
        """The log-likelihood ratio and its bounds as text, for the progress bar."""
        return f"LLR {self._course.ratio:+.2f} in {self.test.lower:.2f} … {self.test.upper:.2f}"

    @property
    def verdict(self) -> SequentialOutcome:
        """The result for the matches so far."""
        course = self._course
        seeds = course.groups.total()
        share = self._won / (2 * self._pairs * seeds) if seeds else 0.5
        matches, pairs = seeds * len(self._meetings), seeds * self._pairs
        return SequentialOutcome(
            course.decision, *self._pair, seeds, matches, pairs, round(share, DIGITS), round(course.ratio, DIGITS)
        )

    def see(self, last_line: bytes) -> None:
        """Add the next match, in plan order, from the last line of its log."""
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
    """Return the plan. If it has no length, set a default maximum number of seeds."""
    return replace(plan, matches=max(1, MOST_UNDECIDED // len(plan.tables)) * len(plan.tables))


def compared(plan: Plan, named: tuple[str, ...] | None) -> tuple[str, str]:
    """Return the two players that the test compares. It tests whether the first one is better."""
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
    from_outside = {place.text: name for name, place in plan.outside.items()}
    there = {**from_outside, **{name: name for name in plan.players}}
    return [there.get(text) or line_up(GAMES[plan.game], [text])[0][0] for text in texts]


def _meetings(table: tuple[str, ...], pair: tuple[str, str]) -> list[tuple[int, int]]:
    """Return all pairs of seats at a table in which the two players face each other."""
    seats: Mapping[str, list[int]] = {
        player: [seat for seat, name in enumerate(table) if name == player] for player in pair
    }
    return [(mine, his) for mine in seats[pair[0]] for his in seats[pair[1]]]

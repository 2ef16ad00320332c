"""Reports on tournaments of equal players: from the logs to all sentences about players.

`stats/test_calibration.py` simulates places instead. Here matches are really played, logged and loaded, and each figure
queries the warehouse under a filter. The players are the same class under several names, so any sentence claiming a
difference between them is false. Claims about seats are ignored, as a game's seats may be unequal.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from scipy.stats import beta

from dashboards.catalog.figures import figures_under, finding_of
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.stats.claims import RISK
from himalaya_core.games import GAMES
from himalaya_core.players.random import RandomPlayer
from himalaya_core.tournament.plan import make_plan
from himalaya_core.tournament.runner import run_tournament
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from tests.dashboards.stats.claimed import OF_SEATS, claims_a_difference

LOG: Final = logging.getLogger(__name__)
NAMES: Final = "abcdef"
FILTERS: Final[dict[str, tuple[str, ...]]] = {"no filter": (), "one player": ("a",), "two players": ("a", "b")}
BOUND: Final = 0.07
"""Upper limit for the rate of wrong reports at 95 % confidence, if there are enough tournaments to show 3 %."""
ENOUGH: Final = 200


class Caravan(RandomPlayer):
    """The random player of caravan, to be used under other names."""

    def __init__(self, seed: str, settings: dict[str, Any]) -> None:  # noqa: ARG002  as every player from outside
        super().__init__(GAMES["caravan"], seed)


class Summit(RandomPlayer):
    """The random player of summit, to be used under other names."""

    def __init__(self, seed: str, settings: dict[str, Any]) -> None:  # noqa: ARG002
        super().__init__(GAMES["summit"], seed)


class Climbers(RandomPlayer):
    """The random player of The Climbers, to be used under other names."""

    def __init__(self, seed: str, settings: dict[str, Any]) -> None:  # noqa: ARG002
        super().__init__(GAMES["climbers"], seed)


@dataclass(frozen=True)
class Kind:
    """Settings of some tournaments of a game; each of their seeds is played in every rotation of the players."""

    game: str
    seats: int
    seeds: int
    tournaments: int
    player: str = ""
    """Source of the players; by default random players."""

    def __str__(self) -> str:
        return f"{self.game}, {self.seats} seats, {self.seeds} seeds"

    def names(self) -> list[str]:
        return [f"{self.game}-{self.seats}-{self.seeds}-{number}" for number in range(self.tournaments)]


def play(kind: Kind, folder: Path) -> Path:
    """Play the tournaments of a kind and return a database of them."""
    player = kind.player or f"{__name__}:{kind.game.title()}"
    players = tuple(f"{player}={name}" for name in NAMES[: kind.seats])
    for name in kind.names():
        run_tournament(make_plan(name, kind.game, players, seeds=kind.seeds), folder / "logs", 1)
    ingest([folder / "logs"], folder / "equal.duckdb", processes=1)
    return folder / "equal.duckdb"


def false_claims(reader: Reader, where: Filter) -> Iterator[str]:
    """Yield the sentences of a report under a filter that claim a difference between players."""
    for name, figure in figures_under(reader, where).items():
        if "player" in figure.columns and name != OF_SEATS:
            said = finding_of(reader, figure, figure.frame(reader, where), where)
            if claims_a_difference(name, said):
                yield f"{name}: {said}"


def wrong_reports(kind: Kind, folder: Path) -> Counter[str]:
    """Return the number of reports with such claims for each filter, and log them."""
    found = Counter(dict.fromkeys(FILTERS, 0))
    with open_warehouse(play(kind, folder)) as warehouse:
        for tournament in kind.names():
            reader = Reader(warehouse)
            for called, players in FILTERS.items():
                wrong = [*false_claims(reader, Filter(tournaments=(tournament,), players=players))]
                found[called] += bool(wrong)
                for said in wrong:
                    LOG.info("%s, %s: %s", tournament, called, said)
    LOG.info("%s: of %d reports wrong: %s", kind, kind.tournaments, dict(found))
    return found


def at_most(wrong: int, tournaments: int) -> float:
    """Return the upper 95 % bound of a share (Clopper and Pearson 1934, Biometrika 26)."""
    return float(beta.ppf(0.95, wrong + 1, tournaments - wrong))


@pytest.mark.slow("plays tournaments")
@pytest.mark.parametrize(
    "kind",
    [
        Kind("caravan", 3, 6, 2),
        Kind("caravan", 3, 6, 1, "himalaya_core.players.caravan.quick_players:Greedy"),  # each match is the same
    ],
    ids=["random", "always the same"],
)
def test_reports_on_equal_players_claim_nothing(kind: Kind, tmp_path: Path) -> None:
    assert not wrong_reports(kind, tmp_path).total()


@pytest.mark.soak("simulates thousands of tournaments")
@pytest.mark.parametrize(
    "kind",
    [
        Kind("caravan", 3, 6, 200),
        Kind("caravan", 4, 12, 200),
        Kind("caravan", 4, 30, 200),
        Kind("caravan", 6, 12, 200),
        Kind("caravan", 3, 100, 1_000),
        Kind("summit", 5, 12, 200),
        Kind("climbers", 3, 6, 200),
    ],
    ids=str,
)
def test_reports_on_equal_players_are_rarely_wrong(kind: Kind, tmp_path: Path) -> None:
    for called, wrong in wrong_reports(kind, tmp_path).items():
        assert wrong <= RISK * kind.tournaments, called
        assert kind.tournaments < ENOUGH or at_most(wrong, kind.tournaments) <= BOUND, called


def test_the_bound_can_be_kept_and_be_broken() -> None:
    """Six wrong reports of two hundred (3 %) pass, and ten (5 %) fail."""
    assert at_most(6, ENOUGH) <= BOUND < at_most(10, ENOUGH)

"""Former names of public modules. They can be imported for one more release, with a warning.

Code outside this repository may import them. `docs/about/renamed.md` lists the former names for users.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final
from warnings import warn

__all__ = ["MODULES", "PACKAGES", "install", "present_name"]

PACKAGES: Final = {
    "himalaya_core.arena": "himalaya_core.tournament",
    "himalaya_core.review": "himalaya_core.winprob",
    "dashboards.warehouse": "dashboards.queries",
}
"""Renamed packages. Modules inside keep their names unless `MODULES` lists them."""
JOINED: Final = """
    dashboards.games choices map_layer terms -> dashboards.games.analytics
    dashboards.games.shared by_round progress -> dashboards.games.shared.course
    dashboards.games.shared match_means -> dashboards.games.shared.endings
    dashboards.games.shared by_place -> dashboards.games.shared.place_counts
    dashboards.games.shared board_context -> dashboards.games.shared.places
    dashboards.games.shared memo -> dashboards.games.shared.recent
    dashboards.games.shared seat_spread -> dashboards.games.shared.seat_sums
    dashboards.warehouse progress winners_vs_losers -> dashboards.queries.actions
    dashboards.warehouse paths -> dashboards.queries.addresses
    dashboards.warehouse csv_safe -> dashboards.queries.encoded
    dashboards.warehouse published -> dashboards.queries.export
    dashboards.warehouse copies intake state -> dashboards.queries.imports
    dashboards.warehouse listed turning_points -> dashboards.queries.matches
    dashboards.warehouse worth_seeing -> dashboards.queries.notable
    dashboards.warehouse versions -> dashboards.queries.participants
    dashboards.warehouse sources -> dashboards.queries.provenance
    dashboards.warehouse bookmarks studies -> dashboards.queries.reader
    dashboards.warehouse sums -> dashboards.queries.results
    dashboards.warehouse values -> dashboards.queries.reviews
    dashboards.warehouse looks -> dashboards.queries.tournaments
    dashboards.warehouse places -> dashboards.queries.traffic
    dashboards.warehouse choices known_names -> dashboards.queries.where
    himalaya_core playing reading -> himalaya_core.api
    himalaya_core perft -> himalaya_core.engine
    himalaya_core by_seat forms -> himalaya_core.game
    himalaya_core registry -> himalaya_core.games
    himalaya_core judging -> himalaya_core.verification
    himalaya_core.arena betting -> himalaya_core.tournament.likelihood
    himalaya_core.arena record schedules -> himalaya_core.tournament.plan
    himalaya_core.arena paired -> himalaya_core.tournament.playouts
    himalaya_core.arena asking -> himalaya_core.tournament.reproducibility
    himalaya_core.arena plan_file tournament -> himalaya_core.tournament.runner
    himalaya_core.arena deciding looks referee -> himalaya_core.tournament.sequential
    himalaya_core.arena verification -> himalaya_core.tournament.verify_files
    himalaya_core.caravan chance -> himalaya_core.caravan.flow
    himalaya_core.caravan options -> himalaya_core.caravan.pieces
    himalaya_core.caravan legal -> himalaya_core.caravan.rules
    himalaya_core.caravan text -> himalaya_core.caravan.view
    himalaya_core.log exact_json -> himalaya_core.log.text
    himalaya_core.players outside source -> himalaya_core.players.external
    himalaya_core.players.caravan routes traveller -> himalaya_core.players.caravan.base
    himalaya_core.players.caravan rollout -> himalaya_core.players.caravan.planner
    himalaya_core.players.caravan balanced envoy greedy pilgrim trader -> himalaya_core.players.caravan.quick_players
    himalaya_core.players.caravan judged subject -> himalaya_core.players.caravan.review
    himalaya_core.players.caravan foreseen -> himalaya_core.players.caravan.rounds
    himalaya_core.players.caravan errands forecast -> himalaya_core.players.caravan.trade_search
    himalaya_core.players.climbers alpinist rounds -> himalaya_core.players.climbers.base
    himalaya_core.players.climbers stifling -> himalaya_core.players.climbers.blocking
    himalaya_core.players.climbers outlook -> himalaya_core.players.climbers.evaluation
    himalaya_core.players.climbers playing_out -> himalaya_core.players.climbers.playouts
    himalaya_core.players.climbers blocker greedy -> himalaya_core.players.climbers.quick_players
    himalaya_core.players.climbers prospects ways -> himalaya_core.players.climbers.reachability
    himalaya_core.players.climbers telling -> himalaya_core.players.climbers.review
    himalaya_core.players.summit mountaineer prospects -> himalaya_core.players.summit.base
    himalaya_core.players.summit greedy porter racer -> himalaya_core.players.summit.quick_players
    himalaya_core.players.summit telling -> himalaya_core.players.summit.review
    himalaya_core.review fitting samples -> himalaya_core.winprob.fit
    himalaya_core.review course swings turning -> himalaya_core.winprob.key_moments
    himalaya_core.review document reviewing seats shapley -> himalaya_core.winprob.review
    himalaya_core.review checking training -> himalaya_core.winprob.train
    himalaya_core.summit chance -> himalaya_core.summit.flow
    himalaya_core.summit options -> himalaya_core.summit.pieces
    himalaya_core.summit legal -> himalaya_core.summit.rules
    himalaya_core.summit text -> himalaya_core.summit.view
"""
"""Modules that were merged into other modules: package, former names, and present module."""


def _modules() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in JOINED.strip().splitlines():
        former, _, present = line.partition("->")
        package, *names = former.split()
        found |= {f"{package}.{name}": present.strip() for name in names}
    return found


MODULES: Final = _modules()


def present_name(former: str) -> str | None:
    """Return the present name of a renamed module or package; `None` if it was not renamed."""
    if former in MODULES:
        return MODULES[former]
    for package, present in PACKAGES.items():
        if former == package or former.startswith(f"{package}."):
            return present + former.removeprefix(package)
    return None


class _FormerNames(MetaPathFinder, Loader):
    """Import hook that makes a renamed module available under its former name as well."""

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """Return a module spec if the name is a former one."""
        return None if present_name(fullname) is None else ModuleSpec(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module with the renamed one."""
        former = module.__name__
        present = present_name(former)
        assert present, "find_spec returns only former names"
        warn(f"{former} is now {present}; the former name ends with the next release", DeprecationWarning, stacklevel=2)
        sys.modules[former] = import_module(present)


def install() -> None:
    """Make the former names importable."""
    if not any(isinstance(finder, _FormerNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, _FormerNames())

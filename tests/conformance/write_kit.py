"""Writes the conformance kit: `python -m tests.conformance.write_kit`, after an intended change of rules or format.

`GAME-valid.jsonl.zst` has matches with every number of players and every set of options, on every board, including an
abandoned and an unfinished match. `GAME-changed.jsonl.zst` has matches that diverge from the rules. For each of these,
`changed.json` has the diverging line, what was changed, and what the rules expect there.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from himalaya_core.boards import shipped_board, shipped_boards
from himalaya_core.files import write_log
from himalaya_core.games import GAMES
from himalaya_core.replay import ReplayError
from himalaya_core.tournament.plan import Pairing, play
from himalaya_core.verification import judge
from tests.conformance.mutants import mutants
from tests.conformance.playing import VARIANTS, readings, switches
from tests.core.log.damage import Lines, abandoned

KIT = Path(__file__).parent / "kit"
EXPECTED = KIT / "changed.json"
CHANGED = 80
"""Number of changed matches per game."""


def valid(game: str) -> Path:
    return KIT / f"{game}-valid.jsonl.zst"


def changed(game: str) -> Path:
    return KIT / f"{game}-changed.jsonl.zst"


def sizes(game: str) -> list[int]:
    """Return the possible numbers of players of a game."""
    return sorted({len(variant.line_up) for variant in VARIANTS if variant.name == game})


def option_sets(game: str) -> Iterator[Mapping[str, Any]]:
    """Yield option sets to cover: combinations of additions, each alternative reading alone, a named start player."""
    named = switches(game)
    for size in range(len(named) + 1):
        yield from (dict.fromkeys(on, True) for on in combinations(named, size))
    yield from ({reading: True} for reading in readings(game))
    yield {"first": 1}


def match(game: str, name: str, players: int, options: Mapping[str, Any], board: Any) -> Lines:
    pairing = Pairing(name, ("random",) * players, name)
    return play(GAMES[game], board, options, pairing)[1].splitlines(keepends=True)


def valid_matches(game: str) -> Iterator[Lines]:
    """Yield the valid matches of a game."""
    usual = shipped_board(game)
    for players in sizes(game):
        for options in option_sets(game):
            yield match(game, ".".join([game, str(players), *options]), players, options, usual)
    few = sizes(game)[0]
    for name, board in shipped_boards(game).items():
        if board is not usual:
            yield match(game, f"{game}.{name}", few, {}, board)
    own = GAMES[game].parse_board({**usual.document, "id": "of-its-own"})
    yield match(game, f"{game}.carried-board", few, {}, own)
    yield match(game, f"{game}.unfinished", few, {}, usual)[:-20]
    cut_short = match(game, f"{game}.abandoned", few, {}, usual)
    yield abandoned(cut_short, len(cut_short) // 2)


def changed_matches(game: str) -> Iterator[tuple[Lines, str]]:
    """Yield matches of a game that diverge from the rules, each with its change, spread over the variants."""
    variants = [variant for variant in VARIANTS if variant.name == game]
    for nth, variant in enumerate(variants):
        share = len(range(nth, CHANGED, len(variants)))
        name = f"changed.{variant}"
        lines = match(game, name, len(variant.line_up), dict.fromkeys(variant.on, True), shipped_board(game))
        found = ((each.lines, each.change) for each in mutants(lines, 4 * share, str(variant)))
        departing = [(made, change) for made, change in found if departure(made)]
        yield from departing[:share]


def departure(lines: Lines) -> tuple[int, str] | None:
    """Return the line on which a match diverges and what is expected there; `None` if it is valid."""
    try:
        found = judge(lines).departure
    except ReplayError as error:
        return error.line, error.reason
    return found and (found.line, found.expected)


def main() -> None:
    KIT.mkdir(exist_ok=True)
    told: dict[str, dict[str, Any]] = {}
    for game in GAMES:
        with write_log(valid(game)) as file:
            for lines in valid_matches(game):
                file.write(b"".join(lines))
        with write_log(changed(game)) as file:
            for lines, change in changed_matches(game):
                file.write(b"".join(lines))
                line, expected = departure(lines) or (0, "")
                told[json.loads(lines[0])["match"]] = {"line": line, "changed": change, "expected": expected}
    EXPECTED.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Check on fresh seeds whether decisions confirmed as better are really better.

Matches of fast players are reviewed. From each, some decisions are drawn that a page would offer to check, and they are
confirmed as a page does. Then each is played out again on fresh seeds.

Columns: `said` is the mean gain of the confirmed decisions, `played` their gain on the fresh pairs, and `apart` the
difference in standard errors. `worse` counts decisions that lose significantly on the fresh pairs. `guessed` is the
model's estimate for them. `selected` counts the unconfirmed decisions that passed the first sample. Results are written
to a file, one per line; another run continues from it.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from himalaya_core.api import play
from himalaya_core.replay import Replay
from himalaya_core.tournament.confirming import ConfirmError, confirm, positions
from himalaya_core.tournament.playouts import NORMAL, between
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.model import shipped
from himalaya_core.winprob.review import review
from measure import CACHE, report

SEATS = {"caravan": 3, "summit": 2, "climbers": 2}
"""Number of seats for `random`, the fastest player, if no players are named."""
DRAWN = 4
"""Number of decisions drawn per match."""
LEAST = 0.05
"""Minimum gain according to the model; smaller gains are rarely confirmed by 200 pairs."""


def checked(game: str, players: Sequence[str], number: int, fresh: int) -> Iterator[dict[str, Any]]:
    """Confirm some decisions of a match, play each out again, and yield the results."""
    seed = f"confirmed-{number}"
    replay, draws = play(game, players, seed=seed).replay, random.Random(seed)
    model = shipped(replay.game)
    assert model is not None, f"a model of {game} ships"
    clear = [each for each in review(model, replay).judgements if each.is_clear(LEAST)]
    for judged in draws.sample(clear, min(DRAWN, len(clear))):
        row = {"match": number, "seq": judged.seq, "guessed": judged.cost, "said": None}
        try:
            found = confirm(replay, judged)
        except ConfirmError as error:
            yield row | {"error": str(error)}
            continue
        row["selected"] = found.gain is not None
        if found.is_confirmed:
            row |= {"said": found.gain, "played": played(replay, judged, fresh)}
        yield row


def played(replay: Replay, judged: Evaluation, fresh: int) -> tuple[float, float, float]:
    """Play a decision out on fresh pairs; return its gain and confidence interval."""
    *_, last = between(replay, positions(replay, judged), None, fresh, luck=f"fresh-{judged.seq}")
    return last.difference[judged.seat]


def error(gain: tuple[float, float, float]) -> float:
    """Return the standard error of a gain from its interval."""
    return (gain[2] - gain[1]) / 2 / NORMAL


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Summarize the rows of a game; gains are in percentage points."""
    claims = [row for row in rows if row["said"]]
    tried = [row for row in rows if "error" not in row]
    if not claims:
        return {"checked": len(tried), "claims": 0}
    apart = [row["said"][0] - row["played"][0] for row in claims]
    spread = sqrt(sum(error(row["said"]) ** 2 + error(row["played"]) ** 2 for row in claims))
    mean = {key: sum(row[key][0] for row in claims) / len(claims) for key in ("said", "played")}
    return {
        "checked": len(tried),
        "selected": sum(row["selected"] for row in tried),
        "claims": len(claims),
        "guessed": round(100 * sum(row["guessed"] for row in claims) / len(claims), 1),
        **{key: round(100 * each, 1) for key, each in mean.items()},
        "apart": round(sum(apart) / spread, 2),
        "worse": sum(row["played"][2] < 0 for row in claims),
    }


def main() -> None:
    """Check decisions until there are enough claims or matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(SEATS), required=True)
    parser.add_argument("--players", help="in seat order, as trader,greedy,random")
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--fresh", type=int, default=200, help="pairs of the last sample")
    parser.add_argument("--results", type=Path, default=CACHE, help="a folder")
    given = parser.parse_args()
    players = given.players.split(",") if given.players else ["random"] * SEATS[given.game]
    file = given.results / f"confirmed-{given.game}-{'-'.join(players)}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    number = max((row["match"] for row in rows), default=-1) + 1
    while sum(row["said"] is not None for row in rows) < given.claims:
        found = list(checked(given.game, players, number, given.fresh))
        with file.open("a", encoding="utf-8") as results:
            results.writelines(json.dumps(row) + "\n" for row in found)
        rows += found
        number += 1
    report("confirmed", game=given.game, players=players, aims={"apart": "|…| ≤ 2", "worse": "≤ 5 %"}, **summary(rows))


if __name__ == "__main__":
    main()

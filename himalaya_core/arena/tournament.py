"""Tournaments: a schedule cut into shards, each written whole by one process, so that a stopped one can go on.

Every line-up of the rotation meets the same luck once before the luck changes, so each player has sat in each seat of
the same dice. The shards, and each byte in them, depend on the plan alone, never on the number of processes.
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from himalaya_core.arena.record import Pairing, play
from himalaya_core.files import LogFileError, load_board, write_log
from himalaya_core.game import Game
from himalaya_core.games import GAMES
from himalaya_core.players import make_player

__all__ = ["Plan", "Shard", "TournamentError", "pairings", "run_tournament", "shards"]

MATCHES_PER_SHARD: Final = 50
POLL_SECONDS: Final = 0.2

Progress = Callable[[int], None]
"""Called with the number of matches on disk so far."""


class TournamentError(ValueError):
    """A tournament that cannot be played as asked; the message says what to do."""


@dataclass(frozen=True)
class Plan:
    """What to play: so many matches of one line-up, the seats rotating."""

    name: str
    game: str
    players: tuple[str, ...]
    matches: int
    options: Mapping[str, Any] = field(default_factory=dict)
    board: Path | None = None


@dataclass(frozen=True)
class Shard:
    """A file of consecutive matches."""

    path: Path
    pairings: tuple[Pairing, ...]


def pairings(plan: Plan) -> Iterator[Pairing]:
    """Yield the matches of a plan in order: each luck meets every rotation of the line-up once."""
    seats = len(plan.players)
    for number in range(plan.matches):
        luck, turn = divmod(number, seats)
        players = plan.players[turn:] + plan.players[:turn]
        yield Pairing(f"{plan.name}.{number:06d}", players, f"{plan.name}/{luck}", plan.name, number)


def shards(plan: Plan, folder: Path) -> list[Shard]:
    """Return the files that a plan is written to."""
    every = list(pairings(plan))
    starts = range(0, len(every), MATCHES_PER_SHARD)
    return [
        Shard(folder / f"{plan.name}-{number:04d}.jsonl.zst", tuple(every[start : start + MATCHES_PER_SHARD]))
        for number, start in enumerate(starts, start=1)
    ]


def run_tournament(plan: Plan, folder: Path, jobs: int, progress: Progress | None = None) -> list[Path]:
    """Play what is missing of a plan and return its log files.

    Raises `TournamentError` if the folder holds another tournament of this name, `LogFileError` if writing fails:
    complete shards stay, the one being written stays as `*.partial`, and the same call goes on from there.
    """
    game = GAMES[plan.game]
    board = load_board(game, plan.board)
    _write_plan(game, plan, board, folder)
    every = shards(plan, folder)
    missing = [shard for shard in every if not shard.path.exists()]
    done = plan.matches - sum(len(shard.pairings) for shard in missing)
    report = progress or (lambda _: None)
    report(done)
    if jobs == 1 or len(missing) <= 1:
        for shard in missing:
            for _ in _write_shard(plan, board, shard):
                done += 1
                report(done)
    else:
        _run_parallel(plan, missing, jobs, lambda written: report(done + written))
    return [shard.path for shard in every]


def _write_plan(game: Game[Any, Any, Any], plan: Plan, board: Any, folder: Path) -> None:
    """Keep what was asked beside the shards, and refuse to mix two tournaments under one name."""
    asked = asdict(plan)
    players = [make_player(game, name, "") for name in plan.players]
    asked["players"] = [{"player": p.name, "version": p.version, "params": dict(p.params)} for p in players]
    asked["options"] = dict(plan.options)
    asked["board"] = {"id": board.id, "sha256": board.sha256}
    asked["rules_version"] = game.rules_version
    file = folder / f"{plan.name}.tournament.json"
    text = json.dumps(asked, indent=2, sort_keys=True) + "\n"
    try:
        if file.exists():
            if file.read_text(encoding="utf-8") != text:
                raise TournamentError(
                    f"{file} describes another tournament of that name; take another --name or --out, or delete it"
                )
            return
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except (FileExistsError, NotADirectoryError):
        raise LogFileError(f"{folder}: this is not a folder that logs can go to") from None
    except OSError as error:
        raise LogFileError(f"{file}: {error.strerror}") from None


def _write_shard(plan: Plan, board: Any, shard: Shard) -> Iterator[None]:
    """Play and write one shard; yield after each match."""
    game = GAMES[plan.game]
    with write_log(shard.path) as file:
        for pairing in shard.pairings:
            _, lines = play(game, board, plan.options, pairing)
            file.write(lines)
            yield


_written: Any = None
"""The count of matches that all workers share; set once in each worker."""


def _start_worker(written: Any) -> None:
    global _written  # noqa: PLW0603  a process pool hands shared memory to its workers only this way
    _written = written


def _play_shard(plan: Plan, shard: Shard) -> None:
    for _ in _write_shard(plan, load_board(GAMES[plan.game], plan.board), shard):
        with _written.get_lock():
            _written.value += 1


def _run_parallel(plan: Plan, missing: list[Shard], jobs: int, report: Progress) -> None:
    context = multiprocessing.get_context("spawn")
    written = context.Value("q", 0)
    pool = ProcessPoolExecutor(min(jobs, len(missing)), context, _start_worker, (written,))
    try:
        waiting: set[Future[None]] = {pool.submit(_play_shard, plan, shard) for shard in missing}
        while waiting:
            done, waiting = wait(waiting, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            report(written.value)
    except BrokenProcessPool:
        raise TournamentError("a playing process was killed; the same command goes on with what is missing") from None
    finally:
        pool.shutdown(cancel_futures=True)

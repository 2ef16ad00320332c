"""The golden matches of climbers, as replays and as scenes, each created once per process."""

from functools import cache
from pathlib import Path

from dashboards.boards.tower import TowerScene
from dashboards.games.climbers.replay.scene import climbers_scene
from himalaya_core.replay import Replay

GOLDEN = Path(__file__).parents[3] / "golden"


@cache
def replay_of(players: int) -> Replay:
    return Replay.read((GOLDEN / f"climbers-{players}.jsonl").read_bytes().splitlines(keepends=True))


@cache
def scene_of(players: int) -> TowerScene:
    return climbers_scene(replay_of(players))

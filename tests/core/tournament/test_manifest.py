"""The manifest: digests of played matches; no shard is ever overwritten."""

import hashlib
import json
import platform
from pathlib import Path
from typing import Any

import pytest

from himalaya_core import __version__
from himalaya_core.cli.main import main
from himalaya_core.files import read_unfinished, write_log
from himalaya_core.games import GAMES
from himalaya_core.players import external
from himalaya_core.players.caravan.quick_players import Greedy
from himalaya_core.players.external import source_sha256
from himalaya_core.players.random import RandomPlayer
from himalaya_core.tournament import runner
from himalaya_core.tournament.manifest import BEGINNING, alone, audit, model_of
from himalaya_core.tournament.plan import make_plan
from himalaya_core.tournament.runner import Plan, TournamentError, run_tournament
from himalaya_core.winprob.model import shipped

PLAN = Plan("cup", "caravan", ("random", "greedy", "random"), 7)
SECOND = "cup-0002.jsonl.zst"


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MATCHES_PER_SHARD", 3)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    run_tournament(PLAN, tmp_path, jobs=1)
    return tmp_path


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "cup.tournament.json").read_text())
    return found


def forget(folder: Path, *names: str) -> None:
    """Remove shards from the manifest, as if the process had been killed before listing them."""
    found = manifest(folder)
    found["shards"] = [shard for shard in found["shards"] if shard["file"] not in names]
    (folder / "cup.tournament.json").write_text(json.dumps(found))


def test_the_manifest_records_the_request_and_the_versions(played: Path) -> None:
    found = manifest(played)
    asked = {key: found[key] for key in ("name", "game", "options", "matches", "schedule", "seating", "seats")}
    assert asked == {"name": "cup", "game": "caravan", "options": {}, "matches": 7} | {
        "schedule": "fixed",
        "seating": "rotate",
        "seats": None,
    }
    assert found["players"][1] == {"player": "greedy", "version": Greedy.version, "params": {}}
    assert found["rules_version"]
    assert {shard["himalaya"] for shard in found["shards"]} == {__version__}


def test_the_manifest_lists_each_shard_with_its_digest(played: Path) -> None:
    shards = manifest(played)["shards"]
    assert [(shard["file"][:8], shard["matches"]) for shard in shards] == [
        ("cup-0001", 3),
        ("cup-0002", 3),
        ("cup-0003", 1),
    ]
    assert manifest(played)["played"] == 7
    for shard in shards:
        assert shard["sha256"] == hashlib.sha256((played / shard["file"]).read_bytes()).hexdigest()


def test_the_manifest_lists_complete_shards_during_play(tmp_path: Path) -> None:
    listed: list[int] = []
    run_tournament(PLAN, tmp_path, 1, lambda _: listed.append(manifest(tmp_path)["played"]))
    assert listed == [0, 0, 0, 0, 3, 3, 3, 6]


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "not listed"])
@pytest.mark.parametrize("harm", ["cut off", "one bit", "empty", "other matches"])
def test_a_damaged_shard_is_reported_and_left_alone(played: Path, harm: str, listed: bool) -> None:
    path = played / SECOND
    before = path.read_bytes()
    bit = bytes([before[len(before) // 2] ^ 1])
    path.write_bytes(
        {
            "cut off": before[:-100],
            "one bit": before[: len(before) // 2] + bit + before[len(before) // 2 + 1 :],
            "empty": b"",
            "other matches": (played / "cup-0001.jsonl.zst").read_bytes(),
        }[harm]
    )
    damaged = path.read_bytes()
    if not listed:
        forget(played, SECOND)
    with pytest.raises(TournamentError, match=r"cup-0002\.jsonl\.zst.* .*delete it to have its matches played again"):
        run_tournament(PLAN, played, jobs=1)
    assert path.read_bytes() == damaged
    path.unlink()
    run_tournament(PLAN, played, jobs=1)
    assert path.read_bytes() == before


def test_a_sound_unlisted_shard_is_adopted(played: Path) -> None:
    before, times = manifest(played), (played / SECOND).stat().st_mtime_ns
    forget(played, SECOND, "cup-0003.jsonl.zst")
    run_tournament(PLAN, played, jobs=1)
    assert manifest(played) == before
    assert (played / SECOND).stat().st_mtime_ns == times


def test_an_old_manifest_without_digests_is_adopted(played: Path) -> None:
    before = manifest(played)
    old = {key: before[key] for key in before if key not in {"shards", "played", "schedule", "seating", "seats"}}
    (played / "cup.tournament.json").write_text(json.dumps(old))
    assert audit(played / "cup.tournament.json") == ([], [])
    run_tournament(PLAN, played, jobs=1)
    assert manifest(played) == before


def test_a_shard_with_lines_after_its_last_match_is_refused(played: Path) -> None:
    lines = read_unfinished(played / SECOND)
    with write_log(played / SECOND) as file:
        file.write(lines + lines.splitlines(keepends=True)[0])
    forget(played, SECOND)
    with pytest.raises(TournamentError, match="its match 3 is not the whole match that belongs there"):
        run_tournament(PLAN, played, jobs=1)


def test_a_deleted_shard_is_reported_and_replayed(played: Path) -> None:
    before = (played / SECOND).read_bytes()
    (played / SECOND).unlink()
    said: list[str] = []
    run_tournament(PLAN, played, 1, say=said.append)
    assert said == [f"{played / SECOND} is gone; its matches are played again"]
    assert (played / SECOND).read_bytes() == before


def test_a_different_schedule_with_the_same_name_is_refused(played: Path) -> None:
    other = make_plan("cup", "caravan", ("random", "greedy", "envoy", "trader"), seeds=1)
    with pytest.raises(TournamentError, match=r"was begun with .*; you named random, greedy, envoy, trader; take"):
        run_tournament(other, played, jobs=1)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"shards": 1}', '{"shards": [{}]}'])
def test_a_file_that_is_not_a_manifest_is_reported(played: Path, text: str) -> None:
    (played / "cup.tournament.json").write_text(text)
    with pytest.raises(TournamentError, match=r"cup\.tournament\.json is not a (tournament )?manifest"):
        run_tournament(PLAN, played, jobs=1)


def test_the_audit_finds_damaged_and_missing_shards(played: Path) -> None:
    path = played / "cup.tournament.json"
    assert audit(path) == ([], [])
    (played / SECOND).write_bytes(b"")
    (played / "cup-0003.jsonl.zst").unlink()
    wrong, unfinished = audit(path)
    assert [line.removeprefix(f"{played}/").partition(":")[0] for line in wrong] == [
        f"{SECOND} is damaged",
        "cup-0003.jsonl.zst is missing",
    ]
    assert unfinished == []


def test_a_tournament_is_played_by_one_run_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tournament", "caravan", "--name", "cup", "--players", "random,random,random", "--matches", "1", "--out"]
    with alone(tmp_path, "cup"):
        assert main([*command, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"himalaya: another process is playing cup into {tmp_path}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_records_versions_and_sources_before_the_first_match(tmp_path: Path) -> None:
    begun: list[dict[str, Any]] = []
    run_tournament(PLAN, tmp_path, 1, lambda _: begun.append(manifest(tmp_path)))
    assert begun[0]["played"] == 0
    assert (begun[0]["himalaya"], begun[0]["python"]) == (__version__, platform.python_version())
    assert begun[0]["seeds"] == {"first": "cup/0", "last": "cup/2"}
    assert begun[0]["sources"] == {"random": source_sha256(RandomPlayer), "greedy": source_sha256(Greedy)}
    assert len(set(begun[0]["sources"].values())) == 2
    model = shipped(GAMES["caravan"])
    assert model is not None
    assert begun[0]["model"] == model_of(tmp_path / "cup.tournament.json") == model.sha256


def test_a_strategy_changed_without_a_new_version_is_refused(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (played / SECOND).unlink()
    kept = (played / "cup.tournament.json").read_bytes()
    monkeypatch.setattr("himalaya_core.tournament.manifest.source_of", lambda player: f"another {player.name}")
    with pytest.raises(TournamentError, match=r"the source of random, version 1, has changed since"):
        run_tournament(PLAN, played, jobs=1)
    assert (played / "cup.tournament.json").read_bytes() == kept
    assert not (played / SECOND).exists()


def test_a_tournament_begun_with_former_sources_of_its_players_resumes(played: Path) -> None:
    """Modules of built-in players were renamed; the players choose as before."""
    former = json.loads((Path(external.__file__).parent / "former_sources.json").read_bytes())
    sources = {"greedy": former["caravan:greedy 1"], "random": former["random 1"]}
    assert sources != manifest(played)["sources"]
    (played / "cup.tournament.json").write_text(json.dumps({**manifest(played), "sources": sources}))
    (played / SECOND).unlink()
    run_tournament(PLAN, played, jobs=1)
    assert (played / SECOND).exists()
    assert manifest(played)["sources"] == sources


def test_an_old_manifest_resumes_without_claiming_starting_versions(played: Path) -> None:
    earlier = {key: value for key, value in manifest(played).items() if key not in BEGINNING}
    (played / "cup.tournament.json").write_text(json.dumps(earlier))
    assert model_of(played / "cup.tournament.json") is None
    (played / SECOND).unlink()
    run_tournament(PLAN, played, jobs=1)
    assert manifest(played)["played"] == 7
    assert not set(BEGINNING) & set(manifest(played))

